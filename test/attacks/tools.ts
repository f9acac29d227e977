import { games } from "../../sdk/games/index.js";
import { COIN } from "../../sdk/protocol/terms.js";
import { expect } from "chai";
import { id as hashOf } from "ethers";
import { network } from "hardhat";
import Duello from "../../ignition/modules/Duello.js";
import { addressesOf } from "../../cli/shared/node/deployment.js";
import { Client } from "../../sdk/player/client.js";
import { explain } from "../../sdk/player/errors.js";
import { encodeTeam } from "../../sdk/games/auto-battler/moves.js";
import { answerTo, revealFor, commitMove } from "../../sdk/protocol/commitment.js";
import { recoverSecret, commitWithKey } from "../../sdk/player/secrets.js";

// A separate chain that rejects no transaction.
const connection = await network.create({ override: { gas: "auto" } });

const HEX = ["", "0x", "0x1", "zz", "0xzz", "0x12"] as const;
const NUMBERS = [-1, NaN, 1.5, Infinity, 2n ** 256n, -(2n ** 255n), "seven"] as unknown as bigint[];
const WORD = hashOf("anything");

async function clients() {
  const { ethers, ignition } = connection;
  const [owner, alice] = await ethers.getSigners();
  const addresses = await addressesOf(await ignition.deploy(Duello));
  return Promise.all([owner, alice].map((signer) => Client.connect(addresses, games, signer)));
}

/** A call that must fail with a readable error of one line. */
type Try = [what: string, run: () => unknown];

/** A call for each bad value. */
function each<T>(what: string, values: readonly T[], run: (value: T) => unknown): Try[] {
  return values.map((value) => [`${what} ${String(value)}`, () => run(value)]);
}

async function expectOneLine([what, run]: Try): Promise<void> {
  const error: unknown = await Promise.resolve()
    .then(run)
    .then(
      () => undefined,
      (reason: unknown) => reason,
    );
  expect(error, `${what} is accepted`).not.to.equal(undefined);
  expect(explain(error, { games }), what).to.match(/^[^\n\r]{3,}$/);
}

describe("Known attacks: malformed hex, NaN, negative and huge numbers that are passed to the SDK", () => {
  after(() => connection.close());

  it("every client call reports the problem in one line, and sends nothing", async () => {
    const [owner, alice] = await connection.networkHelpers.loadFixture(clients);
    const { FightToken: token, AutoBattler: game } = alice.addresses;
    const good = { game, mode: WORD, clock: 3600n, rated: true, token, stake1: 1n, stake2: 1n };
    const seen = { terms: { ...good, feeBps: 2000n }, player1: owner.address, fingerprint: "0x0102030405" };
    const offer = (changes: object, rest: object = {}) =>
      alice.create({ terms: { ...good, ...changes }, data: WORD, ...rest });
    const tries = [
      ...NUMBERS.flatMap((n): Try[] => [
        [`deposit of ${n}`, () => alice.deposit(token, n)],
        [`deposit of coin ${n}`, () => alice.deposit(COIN, n)],
        [`permit for ${n}`, () => alice.depositWithPermit(token, n)],
        [`transfer of ${n}`, () => alice.transferDeposit(token, n)],
        [`transfer into ${n}`, () => alice.transferFund({ ...seen, matchId: n }, 1n)],
        [`withdrawal of ${n}`, () => alice.withdraw(token, n)],
        [`fund ${n}`, () => alice.fund({ ...seen, matchId: n })],
        [`join ${n}`, () => alice.join({ ...seen, matchId: n }, WORD)],
        [`act ${n}`, () => alice.act(n, WORD)],
        [`cancel ${n}`, () => alice.cancel(n)],
        [`decline ${n}`, () => alice.decline(n)],
        [`resign ${n}`, () => alice.resign(n)],
        [`timeout ${n}`, () => alice.timeout(n)],
        [`allow until ${n}`, () => alice.allow(owner.address, n)],
        [`firm until ${n}`, () => offer({}, { firmUntil: n })],
        [`coin with create ${n}`, () => alice.create({ terms: good, data: WORD }, { value: n })],
        ...["stake1", "stake2", "clock"].map((field): Try => [`${field} ${n}`, () => offer({ [field]: n })]),
      ]),
      ...each("deposit of token", HEX, (hex) => alice.deposit(hex, 1n)),
      ...each("deposit for", HEX, (hex) => alice.deposit(token, 1n, hex)),
      ...each("deposit of coin for", HEX, (hex) => alice.deposit(COIN, 1n, hex)),
      ...each("withdrawal to", HEX, (hex) => alice.withdraw(token, 1n, hex)),
      ...each("operator", HEX, (hex) => alice.allow(hex, 1)),
      ...each("opponent", HEX, (hex) => offer({}, { opponent: hex })),
      ...each("mode", HEX, (hex) => offer({ mode: hex })),
      ...each("game", HEX, (hex) => offer({ game: hex })),
      ...each("reveal", HEX, (hex) => offer({ mode: `0x${"0".repeat(64)}` }, { data: hex })),
      ...each("data", HEX, (hex) => alice.act(1n, hex)),
    ];
    const nonces = () => Promise.all([owner, alice].map(({ signer }) => signer.getNonce("pending")));
    const before = await nonces();
    for (const one of tries) {
      await expectOneLine(one);
      expect(await nonces(), `${one[0]} sent something`).to.deep.equal(before);
    }
  });

  it("every function for a committed match reports the problem in one line", async () => {
    const by = { chainId: 1, game: COIN, player: COIN };
    const team = encodeTeam([1n, 2n, 3n, 4n, 5n]);
    const { secret, committed } = commitMove(by, team);
    const broken = ["0x1", "zz", "0xzz"];
    const tries = [
      ...each("team of", NUMBERS, (n) => encodeTeam([n, 2n, 3n, 4n, 5n])),
      ...each("game", HEX, (game) => commitMove({ ...by, game }, team)),
      ...each("player", HEX, (player) => commitMove({ ...by, player }, team)),
      ...each("move", broken, (move) => commitMove(by, move)),
      ...each("move under a key", broken, (move) => commitWithKey(by, move, WORD)),
      ...each("key", broken, (key) => commitWithKey(by, team, key)),
      ...each("commitment", HEX, (hex) => answerTo(hex, team)),
      ...each("answering move", broken, (move) => answerTo(committed, move)),
      ...each("answer", HEX, (hex) => revealFor(secret, hex)),
      ...each("note", HEX, (hex) => recoverSecret(by, hex, WORD)),
    ];
    for (const one of tries) await expectOneLine(one);
  });
});
