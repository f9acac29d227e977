import { expect } from "chai";
import { id, Log, makeError, toBeHex, type Filter, type Provider } from "ethers";
import { LogReader, type LogFilter } from "../../../sdk/chain/logs.js";
import { Outage, troubleOf } from "../../../sdk/chain/trouble.js";
import { QuickClock } from "../../support/clock.js";

const ARENA = "0x1111111111111111111111111111111111111111";
const GAME = "0x2222222222222222222222222222222222222222";
const [PLAYED, CHEAP] = [id("Played(uint256)"), id("Cheap(uint256)")];
const FILTER: LogFilter = { address: ARENA, topics: [PLAYED] };

interface Asked {
  from: number;
  to: number;
}

/** Builds a node's error as ethers passes it on. */
function refusal(message: string, code = -32_000): Error {
  const payload = { method: "eth_getLogs", params: [{ fromBlock: "0x0", toBlock: "0x270f" }], id: 7, jsonrpc: "2.0" };
  return makeError("could not coalesce error", "UNKNOWN_ERROR", { error: { code, message }, payload });
}

/** Builds an HTTP error as ethers passes it on. */
function response(statusCode: number, headers: Record<string, string> = {}): Error {
  const error = new Error(`server response ${statusCode}`);
  return Object.assign(error, { response: { statusCode, headers }, info: { responseStatus: statusCode } });
}

/** A chain with one log in each block, and a node with its own limits. */
class FakeNode {
  readonly asked: Asked[] = [];
  readonly clock = new QuickClock();
  head = 999;
  /** Logs of each block. */
  content: (block: number) => [address: string, topics: string[]][] = () => [[ARENA, [PLAYED]]];
  /** Throws if the node must not answer. */
  manner: (asked: Asked, logs: number, question: number) => void = () => undefined;
  tamper: (logs: Log[]) => Log[] = (logs) => logs;

  readonly reader = new LogReader(
    {
      getBlockNumber: () => Promise.resolve(this.head),
      getLogs: (filter: Filter) => this.logs(filter),
    } as unknown as Provider,
    this.clock,
  );

  async all(filter = FILTER, [first, last] = [0, 999]): Promise<number[]> {
    const blocks: number[] = [];
    for await (const { logs } of this.reader.forward(filter, first, last)) {
      blocks.push(...logs.map(({ blockNumber }) => blockNumber));
    }
    return blocks;
  }

  logOf(block: number, index = 0, [address, topics]: [string, string[]] = [ARENA, [PLAYED]]): Log {
    const hash = toBeHex(block, 32);
    const rest = { data: "0x", transactionHash: hash, transactionIndex: 0, removed: false };
    return new Log({ ...rest, blockNumber: block, blockHash: hash, index, address, topics }, null as never);
  }

  private async logs({ fromBlock, toBlock, address, topics }: Filter): Promise<Log[]> {
    const asked = { from: Number(fromBlock), to: Number(toBlock) };
    this.asked.push(asked);
    const [names] = topics ?? [];
    const found: Parameters<FakeNode["logOf"]>[] = [];
    for (let block = asked.from; block <= Math.min(asked.to, this.head); block++) {
      for (const [index, each] of this.content(block).entries()) {
        if ([address].flat().includes(each[0]) && [names].flat().includes(each[1][0])) found.push([block, index, each]);
      }
    }
    // The node may throw here instead of answering, for example because there are too many logs.
    this.manner(asked, found.length, this.asked.length - 1);
    return this.tamper(found.map((log) => this.logOf(...log)));
  }
}

const upTo = (last: number) => Array.from({ length: last + 1 }, (_, i) => i);
const blocksOf = ({ from, to }: Asked) => to - from + 1;

/** Rejects requests for more than `max` blocks. */
function limited(max: number, words: (asked: Asked) => Error): FakeNode["manner"] {
  return (asked) => {
    if (blocksOf(asked) > max) throw words(asked);
  };
}

async function thrownBy(asked: Promise<unknown>): Promise<Error> {
  return asked.then(
    () => expect.fail("it was answered"),
    (error: unknown) => error as Error,
  );
}

describe("Log reader", () => {
  let node: FakeNode;

  beforeEach(() => {
    node = new FakeNode();
  });

  const WORDS: [who: string, words: (max: number, asked: Asked) => Error, tells: boolean][] = [
    ["a public node", (max) => refusal(`query exceeds max block range ${max}`), true],
    [
      "Alchemy",
      (max, { from }) =>
        refusal(
          `You can make eth_getLogs requests with up to a ${max} block range. Based on your parameters, this block range should work: [0x${from.toString(16)}, 0x${(from + max - 1).toString(16)}]`,
          -32_600,
        ),
      true,
    ],
    ["Infura", (max, asked) => refusal(`range ${blocksOf(asked)} exceeds limit of ${max}`, -32_602), true],
    [
      "QuickNode",
      (max) => Object.assign(response(413), { info: { responseBody: `eth_getLogs is limited to a ${max} range` } }),
      false,
    ],
    ["QuickNode in an answer", (max) => refusal(`eth_getLogs is limited to a ${max} range`, -32_614), true],
    ["Ankr", () => refusal("block range is too wide", -32_600), false],
    ["Cloudflare", (max) => refusal(`Max range: ${max}`, -32_047), true],
    ["Base", () => refusal("block range too large", -32_602), false],
    ["Coinbase", (max) => refusal(`please limit the query to at most ${max} blocks`), true],
    ["PublicNode", (max) => refusal(`exceed maximum block range: ${max}`), true],
    ["Tenderly", (max, asked) => refusal(`range ${blocksOf(asked)} is bigger than range limit ${max}`, -32_602), true],
    [
      "Avalanche",
      (max, { from, to }) => refusal(`requested too many blocks from ${from} to ${to}, maximum is set to ${max}`),
      false,
    ],
    ["dRPC", (max) => refusal(`ranges over ${max} blocks are not supported on freetier`, 35), true],
    ["Moonbeam", (max) => refusal(`block range is too wide (maximum ${max})`), true],
    ["geth", (max) => refusal(`exceed maximum block range: ${max}`, -32_602), true],
    ["a node with unusual wording", () => refusal("no, not like this", -32_603), false],
    ["a proxy in front of it", () => response(413), false],
  ];
  for (const [who, words, tells] of WORDS) {
    it(`reads from a node that allows ten blocks per request, with the error text of ${who}`, async () => {
      node.manner = limited(10, (asked) => words(10, asked));
      expect(await node.all()).to.deep.equal(upTo(999));
      const refused = node.asked.filter((asked) => blocksOf(asked) > 10).length;
      expect(node.asked.length).to.be.lessThan(tells ? 125 : 160);
      expect(refused).to.be.lessThan(25);
      expect(node.clock.waits).to.deep.equal([]);
    });
  }

  const RESULTS: [who: string, error: Error][] = [
    ["Infura", refusal("query returned more than 10000 results", -32_005)],
    [
      "Infura with a range",
      refusal("query returned more than 10000 results. Try with this block range [0x0, 0x63].", -32_005),
    ],
    [
      "Alchemy",
      refusal("Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range", -32_602),
    ],
    ["Arbitrum", refusal("logs matched by query exceeds limit of 10000")],
    ["LlamaRPC", refusal("query exceeds max results 20000, retry with the range 24383075-24383096")],
    ["Erigon", refusal("query timeout exceeded")],
    ["Optimism", refusal("backend response too large", -32_020)],
    ["Nethermind", refusal("Too many logs requested. Max logs per response is 20000.", -32_005)],
  ];
  for (const [who, error] of RESULTS) {
    it(`reads ten thousand spam events from a node that caps results, with the error text of ${who}`, async () => {
      node.content = (block) =>
        block >= 500 && block < 600 ? Array(100).fill([ARENA, [PLAYED]]) : [[ARENA, [PLAYED]]];
      node.manner = (_, logs) => {
        if (logs > 1000) throw error;
      };
      expect(await node.all()).to.have.length(900 + 10_000);
      expect(node.asked.length).to.be.lessThan(80);
    });
  }

  it("increases its range again, and remembers the node's limit for the next read", async () => {
    node.manner = limited(100, () => refusal("block range too large"));
    await node.all();
    node.asked.splice(0);
    await node.all();
    expect(Math.max(...node.asked.slice(0, 1).map(blocksOf))).to.be.at.most(200);
    node.manner = () => undefined;
    node.head = 100_000;
    node.content = () => [];
    await node.all(FILTER, [0, node.head]);
    expect(Math.max(...node.asked.map(blocksOf))).to.equal(10_000);
  });

  it("returns the same logs when it reads backwards", async () => {
    node.manner = limited(7, () => refusal("block range too large"));
    const blocks: number[] = [];
    for await (const { logs } of node.reader.backward(FILTER, 0, 999)) {
      blocks.unshift(...logs.map(({ blockNumber }) => blockNumber));
    }
    expect(blocks).to.deep.equal(upTo(999));
  });

  it("stops at the given block, whatever new blocks arrive", async () => {
    node.manner = limited(10, () => (node.head++, refusal("block range too large")));
    expect(await node.all()).to.deep.equal(upTo(999));
  });

  describe("given a block with more cheap events than a node returns at once", () => {
    beforeEach(() => {
      node.content = (block) => [...Array(block === 500 ? 2000 : 0).fill([ARENA, [CHEAP]]), [ARENA, [PLAYED]]];
      node.manner = (_, logs) => {
        if (logs > 1000) throw refusal("query returned more than 1000 results", -32_005);
      };
    });

    it("reads the other events of the block", async () => {
      expect(await node.all()).to.deep.equal(upTo(999));
    });

    it("reads the block in parts, and if that fails too, throws a one-line error that names the block", async () => {
      node.content = (block) => [
        ...Array(block === 500 ? 700 : 0).fill([ARENA, [CHEAP]]),
        ...Array(block === 500 ? 700 : 1).fill([ARENA, [PLAYED]]),
      ];
      const both: LogFilter = { address: ARENA, topics: [[CHEAP, PLAYED]] };
      expect(await node.all(both)).to.have.length(999 + 1400);
      expect(
        (await thrownBy(node.all({ address: [ARENA, GAME], topics: [PLAYED] }).then((all) => expect(all).to.be.empty)))
          .name,
      ).to.equal("AssertionError");
      node.manner = ({ from, to }) => {
        if (from <= 500 && to >= 500) throw refusal("query returned more than 1000 results", -32_005);
      };
      expect((await thrownBy(node.all())).message).to.equal(
        "The node refuses the logs of one single block, 500: query returned more than 1000 results",
      );
    });
  });

  describe("when a node is busy", () => {
    const BUSY: [what: string, error: Error, min: number][] = [
      ["a 429", response(429), 100],
      ["a 429 with a retry time", response(429, { "retry-after": "3" }), 3000],
      ["a rate limit in an answer", refusal("Your app has exceeded its compute units per second capacity", 429), 100],
      ["Base's rate limit", refusal("over rate limit", -32_016), 100],
      ["Infura's rate limit", refusal("project ID request rate exceeded: too many requests", -32_005), 100],
      ["a single 503", response(503), 100],
      ["a single 502", response(502), 100],
      ["a single 504", response(504), 100],
      ["a broken connection", Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }), 100],
      ["a browser's broken connection", new TypeError("Failed to fetch"), 100],
      ["a node that lags", refusal("block range extends beyond current head block"), 100],
    ];
    for (const [what, error, min] of BUSY) {
      it(`waits for ${what}`, async () => {
        node.manner = (_asked, _logs, question) => {
          if (question % 2 === 0) throw error;
        };
        expect(await node.all()).to.deep.equal(upTo(999));
        expect(Math.max(...node.clock.waits)).to.be.at.least(min / 2);
        expect(Math.max(...node.clock.waits)).to.be.at.most(Math.max(min, 500));
      });
    }

    it("waits for a node that lacks some blocks, instead of treating them as empty", async () => {
      node.head = 995;
      const { clock } = node;
      const pause = clock.pause.bind(clock);
      clock.pause = (time) => (node.head++, pause(time));
      expect(await node.all()).to.deep.equal(upTo(999));
    });

    it("waits at most a minute, and then reports an outage in one line", async () => {
      node.manner = () => {
        throw response(503);
      };
      const error = await thrownBy(node.all());
      expect(error).to.be.instanceOf(Outage);
      expect(error.message).to.equal("The node does not answer: server response 503");
      expect(node.clock.now()).to.be.within(20_000, 60_000);
    });

    it("does not wait for a node that asks for an hour's pause", async () => {
      node.manner = () => {
        throw response(429, { "retry-after": "3600" });
      };
      const error = await thrownBy(node.all());
      expect([error.name, node.clock.waits]).to.deep.equal(["Outage", []]);
      expect(error.message).to.match(/^The node wants to be asked again in 3600 s only: /);
    });
  });

  it("requests less if a node is too slow", async () => {
    node.manner = (asked) => {
      if (blocksOf(asked) > 100) throw makeError("request timeout", "TIMEOUT", { operation: "", reason: "" });
    };
    expect(await node.all()).to.deep.equal(upTo(999));
  });

  describe("given a hostile node", () => {
    const LIES: [what: string, tamper: (logs: Log[], node: FakeNode) => Log[]][] = [
      ["logs of earlier blocks", (logs, { logOf }) => [logOf(0), ...logs]],
      ["logs of later blocks", (logs, { logOf }) => [...logs, logOf(901)]],
      ["logs of another contract", (logs, { logOf }) => [logOf(500, 7, [GAME, [PLAYED]]), ...logs]],
      ["logs of another event", (logs, { logOf }) => [logOf(500, 7, [ARENA, [CHEAP]]), ...logs]],
      ["logs without topics", (logs, { logOf }) => [logOf(500, 7, [ARENA, []]), ...logs]],
      ["a duplicate log", (logs) => [...logs, logs[0]]],
    ];
    for (const [what, tamper] of LIES) {
      it(`refuses ${what} in one line`, async () => {
        node.tamper = (logs) => tamper(logs, node);
        const { message } = await thrownBy(node.all(FILTER, [400, 900]));
        expect(message).to.match(/^The node answers with a log of block \d+ that was not asked for\.$/);
        expect([node.asked.length, node.clock.waits]).to.deep.equal([1, []]);
      });
    }

    it("accepts logs that are out of order", async () => {
      node.tamper = (logs) => logs.toReversed();
      expect(await node.all()).to.deep.equal(upTo(999));
    });
  });

  it("does not mistake a contract's error for a failure of the node", () => {
    const data = {
      code: 3,
      message: "execution reverted: too many requests: 429, block range too large",
      data: "0x08c379a0",
    };
    expect(troubleOf(makeError(data.message, "CALL_EXCEPTION", { info: { error: data } } as never))).to.equal(
      undefined,
    );
  });
});
