import { expect } from "chai";
import { makeError, type Provider } from "ethers";
import { outcomeOf, Replaced, Reverted, Unconfirmed, untilMined, type Sent } from "../../../sdk/chain/receipt.js";
import { Outage } from "../../../sdk/chain/trouble.js";
import { QuickClock } from "../../support/clock.js";

const ALICE = "0x00000000000000000000000000000000000a11cE";
const HASH = `0x${"11".repeat(32)}`;
const sent: Sent = { hash: HASH, from: ALICE, nonce: 3, to: ALICE, data: "0x12", value: 5n };

/** Returns a node that gives these answers, or fails. */
function nodeWith(answers: Record<string, unknown>): Provider {
  const known: Record<string, unknown> = {
    pollingInterval: 1000,
    getTransactionReceipt: null,
    getTransaction: null,
    getTransactionCount: 3,
    getBlockNumber: 100,
    ...answers,
  };
  const ask =
    (name: string) =>
    async (...args: unknown[]) => {
      const answer = known[name];
      return typeof answer === "function" ? (answer as (...args: unknown[]) => unknown)(...args) : answer;
    };
  return new Proxy({}, { get: (_, name: string) => (name === "pollingInterval" ? 1000 : ask(name)) }) as Provider;
}

const down = () => {
  throw makeError("server response 503 Service Unavailable", "SERVER_ERROR");
};

describe("A receipt", () => {
  it("is requested less and less often from a failing node, and after ten minutes an error names the transaction", async () => {
    const clock = new QuickClock();
    const told: unknown[] = [];
    const waiting = { clock, onSilence: (_: Sent, error: unknown) => told.push(error) };
    const node = nodeWith({ getTransactionReceipt: down });
    const error: unknown = await untilMined(node, sent, waiting).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(Unconfirmed);
    expect((error as Error).message).to.match(
      new RegExp(`^Transaction ${HASH} was sent, but the node has failed for 6`),
    );
    expect(told).to.have.length(1);
    expect(clock.waits.slice(0, 5)).to.deep.equal([2000, 4000, 8000, 15_000, 15_000]);
    expect(clock.now()).to.be.within(600_000, 615_000);
  });

  it("is awaited until the node answers again, and each outage is reported once", async () => {
    let asked = 0;
    const receipt = { hash: HASH, status: 1 };
    const silent = [2, 3, 5];
    const told: number[] = [];
    const node = nodeWith({
      getTransactionReceipt: () => (silent.includes(++asked) ? down() : asked > 6 ? receipt : null),
      getTransaction: { hash: HASH },
    });
    const waiting = { clock: new QuickClock(), onSilence: () => told.push(asked) };
    expect(await untilMined(node, sent, waiting)).to.equal(receipt);
    expect(told).to.deep.equal([2, 5]);
  });

  it("is awaited no longer than the caller allows, whether the node answers or not", async () => {
    for (const answers of [{ getTransaction: { hash: HASH } }, { getTransactionReceipt: down }]) {
      const clock = new QuickClock();
      const error: unknown = await untilMined(nodeWith(answers), sent, { clock, timeout: 60_000 }).catch(
        (thrown: unknown) => thrown,
      );
      expect(error).to.be.instanceOf(Unconfirmed);
      expect(clock.now()).to.be.within(60_000, 75_000);
    }
  });

  it("never comes for a replaced transaction, unless the replacement differs only by its fee", async () => {
    const by = `0x${"22".repeat(32)}`;
    const receipt = { hash: by, status: 1 };
    const others = [
      { ...sent, hash: by, nonce: 2 },
      { ...sent, hash: by, from: HASH.slice(0, 42) },
    ];
    const node = (taker: object) =>
      nodeWith({
        getTransactionReceipt: (hash: string) => (hash === by ? receipt : null),
        getTransactionCount: (_: string, block: number | "latest") => (block === "latest" || block >= 57 ? 4 : 3),
        getBlock: (block: number) => ({ prefetchedTransactions: block === 57 ? [...others, taker] : [] }),
      });
    expect(await outcomeOf(node({ ...sent, hash: by }), sent)).to.equal(receipt);
    for (const change of [{ data: "0x13" }, { to: HASH.slice(0, 42) }, { value: 6n }]) {
      const error: unknown = await untilMined(node({ ...sent, hash: by, ...change }), sent).catch(
        (thrown: unknown) => thrown,
      );
      expect(error).to.be.instanceOf(Replaced);
      expect((error as Replaced).by).to.equal(by);
    }
  });

  it("is not awaited if the nonce is used and the node has pruned the state of old blocks", async () => {
    const forgot = (_: string, block: number | "latest") => {
      if (block === "latest") return 4;
      throw makeError("missing trie node", "UNKNOWN_ERROR", { error: {} });
    };
    const error: unknown = await outcomeOf(nodeWith({ getTransactionCount: forgot }), sent).catch(String);
    expect(error).to.match(/^Replaced: .* will never count: another one was sent in its place\.$/);
  });

  for (const [what, failure] of [
    ["a node", makeError("server response 503", "SERVER_ERROR")],
    ["all nodes", new Outage("no answer")],
  ] as const) {
    it(`is requested again if ${what} failed during the search for a replacement`, async () => {
      const receipt = { hash: HASH, status: 1 };
      let asked = 0;
      const away = (_: string, block: number | "latest") => {
        if (block === "latest") return 4;
        throw failure;
      };
      const node = nodeWith({ getTransactionReceipt: () => (asked++ > 0 ? receipt : null), getTransactionCount: away });
      expect(await outcomeOf(node, sent, { clock: new QuickClock() })).to.equal(receipt);
    });
  }

  it("becomes an error that contains the reason if the transaction reverted", async () => {
    const cause = new Error("for this reason");
    const call = () => {
      throw cause;
    };
    const node = nodeWith({ getTransactionReceipt: { hash: HASH, status: 0, blockNumber: 9 }, call });
    const error: unknown = await untilMined(node, sent).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(Reverted);
    expect([(error as Reverted).hash, (error as Reverted).cause]).to.deep.equal([HASH, cause]);
  });

  it("is reported missing at every third check that finds no transaction, so that the transaction can be sent again", async () => {
    let looks = 0;
    const again: number[] = [];
    const node = nodeWith({ getTransactionReceipt: () => (++looks > 7 ? { hash: HASH, status: 1 } : null) });
    await untilMined(node, sent, { clock: new QuickClock(), onUnknown: async () => again.push(looks) });
    expect(again).to.deep.equal([3, 6]);
  });
});
