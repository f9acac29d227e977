import { expect } from "chai";
import type { Provider } from "ethers";
import type { Addresses } from "../../../sdk/chain/addresses.js";
import { Archive } from "../../../sdk/chain/archive.js";
import { History } from "../../../sdk/chain/history.js";
import { games } from "../../../sdk/games/index.js";
import { Bench } from "../../../sdk/laws/bench.js";
import { Random } from "../../../sdk/laws/random.js";
import { replay } from "../../../sdk/verify/replay.js";
import { ethers, loadFixture, networkHelpers } from "../../support/index.js";
import { autoBattlerLaws } from "../../support/laws/auto-battler.js";
import { lawOptions } from "../../support/laws/options.js";
import { fighterContract } from "../../../sdk/games/auto-battler/fighters.js";

const METHODS = ["getBlock", "getBlockNumber", "getLogs", "call", "getNetwork"];

async function played() {
  // Other tests on the same chain have left blocks, which are not queried here.
  const first = await ethers.provider.getBlockNumber();
  const bench = await Bench.open(autoBattlerLaws, lawOptions);
  const draft = await bench.draft(new Random("counted"));
  await bench.play(draft);
  return { draft, bench, first, addresses: { ...bench.history.addresses, AutoBattler: bench.address } as Addresses };
}

describe("History", () => {
  let world: Awaited<ReturnType<typeof played>>;
  let asked: Record<string, number>;
  let node: Provider;

  beforeEach(async () => {
    world = await loadFixture(played);
    asked = {};
    node = new Proxy(ethers.provider, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        if (METHODS.includes(String(name))) asked[String(name)] ??= 0;
        return (...args: unknown[]) => {
          if (METHODS.includes(String(name))) asked[String(name)]++;
          return (value as (...args: unknown[]) => unknown).apply(target, args);
        };
      },
    });
  });

  it("requests the latest block once for all reads at that block", async () => {
    const { addresses, draft, first } = world;
    const snapshot = await new History(node, addresses, first).snapshot();
    const { player1 } = await snapshot.match(draft.matchId);
    for (let i = 0; i < 10; i++) {
      await snapshot.events(addresses.Arena, "Created", { player1 });
      await snapshot.operatorsOf(player1, addresses.Fighters);
      await snapshot.ownedBy(player1, fighterContract);
    }
    expect(asked).to.deep.include({ getBlock: 1, getBlockNumber: 1, getLogs: 31 });
  });

  it("needs 16 requests to replay a match, or six to read an archive, which then needs no more requests", async () => {
    const { addresses, draft, first } = world;
    const { mismatch } = await replay(new History(node, addresses, first), games, draft.matchId);
    expect(mismatch).to.equal(undefined);
    expect(asked).to.deep.equal({ getBlock: 1, getBlockNumber: 1, getLogs: 1, call: 12, getNetwork: 1 });
    asked = {};
    const archive = await Archive.read(node, addresses, first);
    expect(asked).to.deep.equal({ getNetwork: 1, getBlock: 3, getLogs: 1, getBlockNumber: 1 });
    asked = {};
    expect((await replay(archive, games, draft.matchId)).mismatch).to.equal(undefined);
    expect(asked).to.deep.equal({});
  });

  it("excludes later blocks from a snapshot, even if these blocks were read in the meantime", async () => {
    const { addresses, bench } = world;
    const draft = await bench.draft(new Random("later"));
    await bench.play(draft, 0, 1);
    const history = new History(node, addresses);
    const snapshot = await history.snapshot();
    await bench.play(draft, 1);
    expect((await history.match(draft.matchId)).settlement).to.not.equal(undefined);
    const { joinData, settlement } = await snapshot.match(draft.matchId);
    expect([joinData, settlement]).to.deep.equal([undefined, undefined]);
    expect(await snapshot.events(addresses.Arena, "Joined", { matchId: draft.matchId })).to.deep.equal([]);
    expect((await history.match(draft.matchId)).settlement).to.not.equal(undefined);
  });

  it("reads a match from a given block on, and does not mistake a part of a match for the whole", async () => {
    const { addresses, draft } = world;
    const { matchId } = draft;
    const whole = await new History(node, addresses).match(matchId);
    const [{ block }] = await new History(node, addresses).events(addresses.Arena, "Created", { matchId });
    await networkHelpers.mine(20);
    const firsts: number[] = [];
    const spied = new Proxy(node, {
      get: (target, name) =>
        name === "getLogs"
          ? (filter: { fromBlock: number }) => (firsts.push(filter.fromBlock), node.getLogs(filter))
          : (Reflect.get(target, name) as unknown),
    });
    const history = new History(spied, addresses);
    const late = await history.match(matchId, { fromBlock: block + 1 }).catch((thrown: unknown) => thrown as Error);
    expect((late as Error).message).to.equal(`There is no match ${matchId} from block ${block + 1} on.`);
    expect(await history.match(matchId, { fromBlock: block })).to.deep.equal(whole);
    expect(firsts).to.deep.equal([block + 1, block]);
    const head = await ethers.provider.getBlockNumber();
    const above = await history.match(matchId, { fromBlock: head + 1 }).catch(String);
    expect(above).to.equal(`InputError: fromBlock: ${head + 1} is above ${head}`);
  });

  it("reports the progress of each read separately", async () => {
    const { addresses } = world;
    const history = new History(node, addresses);
    const blocks = (await ethers.provider.getBlockNumber()) + 1;
    const read = async () => {
      const told: number[][] = [];
      const onProgress = (...come: number[]) => told.push(come);
      await history.events(addresses.Arena, "Created", {}, 0, { onProgress });
      return told;
    };
    expect(await Promise.all([read(), read()])).to.deep.equal([[[blocks, blocks]], [[blocks, blocks]]]);
  });

  it("aborts a read when the caller's signal fires", async () => {
    const { addresses, draft } = world;
    const silent = new Proxy(node, {
      get: (target, name) =>
        name === "getLogs" ? () => new Promise(() => undefined) : (Reflect.get(target, name) as unknown),
    });
    const history = new History(silent, addresses);
    const reason = new Error("closed");
    const stop = new AbortController();
    const { signal } = stop;
    const reads = [
      history.match(draft.matchId, { signal }),
      history.events(addresses.Arena, "Created", {}, 0, { signal }),
      history.snapshot({ signal }).then((snapshot) => snapshot.events(addresses.Arena, "Created")),
      Archive.read(silent, addresses, 0, { signal }),
    ].map((each) => each.then(String, (thrown: unknown) => thrown));
    setTimeout(() => stop.abort(reason), 20);
    expect(await Promise.all(reads)).to.deep.equal(reads.map(() => reason));
  });
});
