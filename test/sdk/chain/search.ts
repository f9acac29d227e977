import { expect } from "chai";
import { toBeHex, type Filter, type Provider, type TransactionRequest } from "ethers";
import type { Addresses } from "../../../sdk/chain/addresses.js";
import { History } from "../../../sdk/chain/history.js";
import { autoBattlerLaws } from "../../support/laws/auto-battler.js";
import { Bench } from "../../../sdk/laws/bench.js";
import { Random } from "../../../sdk/laws/random.js";
import { ethers, loadFixture, networkHelpers, Status } from "../../support/index.js";
import { lawOptions } from "../../support/laws/options.js";
import { Fighters__factory } from "../../../typechain-types/index.js";
import { fighterContract } from "../../../sdk/games/auto-battler/fighters.js";

/** Maximum number of blocks in a request for logs. */
const SPAN = 10;

/** Settings of the node. */
interface Manners {
  /** True if the node has pruned the state of old blocks. */
  forgets?: boolean;
}

/** Returns a provider that allows ten blocks per request for logs, and the first block of each of these requests. */
function meagre({ forgets = false }: Manners = {}) {
  const asked: number[] = [];
  const answers = {
    getLogs: async (filter: Filter) => {
      if (Number(filter.toBlock) - Number(filter.fromBlock) >= SPAN) throw new Error(`exceeds max block range ${SPAN}`);
      asked.push(Number(filter.fromBlock));
      return ethers.provider.getLogs(filter);
    },
    call: async (tx: TransactionRequest) => {
      if (forgets && typeof tx.blockTag === "number") throw new Error("missing trie node");
      return ethers.provider.call(tx);
    },
  };
  const provider = new Proxy(ethers.provider, {
    get(target, name) {
      const value: unknown = Reflect.get({ ...answers }, name) ?? Reflect.get(target, name);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  }) as unknown as Provider;
  return { provider, asked };
}

async function opened() {
  const bench = await Bench.open(autoBattlerLaws, lawOptions);
  const addresses: Addresses = { ...bench.history.addresses, AutoBattler: bench.address };
  return { bench, addresses };
}

describe("History on a node limited to ten blocks per request", () => {
  let bench: Bench;
  let addresses: Awaited<ReturnType<typeof opened>>["addresses"];

  beforeEach(async () => {
    ({ bench, addresses } = await loadFixture(opened));
  });

  const historyAt = (manners?: Manners) => {
    const { provider, asked } = meagre(manners);
    return { history: new History(provider, addresses), asked };
  };

  it("finds a recent match in few requests, however long the chain is", async () => {
    await networkHelpers.mine(100_000);
    const draft = await bench.draft(new Random("young"));
    await bench.play(draft);
    const { history, asked } = historyAt({ forgets: true });
    const { settlement } = await history.match(draft.matchId);
    expect(settlement!.status).to.be.oneOf([Status.P1Win, Status.P2Win]);
    expect(asked.length).to.be.lessThan(5);
  });

  it("finds an old match in few requests if the node has the state of old blocks", async () => {
    const draft = await bench.draft(new Random("old"));
    await bench.play(draft);
    const expected = await bench.record(draft.matchId);
    // The chain keeps no state of blocks that were mined in bulk.
    for (let i = 0; i < 300; i++) await networkHelpers.mine(5);
    const { history, asked } = historyAt();
    expect(await history.match(draft.matchId)).to.deep.equal(expected);
    expect(asked.length).to.be.lessThan(50);
  });

  it("finds the events of a match in play", async () => {
    const draft = await bench.draft(new Random("going on"));
    await bench.play(draft, 0, 1);
    await networkHelpers.mine(1000);
    await bench.play(draft, 1, 2);
    await networkHelpers.mine(400);
    const { history } = historyAt();
    const { joinData, settlement } = await history.match(draft.matchId);
    expect([joinData, settlement]).to.deep.equal([draft.pieces[1].data, undefined]);
  });

  it("finds an old match slowly if the node has pruned the state of old blocks", async () => {
    const draft = await bench.draft(new Random("slow"));
    await bench.play(draft, 0, 2);
    await networkHelpers.mine(500);
    const { history, asked } = historyAt({ forgets: true });
    expect((await history.match(draft.matchId)).joinData).to.equal(draft.pieces[1].data);
    expect(asked.length).to.be.within(40, 100);
  });

  it("reads no part of a match twice, unless a reorganisation undid it", async () => {
    const draft = await bench.draft(new Random("twice"));
    await bench.play(draft, 0, 1);
    await networkHelpers.mine(100);
    const { history, asked } = historyAt();
    expect((await history.match(draft.matchId)).joinData).to.equal(undefined);
    asked.splice(0);
    expect((await history.match(draft.matchId)).joinData).to.equal(undefined);
    expect(asked).to.deep.equal([]);
    const before = await networkHelpers.takeSnapshot();
    await bench.play(draft, 1);
    expect((await history.match(draft.matchId)).settlement).to.not.equal(undefined);
    expect(asked).to.have.length(1);
    await networkHelpers.mine(10);
    expect((await history.match(draft.matchId)).settlement).to.not.equal(undefined);
    expect(asked).to.have.length(1);
    await before.restore();
    await networkHelpers.mine(20);
    expect((await history.match(draft.matchId)).joinData).to.equal(undefined);
  });

  it("reports a missing match without requesting logs", async () => {
    await networkHelpers.mine(1000);
    const { history, asked } = historyAt();
    const error = await history.match(1n).catch((thrown: unknown) => thrown as Error);
    expect([(error as Error).message, asked]).to.deep.equal(["There is no match 1.", []]);
  });

  it("reads terms and modes from the contracts, and accepts them only if their hashes match", async () => {
    await networkHelpers.mine(1000);
    const draft = await bench.draft(new Random("terms"));
    await bench.play(draft, 0, 1);
    const { provider, asked } = meagre();
    const history = new History(provider, addresses);
    const { terms } = await history.match(draft.matchId);
    expect(terms).to.deep.equal(draft.terms);
    asked.splice(0);
    const lying = new Proxy(provider, {
      get: (target, name) =>
        name === "call"
          ? async (tx: { data: string }) => {
              const answer = await ethers.provider.call(tx);
              const { selector } = bench.world.arena.interface.getFunction("termsOf");
              return tx.data.startsWith(selector) ? answer.replace(/.$/, "0") : answer;
            }
          : (Reflect.get(target, name) as unknown),
    });
    const error = await new History(lying, addresses).match(draft.matchId).catch((thrown: unknown) => thrown as Error);
    expect((error as Error).message).to.match(/^The node answers 0x[0-9a-f]{64} with something of another hash\.$/);
  });

  describe("when it lists a player's characters", () => {
    /** Mints fighters to three players in turn. @returns the players. */
    async function dealt(count: number) {
      const { alice, bob } = bench.world;
      const fighters = Fighters__factory.connect(addresses.Fighters, bench.world.owner);
      const owners = [await alice.getAddress(), await bob.getAddress(), toBeHex(7, 20)];
      for (let i = 0; i < count; i++) await fighters.mint(owners[i % owners.length], 1, [1, 1, 1, 1, 1, 1], false);
      return owners;
    }

    it("finds recent characters in few requests", async () => {
      await networkHelpers.mine(100_000);
      const owners = await dealt(9);
      const { history, asked } = historyAt();
      expect(await history.ownedBy(owners[2], fighterContract)).to.have.length(3);
      expect(asked.length).to.be.lessThan(5);
    });

    it("requests each character's owner if that takes fewer requests", async () => {
      const owners = await dealt(9);
      await networkHelpers.mine(100_000);
      const { history, asked } = historyAt();
      const found = await history.ownedBy(owners[2], fighterContract);
      expect(found).to.have.length(3);
      expect(asked.length).to.be.lessThan(50);
    });

    it("requests nothing for a player without characters, and omits characters given away or burned", async () => {
      const { history, asked } = historyAt();
      expect(await history.ownedBy(toBeHex(8, 20), fighterContract)).to.deep.equal([]);
      expect(asked).to.deep.equal([]);
      const { alice, bob } = bench.world;
      const fighters = Fighters__factory.connect(addresses.Fighters, bench.world.owner);
      const [one, other] = [await alice.getAddress(), await bob.getAddress()];
      for (let i = 0; i < 3; i++) await fighters.mint(one, 1, [1, 1, 1, 1, 1, 1], false);
      const [first, second, third] = await history.ownedBy(one, fighterContract);
      await fighters.connect(alice).transferFrom(one, other, first);
      await fighters.connect(bob).transferFrom(other, one, first);
      await fighters.connect(alice).transferFrom(one, other, second);
      await fighters.connect(alice).burn(third);
      const left = await history.ownedBy(one, fighterContract);
      expect(left).to.include(first).and.not.to.include.members([second]);
      expect(left).to.not.include(third);
      expect(await history.ownedBy(other, fighterContract)).to.include(second);
    });
  });
});
