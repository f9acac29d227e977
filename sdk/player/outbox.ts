import { isError, keccak256, toUtf8Bytes, type TransactionReceipt } from "ethers";
import { Failed, Unconfirmed, type Sent } from "../chain/receipt.js";
import { isOutage } from "../chain/trouble.js";
import type { Hex } from "../protocol/hex.js";
import { isUnsent } from "./wallet-errors.js";

/** An action that takes one or more transactions. The last transaction completes the action. */
export interface Action {
  /** Name of the function that the last transaction calls. */
  readonly call: string;
  /** Functions that the last transaction may call; defaults to `call`. */
  readonly last?: readonly string[];
  /** A few words for people; never contains a move, which may be secret. */
  readonly what: string;
  readonly matchId?: bigint;
  /** JSON value that distinguishes this action from others of the same kind. */
  readonly content?: unknown;
}

/** A transaction that is stored before it is sent, and until its outcome is known. */
export interface PendingTransaction extends Sent {
  /** Hash of the action that the transaction belongs to. */
  readonly action: Hex;
  /** The action in a few words, for people. */
  readonly what: string;
  /** Name of the called function; undefined for a payment. */
  readonly call?: string;
}

/** Store of pending transactions that outlives the program. */
export interface OutboxStore<P extends PendingTransaction> {
  /** Reads all stored transactions, in the order of their nonces. */
  all(): Promise<P[]>;
  /** Stores a transaction, or replaces its stored state. */
  put(pending: P): Promise<void>;
  /** Removes a transaction, if it is stored. */
  remove(pending: P): Promise<void>;
}

/** Waits for earlier transactions, and reports their outcomes. */
export interface PendingWaiter<P extends PendingTransaction> {
  /**
   * Waits until a transaction is in a block.
   * @param action The action that a caller requests now, if any. @returns its receipt; undefined if its outcome was
   * reported elsewhere.
   */
  wait(pending: P, action?: Action): Promise<TransactionReceipt | undefined>;
  /** Reports a transaction that has failed, or was never sent. */
  onFailed(pending: P, error: unknown): void;
}

/**
 * Thrown for an action that was started before and may still be pending.
 * @example
 * ```ts
 * import { Begun } from "duello";
 *
 * const error = new Begun("The deposit was sent before, and may still be mined.");
 * error instanceof Begun; // => true
 * ```
 */
export class Begun extends Error {
  override readonly name = "Begun";
}

/**
 * Transactions of a player. Each is stored before it is sent, so that repeating an action completes the stored one.
 * @example
 * ```ts
 * import { Outbox } from "duello";
 *
 * const outbox = new Outbox(outboxStore, waiter);
 * const resign = { call: "resign", what: "resign match 7", matchId: 7n };
 * const { hash } = await outbox.once(resign, () => client.resign(7n));
 * ```
 */
export class Outbox<P extends PendingTransaction> {
  constructor(
    readonly store: OutboxStore<P>,
    private readonly waiter: PendingWaiter<P>,
  ) {}

  /** Reads the stored transactions. */
  async of(...actions: readonly Hex[]): Promise<P[]> {
    return (await this.store.all()).filter(({ action }) => actions.includes(action));
  }

  /**
   * Performs an action with transactions. If the same action was started before and its outcome is unknown, completes
   * the earlier action instead.
   * @returns the receipt of the transaction that completes the action.
   */
  async once(action: Action, send: () => Promise<TransactionReceipt>): Promise<TransactionReceipt> {
    for (const pending of await this.of(actionHash(action))) {
      const receipt = await this.complete(pending, action);
      if (receipt && completes(action, pending)) return receipt;
    }
    return send();
  }

  /**
   * Waits for a transaction that was started before.
   * @returns its receipt; undefined if it failed, was never sent, or was reported elsewhere.
   * @throws Error if the transaction may still be mined; it then stays stored.
   */
  async complete(pending: P, action?: Action): Promise<TransactionReceipt | undefined> {
    try {
      return await this.waiter.wait(pending, action);
    } catch (error) {
      if (!neverCounts(error)) throw error;
      await this.store.remove(pending);
      this.waiter.onFailed(pending, error);
      return undefined;
    }
  }

  /**
   * Stores a transaction, sends it, and stores its updated state. @param send Sends the transaction. @returns the
   * updated transaction
   * @throws the error of `send`; the transaction stays stored unless the error proves that nothing was sent.
   */
  async send(pending: P, send: () => Promise<P>): Promise<P> {
    await this.store.put(pending);
    try {
      const sent = await send();
      await this.store.put(sent);
      return sent;
    } catch (error) {
      if (neverCounts(error)) await this.store.remove(pending);
      throw error;
    }
  }
}

/**
 * Hashes an action. Only equal actions have equal hashes.
 * @example
 * ```ts
 * import { actionHash } from "duello";
 *
 * const resign = { call: "resign", what: "resign match 7", matchId: 7n };
 * actionHash(resign) === actionHash({ ...resign }); // => true
 * ```
 */
export function actionHash({ call, matchId, content }: Action): Hex {
  const written = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);
  return keccak256(toUtf8Bytes(JSON.stringify([call, matchId, content], written)));
}

/**
 * Returns whether a transaction is the last one of an action.
 * @example
 * ```ts
 * import { completes } from "duello";
 *
 * completes({ call: "fund", what: "fund match 7", last: ["fund", "transferFund"] }, pending); // true for one of these
 * ```
 */
export function completes({ call, last = [call] }: Action, pending: PendingTransaction): boolean {
  return pending.call !== undefined && last.includes(pending.call);
}

/** Returns whether an error proves that nothing was sent. After other errors, a node may still have the transaction. */
export function isRefusal(error: unknown): boolean {
  if (isOutage(error) || error instanceof Unconfirmed) return false;
  return isUnsent(error) || isError(error, "NONCE_EXPIRED") || isError(error, "REPLACEMENT_UNDERPRICED");
}

/**
 * Returns whether an error proves that a transaction will never be mined.
 * @example
 * ```ts
 * import { neverCounts, Reverted, Unconfirmed } from "duello";
 *
 * neverCounts(new Reverted(salt)); // => true
 * neverCounts(new Unconfirmed(salt, "the node has failed for 600 s")); // => false
 * ```
 */
export function neverCounts(error: unknown): boolean {
  return error instanceof Failed || isRefusal(error);
}
