import {
  hexlify,
  randomBytes,
  resolveAddress,
  Signature,
  TransactionResponse,
  type Provider,
  type Signer,
} from "ethers";
import type { TransactionReceipt, TransactionRequest } from "ethers";
import { Replaced, Reverted, untilMined, type Waiting } from "../../sdk/chain/receipt.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { isAlive } from "./lock.js";
import { AroundWallet } from "./around.js";
import { Courier, isAnswer } from "./courier.js";
import { callIn, hashOf, type Action } from "./action.js";
import { log } from "./output.js";
import type { Entry, SentFiles } from "./sent.js";

/** Milliseconds in which another command sends what it has kept; it takes a few. */
const LONG = 60_000;

/** The commands that run in this process. */
const running = new Set<string>();

/**
 * The wallet of a command. What it sends is on disk before it is out, and stays there until somebody was told what came
 * of it: a command that is given again finishes what it finds there, and sends nothing twice.
 */
export class Outbox extends AroundWallet {
  private readonly owner = `${process.pid}-${hexlify(randomBytes(8)).slice(2)}`;
  private readonly courier: Courier;
  private action?: Action & { hash: Hex };
  private isTidy = false;

  constructor(
    wallet: Signer,
    private readonly files: SentFiles,
    waiting: Waiting = {},
  ) {
    super(wallet);
    this.courier = new Courier(wallet, files, waiting);
    running.add(this.owner);
  }

  /** How its transactions are waited for. */
  get waiting(): Waiting {
    return this.courier.waiting;
  }

  /** What was sent, for whom an error keeps from hearing of it; undefined if nothing was. */
  get trace(): string | undefined {
    const sent = [...this.own.values()];
    if (sent.length === 0) return undefined;
    const when = sent.every(({ isOut }) => isOut) ? "Sent before that: " : "It may have been sent all the same: ";
    const names = sent.map((entry) => this.courier.nameOf(entry)).join("; ");
    return `${when}${names}. The same command again tells what comes of it.`;
  }

  /**
   * Does something by transactions, unless a command has done the same before and nobody was told: then that is
   * finished.
   * @returns the receipt of the one that counts.
   */
  async once(action: Action, send: () => Promise<TransactionReceipt>): Promise<TransactionReceipt> {
    for (const entry of await this.earlier(action)) {
      const counts = entry.call === action.call;
      const receipt = await this.outcome(entry, counts);
      if (receipt && counts) return receipt;
    }
    const hash = hashOf(action);
    this.action = { ...action, hash };
    try {
      const receipt = await send();
      const counting = [...this.own.values()].find((entry) => entry.action === hash && entry.call === action.call);
      return counting ? this.courier.found(counting, receipt) : receipt;
    } catch (error) {
      // Such an error tells all there is to tell of it.
      if (isOver(error)) {
        for (const entry of this.own.values()) if (entry.hash === error.hash) await this.forget(entry);
      }
      throw error;
    }
  }

  /** Finishes what a command has begun before and nobody was told of: whoever asks sees on chain what came of it. */
  async finish(action: Action): Promise<void> {
    for (const entry of await this.earlier(action)) if (await this.outcome(entry, false)) await this.forget(entry);
  }

  /** Sends something, kept first. */
  override async sendTransaction(tx: TransactionRequest): Promise<TransactionResponse> {
    const draft = await this.drafted(tx);
    for (let min = 0; ;) {
      // Asked before the files are read: what another command sends meanwhile is in one or the other.
      const next = await this.provider.getTransactionCount(draft.from, "pending");
      const others = await this.others();
      const engine = others.find(({ action, call }) => action === draft.action && call === draft.call);
      if (engine?.isOut && isRunning(engine)) return this.takeOver(engine);
      if (!(await this.isClear(others))) continue;
      const nonce = freeFrom(Math.max(next, min), [...others.map((each) => each.nonce), ...this.own.keys()]);
      const entry: Entry = { ...draft, nonce, isOut: false, owner: this.owner };
      await this.courier.prepare(entry, tx);
      if (!(await this.files.add(entry))) continue;
      try {
        // What a node refuses stays on disk, unless it is plain why, in case that it has it all the same.
        await this.courier.send(entry);
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
  async told(): Promise<void> {
    for (const entry of this.own.values()) await this.forget(entry);
  }

  /** Nothing more is sent. */
  close(): void {
    running.delete(this.owner);
  }

  /** What this command has sent or taken over, by nonce. */
  private get own(): Map<number, Entry> {
    return this.courier.entries;
  }

  private async others(): Promise<Entry[]> {
    return (await this.files.all()).filter(({ nonce }) => !this.own.has(nonce));
  }

  /** What others have begun of a deed. */
  private async earlier(action: Action): Promise<Entry[]> {
    const hash = hashOf(action);
    return (await this.others()).filter((entry) => entry.action === hash);
  }

  private async forget(entry: Entry): Promise<void> {
    this.own.delete(entry.nonce);
    await this.files.remove(entry);
  }

  /** All of an entry that is known before it has a nonce. */
  private async drafted({ to, data, value }: TransactionRequest) {
    const { action } = this;
    if (!action) throw new Error("Nothing says what this transaction is for.");
    const call = callIn(data ?? "0x");
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
  private async outcome(before: Entry, counts: boolean): Promise<TransactionReceipt | undefined> {
    const { courier, owner } = this;
    const entry = await this.calm(before);
    if (!entry) return undefined;
    this.own.set(entry.nonce, entry);
    try {
      const outcome = await courier.outcomeOf(entry);
      if (outcome === "unknown" && !entry.isOut) await courier.sendAnew(entry, owner);
      else if (counts) {
        const name = courier.nameOf(entry);
        log(`This was sent before, and nobody was told: ${name}. Give the command again for another.`);
      }
      return await courier.untilMined(entry, { onUnknown: () => courier.sendAnew(entry, owner) });
    } catch (error) {
      if (!isOver(error) && !isAnswer(error)) throw error;
      if (isOver(error)) log(`Sent before: ${courier.nameOf(entry)}. ${error.message}`);
      await this.forget(entry);
      return undefined;
    }
  }

  /** The same transaction of a command that runs beside this one. */
  private takeOver(entry: Entry): TransactionResponse {
    this.own.set(entry.nonce, entry);
    return responseOf(entry, this.provider);
  }

  /** Whether nothing is in the way of sending: else what was is told, or waited for. */
  private async isClear(others: readonly Entry[]): Promise<boolean> {
    const busy = others.filter((each) => !each.isOut && isRunning(each));
    for (const each of busy) await this.calm(each);
    const left = this.isTidy ? [] : others.filter((each) => !isRunning(each));
    for (const each of left) await this.tellOf(each);
    this.isTidy = true;
    return busy.length === 0 && left.length === 0;
  }

  /** Tells what came of a transaction whose command is no more, and forgets it unless it still waits. */
  private async tellOf(before: Entry): Promise<void> {
    // Nothing is there any more if its command has told it before it ended.
    const entry = await this.again(before);
    if (!entry) return;
    const outcome = await this.courier.outcomeOf(entry).catch((error: unknown) => {
      if (!(error instanceof Replaced)) throw error;
      return error;
    });
    const name = this.courier.nameOf(entry);
    if (outcome === "waiting") return log(`Sent before, and still waiting for a block: ${name}.`);
    if (outcome === "unknown") log(`Never sent: ${name}. Give that command again if you still want it.`);
    else if (outcome instanceof Replaced) log(`Sent before: ${name}. ${outcome.message}`);
    else
      log(
        outcome.status === 0 ? `Sent before: ${name}. The chain has refused it.` : `Sent before: ${name}. It is done.`,
      );
    await this.files.remove(entry);
  }

  /** An entry as soon as its command has sent it or is no more; undefined if it is told by then. */
  private async calm(entry: Entry): Promise<Entry | undefined> {
    const { clock } = this.courier;
    const end = clock.now() + LONG;
    for (let now: Entry | undefined = entry; ;) {
      if (!now || now.isOut || !isRunning(now)) return now;
      if (clock.now() > end) throw new Error(`Process ${pidOf(now)} has been sending for long: end it first.`);
      await clock.pause(100);
      now = await this.again(entry);
    }
  }

  private async again({ nonce, owner }: Entry): Promise<Entry | undefined> {
    return (await this.files.all()).find((each) => each.nonce === nonce && each.owner === owner);
  }
}

/** The first number from one on that is not taken. */
function freeFrom(first: number, taken: readonly number[]): number {
  let free = first;
  while (taken.includes(free)) free++;
  return free;
}

function pidOf({ owner }: Entry): number {
  return Number.parseInt(owner);
}

function isRunning(entry: Entry): boolean {
  return pidOf(entry) === process.pid ? running.has(entry.owner) : isAlive(pidOf(entry));
}

/** Whether a transaction will never come to anything. */
function isOver(error: unknown): error is Replaced | Reverted {
  return error instanceof Replaced || error instanceof Reverted;
}

/** A transaction as far as it is known without asking for it. */
function responseOf({ hash, from, to, nonce, data, value }: Entry, provider: Provider): TransactionResponse {
  const known = { hash: hash!, from, to, nonce, data, value };
  const unknown = { blockNumber: null, blockHash: null, accessList: null, authorizationList: null };
  const fees = { gasLimit: 0n, gasPrice: 0n, maxPriorityFeePerGas: null, maxFeePerGas: null };
  const rest = { chainId: 0n, type: 2, index: 0, signature: Signature.from() };
  return new TransactionResponse({ ...known, ...unknown, ...fees, ...rest }, provider);
}
