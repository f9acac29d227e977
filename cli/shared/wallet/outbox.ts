import { randomBytes } from "node:crypto";
import { resolveAddress, Signature, TransactionResponse, type Provider, type Signer } from "ethers";
import type { TransactionReceipt, TransactionRequest, TransactionResponseParams } from "ethers";
import { Replaced, Reverted, untilMined, type MiningWaitOptions } from "../../../sdk/chain/receipt.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { WalletWrapper } from "./wallet-wrapper.js";
import { Broadcaster, isDefiniteError } from "./broadcaster.js";
import { functionNameIn, actionHash, type Action } from "./action.js";
import { log } from "../command/output.js";
import type { PendingTransaction, PendingTransactions } from "./pending-transactions.js";

/** Milliseconds after which another command counts as stuck while sending; it normally takes a few. */
const OWNER_TIMEOUT = 60_000;

/**
 * Wallet of a command that stores each transaction on disk before sending it, until its outcome has been reported. A
 * repeated command completes the transactions that it finds there, and sends nothing twice.
 */
export class Outbox extends WalletWrapper {
  private readonly owner = randomBytes(16).toString("hex");
  /** Ends the claim to the owner's id; undefined before something is sent. */
  private endClaim?: () => void;
  private readonly broadcaster: Broadcaster;
  private action?: Action & { hash: Hex };
  private hasReportedOthers = false;

  constructor(
    wallet: Signer,
    private readonly files: PendingTransactions,
    waiting: MiningWaitOptions = {},
  ) {
    super(wallet);
    this.broadcaster = new Broadcaster(wallet, files, waiting);
  }

  /** Options for waiting until its transactions are mined. */
  get waiting(): MiningWaitOptions {
    return this.broadcaster.waiting;
  }

  /** Describes what was sent, for the report of an error; undefined if nothing was. */
  get trace(): string | undefined {
    const sent = [...this.own.values()];
    if (sent.length === 0) return undefined;
    const when = sent.every(({ isSent }) => isSent) ? "Sent before that: " : "It may have been sent all the same: ";
    const names = sent.map((entry) => this.broadcaster.describe(entry)).join("; ");
    return `${when}${names}. Give the same command again to learn the outcome.`;
  }

  /**
   * Performs an action by transactions. If an earlier command began the same action and its outcome was never reported,
   * completes that one instead.
   * @returns the receipt of the transaction that counts.
   */
  async once(action: Action, send: () => Promise<TransactionReceipt>): Promise<TransactionReceipt> {
    for (const entry of await this.unreportedOf(action)) {
      const counts = entry.call === action.call;
      const receipt = await this.complete(entry, counts);
      if (receipt && counts) return receipt;
    }
    const hash = actionHash(action);
    this.action = { ...action, hash };
    try {
      const receipt = await send();
      const counting = [...this.own.values()].find((entry) => entry.action === hash && entry.call === action.call);
      return counting ? this.broadcaster.rememberReceipt(counting, receipt) : receipt;
    } catch (error) {
      // The error itself reports the outcome.
      if (isFailed(error)) {
        for (const entry of this.own.values()) if (entry.hash === error.hash) await this.forget(entry);
      }
      throw error;
    }
  }

  /** Completes actions that earlier commands began, for callers that read the results from the chain. */
  async finish(...actions: readonly Action[]): Promise<void> {
    for (const entry of await this.unreportedOf(...actions)) {
      if (await this.complete(entry, false)) await this.forget(entry);
    }
  }

  /** Sends the transaction of an action without waiting for its outcome, so that others can follow it at once. */
  async begin(action: Action, tx: TransactionRequest): Promise<TransactionResponse> {
    this.action = { ...action, hash: actionHash(action) };
    return this.sendTransaction(tx);
  }

  /** Stores a transaction, then sends it. */
  override async sendTransaction(tx: TransactionRequest): Promise<TransactionResponse> {
    const draft = await this.draftOf(tx);
    for (let min = 0; ;) {
      // Read before the files: a transaction that another command sends meanwhile is in the count or in the files.
      const next = await this.provider.getTransactionCount(draft.from, "pending");
      const others = await this.others();
      const duplicate = others.find(({ action, call }) => action === draft.action && call === draft.call);
      if (duplicate?.isSent && this.files.isOwned(duplicate)) return this.adopt(duplicate);
      if (!(await this.isReadyToSend(others))) continue;
      const nonce = firstFree(Math.max(next, min), [...others.map((each) => each.nonce), ...this.own.keys()]);
      const entry: PendingTransaction = { ...draft, nonce, isSent: false, owner: this.owner };
      await this.broadcaster.prepare(entry, tx);
      this.claim();
      if (!(await this.files.add(entry))) continue;
      try {
        // A refused transaction stays on disk unless the reason is certain: the node may have it all the same.
        await this.broadcaster.send(entry);
        return responseOf(entry, this.provider);
      } catch (error) {
        if (!(error instanceof Replaced)) throw error;
        await this.forget(entry);
        min = nonce + 1;
      }
    }
  }

  /** Returns the receipt of a transaction that was sent with this wallet. */
  async mined(sent: Promise<TransactionResponse>): Promise<TransactionReceipt> {
    return untilMined(this.provider, await sent, this.waiting);
  }

  /** Forgets the transactions of this command: their outcomes were reported. */
  async markReported(): Promise<void> {
    for (const entry of this.own.values()) await this.forget(entry);
  }

  /** Marks the command as ended. */
  close(): void {
    this.endClaim?.();
  }

  /** Makes the command the owner of what it sends from now on. */
  private claim(): void {
    this.endClaim ??= this.files.claim(this.owner);
  }

  /** Transactions that this command has sent or adopted, by nonce. */
  private get own(): Map<number, PendingTransaction> {
    return this.broadcaster.entries;
  }

  private async others(): Promise<PendingTransaction[]> {
    return (await this.files.all()).filter(({ nonce }) => !this.own.has(nonce));
  }

  /** Finds the transactions of other commands for actions. */
  private async unreportedOf(...actions: readonly Action[]): Promise<PendingTransaction[]> {
    const hashes = new Set(actions.map(actionHash));
    return (await this.others()).filter((entry) => hashes.has(entry.action));
  }

  private async forget(entry: PendingTransaction): Promise<void> {
    this.own.delete(entry.nonce);
    await this.files.remove(entry);
  }

  /** Returns the fields of a pending transaction that are known before its nonce. */
  private async draftOf({ to, data, value }: TransactionRequest) {
    const { action } = this;
    if (!action) throw new Error("Nothing says what this transaction is for.");
    const call = functionNameIn(data ?? "0x");
    return {
      from: await this.getAddress(),
      to: await resolveAddress(to!),
      data: data ?? "0x",
      value: BigInt(value ?? 0),
      action: action.hash,
      what: call === action.call ? action.what : `${action.what} (${call})`,
      call,
    };
  }

  /** Completes the transaction of an earlier command. @returns its receipt; undefined if it failed for good. */
  private async complete(before: PendingTransaction, counts: boolean): Promise<TransactionReceipt | undefined> {
    const { broadcaster, owner } = this;
    const entry = await this.waitForOwner(before);
    if (!entry) return undefined;
    this.own.set(entry.nonce, entry);
    this.claim();
    try {
      const outcome = await broadcaster.outcomeOf(entry);
      if (outcome === "unknown" && !entry.isSent) await broadcaster.resend(entry, owner);
      else if (counts) {
        const name = broadcaster.describe(entry);
        log(`This was sent before, but its outcome was not reported: ${name}. Give the command again to send another.`);
      }
      return await broadcaster.untilMined(entry, { onUnknown: () => broadcaster.resend(entry, owner) });
    } catch (error) {
      if (!isFailed(error) && !isDefiniteError(error)) throw error;
      if (isFailed(error)) log(`Sent before: ${broadcaster.describe(entry)}. ${error.message}`);
      await this.forget(entry);
      return undefined;
    }
  }

  /** Waits for the same transaction of a command that runs at the same time, in place of sending another. */
  private adopt(entry: PendingTransaction): TransactionResponse {
    this.own.set(entry.nonce, entry);
    return responseOf(entry, this.provider);
  }

  /**
   * Returns whether nothing stands in the way of sending. Waits for commands that are sending, and reports the
   * transactions of commands that have ended.
   */
  private async isReadyToSend(others: readonly PendingTransaction[]): Promise<boolean> {
    const busy = others.filter((each) => !each.isSent && this.files.isOwned(each));
    for (const each of busy) await this.waitForOwner(each);
    const left = this.hasReportedOthers ? [] : others.filter((each) => !this.files.isOwned(each));
    for (const each of left) await this.reportOutcome(each);
    this.hasReportedOthers = true;
    return busy.length === 0 && left.length === 0;
  }

  /**
   * Reports the outcome of a transaction whose command has ended, and forgets the transaction unless it is still
   * waiting.
   */
  private async reportOutcome(before: PendingTransaction): Promise<void> {
    // Its command may have reported it before it ended.
    const entry = await this.reread(before);
    if (!entry) return;
    const outcome = await this.broadcaster.outcomeOf(entry).catch((error: unknown) => {
      if (!(error instanceof Replaced)) throw error;
      return error;
    });
    const name = this.broadcaster.describe(entry);
    if (outcome === "waiting") return log(`Sent before, and still waiting for a block: ${name}.`);
    if (outcome === "unknown") log(`Never sent: ${name}. Give that command again if you still want it.`);
    else if (outcome instanceof Replaced) log(`Sent before: ${name}. ${outcome.message}`);
    else if (outcome.status === 0) log(`Sent before: ${name}. The chain has refused it.`);
    else log(`Sent before: ${name}. It is done.`);
    await this.files.remove(entry);
  }

  /** Waits until the owner of a transaction has sent it or has ended; undefined if the outcome was reported by then. */
  private async waitForOwner(entry: PendingTransaction): Promise<PendingTransaction | undefined> {
    const { clock } = this.broadcaster;
    const end = clock.now() + OWNER_TIMEOUT;
    for (let now: PendingTransaction | undefined = entry; ;) {
      if (!now || now.isSent || !this.files.isOwned(now)) return now;
      if (clock.now() > end) {
        throw new Error(`Another command has been sending for long, ${this.files.ownerOf(now)}: end it first.`);
      }
      await clock.pause(100);
      now = await this.reread(entry);
    }
  }

  private async reread({ nonce, owner }: PendingTransaction): Promise<PendingTransaction | undefined> {
    return (await this.files.all()).find((each) => each.nonce === nonce && each.owner === owner);
  }
}

/** Returns the first number from `first` on that is not taken. */
function firstFree(first: number, taken: readonly number[]): number {
  let free = first;
  while (taken.includes(free)) free++;
  return free;
}

/** Returns whether an error means that a transaction failed for good. */
function isFailed(error: unknown): error is Replaced | Reverted {
  return error instanceof Replaced || error instanceof Reverted;
}

/** Builds the response to a transaction from what is known without asking the node. */
function responseOf(
  { hash, from, to, nonce, data, value }: PendingTransaction,
  provider: Provider,
): TransactionResponse {
  const fields: TransactionResponseParams = {
    hash: hash!,
    from,
    to,
    nonce,
    data,
    value,
    blockNumber: null,
    blockHash: null,
    accessList: null,
    authorizationList: null,
    gasLimit: 0n,
    gasPrice: 0n,
    maxPriorityFeePerGas: null,
    maxFeePerGas: null,
    chainId: 0n,
    type: 2,
    index: 0,
    signature: Signature.from(),
  };
  return new TransactionResponse(fields, provider);
}
