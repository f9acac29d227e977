import { expect } from "chai";
import { toBeHex, type TransactionReceipt } from "ethers";
import { Replaced, Reverted, Unconfirmed } from "../../../sdk/chain/receipt.js";
import { Outage } from "../../../sdk/chain/trouble.js";
import {
  actionHash,
  Begun,
  completes,
  neverCounts,
  Outbox,
  type Action,
  type PendingTransaction,
} from "../../../sdk/player/outbox.js";

const from = toBeHex(1, 20);
const deposit: Action = { call: "deposit", what: "deposit 5 FIGHT", content: ["FIGHT", 5n] };
const receiptOf = (hash: string) => ({ hash, status: 1 }) as TransactionReceipt;
const rejected = Object.assign(new Error("rejected"), { code: 4001 });

describe("An outbox", () => {
  /** Log of what happened, in order. */
  let steps: string[];
  let stored: Map<number, PendingTransaction>;
  let outcome: (pending: PendingTransaction) => TransactionReceipt;
  let outbox: Outbox<PendingTransaction>;

  const pendingOf = (nonce: number, call = "deposit", action = deposit): PendingTransaction => {
    const sent = { from, nonce, to: from, data: "0x", value: 0n, hash: `0x${nonce}` };
    return { ...sent, action: actionHash(action), what: action.what, call };
  };
  const send = async () => {
    steps.push("send");
    return receiptOf("0xnew");
  };

  beforeEach(() => {
    steps = [];
    stored = new Map();
    outcome = ({ hash }) => receiptOf(hash!);
    const store = {
      all: async () => [...stored.values()],
      put: async (pending: PendingTransaction) => {
        steps.push(`put ${pending.hash}`);
        stored.set(pending.nonce, pending);
      },
      remove: async ({ nonce }: PendingTransaction) => {
        stored.delete(nonce);
      },
    };
    outbox = new Outbox(store, {
      wait: async (pending, action) => {
        steps.push(`wait ${pending.nonce}${action ? "" : " unasked"}`);
        return outcome(pending);
      },
      onFailed: ({ nonce }) => steps.push(`failed ${nonce}`),
    });
  });

  it("stores a transaction before sending it, and adds the hash afterwards", async () => {
    const pending = { ...pendingOf(3), hash: undefined };
    const sent = await outbox.send(pending, async () => {
      steps.push("send");
      return { ...pending, hash: "0x3" };
    });
    expect(steps).to.deep.equal(["put undefined", "send", "put 0x3"]);
    expect([...stored.values()]).to.deep.equal([sent]);
  });

  it("forgets a transaction only if the error proves that it will never count", async () => {
    const never: Error[] = [rejected, new Replaced("0x3"), new Reverted("0x3")];
    const perhaps = [new Outage("silent"), new Unconfirmed("0x3", "late"), new Error("internal error")];
    for (const error of [...never, ...perhaps]) {
      stored.clear();
      const failing = outbox.send(pendingOf(3), () => Promise.reject(error));
      expect(await failing.catch((thrown: unknown) => thrown)).to.equal(error);
      expect([stored.size, neverCounts(error)], String(error)).to.deep.equal(
        never.includes(error) ? [0, true] : [1, false],
      );
    }
  });

  it("waits for the pending transaction of an action that was started earlier, and sends nothing", async () => {
    stored.set(3, pendingOf(3)).set(4, pendingOf(4, "deposit", { ...deposit, content: ["FIGHT", 6n] }));
    expect((await outbox.once(deposit, send)).hash).to.equal("0x3");
    expect(steps).to.deep.equal(["wait 3"]);
  });

  it("waits for the steps of an action that were sent earlier, then sends its last step", async () => {
    stored.set(3, pendingOf(3, "approve"));
    expect((await outbox.once(deposit, send)).hash).to.equal("0xnew");
    expect(steps).to.deep.equal(["wait 3", "send"]);
  });

  it("reports a failed transaction once, forgets it, and sends it again", async () => {
    stored.set(3, pendingOf(3));
    outcome = () => {
      throw new Replaced("0x3");
    };
    for (let times = 0; times < 2; times++) await outbox.once(deposit, send);
    expect(steps).to.deep.equal(["wait 3", "failed 3", "send", "send"]);
  });

  it("sends nothing and forgets nothing while the first transaction may be pending", async () => {
    for (const error of [new Outage("silent"), new Unconfirmed("0x3", "late"), new Begun("asked"), new Error("disk")]) {
      stored.set(3, pendingOf(3));
      outcome = () => {
        throw error;
      };
      expect(await outbox.once(deposit, send).catch((thrown: unknown) => thrown)).to.equal(error);
      expect(stored.size).to.equal(1);
    }
    expect(steps).to.not.include("send");
  });

  it("identifies an action by its call, match and content, and the action's last transaction by its function", () => {
    const hashes = [
      deposit,
      { ...deposit, call: "withdraw" },
      { ...deposit, matchId: 5n },
      { ...deposit, content: undefined },
    ].map(actionHash);
    expect(new Set(hashes).size).to.equal(4);
    expect(actionHash({ ...deposit, what: "other words" })).to.equal(hashes[0]);
    const several = { ...deposit, last: ["deposit", "transferAndCall"] };
    const calls = ["deposit", "transferAndCall", "approve", undefined];
    expect(calls.map((call) => completes(several, { ...pendingOf(1), call }))).to.deep.equal([
      true,
      true,
      false,
      false,
    ]);
  });
});
