import { expect } from "chai";
import { ZeroHash, type Provider } from "ethers";
import { network } from "hardhat";
import Duello from "../../../ignition/modules/Duello.js";
import { addressesOf } from "../../../cli/shared/deployment.js";
import { History } from "../../../sdk/chain/history.js";
import { gameNamed } from "../../../sdk/games/index.js";
import type { SecretStore } from "../../../sdk/games/moves.js";
import { Client, COIN } from "../../../sdk/player/client.js";
import { randomKey, secretStoreWith } from "../../../sdk/player/secrets.js";
import { takeTurn } from "../../../sdk/player/turn.js";
import { Seat, Status } from "../../support/index.js";

// Test chains have 31337; on any other, a player waits for finality.
const connection = await network.create({ override: { chainId: 7777 } });
const { ethers, networkHelpers } = connection;
const provider = ethers.provider as unknown as Provider;
const { moves } = gameNamed("pistols");

/** Number of the final block, if it is not the latest. */
let final: number | undefined;
const getBlock = provider.getBlock.bind(provider);
provider.getBlock = async (tag, full) => getBlock(tag === "finalized" ? (final ?? "latest") : tag, full);

/** Names of the requests that the node was asked. */
const requests: string[] = [];
const request = connection.provider.request.bind(connection.provider);
connection.provider.request = async (asked) => {
  requests.push(asked.method);
  return request(asked);
};

/** Keeps secrets and notes what it is asked. */
function notedStore(store: SecretStore) {
  const calls = { commit: 0, reveal: 0 };
  const noted: SecretStore = {
    commit: (move, commit) => (calls.commit++, store.commit(move, commit)),
    reveal: (committed, commit) => (calls.reveal++, store.reveal(committed, commit)),
  };
  return { noted, calls };
}

async function deployed() {
  const [, a, b] = await ethers.getSigners();
  const addresses = await addressesOf(await connection.ignition.deploy(Duello));
  const [alice, bob] = await Promise.all([a, b].map((signer) => Client.connect(addresses, signer)));
  return { addresses, alice, bob };
}

describe("Taking a turn", () => {
  let world: Awaited<ReturnType<typeof deployed>>;

  beforeEach(async () => {
    final = undefined;
    world = await networkHelpers.loadFixture(deployed);
  });
  after(() => connection.close());

  /** A duel of pistols whose first round is answered, so that alice is to reveal and to commit to round 2. */
  async function answered() {
    const { addresses, alice, bob } = world;
    const game = addresses.Pistols;
    const store = secretStoreWith(randomKey(), alice.committer(game));
    const history = new History(provider, addresses);
    const turn = { player: alice.address, mode: ZeroHash, seat: Seat.One, history };
    const data = await moves.create(await moves.read(["10"], turn), turn, store);
    const free = { token: COIN, stake1: 0n, stake2: 0n };
    const terms = { game, mode: ZeroHash, clock: 86_400n, rated: true, ...free };
    const offer = await alice.create({ terms, data, opponent: bob.address }, { acceptedRisks: ["foreign-mode"] });
    const record = await history.match(offer.matchId);
    const second = { ...turn, player: bob.address, seat: Seat.Two, record };
    await bob.join(offer, await moves.join(await moves.read(["10"], second), second, store));
    return { matchId: offer.matchId, ...notedStore(store) };
  }

  async function reveal(onWait?: () => void) {
    const { matchId, noted, calls } = await answered();
    const { alice, addresses } = world;
    if (onWait) final = (await ethers.provider.getBlockNumber()) - 1;
    requests.length = 0;
    const history = new History(provider, addresses);
    await takeTurn(alice, history, matchId, {
      secretStore: noted,
      async move(turn) {
        const moveArgs = await moves.suggest(turn, noted);
        return moves.read(moveArgs, turn, noted);
      },
      pause: 20,
      onWait,
    });
    return { calls, matchId };
  }

  it("counts", async () => {
    const a = await reveal();
    console.log(a.calls, requests.length, requests.join(" "));
    expect(await world.alice.arena.statusOf(a.matchId)).to.be.oneOf([Status.AllJoined, Status.P1Win, Status.P2Win, Status.Draw]);
  });

  it("counts waits", async () => {
    const b = await reveal(() => (final = undefined));
    console.log(b.calls, requests.length, requests.join(" "));
  });
});
