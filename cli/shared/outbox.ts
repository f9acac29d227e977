import {
  hexlify,
  randomBytes,
  resolveAddress,
  Signature,
  TransactionResponse,
  type Provider,
  type Signer,
} from "ethers";
import type { TransactionReceipt, TransactionRequest, TransactionResponseParams } from "ethers";
import { Replaced, Reverted, untilMined, type Waiting } from "../../sdk/chain/receipt.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { isAlive } from "./lock.js";
import { WalletWrapper } from "./wallet-wrapper.js";
import { Broadcaster, isDefiniteError } from "./broadcaster.js";
import { functionNameIn, actionHash, type Action } from "./action.js";
import { log } from "./output.js";
import type { PendingTransaction, PendingTransactions } from "./pending-transactions.js";

/** Milliseconds in which another command sends what it has kept; it takes a few. */
const OWNER_TIMEOUT = 60_000;

/** The commands that run in this process. */
const running = new Set<string>();

/**
 * The wallet of a command. What it sends is on disk before it is out, and stays there until somebody was told what came
 * of it: a command that is given again finishes what it finds there, and sends nothing twice.
 */
export class Outbox extends WalletWrapper {
  private readonly owner = `${process.pid}-${hexlify(randomBytes(8)).slice(2)}`;
  private readonly broadcaster: Broadcaster;
  private action?: Action & { hash: Hex };
  private hasReportedOthers = false;

  constructor(
    wallet: Signer,
    private readonly files: PendingTransactions,
    waiting: Waiting = {},
  ) {
    super(wallet);
    this.broadcaster = new Broadcaster(wallet, files, waiting);
    running.add(this.owner);
  }

  /** How its transactions are waited for. */
  get waiting(): Waiting {
    return this.broadcaster.waiting;
  }

  /** What was sent, for whom an error keeps from hearing of it; undefined if nothing was. */
  get trace(): string | undefined {
    const sent = [...this.own.values()];
    if (sent.length === 0) return undefined;
    const when = sent.every(({ isSent }) => isSent) ? "Sent before that: " : "It may have been sent all the same: ";
    const names = sent.map((entry) => this.broadcaster.describe(entry)).join("; ");
    return `${when}${names}. The same command again tells what comes of it.`;
  }

  /**
   * Does something by transactions, unless a command has done the same before and nobody was told: then that is
   * finished.
   * @returns the receipt of the one that counts.
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
      // Such an error tells all there is to tell of it.
      if (isFailed(error)) {
        for (const entry of this.own.values()) if (entry.hash === error.hash) await this.forget(entry);
      }
      throw error;
    }
  }

  /** Finishes what a command has begun before and nobody was told of: whoever asks sees on chain what came of it. */
  async finish(action: Action): Promise<void> {
    for (const entry of await this.unreportedOf(action))
      if (await this.complete(entry, false)) await this.forget(entry);
  }

  /** Sends something, kept first. */
  override async sendTransaction(tx: TransactionRequest): Promise<TransactionResponse> {
    const draft = await this.draftOf(tx);
    for (let min = 0; ;) {
      // Asked before the files are read: what another command sends meanwhile is in one or the other.
      const next = await this.provider.getTransactionCount(draft.from, "pending");
      const others = await this.others();
      const duplicate = others.find(({ action, call }) => action === draft.action && call === draft.call);
      if (duplicate?.isSent && isRunning(duplicate)) return this.adopt(duplicate);
      if (!(await this.isReadyToSend(others))) continue;
      const nonce = firstFree(Math.max(next, min), [...others.map((each) => each.nonce), ...this.own.keys()]);
      const entry: PendingTransaction = { ...draft, nonce, isSent: false, owner: this.owner };
      await this.broadcaster.prepare(entry, tx);
      if (!(await this.files.add(entry))) continue;
      try {
        // What a node refuses stays on disk, unless it is plain why, in case that it has it all the same.
        await this.broadcaster.send(entry);
        return responseOf(entry, this.provider);
      } catch (error) {
        if (!(error instanceof Replaced)) throw error;
        await this.forget(entry);
        min = nonce + 1;
      }
    }
  }

  /** The receipt of what a contract sends with this wallet. */
  async mined(sent: Promise<TransactionResponse>): Promise<TransactionReceipt> {
    return untilMined(this.provider, await sent, this.waiting);
  }

  /** Somebody was told of all that this command has sent. */
  async markReported(): Promise<void> {
    for (const entry of this.own.values()) await this.forget(entry);
  }

  /** Nothing more is sent. */
  close(): void {
    running.delete(this.owner);
  }

  /** What this command has sent or taken over, by nonce. */
  private get own(): Map<number, PendingTransaction> {
    return this.broadcaster.entries;
  }

  private async others(): Promise<PendingTransaction[]> {
    return (await this.files.all()).filter(({ nonce }) => !this.own.has(nonce));
  }

  /** What others have begun of a deed. */
  private async unreportedOf(action: Action): Promise<PendingTransaction[]> {
    const hash = actionHash(action);
    return (await this.others()).filter((entry) => entry.action === hash);
  }

  private async forget(entry: PendingTransaction): Promise<void> {
    this.own.delete(entry.nonce);
    await this.files.remove(entry);
  }

  /** All of an entry that is known before it has a nonce. */
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

  /** Finishes what another command began. @returns its receipt; undefined if it will never come to anything. */
  private async complete(before: PendingTransaction, counts: boolean): Promise<TransactionReceipt | undefined> {
    const { broadcaster, owner } = this;
    const entry = await this.waitForOwner(before);
    if (!entry) return undefined;
    this.own.set(entry.nonce, entry);
    try {
      const outcome = await broadcaster.outcomeOf(entry);
      if (outcome === "unknown" && !entry.isSent) await broadcaster.resend(entry, owner);
      else if (counts) {
        const name = broadcaster.describe(entry);
        log(`This was sent before, and nobody was told: ${name}. Give the command again for another.`);
      }
      return await broadcaster.untilMined(entry, { onUnknown: () => broadcaster.resend(entry, owner) });
    } catch (error) {
      if (!isFailed(error) && !isDefiniteError(error)) throw error;
      if (isFailed(error)) log(`Sent before: ${broadcaster.describe(entry)}. ${error.message}`);
      await this.forget(entry);
      return undefined;
    }
  }

  /** The same transaction of a command that runs beside this one. */
  private adopt(entry: PendingTransaction): TransactionResponse {
    this.own.set(entry.nonce, entry);
    return responseOf(entry, this.provider);
  }

  /** Whether nothing is in the way of sending: else what was is told, or waited for. */
  private async isReadyToSend(others: readonly PendingTransaction[]): Promise<boolean> {
    const busy = others.filter((each) => !each.isSent && isRunning(each));
    for (const each of busy) await this.waitForOwner(each);
    const left = this.hasReportedOthers ? [] : others.filter((each) => !isRunning(each));
    for (const each of left) await this.reportOutcome(each);
    this.hasReportedOthers = true;
    return busy.length === 0 && left.length === 0;
  }

  /** Tells what came of a transaction whose command is no more, and forgets it unless it still waits. */
  private async reportOutcome(before: PendingTransaction): Promise<void> {
    // Nothing is there any more if its command has told it before it ended.
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
    else log(`Sent before: ${name}. ${outcome.status === 0 ? "The chain has refused it." : "It is done."}`);
    await this.files.remove(entry);
  }

  /** An entry as soon as its command has sent it or is no more; undefined if it is told by then. */
  private async waitForOwner(entry: PendingTransaction): Promise<PendingTransaction | undefined> {
    const { clock } = this.broadcaster;
    const end = clock.now() + OWNER_TIMEOUT;
    for (let now: PendingTransaction | undefined = entry; ;) {
      if (!now || now.isSent || !isRunning(now)) return now;
      if (clock.now() > end) throw new Error(`Process ${pidOf(now)} has been sending for long: end it first.`);
      await clock.pause(100);
      now = await this.reread(entry);
    }
  }

  private async reread({ nonce, owner }: PendingTransaction): Promise<PendingTransaction | undefined> {
    return (await this.files.all()).find((each) => each.nonce === nonce && each.owner === owner);
  }
}

/** The first number from one on that is not taken. */
function firstFree(first: number, taken: readonly number[]): number {
  let free = first;
  while (taken.includes(free)) free++;
  return free;
}

function pidOf({ owner }: PendingTransaction): number {
  return Number.parseInt(owner);
}

function isRunning(entry: PendingTransaction): boolean {
  return pidOf(entry) === process.pid ? running.has(entry.owner) : isAlive(pidOf(entry));
}

/** Whether a transaction will never come to anything. */
function isFailed(error: unknown): error is Replaced | Reverted {
  return error instanceof Replaced || error instanceof Reverted;
}

/** A transaction as far as it is known without asking for it. */
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
