import { expect } from "chai";
import { makeError, WebSocketProvider, type BlockTag, type Filter, type Provider } from "ethers";
import hre, { network } from "hardhat";
import { Archive, type ArchiveUpdate, type FollowOptions } from "../../../sdk/chain/archive.js";
import { Bench } from "../../../sdk/laws/bench.js";
import { Fighters__factory } from "../../../typechain-types/index.js";
import { QuickClock } from "../../support/clock.js";
import { ethers, loadFixture, networkHelpers } from "../../support/index.js";
import { autoBattlerLaws } from "../../support/laws/auto-battler.js";
import { lawOptions } from "../../support/laws/options.js";
import { fighterContract } from "../../../sdk/games/auto-battler/fighters.js";

type Answers = Partial<Pick<Provider, "getBlock" | "getLogs" | "getBlockNumber">>;

/** Returns a provider that answers some calls itself, and passes the others on to the chain. */
function nodeWith(answers: Answers, provider = ethers.provider as unknown as Provider): Provider {
  return new Proxy(provider, {
    get(target, name) {
      const value: unknown = Reflect.get(answers, name) ?? Reflect.get(target, name);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

const { provider } = ethers;
const plain = provider as unknown as Provider;
const getBlock = (tag: BlockTag) => plain.getBlock(tag);
const opened = async () => {
  const bench = await Bench.open(autoBattlerLaws, lawOptions);
  return { bench, addresses: { ...bench.history.addresses, AutoBattler: bench.address } };
};

describe("An archive that follows its chain", () => {
  let addresses: Archive["addresses"];
  let mint: (count?: number) => Promise<void>;
  let stop: AbortController;
  let steps: AsyncGenerator<ArchiveUpdate, never>;

  beforeEach(async () => {
    const { bench, ...rest } = await loadFixture(opened);
    ({ addresses } = rest);
    const fighters = Fighters__factory.connect(addresses.Fighters, bench.world.owner);
    mint = async (count = 1) => {
      for (let i = 0; i < count; i++) await fighters.mint(bench.world.alice, 1, [1, 1, 1, 1, 1, 1], false);
    };
    stop = new AbortController();
  });

  afterEach(() => stop.abort());

  /** Starts to follow a chain from its latest block. */
  async function follow(node = plain, options: FollowOptions = {}): Promise<Archive> {
    const archive = await Archive.read(plain, addresses);
    const { chainId, genesis } = JSON.parse(JSON.stringify(archive.save())) as { chainId: string; genesis: string };
    expect([BigInt(chainId), genesis]).to.deep.equal([archive.chainId, (await getBlock(0))!.hash]);
    const through = await Archive.load(node, addresses, archive.save());
    steps = through.follow({ pause: 2, signal: stop.signal, ...options });
    return through;
  }

  const next = async () => (await steps.next()).value;
  const minted = (events: readonly { name: string; args: object }[]) =>
    events.flatMap(({ name, args }) => (name === "FighterMinted" ? [Number((args as { id: bigint }).id)] : []));

  /** Expects each answer of an archive to match the chain's current state. */
  async function expectCurrent(archive: Archive): Promise<void> {
    const fresh = await Archive.read(plain, addresses);
    expect(archive.all).to.deep.equal(fresh.all);
    expect(archive.last).to.deep.equal(fresh.last);
    const { Fighters } = addresses;
    expect(archive.find(Fighters, "FighterMinted")).to.deep.equal(fresh.find(Fighters, "FighterMinted"));
    for (const { args } of fresh.find(Fighters, "Transfer")) {
      expect(await archive.ownedBy(args.to, fighterContract)).to.deep.equal(
        await fresh.ownedBy(args.to, fighterContract),
      );
    }
    expect(archive.save()).to.deep.equal({ ...fresh.save(), times: archive.save().times });
  }

  it("reports each new block's events, and stays the same archive", async () => {
    const archive = await follow();
    const before = minted(archive.all).length;
    await mint();
    const one = await next();
    await networkHelpers.mine(3);
    const other = await next();
    expect([minted(one.added), one.undone, one.isRestarted]).to.deep.equal([[before + 1], [], false]);
    expect([other.added, other.undone]).to.deep.equal([[], []]);
    expect(other.archive).to.equal(archive);
    await expectCurrent(archive);
  });

  it("reports the events that a reorganisation undid, and returns a new archive without these events", async () => {
    const archive = await follow();
    const count = minted(archive.all).length;
    await mint();
    const before = await networkHelpers.takeSnapshot();
    await mint(2);
    await next();
    await archive.readTimes([archive.last.number - 2, archive.last.number]);
    expect(minted(archive.all).at(-1)).to.equal(count + 3);
    const old = { all: [...archive.all], last: archive.last };
    await before.restore();
    await networkHelpers.mine(5);
    const undone = await next();
    expect([minted(undone.undone), undone.added, undone.isRestarted]).to.deep.equal([
      [count + 2, count + 3],
      [],
      false,
    ]);
    expect(undone.archive).to.not.equal(archive);
    expect([archive, undone.archive].map((each) => typeof each.timeOf(old.last.number))).to.deep.equal([
      "bigint",
      "undefined",
    ]);
    expect(undone.archive.timeOf(old.last.number - 2)).to.equal(archive.timeOf(old.last.number - 2));
    await mint();
    const { archive: after, added } = await next();
    expect(after).to.equal(undone.archive);
    expect(minted(added)).to.deep.equal([count + 2]);
    await expectCurrent(after);
    // Data that somebody is reading from the old archive does not change during the read.
    expect({ all: archive.all, last: archive.last }).to.deep.equal(old);
  });

  it("detects that the last block was replaced", async () => {
    await follow();
    const before = await networkHelpers.takeSnapshot();
    await mint();
    const { archive } = await next();
    await before.restore();
    await networkHelpers.mine();
    const { undone } = await next();
    expect(minted(undone)).to.have.length(1);
    const { archive: after } = await next();
    expect(after.last.number).to.equal(archive.last.number);
    await expectCurrent(after);
  });

  it("accepts a shorter chain at the fourth check", async () => {
    const troubles: string[] = [];
    await follow(plain, { onTrouble: (reason) => troubles.push(reason) });
    const before = await networkHelpers.takeSnapshot();
    await mint(2);
    const { archive } = await next();
    const wanted = archive.last.number;
    await before.restore();
    const { undone, archive: after } = await next();
    expect(minted(undone)).to.have.length(2);
    expect(troubles).to.deep.equal(Array(3).fill(`block not found: the node has ${wanted - 2}, not ${wanted}`));
    await expectCurrent(after);
  });

  it("undoes nothing if one of several nodes lags", async () => {
    let behind = 0;
    const node = nodeWith({
      getBlock: async (tag) => {
        const head = await provider.getBlockNumber();
        if (tag === "latest" && behind > 0) return (behind--, getBlock(head - 2));
        return getBlock(tag);
      },
    });
    await follow(node);
    await mint(3);
    const { archive } = await next();
    behind = 3;
    const later = next();
    while (behind > 0) await new Promise((resolve) => setTimeout(resolve, 2));
    await mint();
    const { undone, added, archive: after } = await later;
    expect([undone, minted(added).length]).to.deep.equal([[], 1]);
    expect(after).to.equal(archive);
  });

  it("reports once that a failed node answers again, even without new blocks", async () => {
    let [fails, recoveries] = [0, 0];
    const node = nodeWith({
      getBlock: (tag) => (fails > 0 ? (fails--, Promise.reject(new Error("no backend"))) : getBlock(tag)),
    });
    await follow(node, { onRecovery: () => recoveries++ });
    const later = next();
    fails = 2;
    while (recoveries === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    await mint();
    expect(minted((await later).added)).to.have.length(1);
    expect([fails, recoveries]).to.deep.equal([0, 1]);
  });

  it("finds the last block before a deep reorganisation in few requests", async () => {
    await mint(2);
    const before = await networkHelpers.takeSnapshot();
    let asked = 0;
    const node = nodeWith({ getBlock: (tag) => (asked++, getBlock(tag)) });
    await follow(node);
    for (let i = 0; i < 150; i++) {
      await (i % 3 === 0 ? mint() : networkHelpers.mine());
      if (i % 2 === 0) await next();
    }
    await next();
    await before.restore();
    await networkHelpers.mine(151);
    asked = 0;
    const { undone, archive } = await next();
    expect(minted(undone)).to.have.length(50);
    expect(asked).to.be.within(8, 24);
    expect(archive.last.number).to.be.lessThan((await provider.getBlockNumber()) - 150);
    await expectCurrent((await next()).archive);
  });

  it("reports that the chain was restarted", async () => {
    const other = await network.create({ override: { initialDate: "2031-01-01T00:00:00Z" } as never });
    const fresh = other.ethers.provider as unknown as Provider;
    let current: Provider = plain;
    const node = nodeWith({
      getBlock: (tag) => current.getBlock(tag),
      getLogs: (filter) => current.getLogs(filter),
      getBlockNumber: () => current.getBlockNumber(),
    });
    const archive = await follow(node);
    current = fresh;
    await other.networkHelpers.mine(2);
    const { undone, isRestarted, archive: after } = await next();
    expect([undone, isRestarted]).to.deep.equal([archive.all, true]);
    expect(after.all).to.deep.equal([]);
    const { archive: last } = await next();
    expect([last.last, last.all]).to.deep.equal([{ number: 2, hash: (await fresh.getBlock(2))!.hash }, []]);
    await other.close();
  });

  it("keeps no event of a block that was replaced while it was read", async () => {
    const before = await networkHelpers.takeSnapshot();
    let isStill = false;
    const node = nodeWith({
      getLogs: async (filter: Filter) => {
        const logs = await provider.getLogs(filter);
        if (isStill) {
          isStill = false;
          await before.restore();
          await networkHelpers.mine(3);
        }
        return logs;
      },
    });
    const archive = await follow(node);
    await mint();
    isStill = true;
    const { archive: after, added } = await next();
    expect([after === archive, added]).to.deep.equal([true, []]);
    await expectCurrent(after);
  });

  it("waits while the node fails, and continues from the same block", async () => {
    await mint(30);
    const clock = new QuickClock();
    const troubles: [string, number][] = [];
    let fails = 0;
    const asked: number[] = [];
    const node = nodeWith({
      getBlock: async (tag) => {
        if (fails > 0 && fails--) throw makeError("no backend", "SERVER_ERROR", {} as never);
        return getBlock(tag);
      },
      getLogs: (filter: Filter) => {
        if (Number(filter.toBlock) - Number(filter.fromBlock) >= 5)
          return Promise.reject(new Error("limited to a 5 range"));
        asked.push(Number(filter.fromBlock));
        if (asked.length === 4) fails = 3;
        return provider.getLogs(filter);
      },
    });
    const empty = { chainId: 31_337n, events: [], last: { number: -1, hash: "" } };
    const archive = new Archive(node, addresses, empty);
    steps = archive.follow({ pause: 2, signal: stop.signal, clock, onTrouble: (...told) => troubles.push(told) });
    const head = await provider.getBlockNumber();
    let added = 0;
    for (let last = -1; last < head;) {
      const update = await next();
      expect(update.head).to.equal(head);
      added += update.added.length;
      last = update.archive.last.number;
    }
    expect(troubles.map(([reason]) => reason)).to.deep.equal(Array(troubles.length).fill("no backend"));
    expect(troubles.length).to.be.within(2, 3);
    expect(troubles.map(([, wait]) => wait).slice(0, 2)).to.deep.equal([75, 150]);
    // Only the blocks that the archive was reading when the node failed are read again.
    expect(asked).to.deep.equal([...new Set(asked), asked[3]].sort((a, b) => a - b));
    expect(added).to.equal(archive.all.length);
    expect(archive.all).to.deep.equal((await Archive.read(plain, addresses)).all);
  });

  it("fails on data that no node of this chain can return", async () => {
    const node = nodeWith({
      getLogs: async (filter: Filter) => {
        const logs = await plain.getLogs(filter);
        return logs.map((log) => Object.create(log, { data: { value: "0x" } }) as typeof log);
      },
    });
    await follow(node);
    await mint();
    const error = await next().catch((thrown: unknown) => thrown as Error);
    expect((error as Error).name).to.equal("MalformedEvent");
  });

  it("stops immediately on request, whether it is pausing or reading", async () => {
    const reason = new Error("closed");
    await follow(plain, { pause: 3_600_000 });
    const paused = next().catch((thrown: unknown) => thrown);
    await new Promise((resolve) => setTimeout(resolve, 20));
    stop.abort(reason);
    expect(await paused).to.equal(reason);
    stop = new AbortController();
    await follow(nodeWith({ getLogs: () => new Promise(() => undefined) }));
    await mint();
    const reading = next().catch((thrown: unknown) => thrown);
    await new Promise((resolve) => setTimeout(resolve, 20));
    stop.abort(reason);
    expect(await reading).to.equal(reason);
  });

  it("receives blocks from a node that pushes them", async () => {
    const server = await hre.network.createServer({ network: "default" }, "127.0.0.1");
    const { port } = await server.listen();
    const socket = new WebSocketProvider(`ws://127.0.0.1:${port}`);
    const archive = await Archive.read(socket, addresses);
    steps = archive.follow({ pause: 3_600_000, signal: stop.signal });
    let told: number | undefined;
    const update = next().then(({ archive: { last } }) => (told = last.number));
    // The test cannot observe when the node has started to answer.
    while (told === undefined) await socket.send("evm_mine", []);
    expect(await update).to.be.greaterThan(0);
    await steps.return(undefined as never);
    expect(await socket.listenerCount("block")).to.equal(0);
    // The message that ends the subscription is queued before this request.
    await socket.send("eth_chainId", []);
    await socket.destroy();
    await server.close();
  });
});
