import { randomBytes } from "node:crypto";
import { resolveAddress, TransactionResponse, type Provider, type Signer } from "ethers";
import type { TransactionReceipt, TransactionRequest, TransactionResponseParams } from "ethers";
import { Failed, Replaced, untilMined, type MiningWaitOptions } from "../../../sdk/chain/receipt.js";
import { actionHash, completes, Outbox, type Action } from "../../../sdk/player/outbox.js";
import { WalletWrapper } from "./wallet-wrapper.js";
import { Broadcaster } from "./broadcaster.js";
import { functionNameIn } from "./action.js";
import { log } from "../command/output.js";
import type { CommandTransaction, PendingTransactions } from "./pending-transactions.js";

/**
 * Wallet of a command that sends through an outbox on disk. A repeated command completes the transactions in the
 * outbox, and sends nothing twice.
 */
export class OutboxWallet extends WalletWrapper {
  private readonly owner = randomBytes(16).toString("hex");
  /** Ends the claim to the owner's id; undefined before something is sent. */
  private endClaim?: () => void;
  private readonly broadcaster: Broadcaster;
  private readonly outbox: Outbox<CommandTransaction>;
  private action?: Action;
  private hasReportedOthers = false;

  constructor(
    wallet: Signer,
    private readonly files: PendingTransactions,
    waiting: MiningWaitOptions = {},
  ) {
    super(wallet);
    this.broadcaster = new Broadcaster(wallet, files, waiting);
    // The command's own transactions are not treated as another command's: the command may repeat the action.
    const store = {
      all: () => this.others(),
      put: (entry: CommandTransaction) => files.put(entry),
      remove: (entry: CommandTransaction) => files.remove(entry),
    };
    this.outbox = new Outbox(store, {
      wait: (entry, action) => this.waitFor(entry, action),
      onFailed: (entry, error) => {
        this.own.delete(entry.nonce);
        if (error instanceof Failed) log(`Sent before: ${this.broadcaster.describe(entry)}. ${error.message}`);
      },
    });
  }

  /** Options for waiting until its transactions are mined. */
  get waiting(): MiningWaitOptions {
    return this.broadcaster.waiting;
  }

  /** Describes what was sent, for the report of an error; undefined if nothing was sent. */
  get trace(): string | undefined {
    const sent = [...this.own.values()];
    if (sent.length === 0) return undefined;
    const when = sent.every(({ isSent }) => isSent) ? "Sent before that: " : "It may have been sent all the same: ";
    const names = sent.map((entry) => this.broadcaster.describe(entry)).join("; ");
    return `${when}${names}. Give the same command again to learn the outcome.`;
  }

  /**
   * Performs an action with transactions. If an earlier command began the same action and its outcome was never
   * reported, completes the earlier one instead.
   * @returns the receipt of the transaction that counts.
   */
  async once(action: Action, send: () => Promise<TransactionReceipt>): Promise<TransactionReceipt> {
    return this.outbox.once(action, async () => {
      this.action = action;
      try {
        const receipt = await send();
        const hash = actionHash(action);
        const counting = [...this.own.values()].find((entry) => entry.action === hash && completes(action, entry));
        return counting ? this.broadcaster.rememberReceipt(counting, receipt) : receipt;
      } catch (error) {
        // The error itself reports the outcome.
        if (error instanceof Failed) {
          for (const entry of this.own.values()) if (entry.hash === error.hash) await this.forget(entry);
        }
        throw error;
      }
    });
  }

  /** Completes actions that earlier commands began, for callers that read the results from the chain. */
  async finish(...actions: readonly Action[]): Promise<void> {
    for (const entry of await this.outbox.of(...actions.map(actionHash))) {
      if (await this.outbox.complete(entry)) await this.forget(entry);
    }
  }

  /** Sends the transaction of an action without waiting for its outcome, so that others can follow it at once. */
  async begin(action: Action, tx: TransactionRequest): Promise<TransactionResponse> {
    this.action = action;
    return this.sendTransaction(tx);
  }

  /** Stores a transaction, then sends it. One command sends at a time, so that each nonce is used once. */
  override async sendTransaction(tx: TransactionRequest): Promise<TransactionResponse> {
    const { action, broadcaster, files, outbox, owner, provider } = this;
    if (!action) throw new Error("Nothing says what this transaction is for.");
    const { to, data = "0x", value } = tx;
    const call = functionNameIn(data!);
    const draft = {
      from: await this.getAddress(),
      to: await resolveAddress(to!),
      data: data!,
      value: BigInt(value ?? 0),
      action: actionHash(action),
      what: call === action.call ? action.what : `${action.what} (${call})`,
      call,
      isSent: false,
      owner,
    };
    return files.exclusively(async () => {
      await this.reportOthers();
      for (let min = 0; ;) {
        // Read before the files, so that the count includes transactions that a command has sent and forgotten
        // meanwhile.
        const next = await provider.getTransactionCount(draft.from, "pending");
        const others = await this.others();
        const duplicate = others.find((each) => each.action === draft.action && each.call === call);
        if (duplicate && files.isOwned(duplicate)) {
          if (!duplicate.isSent) await broadcaster.resend(duplicate, this.claim());
          this.own.set(duplicate.nonce, duplicate);
          return responseOf(duplicate, provider);
        }
        const nonce = firstFree(Math.max(next, min), [...others.map((each) => each.nonce), ...this.own.keys()]);
        const entry: CommandTransaction = { ...draft, nonce };
        await broadcaster.prepare(entry, tx);
        this.claim();
        try {
          return responseOf(await outbox.send(entry, () => broadcaster.send(entry)), provider);
        } catch (error) {
          if (!(error instanceof Replaced)) throw error;
          this.own.delete(nonce);
          min = nonce + 1;
        }
      }
    });
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

  /** Makes the command the owner of the transactions that it sends from now on. @returns its id */
  private claim(): string {
    this.endClaim ??= this.files.claim(this.owner);
    return this.owner;
  }

  /** Transactions that this command has sent or adopted, by nonce. */
  private get own(): Map<number, CommandTransaction> {
    return this.broadcaster.entries;
  }

  private async others(): Promise<CommandTransaction[]> {
    return (await this.files.all()).filter(({ nonce }) => !this.own.has(nonce));
  }

  private async forget(entry: CommandTransaction): Promise<void> {
    this.own.delete(entry.nonce);
    await this.files.remove(entry);
  }

  /** Waits for the transaction of an earlier command, and sends it again if no node has it. */
  private async waitFor(
    { nonce, owner }: CommandTransaction,
    action?: Action,
  ): Promise<TransactionReceipt | undefined> {
    const { broadcaster, files } = this;
    const found = await files.exclusively(async () => {
      const entry = (await files.all()).find((each) => each.nonce === nonce && each.owner === owner);
      if (!entry) return undefined;
      this.own.set(nonce, entry);
      const outcome = await broadcaster.outcomeOf(entry);
      if (outcome === "unknown" && !entry.isSent) await broadcaster.resend(entry, this.claim());
      else if (action && completes(action, entry)) {
        const name = broadcaster.describe(entry);
        log(`This was sent before, but its outcome was not reported: ${name}. Give the command again to send another.`);
      }
      return entry;
    });
    return found && broadcaster.untilMined(found, { onUnknown: async () => broadcaster.resend(found, this.claim()) });
  }

  /** Reports the outcomes of transactions whose commands have ended, and forgets those that no longer wait. */
  private async reportOthers(): Promise<void> {
    if (this.hasReportedOthers) return;
    for (const entry of await this.others()) {
      // A command that has reported its transaction and ended since the list was read owns nothing any more.
      if (this.files.isOwned(entry) || !(await this.files.has(entry))) continue;
      const outcome = await this.broadcaster.outcomeOf(entry).catch((error: unknown) => {
        if (!(error instanceof Replaced)) throw error;
        return error;
      });
      const name = this.broadcaster.describe(entry);
      if (outcome === "waiting") {
        log(`Sent before, and still waiting for a block: ${name}.`);
        continue;
      }
      if (outcome === "unknown") log(`Never sent: ${name}. Give that command again if you still want it.`);
      else if (outcome instanceof Replaced) log(`Sent before: ${name}. ${outcome.message}`);
      else if (outcome.status === 0) log(`Sent before: ${name}. The chain has refused it.`);
      else log(`Sent before: ${name}. It is done.`);
      await this.files.remove(entry);
    }
    this.hasReportedOthers = true;
  }
}

/** Returns the smallest number that is at least `first` and is not taken. */
function firstFree(first: number, taken: readonly number[]): number {
  let free = first;
  while (taken.includes(free)) free++;
  return free;
}

/** Builds the response to a transaction from data that is known without asking the node: enough to wait for it. */
function responseOf({ hash, from, to, nonce, data, value }: CommandTransaction, provider: Provider) {
  return new TransactionResponse({ hash, from, to, nonce, data, value } as TransactionResponseParams, provider);
}
