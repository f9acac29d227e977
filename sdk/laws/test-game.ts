import { expect } from "chai";
import { BaseContract } from "ethers";
import { SeededRandom } from "../bots/seeded-random.js";
import type { Chooser } from "../games/assessment.js";
import type { GameModule, GameOdds } from "../games/module.js";
import { modeHash } from "../games/modes.js";
import { firstTurn, turnOf, type SecretStore } from "../games/moves.js";
import { Client } from "../player/client.js";
import { randomKey, secretStoreWith } from "../player/secrets.js";
import { takeTurn } from "../player/turn.js";
import type { Hex } from "../protocol/hex.js";
import { Seat, Status } from "../protocol/status.js";
import { Reading } from "../verify/reading.js";
import { replay } from "../verify/replay.js";
import { askChain } from "../verify/state.js";
import { verify } from "../verify/verify.js";
import { Bench } from "./bench.js";
import type { LawGame } from "./game.js";
import { testLaws, type LawOptions } from "./laws.js";
import { mocha } from "./mocha.js";
import { Random } from "./random.js";
import { termsOf, type Account } from "./world.js";

/** Options of `testGame`. */
export interface GameOptions extends LawOptions {
  /** Number of random matches per mode that both engines compute, if the game has `odds`; defaults to 50. */
  previews?: number;
}

const PREVIEWS = 50;

/**
 * Declares all tests that need only a game's laws and its module, as suites of Mocha: the laws, parity of contract and
 * engine, and matches between programs, which are replayed, described and verified.
 * @throws Error for a game without a module.
 * @throws Error outside Mocha.
 * @example
 * ```ts
 * import { lawsOf, testGame } from "duello/laws";
 * import { stockGame } from "duello";
 *
 * const deploy = async () => connection.ethers.deployContract("TicTacToe", [await world.arena.getAddress()]);
 * testGame(lawsOf(stockGame("tic-tac-toe"), { deploy }), { connection });
 * ```
 */
export function testGame(game: LawGame, options: GameOptions): void {
  const { module } = game;
  if (!module) throw new Error(`${game.name}: it has no module.`);
  testLaws(game, options);
  testModule({ ...game, module }, options);
}

/**
 * Declares the tests of a game, except those of its laws.
 * @throws Error outside Mocha.
 * @example
 * ```ts
 * import { testModule } from "duello/laws";
 * import { stockGame } from "duello";
 *
 * testModule({ ...lawGame, module: stockGame("tic-tac-toe") }, { connection });
 * ```
 */
export function testModule(game: LawGame & { module: GameModule }, options: GameOptions): void {
  const { module } = game;
  const { connection, previews = PREVIEWS } = options;
  const { describe, it, beforeEach } = mocha();

  describe(`Module: ${game.name}`, () => {
    const opened = () => Bench.open(game, options);
    let bench: Bench;
    let random: Random;

    beforeEach(async function () {
      bench = await connection.networkHelpers.loadFixture(opened);
      random = new Random(`${game.name}: ${this.currentTest!.title}`);
    });

    const { odds, bot } = module;
    const compared = async ({ atRandom }: GameOdds) => {
      const contract = await previewOf(bench, module);
      for (const mode of bench.table.modes) {
        for (let n = 0; n < previews; n++) {
          const input = atRandom(mode, new SeededRandom(random.word()));
          const computed = await module.simulate(input);
          expect(await module.simulate(input, contract), JSON.stringify(input)).to.deep.equal(computed);
        }
      }
    };
    if (odds) it("computes random matches of every mode identically on both engines", () => compared(odds));

    const players: Record<string, Chooser> = {
      "at random": (turn, secretStore) => module.moves.suggest(turn, secretStore),
      ...(bot && { "by its strategy": bot.strategy }),
    };
    for (const [how, choose] of Object.entries(players)) {
      it(`is played ${how} to its end in every mode, replayed, described and verified`, async () => {
        for (const mode of bench.table.modes) {
          const matchId = await random.instead(() => playMatch(bench, module, mode, choose, random));
          await expectReplayed(bench, module, matchId);
        }
        await expectVerified(bench, module);
      });
    }
  });
}

/** Returns the contract that runs the game without a match. @throws Error if it was not deployed. */
async function previewOf({ address, table, world }: Bench, { name, abi, preview }: GameModule): Promise<BaseContract> {
  const { provider } = world.connection.ethers;
  if (!preview) return new BaseContract(address, abi, provider);
  const deployed = table.contracts?.[preview.contract];
  if (!deployed) throw new Error(`${name}: ${preview.contract} is missing in the contracts of its table.`);
  return new BaseContract(await deployed.getAddress(), preview.abi, provider);
}

/** Plays a match of alice against bob, as programs do. @returns its number. */
async function playMatch(
  bench: Bench,
  module: GameModule,
  mode: Hex,
  choose: Chooser,
  random: Random,
): Promise<bigint> {
  const { world, table, address: game, history } = bench;
  const seats = [await seatedAt(bench, module, world.alice), await seatedAt(bench, module, world.bob)];
  const [one, two] = seats;
  for (const { signer } of seats) await table.equip?.(signer, random);
  const terms = await termsOf(world, { game, mode: modeHash(mode), rated: !table.unrated?.includes(mode) });

  const first = firstTurn(terms, one.client.address, history);
  const data = await module.moves.create(await choose(first, one.secretStore), first, one.secretStore);
  const offer = await one.client.create({ terms, data, opponent: two.client.address }, ACCEPTED);
  const { matchId } = offer;

  const second = turnOf(await history.match(matchId), Seat.Two, two.client.address, history);
  const answer = await choose(second, two.secretStore);
  await two.client.join(offer, await module.moves.join(answer, second, two.secretStore), ACCEPTED);

  for (;;) {
    const { status, turn } = await world.arena.matchOf(matchId);
    if (status !== Status.AllJoined) break;
    const { client, secretStore } = turn === Seat.One ? one : two;
    await takeTurn(client, history, matchId, { secretStore, move: choose });
  }
  expect(await world.arena.statusOf(matchId), "status").to.be.oneOf([Status.P1Win, Status.P2Win, Status.Draw]);
  return matchId;
}

/** The tests also use modes that are not published. */
const ACCEPTED = { acceptedRisks: ["foreign-mode", "worse-odds"] } as const;

/** A player with the store for its secrets. */
interface Seated {
  signer: Account;
  client: Client;
  secretStore: SecretStore;
}

/** Connects a player. */
async function seatedAt({ history, address }: Bench, module: GameModule, signer: Account): Promise<Seated> {
  const client = await Client.connect(history.addresses, [module], signer);
  return { signer, client, secretStore: secretStoreWith(randomKey(), client.committer(address)) };
}

/** Expects the replay of a match to agree with its events, and to have a description. */
async function expectReplayed({ history }: Bench, module: GameModule, matchId: bigint): Promise<void> {
  const { record, replayed, mismatch } = await replay(history, [module], matchId);
  expect(mismatch, "mismatch").to.equal(undefined);
  expect(replayed.result, "result").not.to.equal(undefined);
  const entries = record.logs.flatMap((log) => log.entries);
  expect(await module.decodeLog(record, history), "decoded log").to.have.length(entries.length);
  const plain = (text: string) => text;
  expect(await module.story(record, history, plain), "story").not.to.have.length(0);
  const texts = await module.actionTexts?.(record, history);
  if (texts) expect(texts, "texts of actions").to.have.length(2 + record.actions.length);
}

/** Expects the state of the whole deployment to agree with its events. */
async function expectVerified({ world, history }: Bench, module: GameModule): Promise<void> {
  const { provider } = world.connection.ethers;
  const reading = await Reading.open(provider, history.addresses);
  const verdict = await verify(reading, [module], { ask: askChain(provider, reading.last.number) });
  const matches = Number(await world.arena.matchCount());
  expect({ mismatch: verdict.mismatch, matches: verdict.matches, foreign: verdict.foreign }).to.deep.equal({
    mismatch: undefined,
    matches,
    foreign: 0,
  });
}
