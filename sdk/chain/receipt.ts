import type { JsonRpcApiProvider, Provider, TransactionReceipt, TransactionResponse } from "ethers";
import { isOutage } from "./trouble.js";
import { machineClock, type Clock } from "./waiting.js";

/** A transaction that was sent. Another one that says the same with the same nonce is the same, for another fee. */
export type Sent = Pick<TransactionResponse, "from" | "nonce" | "to" | "data" | "value"> & {
  /** Left out where only the node knows it. */
  hash?: string;
};

/** What has become of a transaction. */
export type Outcome = TransactionReceipt | "waiting" | "unknown";

/** How a transaction is waited for. */
export interface Waiting {
  /** Milliseconds after which it is given up while the node answers; left out: never. */
  timeout?: number;
  /** Milliseconds without an answer of the node after which it is given up. */
  silence?: number;
  /** Called once, as soon as there is something to wait for. */
  onWait?: (sent: Sent) => void;
  /** Called when the node ceases to answer. */
  onSilence?: (sent: Sent, error: unknown) => void;
  /** Called whenever the node does not know the transaction, e.g. to send it again. */
  onUnknown?: (sent: Sent) => Promise<unknown>;
  /** The machine's if left out. */
  clock?: Clock;
}

/** Nobody knows yet what becomes of a transaction that was sent. */
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

/** A transaction never gets into a block: another one has its nonce. */
export class Replaced extends Error {
  override readonly name = "Replaced";

  constructor(
    readonly hash: string | undefined,
    readonly by?: string,
  ) {
    super(`Transaction ${hash ?? "of unknown hash"} will never count: ${by ?? "another one"} was sent in its place.`);
  }
}

/** A transaction is in a block, but the chain has refused what it was for. */
export class Reverted extends Error {
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
/** A transaction is not known if a node says so this many times. */
const DOUBTS = 3;

/**
 * Waits until a transaction is in a block. A node that fails is asked again, less and less often.
 * @throws Replaced, Reverted, or Unconfirmed where it is given up.
 */
export async function untilMined(provider: Provider, sent: Sent, waiting: Waiting = {}): Promise<TransactionReceipt> {
  const { timeout = Infinity, onWait, onUnknown, clock = machineClock } = waiting;
  const start = clock.now();
  let unknown = 0;
  for (let looks = 0; ; looks++) {
    const outcome = await outcomeOf(provider, sent, waiting);
    if (typeof outcome !== "string") return accepted(provider, sent, outcome);
    if (looks === 0) onWait?.(sent);
    unknown = outcome === "unknown" ? unknown + 1 : 0;
    // Nodes behind one address need not know the same at once.
    if (unknown > 0 && unknown % DOUBTS === 0) await onUnknown?.(sent);
    const waited = clock.now() - start;
    if (waited >= timeout) throw new Unconfirmed(sent.hash, `is in no block after ${Math.round(waited / 1000)} s`);
    await clock.pause(pauseAfter(0, provider));
  }
}

/**
 * What has become of a transaction: its receipt, or it waits for a block, or the node does not know it. Asked until the
 * node answers.
 * @throws Replaced if another one has its nonce.
 * @throws Unconfirmed if the node does not answer for long.
 */
export async function outcomeOf(provider: Provider, sent: Sent, waiting: Waiting = {}): Promise<Outcome> {
  const { timeout = Infinity, silence = SILENCE, onSilence, clock = machineClock } = waiting;
  const start = clock.now();
  for (let failures = 1; ; failures++) {
    try {
      return await lookAt(provider, sent);
    } catch (error) {
      if (error instanceof Replaced) throw error;
      if (failures === 1) onSilence?.(sent, error);
      const waited = clock.now() - start;
      if (waited >= Math.min(timeout, silence)) {
        const why = `the node has failed for ${Math.round(waited / 1000)} s`;
        throw new Unconfirmed(sent.hash, why, { cause: error });
      }
      await clock.pause(pauseAfter(failures, provider));
    }
  }
}

/** How long to wait before a node is asked again that has failed so many times. */
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
  // Answers of one node may be of different moments: it will know more.
  if (taker === null || taker.hash === hash) return "waiting";
  if (!isLike(sent, taker)) throw new Replaced(hash, taker.hash);
  return (await provider.getTransactionReceipt(taker.hash)) ?? "waiting";
}

function isLike(sent: Sent, other: TransactionResponse): boolean {
  const { from, nonce, to, data, value } = other;
  return from === sent.from && nonce === sent.nonce && to === sent.to && data === sent.data && value === sent.value;
}

/** The transaction in a block that has the nonce of another; null if none is found. */
async function takerOf(provider: Provider, { hash, from, nonce }: Sent): Promise<TransactionResponse | null> {
  let last = await provider.getBlockNumber();
  const isTaken = async (block: number) => (await provider.getTransactionCount(from, block)) > nonce;
  try {
    if (!(await isTaken(last))) return null;
    let first = last;
    for (let step = 1; first > 0 && (await isTaken(first)); step *= 2) first = Math.max(0, last - step);
    while (last - first > 1) {
      const middle = Math.floor((first + last) / 2);
      if (await isTaken(middle)) last = middle;
      else first = middle;
    }
  } catch (error) {
    // Most nodes forget old balances and nonces, but no receipt.
    if (isOutage(error)) throw error;
    throw new Replaced(hash);
  }
  const block = await provider.getBlock(last, true);
  return block?.prefetchedTransactions.find((each) => each.from === from && each.nonce === nonce) ?? null;
}

/** A receipt of something that the chain has taken. @throws Reverted with what it said, if it has not. */
async function accepted(provider: Provider, { from, to, data, value }: Sent, receipt: TransactionReceipt) {
  if (receipt.status !== 0) return receipt;
  const call = provider.call({ from, to, data, value, blockTag: receipt.blockNumber });
  const cause: unknown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  throw new Reverted(receipt.hash, { cause });
}
