import type { JsonRpcApiProvider, Provider, TransactionReceipt, TransactionResponse } from "ethers";
import { firstWhere } from "./bisect.js";
import { isOutage } from "./trouble.js";
import { machineClock, type Clock } from "./waiting.js";

/**
 * A transaction that was sent. Another transaction with the same nonce, receiver, data and value is equivalent: only
 * its fee differs.
 */
export type Sent = Pick<TransactionResponse, "from" | "nonce" | "to" | "data" | "value"> & {
  /** Undefined if only the node knows it. */
  hash?: string;
};

/** Outcome of a transaction: its receipt, "waiting" for a block, or "unknown" to the node. */
export type Outcome = TransactionReceipt | "waiting" | "unknown";

/** Options of a wait for a transaction. */
export interface MiningWaitOptions {
  /** Milliseconds after which the wait ends if the node answers; defaults to no limit. */
  timeout?: number;
  /** Called once, as soon as there is something to wait for. */
  onWait?: (sent: Sent) => void;
  /** Called when the node stops answering. */
  onSilence?: (sent: Sent, error: unknown) => void;
  /** Called whenever the node does not know the transaction, e.g. to send it again. */
  onUnknown?: (sent: Sent) => Promise<unknown>;
  /** Source of time; defaults to the machine's clock. */
  clock?: Clock;
}

/**
 * Thrown if a wait ends early: the transaction was sent, and may still be mined.
 * @example
 * ```ts
 * import { Unconfirmed, untilMined } from "duello";
 *
 * await untilMined(provider, pending, { timeout: 60_000 }).catch((error: unknown) => {
 *   if (error instanceof Unconfirmed) console.error("The transaction may still be mined.");
 * });
 * ```
 */
export class Unconfirmed extends Error {
  override readonly name = "Unconfirmed";

  constructor(
    readonly hash: string | undefined,
    why: string,
    options?: ErrorOptions,
  ) {
    super(`Transaction ${hash ?? "of unknown hash"} was sent, but ${why}.`, options);
  }
}

/**
 * Thrown for a transaction that has permanently failed.
 * @example
 * ```ts
 * import { Failed, untilMined } from "duello";
 *
 * await untilMined(provider, pending).catch((error: unknown) => {
 *   if (error instanceof Failed) console.error("Send the transaction again."); // Replaced or Reverted
 * });
 * ```
 */
export class Failed extends Error {
  override readonly name: string = "Failed";
  readonly hash?: string;
}

/**
 * Thrown for a transaction that will never be mined, because another transaction has used its nonce.
 * @example
 * ```ts
 * import { Replaced, untilMined } from "duello";
 *
 * await untilMined(provider, pending).catch((error: unknown) => {
 *   if (error instanceof Replaced) console.error(`The wallet has sent ${error.by} in its place.`);
 * });
 * ```
 */
export class Replaced extends Failed {
  override readonly name = "Replaced";

  constructor(
    readonly hash: string | undefined,
    readonly by?: string,
  ) {
    super(`Transaction ${hash ?? "of unknown hash"} will never count: ${by ?? "another one"} was sent in its place.`);
  }
}

/**
 * Thrown for a transaction that is in a block, but reverted.
 * @example
 * ```ts
 * import { Reverted, untilMined } from "duello";
 *
 * await untilMined(provider, pending).catch((error: unknown) => {
 *   if (error instanceof Reverted) console.error(`${error.hash} is in a block, without any effect.`);
 * });
 * ```
 */
export class Reverted extends Failed {
  override readonly name = "Reverted";

  constructor(
    readonly hash: string,
    options?: ErrorOptions,
  ) {
    super(`The chain has refused transaction ${hash}.`, options);
  }
}

const SILENCE = 600_000;
const LONGEST_PAUSE = 15_000;
/** Number of consecutive answers that a transaction is unknown before the node is believed. */
const DOUBTS = 3;

/**
 * Waits until a transaction is in a block. A failing node is polled again at growing intervals.
 * @throws Replaced if another transaction has used its nonce.
 * @throws Reverted if it was mined but reverted.
 * @throws Unconfirmed if the wait ends early.
 * @example
 * ```ts
 * import { untilMined } from "duello";
 *
 * const sent = await signer.sendTransaction({ to: bob, value: 1n });
 * const { blockNumber } = await untilMined(provider, sent, { timeout: 60_000 });
 * ```
 */
export async function untilMined(
  provider: Provider,
  sent: Sent,
  waiting: MiningWaitOptions = {},
): Promise<TransactionReceipt> {
  const { timeout = Infinity, onWait, onUnknown, clock = machineClock } = waiting;
  const start = clock.now();
  let unknown = 0;
  for (let looks = 0; ; looks++) {
    const outcome = await outcomeOf(provider, sent, waiting);
    if (typeof outcome !== "string") return accepted(provider, sent, outcome);
    if (looks === 0) onWait?.(sent);
    unknown = outcome === "unknown" ? unknown + 1 : 0;
    // Several nodes behind one URL learn of a transaction at different times.
    if (unknown > 0 && unknown % DOUBTS === 0) await onUnknown?.(sent);
    const waited = clock.now() - start;
    if (waited >= timeout) throw new Unconfirmed(sent.hash, `is in no block after ${Math.round(waited / 1000)} s`);
    await clock.pause(pauseAfter(0, provider));
  }
}

/**
 * Reads the outcome of a transaction. The node is polled until it answers.
 * @throws Replaced if another transaction has used its nonce.
 * @throws Unconfirmed if the node does not answer for too long.
 * @example
 * ```ts
 * import { outcomeOf } from "duello";
 *
 * const sent = await signer.sendTransaction({ to: bob, value: 1n });
 * const outcome = await outcomeOf(provider, sent); // "waiting", "unknown", or the receipt
 * ```
 */
export async function outcomeOf(provider: Provider, sent: Sent, waiting: MiningWaitOptions = {}): Promise<Outcome> {
  const { timeout = Infinity, onSilence, clock = machineClock } = waiting;
  const start = clock.now();
  for (let failures = 1; ; failures++) {
    try {
      return await lookAt(provider, sent);
    } catch (error) {
      if (error instanceof Replaced) throw error;
      if (failures === 1) onSilence?.(sent, error);
      const waited = clock.now() - start;
      if (waited >= Math.min(timeout, SILENCE)) {
        const why = `the node has failed for ${Math.round(waited / 1000)} s`;
        throw new Unconfirmed(sent.hash, why, { cause: error });
      }
      await clock.pause(pauseAfter(failures, provider));
    }
  }
}

/** Returns the milliseconds to wait before a node is polled again. @param failures Number of the node's failures. */
export function pauseAfter(failures: number, provider: Provider): number {
  const { pollingInterval = 1000 } = provider as Partial<JsonRpcApiProvider>;
  return Math.min(LONGEST_PAUSE, pollingInterval * 2 ** failures);
}

async function lookAt(provider: Provider, sent: Sent): Promise<Outcome> {
  const { hash, from, nonce } = sent;
  const receipt = hash === undefined ? null : await provider.getTransactionReceipt(hash);
  if (receipt) return receipt;
  if ((await provider.getTransactionCount(from, "latest")) <= nonce) {
    const isKnown =
      hash === undefined
        ? (await provider.getTransactionCount(from, "pending")) > nonce
        : (await provider.getTransaction(hash)) !== null;
    return isKnown ? "waiting" : "unknown";
  }
  const taker = await takerOf(provider, sent);
  // Two answers of one node may be from different moments: a later pair will agree.
  if (taker === null || taker.hash === hash) return "waiting";
  if (!isLike(sent, taker)) throw new Replaced(hash, taker.hash);
  return (await provider.getTransactionReceipt(taker.hash)) ?? "waiting";
}

function isLike(sent: Sent, other: TransactionResponse): boolean {
  const { from, nonce, to, data, value } = other;
  return from === sent.from && nonce === sent.nonce && to === sent.to && data === sent.data && value === sent.value;
}

/** Finds the mined transaction that used the nonce of a given transaction; null if there is none. */
async function takerOf(provider: Provider, { hash, from, nonce }: Sent): Promise<TransactionResponse | null> {
  const last = await provider.getBlockNumber();
  let taken: number;
  const isTaken = async (block: number) => (await provider.getTransactionCount(from, block)) > nonce;
  try {
    if (!(await isTaken(last))) return null;
    let first = last;
    for (let step = 1; first > 0 && (await isTaken(first)); step *= 2) first = Math.max(0, last - step);
    taken = await firstWhere(Math.min(first + 1, last), last, isTaken);
  } catch (error) {
    // Most nodes forget old nonces, but keep all receipts.
    if (isOutage(error)) throw error;
    throw new Replaced(hash);
  }
  const block = await provider.getBlock(taken, true);
  return block?.prefetchedTransactions.find((each) => each.from === from && each.nonce === nonce) ?? null;
}

/** Returns the receipt of a transaction that succeeded. @throws Reverted, with the reason as its cause */
async function accepted(provider: Provider, { from, to, data, value }: Sent, receipt: TransactionReceipt) {
  if (receipt.status !== 0) return receipt;
  const call = provider.call({ from, to, data, value, blockTag: receipt.blockNumber });
  const cause: unknown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  throw new Reverted(receipt.hash, { cause });
}
