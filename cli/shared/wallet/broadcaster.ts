import { isError, JsonRpcSigner, keccak256, type Provider, type Signer } from "ethers";
import type { TransactionReceipt, TransactionRequest } from "ethers";
import { explain } from "../../../sdk/player/errors.js";
import { outcomeOf, pauseAfter, Unconfirmed, untilMined } from "../../../sdk/chain/receipt.js";
import type { Outcome, Sent, MiningWaitOptions } from "../../../sdk/chain/receipt.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { isOutage, reasonOf } from "../../../sdk/chain/trouble.js";
import { machineClock, type Clock } from "../../../sdk/chain/waiting.js";
import { createdIn } from "./action.js";
import { log } from "../command/output.js";
import type { PendingTransaction, PendingTransactions } from "./pending-transactions.js";

/** Attempts to send a transaction to a node that answers everything else. */
const MAX_TRIES = 8;

const REFUSALS = ["INSUFFICIENT_FUNDS", "REPLACEMENT_UNDERPRICED", "NONCE_EXPIRED", "ACTION_REJECTED"] as const;

/** Sends the pending transactions of a command to a node, and logs what it waits for. */
export class Broadcaster {
  /** Options for waiting until a transaction is mined. */
  readonly waiting: MiningWaitOptions;
  readonly clock: Clock;
  /** Transactions of this command that are on their way, by nonce. */
  readonly entries = new Map<number, PendingTransaction>();
  private readonly senders = new Map<number, () => Promise<Hex>>();
  private readonly receipts = new Map<Hex, TransactionReceipt>();

  constructor(
    private readonly wallet: Signer,
    private readonly files: PendingTransactions,
    waiting: MiningWaitOptions,
  ) {
    this.clock = waiting.clock ?? machineClock;
    this.waiting = {
      onWait: (sent) => log(`Sent: ${this.describe(sent)}. Waiting until it is in a block.`),
      onSilence: (sent, error) => log(`The node fails (${explain(error)}). Waiting for it: ${this.describe(sent)}.`),
      onUnknown: (sent) => this.rebroadcast(sent),
      ...waiting,
    };
  }

  private get provider(): Provider {
    return this.wallet.provider!;
  }

  /**
   * Estimates and signs a transaction. Its hash is known from here on if the wallet signs by itself.
   * @throws Error if the chain would refuse the transaction.
   */
  async prepare(entry: PendingTransaction, tx: TransactionRequest = {}): Promise<void> {
    const { from, to, data, value, nonce } = entry;
    const { wallet, provider } = this;
    const request = { ...tx, from, to, data, value, nonce };
    if (wallet instanceof JsonRpcSigner) {
      const gasLimit = await wallet.estimateGas(request);
      this.senders.set(nonce, () => wallet.sendUncheckedTransaction({ ...request, gasLimit }));
    } else {
      const raw = await wallet.signTransaction(await wallet.populateTransaction(request));
      this.senders.set(nonce, async () => (await provider.broadcastTransaction(raw)).hash);
      entry.hash = keccak256(raw);
    }
  }

  /**
   * Sends a prepared transaction until a node has it.
   * @throws Replaced if another transaction took its nonce.
   * @throws Error of the node if it refuses the transaction.
   */
  async send(entry: PendingTransaction): Promise<void> {
    this.entries.set(entry.nonce, entry);
    for (let failures = 1; ; failures++) {
      try {
        entry.hash = await this.senders.get(entry.nonce)!();
        break;
      } catch (error) {
        // Some nodes report an error for a transaction that they have accepted.
        const outcome = await this.outcomeOf(entry);
        if (outcome !== "unknown" || /already (known|imported|exists)|known transaction/i.test(reasonOf(error))) break;
        if (isPlainRefusal(error)) {
          this.entries.delete(entry.nonce);
          await this.files.remove(entry);
        }
        if (isDefiniteError(error) || failures === MAX_TRIES) throw error;
        await this.clock.pause(pauseAfter(failures, this.provider));
      }
    }
    entry.isSent = true;
    await this.files.update(entry);
  }

  /**
   * Sends the pending transaction of another command again, at current fees. The nonce lets only one of both be mined.
   */
  async resend(entry: PendingTransaction, owner: string): Promise<void> {
    try {
      await this.prepare(entry);
      await this.files.update(Object.assign(entry, { owner }));
      await this.send(entry);
    } catch (error) {
      // The first one may have been mined in the meantime.
      if (!isDefiniteError(error) || (await this.outcomeOf(entry)) === "unknown") throw error;
    }
  }

  /** Returns the current outcome of a transaction. */
  async outcomeOf(entry: PendingTransaction): Promise<Outcome> {
    return this.rememberReceipt(entry, await outcomeOf(this.provider, entry, this.waiting));
  }

  /** Waits until a transaction is mined. */
  async untilMined(entry: PendingTransaction, waiting: MiningWaitOptions = {}): Promise<TransactionReceipt> {
    return this.rememberReceipt(entry, await untilMined(this.provider, entry, { ...this.waiting, ...waiting }));
  }

  /** Describes a transaction for people: its action, its hash, and the match that it created. */
  describe(sent: Sent): string {
    const { what = "" } = this.entries.get(sent.nonce) ?? (sent as Partial<PendingTransaction>);
    const { hash, nonce } = sent;
    const receipt = this.receipts.get(hash ?? "");
    const made = receipt && createdIn(receipt);
    const name = hash === undefined ? `the transaction with nonce ${nonce}` : `transaction ${hash}`;
    return `${what}, ${name}${made === undefined ? "" : `, match ${made}`}`;
  }

  /** Keeps a receipt, so that `describe` can name the match that it created. */
  rememberReceipt<T extends Outcome>(entry: PendingTransaction, outcome: T): T {
    if (typeof outcome !== "string") this.receipts.set((entry.hash = outcome.hash), outcome);
    return outcome;
  }

  private async rebroadcast({ nonce }: Sent): Promise<void> {
    const entry = this.entries.get(nonce);
    if (!entry || !this.senders.has(nonce)) return;
    log(`The node has lost it, so it is sent again: ${this.describe(entry)}.`);
    await this.send(entry);
  }
}

/** Returns whether an error proves that nothing was sent. Other refusals may leave the transaction with the node. */
function isPlainRefusal(error: unknown): boolean {
  return REFUSALS.some((code) => isError(error, code)) || /enough funds/i.test(reasonOf(error));
}

/** Returns whether an error comes from a node or the chain, and not from a missing answer. */
export function isDefiniteError(error: unknown): boolean {
  return !isOutage(error) && !(error instanceof Unconfirmed);
}
