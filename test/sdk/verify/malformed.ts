import { expect } from "chai";
import { getBytes, Network, ZeroHash, type Log, type Provider } from "ethers";
import { games } from "../../../sdk/games/index.js";
import { encodeEvent, fieldsOf, type AnyEvent, type EventName } from "../../../sdk/chain/events.js";
import { MismatchError, locatedMismatchText, type LocatedMismatch } from "../../../sdk/chain/mismatch.js";
import { Reading } from "../../../sdk/verify/reading.js";
import { verify } from "../../../sdk/verify/verify.js";
import { EVENT_NAMES, Original } from "../../support/doctored.js";
import { logsFrom, provider } from "../../support/recording.js";
import { flipped } from "../../../sdk/laws/bytes.js";

/** Parts of a log that are read. */
type Parts = Pick<Log, "address" | "topics" | "data" | "blockNumber" | "index">;

/** Lists the changes that flip one bit of a log. Two bits of every byte are tried. */
function* flips({ topics, data }: Parts): Generator<Partial<Parts>> {
  for (const bits of [0x01, 0x80]) {
    for (let at = 0; at < getBytes(data).length; at++) yield { data: flipped(data, at, bits) };
    for (const [i, topic] of topics.entries()) {
      for (let at = 0; at < 32; at++) yield { topics: topics.with(i, flipped(topic, at, bits)) };
    }
  }
}

describe("Verifying malformed logs", () => {
  let original: Original;

  before(async () => {
    original = await Original.ofRecording();
  });

  /** Returns the shortest event of a name, because each of its bytes is tried. */
  const first = (name: EventName) => {
    const named = original.archive.all.filter((event) => event.name === name);
    return named.toSorted((a, b) => encodeEvent(a).data.length - encodeEvent(b).data.length)[0];
  };

  /** Verifies the chain with one log changed. @returns the mismatch. */
  async function found(
    event: AnyEvent,
    changes: Partial<Parts>,
    matches?: bigint[],
  ): Promise<LocatedMismatch | undefined> {
    const { addresses } = original.archive;
    const isMeant = (log: Log) => log.blockNumber === event.block && log.index === event.index;
    const liar = logsFrom(async (filter) => {
      const logs = await provider.getLogs(filter);
      return logs.map((log) => {
        const { address, topics, data, blockNumber, index, transactionHash } = log;
        const parts = { address, topics, data, blockNumber, index, transactionHash, ...changes };
        return isMeant(log) ? (parts as unknown as typeof log) : log;
      });
    });
    return (await verify(await Reading.open(liar, addresses), games, { matches })).mismatch;
  }

  /** Reads a chain that has only these logs, up to a block. @returns the last event, or the mismatch. */
  async function readAll(logs: readonly Parts[], block: number): Promise<AnyEvent | LocatedMismatch> {
    const last = { number: block, hash: ZeroHash };
    const alone = {
      getNetwork: async () => Network.from(Number(original.archive.chainId)),
      getBlock: async () => last,
      getBlockNumber: async () => block,
      getLogs: async () => logs,
    } as unknown as Provider;
    try {
      const from = Math.min(block, ...logs.map(({ blockNumber }) => blockNumber));
      const reading = await Reading.open(alone, original.archive.addresses, from);
      for await (const events of reading.parts()) return events.at(-1)!;
      throw new Error("Nothing was read.");
    } catch (error) {
      if (error instanceof MismatchError) return error.mismatch;
      throw error;
    }
  }

  const read = (log: Parts) => readAll([log], log.blockNumber);

  const partsOf = (event: AnyEvent): Parts => {
    const { address, block: blockNumber, index } = event;
    return { address, ...encodeEvent(event), blockNumber, index };
  };

  for (const name of EVENT_NAMES) {
    it(`reads a flipped bit of ${name} as another value, or reports it with its match and block`, async () => {
      const event = first(name);
      const log = partsOf(event);
      const known = new Set([...fieldsOf(name).map((field) => field.name), "the data", "the bytes of the data"]);
      const matchId = "matchId" in event.args ? event.args.matchId : undefined;
      const kinds = { other: 0, malformed: 0 };
      for (const change of flips(log)) {
        const answer = await read({ ...log, ...change });
        if ("args" in answer) {
          kinds.other++;
          expect(encodeEvent(answer)).to.deep.equal({ topics: log.topics, data: log.data, ...change });
          continue;
        }
        kinds.malformed++;
        expect(answer.block).to.equal(event.block);
        if (answer.at === "an event") expect(answer.what).to.equal("the first topic");
        else expect([answer.at, known.has(answer.what.split(/[.[]/)[0])], answer.what).to.deep.equal([name, true]);
        if (answer.at === name && change.topics === undefined) expect(answer.matchId).to.equal(matchId);
      }
      expect(kinds.malformed).to.be.greaterThan(0);
    });

    it(`reports data and topics of ${name} with the wrong length`, async () => {
      const event = first(name);
      const { data, topics, ...rest } = partsOf(event);
      const lengths = [
        ...(data === "0x" ? [] : [{ data: "0x" }, { data: data.slice(0, -2) }, { data: data.slice(0, -64) }]),
        ...[{ data: `${data}00` }, { data: `${data}${ZeroHash.slice(2)}` }],
        ...(topics.length === 1 ? [] : [{ topics: topics.slice(0, 1) }, { topics: topics.slice(0, -1) }]),
        ...[{ topics: [...topics, ZeroHash] }, { topics: [] }],
      ];
      for (const change of lengths) {
        const { at, block, what } = (await read({ ...rest, data, topics, ...change })) as LocatedMismatch;
        expect(block, JSON.stringify(change)).to.equal(event.block);
        const none = change.topics?.length === 0;
        expect(at).to.equal(none ? "an event" : name);
        expect(what).to.match(none ? /^the first topic$/ : /^(the (bytes of the )?data|the topics|[\w.]+)$/);
      }
    });

    it(`reports ${name} from another contract or out of order`, async () => {
      const event = first(name);
      const { address, block } = event;
      const { archive } = original;
      const { Arena, TicTacToe } = archive.addresses;
      const at = archive.all.indexOf(event);
      for (const other of [flipped(address, 7, 1), address === Arena ? TicTacToe : Arena]) {
        const told = await original.found(({ events }) => (events[at].address = other));
        expect(told).to.match(
          new RegExp(`^(match \\d+, )?${name}, block ${block}: the contract: expected .+, found ${other}$`),
        );
      }
      const log = partsOf(event);
      const before = archive.all.slice(0, at).slice(-1).map(partsOf);
      expect(await readAll([...before, log], block)).to.deep.include({ name, block });
      const places = before.map(({ blockNumber, index }) => ({ blockNumber, index }));
      for (const change of [{ blockNumber: block ^ (1 << 20) }, ...places]) {
        const answer = await readAll([...before, { ...log, ...change }], block);
        expect(answer, JSON.stringify(change)).to.include({ at: name, what: "its place" });
      }
    });
  }

  it("names the match, block and field of a flipped byte, even if only single matches are verified", async () => {
    const { archive } = original;
    const settled = archive.find(archive.addresses.Arena, "Settled")[0];
    const { data } = partsOf(settled);
    const { matchId } = settled.args;
    const told = { matchId, at: "Settled", block: settled.block, what: "status" };
    for (const matches of [undefined, [matchId], [matchId + 1n]]) {
      const mismatch = await found(settled, { data: flipped(data, 3, 1) }, matches);
      expect(mismatch).to.include(told);
    }
  });

  it("reports terms with an invalid game address, and a truncated mode, in one sentence each", async () => {
    const terms = first("TermsAdded");
    const wide = await found(terms, { data: flipped(partsOf(terms).data, 2, 1) });
    expect(locatedMismatchText(wide!)).to.equal(
      `TermsAdded, block ${terms.block}: terms.game: expected address, found none: value exceeds width (20 bytes)`,
    );
    const mode = first("ModeRegistered");
    const cut = await found(mode, { data: partsOf(mode).data.slice(0, -64) });
    expect(locatedMismatchText(cut!)).to.match(
      new RegExp(`^ModeRegistered, block ${mode.block}: (the data|content): expected [\\w ]+, found none: `),
    );
  });

  it("names the block of an entry that is not a log", async () => {
    const { addresses } = original.archive;
    const broken = Object.assign(new Error("x"), { code: "BAD_DATA", shortMessage: "invalid value for value.topics" });
    const { number } = original.archive.last;
    const liar = logsFrom((filter) =>
      Number(filter.toBlock) >= number ? Promise.reject(broken) : provider.getLogs(filter),
    );
    const { mismatch } = await verify(await Reading.open(liar, addresses), games);
    expect(mismatch).to.deep.equal({ at: "an event", block: number, what: "invalid value for value.topics" });
  });

  it("finds no mismatch in an honest chain that it verifies while reading, and forwards a node's errors", async () => {
    const { addresses, last, all } = original.archive;
    const told: [number, number][] = [];
    const reading = await Reading.open(provider, addresses, 0, (...come) => told.push(come));
    const { mismatch, events } = await verify(reading, games, { ask: original.ask });
    expect(mismatch).to.equal(undefined);
    expect(events).to.equal(all.length);
    expect(told.at(-1)).to.deep.equal([last.number + 1, last.number + 1]);
    expect(await reading.isCurrent()).to.equal(true);
    const gone = logsFrom(() => Promise.reject(new Error("gone")));
    const error = await verify(await Reading.open(gone, addresses), games).catch(String);
    expect(error).to.match(/^Refused: The node refuses the logs of one single block, 0: gone$/);
  });
});
