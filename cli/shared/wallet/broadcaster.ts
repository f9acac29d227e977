import { JsonRpcSigner, keccak256, type Provider, type Signer } from "ethers";
import type { TransactionReceipt, TransactionRequest } from "ethers";
import { explain } from "../../../sdk/player/errors.js";
import { outcomeOf, pauseAfter, Unconfirmed, untilMined } from "../../../sdk/chain/receipt.js";
import type { Outcome, Sent, MiningWaitOptions } from "../../../sdk/chain/receipt.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { isOutage, reasonOf } from "../../../sdk/chain/trouble.js";
import { isRefusal } from "../../../sdk/player/outbox.js";
import { machineClock, type Clock } from "../../../sdk/chain/waiting.js";
import { createdIn } from "./action.js";
import { log } from "../command/output.js";
import type { CommandTransaction, PendingTransactions } from "./pending-transactions.js";

/** Maximum attempts to send a transaction to a node that answers all other requests. */
const MAX_TRIES = 8;

/** Sends the pending transactions of a command to a node, and logs its waits. */
export class Broadcaster {
  /** Options for waiting until a transaction is mined. */
  readonly waiting: MiningWaitOptions;
  readonly clock: Clock;
  /** Transactions of this command that are not mined yet, by nonce. */
  readonly entries = new Map<number, CommandTransaction>();
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
   * Estimates and signs a transaction. From then on its hash is known if the wallet signs by itself.
   * @throws Error if the chain would reject the transaction.
   */
  async prepare(entry: CommandTransaction, tx: TransactionRequest = {}): Promise<void> {
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
   * @throws the node's error if the node refuses the transaction.
   */
  async send(entry: CommandTransaction): Promise<CommandTransaction> {
    this.entries.set(entry.nonce, entry);
    for (let failures = 1; ; failures++) {
      try {
        entry.hash = await this.senders.get(entry.nonce)!();
        break;
      } catch (error) {
        // Some nodes report an error for a transaction that they have accepted.
        const outcome = await this.outcomeOf(entry);
        if (outcome !== "unknown" || /already (known|imported|exists)|known transaction/i.test(reasonOf(error))) break;
        if (isRefusal(error)) this.entries.delete(entry.nonce);
        if (!isOutage(error) || failures === MAX_TRIES) throw error;
        await this.clock.pause(pauseAfter(failures, this.provider));
      }
    }
    return Object.assign(entry, { isSent: true });
  }

  /**
   * Sends the pending transaction of another command again, at current fees. Both copies share a nonce, so only one is
   * mined.
   */
  async resend(entry: CommandTransaction, owner: string): Promise<void> {
    try {
      await this.prepare(entry);
      await this.files.put(Object.assign(entry, { owner }));
      await this.files.put(await this.send(entry));
    } catch (error) {
      // The first copy may have been mined in the meantime.
      if (isOutage(error) || error instanceof Unconfirmed || (await this.outcomeOf(entry)) === "unknown") throw error;
    }
  }

  /** Returns the current outcome of a transaction. */
  async outcomeOf(entry: CommandTransaction): Promise<Outcome> {
    return this.rememberReceipt(entry, await outcomeOf(this.provider, entry, this.waiting));
  }

  /** Waits until a transaction is mined. */
  async untilMined(entry: CommandTransaction, waiting: MiningWaitOptions = {}): Promise<TransactionReceipt> {
    return this.rememberReceipt(entry, await untilMined(this.provider, entry, { ...this.waiting, ...waiting }));
  }

  /** Describes a transaction for people: its action, its hash, and the match that it created. */
  describe(sent: Sent): string {
    const { what = "" } = this.entries.get(sent.nonce) ?? (sent as Partial<CommandTransaction>);
    const { hash, nonce } = sent;
    const receipt = this.receipts.get(hash ?? "");
    const made = receipt && createdIn(receipt);
    const name = hash === undefined ? `the transaction with nonce ${nonce}` : `transaction ${hash}`;
    return `${what}, ${name}${made === undefined ? "" : `, match ${made}`}`;
  }

  /** Stores a receipt, so that `describe` can name the created match. */
  rememberReceipt<T extends Outcome>(entry: CommandTransaction, outcome: T): T {
    if (typeof outcome !== "string") this.receipts.set((entry.hash = outcome.hash), outcome);
    return outcome;
  }

  private async rebroadcast({ nonce }: Sent): Promise<void> {
    const entry = this.entries.get(nonce);
    if (!entry || !this.senders.has(nonce)) return;
    log(`The node has lost it, so it is sent again: ${this.describe(entry)}.`);
    await this.files.put(await this.send(entry));
  }
}
