import { COIN } from "../../../sdk/protocol/terms.js";
import { expect } from "chai";
import { dataLength, ZeroHash, type Provider } from "ethers";
import { network } from "hardhat";
import Duello from "../../../ignition/modules/Duello.js";
import { addressesOf } from "../../../cli/shared/node/deployment.js";
import { arenaAbi } from "../../../sdk/chain/arena.js";
import { History } from "../../../sdk/chain/history.js";
import { games, stockGame } from "../../../sdk/games/index.js";
import type { SecretStore } from "../../../sdk/games/moves.js";
import { Client, type Offered } from "../../../sdk/player/client.js";
import { randomKey, secretStoreWith } from "../../../sdk/player/secrets.js";
import { firstTurn, turnOf } from "../../../sdk/games/moves.js";
import { takeTurn } from "../../../sdk/player/turn.js";
import { decodeAnswer, decodeReveal } from "../../../sdk/protocol/commit-reveal.js";
import { Seat, Status } from "../../support/index.js";

// A player waits for finality on every chain except test chains, whose id is 31337.
const connection = await network.create({ override: { chainId: 7777 } });
const { ethers, networkHelpers } = connection;
const provider = ethers.provider as unknown as Provider;
const { moves } = stockGame("pistols");

/** Number of the final block, if it is not the latest. */
let final: number | undefined;
const getBlock = provider.getBlock.bind(provider);
provider.getBlock = async (tag, full) => getBlock(tag === "finalized" ? (final ?? "latest") : tag, full);

/** Methods of the requests to the node; for calls, the names of the arena's functions. */
const requests: string[] = [];
const request = connection.provider.request.bind(connection.provider);
connection.provider.request = async (asked) => {
  const [call] = (asked.params ?? []) as [{ data?: string }?];
  const called = asked.method === "eth_call" ? arenaAbi.parseTransaction({ data: call!.data! }) : null;
  requests.push(called?.name ?? asked.method);
  return request(asked);
};

/** Keeps secrets and records requests. */
function notedStore(store: SecretStore) {
  const calls = { commit: 0, reveal: 0 };
  const noted: SecretStore = {
    commit(move, scheme) {
      calls.commit++;
      return store.commit(move, scheme);
    },
    reveal(committed, scheme) {
      calls.reveal++;
      return store.reveal(committed, scheme);
    },
  };
  return { noted, calls };
}

function countOf(name: string, asked: readonly string[]): number {
  return asked.filter((each) => each === name).length;
}

async function deployed() {
  const [, a, b] = await ethers.getSigners();
  const addresses = await addressesOf(await connection.ignition.deploy(Duello));
  const [alice, bob] = await Promise.all([a, b].map((signer) => Client.connect(addresses, games, signer)));
  return { addresses, alice, bob };
}

describe("Taking a turn", () => {
  let world: Awaited<ReturnType<typeof deployed>>;

  beforeEach(async () => {
    final = undefined;
    world = await networkHelpers.loadFixture(deployed);
  });
  after(() => connection.close());

  /** Makes bob join a duel with an answer. */
  async function join(offer: Offered, history: History, paces: number) {
    const record = await history.match(offer.matchId);
    const turn = turnOf(record, Seat.Two, world.bob.address, history);
    const bobs = secretStoreWith(randomKey(), world.bob.committer(world.addresses.Pistols));
    await world.bob.join(offer, await moves.join(paces, turn, bobs));
  }

  /** Plays a duel of pistols until bob has answered, so that alice must reveal and commit to round 2. */
  async function answered() {
    const { addresses, alice, bob } = world;
    const store = secretStoreWith(randomKey(), alice.committer(addresses.Pistols));
    const history = new History(provider, addresses);
    const turn = firstTurn({ game: addresses.Pistols, mode: ZeroHash }, alice.address, history);
    const data = await moves.create(10, turn, store);
    const free = { token: COIN, stake1: 0n, stake2: 0n };
    const terms = { game: addresses.Pistols, mode: ZeroHash, clock: 86_400n, rated: true, ...free };
    const offer = await alice.create({ terms, data, opponent: bob.address });
    const unanswered = await networkHelpers.takeSnapshot();
    await join(offer, history, 10);
    final = await ethers.provider.getBlockNumber();
    return { offer, unanswered, history: new History(provider, addresses), ...notedStore(store) };
  }

  type Duel = Awaited<ReturnType<typeof answered>>;

  /** Reveals. @returns the requests that were made before the transaction was sent. */
  async function reveal({ offer, history, noted }: Duel, onWait?: () => Promise<void>): Promise<string[]> {
    requests.length = 0;
    let waiting: Promise<void> | undefined;
    await takeTurn(world.alice, history, offer.matchId, {
      secretStore: noted,
      move: (turn, store) => moves.suggest(turn, store),
      pause: 20,
      onWait: () => {
        waiting ??= onWait?.();
      },
    });
    await waiting;
    expect(await world.alice.arena.statusOf(offer.matchId)).not.to.equal(Status.P1Deposited);
    return requests.slice(0, requests.indexOf("eth_sendTransaction"));
  }

  it("reads the match once, decrypts the player's commitment once and commits at most once", async () => {
    const duel = await answered();
    const asked = await reveal(duel);
    expect(duel.calls.reveal).to.equal(1);
    expect(duel.calls.commit).to.be.at.most(1);
    expect(countOf("eth_getLogs", asked)).to.equal(1);
    // Once for the latest block, and once for the final block.
    expect(countOf("matchOf", asked)).to.equal(2);
    expect(countOf("termsOf", asked)).to.equal(1);
    // One request reads the state hash, which determines the standing of player 2, since the answer does not contain
    // it.
    expect(asked.length).to.be.at.most(13);
  });

  it("composes the data only once if the match does not change before it is final", async () => {
    const duel = await answered();
    final = final! - 1;
    await reveal(duel, async () => {
      final = undefined;
    });
    expect(duel.calls.reveal).to.equal(1);
    expect(duel.calls.commit).to.be.at.most(1);
  });

  it("composes the data again if a reorganisation has changed the answer", async () => {
    const duel = await answered();
    final = final! - 1;
    await reveal(duel, async () => {
      final = 0;
      await duel.unanswered.restore();
      await join(duel.offer, new History(provider, world.addresses), 9);
      final = undefined;
    });
    const { actions, joinData } = await duel.history.match(duel.offer.matchId);
    expect(decodeReveal(actions[0].data, 1, dataLength(decodeAnswer(joinData!).move)).answerSalt).to.equal(
      decodeAnswer(joinData!).salt,
    );
  });
});
