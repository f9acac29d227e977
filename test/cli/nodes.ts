import { expect } from "chai";
import { keccak256, Transaction, Wallet, ZeroAddress } from "ethers";
import { MultiNodeProvider } from "../../cli/shared/node/provider.js";
import { Outage } from "../../sdk/chain/trouble.js";
import { QuickClock } from "../support/clock.js";
import { proxyTo, type Intercept, type Refusal } from "../support/play-proxy.js";

const CHAIN = 31_337;
const hex = (number: number) => `0x${number.toString(16)}`;

/** State and behaviour of a fake node. */
interface Fake {
  chain?: number;
  head?: number | (() => number);
  /** Returns how the node refuses a request; undefined to answer it. Requests are numbered from 0. */
  refuse?: (request: number, calls: readonly { method: string }[]) => Refusal | undefined;
  answer?: Intercept;
  max?: number;
}

describe("A node with failures and limits", () => {
  const open: (() => unknown)[] = [];
  let clock: QuickClock;
  let lines: string[];

  beforeEach(() => {
    clock = new QuickClock();
    lines = [];
  });
  afterEach(async () => {
    for (const close of open.splice(0)) await close();
  });

  /** Starts a fake node, and records the requests to it. */
  async function fake({ chain = CHAIN, head = 100, refuse, answer, max }: Fake = {}) {
    const asked: string[] = [];
    let requests = 0;
    const intercept: Intercept = (method, params) => {
      asked.push(method);
      if (method === "eth_chainId") return hex(chain);
      if (method === "eth_blockNumber") return hex(typeof head === "number" ? head : head());
      return answer?.(method, params) ?? (method === "eth_getBalance" ? hex(7) : null);
    };
    const { url, close } = await proxyTo(0, intercept, max, (calls) => refuse?.(requests++, calls));
    open.push(close);
    return { url, asked, close };
  }

  async function nodes(...urls: string[]): Promise<MultiNodeProvider> {
    const provider = await MultiNodeProvider.connect(urls.join(","), { clock, onWait: (line) => lines.push(line) });
    open.push(() => provider.destroy());
    return provider;
  }

  const balances = (provider: MultiNodeProvider, count: number) =>
    Promise.all(Array.from({ length: count }, () => provider.getBalance(ZeroAddress)));

  async function thrownBy(asked: Promise<unknown>): Promise<Error> {
    return asked.then(
      () => expect.fail("it was answered"),
      (error: unknown) => error as Error,
    );
  }

  const REFUSALS: [what: string, refusal: Refusal][] = [
    ["single 503s", { status: 503 }],
    ["single 502s with an HTML page", { status: 502, body: "<html>Bad gateway</html>" }],
    ["single HTML pages instead of an answer", { status: 200, body: "<html>Be right back</html>" }],
    ["single 429s", { status: 429 }],
    ["single 429s with a retry-after header", { status: 429, headers: { "retry-after": "7" } }],
    ["single broken connections", "hang up"],
  ];
  for (const [what, refusal] of REFUSALS) {
    it(`gets a request again after ${what}, even the first request`, async () => {
      const { url } = await fake({ refuse: (request) => (request % 2 === 0 ? refusal : undefined) });
      const provider = await nodes(url);
      for (let i = 0; i < 5; i++) expect(await balances(provider, 3)).to.deep.equal([7n, 7n, 7n]);
      expect(lines).to.deep.equal([]);
    });
  }

  it("gets no request before the end of the pause that it asks for", async () => {
    const { url } = await fake({
      refuse: (request) => (request === 1 ? { status: 429, headers: { "retry-after": "7" } } : undefined),
    });
    await balances(await nodes(url), 1);
    expect(Math.max(...clock.waits)).to.equal(7000);
  });

  it("causes a one-line error if it asks for a pause of an hour", async () => {
    const { url } = await fake({
      refuse: (request) => (request > 0 ? { status: 429, headers: { "retry-after": "3600" } } : undefined),
    });
    const error = await thrownBy(balances(await nodes(url), 1));
    expect(error).to.be.instanceOf(Outage);
    expect(error.message).to.match(/^127\.0\.0\.1:\d+ wants to be asked again in 3600 s only\.$/);
  });

  it("causes a one-line error if it keeps failing, after a wait that is reported", async () => {
    const { url } = await fake({ refuse: (request) => (request > 0 ? { status: 503 } : undefined) });
    const error = await thrownBy(balances(await nodes(url), 1));
    expect(error).to.be.instanceOf(Outage);
    expect(error.message).to.match(/^No answer from 127\.0\.0\.1:\d+: server response 503 Service Unavailable$/);
    const waited = clock.waits.reduce((sum, wait) => sum + wait, 0);
    expect(waited).to.be.within(20_000, 60_000);
    expect(lines).to.have.length(1);
    expect(lines[0]).to.match(/^Waiting for 127\.0\.0\.1:\d+: server response 503 Service Unavailable$/);
  });

  for (const counted of ["requests", "calls"]) {
    it(`serves all requests in time if it accepts three ${counted} a second`, async () => {
      const times: number[] = [];
      const refuse: Fake["refuse"] = (_, calls) => {
        const weight = counted === "calls" ? calls.length : 1;
        if (times.filter((time) => time > clock.now() - 1000).length + weight > 3) return { status: 429 };
        times.push(...Array<number>(weight).fill(clock.now()));
        return undefined;
      };
      const { url } = await fake({ refuse });
      expect(await balances(await nodes(url), 100)).to.deep.equal(Array(100).fill(7n));
    });
  }

  it("gets those calls of a batch again that it refused with a rate limit", async () => {
    let calls = 0;
    const answer: Intercept = () => {
      if (calls++ % 3 > 0) throw Object.assign(new Error("over rate limit"), { code: -32_016 });
      return undefined;
    };
    expect(await balances(await nodes((await fake({ answer })).url), 20)).to.deep.equal(Array(20).fill(7n));
  });

  it("gets fewer calls per request if it rejects larger batches", async () => {
    expect(await balances(await nodes((await fake({ max: 3 })).url), 20)).to.deep.equal(Array(20).fill(7n));
  });

  it("gets a call only once if it answers with a contract error that reads like a rate limit", async () => {
    const answer: Intercept = () => {
      throw Object.assign(new Error("execution reverted: too many requests, 503, timeout"), { code: 3 });
    };
    const { url, asked } = await fake({ answer });
    const provider = await nodes(url);
    await thrownBy(provider.call({ to: ZeroAddress }));
    expect([asked.filter((method) => method === "eth_call").length, clock.waits]).to.deep.equal([1, []]);
  });

  describe("with other nodes beside it", () => {
    it("is skipped while it does not answer, and is used first again when it answers", async () => {
      let isDown = false;
      const first = await fake({ refuse: () => (isDown ? "hang up" : undefined) });
      const second = await fake();
      const provider = await nodes(first.url, second.url);
      const count = async () => {
        const before = [first, second].map(({ asked }) => asked.length);
        await balances(provider, 1);
        return [first, second].map(({ asked }, i) => asked.length - before[i]);
      };
      expect(await count()).to.deep.equal([1, 0]);
      isDown = true;
      expect(await count()).to.deep.equal([0, 1]);
      isDown = false;
      await clock.pause(60_000);
      expect(await count()).to.deep.equal([1, 0]);
    });

    it("may be unreachable at the start", async () => {
      const first = await fake();
      const second = await fake();
      await first.close();
      open.splice(open.indexOf(first.close), 1);
      expect(await balances(await nodes(first.url, second.url), 3)).to.deep.equal([7n, 7n, 7n]);
    });

    it("receives no request at its rate limit while another node can answer", async () => {
      const first = await fake({ refuse: (request) => (request > 0 ? { status: 429 } : undefined) });
      const second = await fake();
      expect(await balances(await nodes(first.url, second.url), 5)).to.deep.equal(Array(5).fill(7n));
    });

    it("is not trusted while it lags behind known blocks", async () => {
      let isDown = false;
      const first = await fake({ head: 100, refuse: () => (isDown ? "hang up" : undefined) });
      let head = 97;
      const second = await fake({
        head: () => head++,
        answer: (method) => (method === "eth_getBalance" ? hex(head > 100 ? 7 : 0) : undefined),
      });
      const provider = await nodes(first.url, second.url);
      expect(await provider.getBlockNumber()).to.equal(100);
      isDown = true;
      expect(await balances(provider, 1)).to.deep.equal([7n]);
      expect(await provider.getBlockNumber()).to.be.at.least(100);
    });

    it("gets the request again until it catches up, if it is the only node and its block numbers vary", async () => {
      const heads = [100, 98, 99, 101];
      const provider = await nodes((await fake({ head: () => heads.shift()! })).url);
      expect([await provider.getBlockNumber(), await provider.getBlockNumber()]).to.deep.equal([100, 101]);
    });

    it("is trusted after some waiting if its chain stays shorter", async () => {
      let head = 100;
      const provider = await nodes((await fake({ head: () => head })).url);
      expect(await provider.getBlockNumber()).to.equal(100);
      head = 98;
      expect(await provider.getBlockNumber()).to.equal(98);
      expect(clock.waits.length).to.be.greaterThan(3);
    });

    it("gets requests for logs last if its block range is too small", async () => {
      const answer: Intercept = (method) => {
        if (method !== "eth_getLogs") return undefined;
        throw Object.assign(new Error("query exceeds max block range 10"), { code: -32_602 });
      };
      const [first, second] = [await fake({ answer }), await fake({ answer: () => [] })];
      const provider = await nodes(first.url, second.url);
      for (let i = 0; i < 3; i++) expect(await provider.getLogs({ fromBlock: 0, toBlock: 99 })).to.deep.equal([]);
      const logs = ({ asked }: typeof first) => asked.filter((method) => method === "eth_getLogs").length;
      expect([logs(first), logs(second)]).to.deep.equal([1, 3]);
    });

    it("is asked for data that the first node has pruned", async () => {
      const forgetful: Intercept = (method) => {
        if (method !== "eth_call") return undefined;
        throw Object.assign(new Error("missing trie node 12ab (path )"), { code: -32_000 });
      };
      const [first, second] = [await fake({ answer: forgetful }), await fake({ answer: () => "0x2a" })];
      expect(await (await nodes(first.url, second.url)).call({ to: ZeroAddress, blockTag: 3 })).to.equal("0x2a");
    });

    it("is rejected with a one-line error if it serves another chain, even if it answers only later", async () => {
      const first = await fake();
      const other = await fake({ chain: 1 });
      const line = /^--rpc: 127.*:\d+ serves chain 31337, 127.*:\d+ serves chain 1: name nodes of one chain$/;
      expect((await thrownBy(nodes(first.url, other.url))).message).to.match(line);
      let isDown = false;
      const third = await fake({ refuse: () => (isDown ? "hang up" : undefined) });
      const late = await fake({ chain: 1, refuse: () => (isDown ? undefined : "hang up") });
      const provider = await nodes(third.url, late.url);
      isDown = true;
      expect((await thrownBy(balances(provider, 1))).message).to.match(line);
    });
  });

  describe("when something is sent", () => {
    it("gets a signed transaction again if its response was lost, and the send still succeeds", async () => {
      const wallet = Wallet.createRandom();
      const signed = await wallet.signTransaction({
        to: ZeroAddress,
        chainId: CHAIN,
        gasLimit: 21_000,
        gasPrice: 1,
        nonce: 0,
      });
      const pool = new Set<string>();
      const answer: Intercept = (method, [param]) => {
        if (method === "eth_getTransactionByHash") return pool.has(param as string) ? { hash: param } : null;
        if (method !== "eth_sendRawTransaction") return undefined;
        const hash = keccak256(param as string);
        if (pool.has(hash)) throw new Error("nonce too low");
        pool.add(hash);
        return hash;
      };
      let isFirst = true;
      const { url, asked } = await fake({
        answer,
        refuse: (_, [{ method }]) => {
          if (method !== "eth_sendRawTransaction" || !isFirst) return undefined;
          isFirst = false;
          return "hang up after";
        },
      });
      const provider = await nodes(url);
      expect(await provider.send("eth_sendRawTransaction", [signed])).to.equal(Transaction.from(signed).hash);
      expect(asked.filter((method) => method === "eth_sendRawTransaction")).to.have.length(2);
    });

    for (const [what, refusal, sent] of [
      ["again if it refused the transaction", { status: 503 }, 1],
      ["only once if its response was lost", "hang up after", 1],
    ] as const) {
      it(`gets a transaction of its own account ${what}`, async () => {
        let [count, isFirst] = [4, true];
        const answer: Intercept = (method, [param]) => {
          if (method === "eth_getTransactionCount") return hex(count);
          if (method !== "eth_sendTransaction") return undefined;
          expect(param).to.deep.equal({ from: ZeroAddress, nonce: hex(4) });
          count++;
          return "0x01";
        };
        const { url } = await fake({
          answer,
          refuse: (_, [{ method }]) => {
            if (method !== "eth_sendTransaction" || !isFirst) return undefined;
            isFirst = false;
            return refusal;
          },
        });
        const asked = (await nodes(url)).send("eth_sendTransaction", [{ from: ZeroAddress }]);
        if (refusal === "hang up after") await thrownBy(asked);
        else expect(await asked).to.equal("0x01");
        expect(count - 4).to.equal(sent);
      });
    }
  });
});
