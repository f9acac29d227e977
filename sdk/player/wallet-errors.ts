import { ownMessage } from "../chain/trouble.js";

/**
 * Thrown if a wallet is on another chain than its client: nothing was sent.
 * @example
 * ```ts
 * import { WrongNetwork } from "duello";
 *
 * await client.resign(7n).catch((error: unknown) => {
 *   if (error instanceof WrongNetwork) console.error(`Switch the wallet to chain ${error.expected}.`);
 * });
 * ```
 */
export class WrongNetwork extends Error {
  override readonly name = "WrongNetwork";

  constructor(
    readonly actual: bigint,
    readonly expected: bigint,
  ) {
    super(`The wallet is on chain ${actual}, not on chain ${expected}: switch its network.`);
  }
}

/** Reason why a wallet or its node sent nothing, with the error codes and words that identify it. */
interface Reason {
  /** Codes of EIP-1193, EIP-3085, EIP-5792 or ethers for this reason. */
  codes: readonly (number | string)[];
  /** Words that the message must contain as well, if a code alone is ambiguous. */
  words?: RegExp;
  /** Words that identify the reason without a code. */
  or?: RegExp;
  sentence: string;
}

const NO_COIN: Reason = {
  codes: ["INSUFFICIENT_FUNDS"],
  or: /insufficient funds|sender doesn't have enough funds|gas required exceeds allowance \(0\)/i,
  sentence: "The sender has too little of the chain's coin for this transaction and its gas.",
};

const REJECTED: Reason = {
  codes: [4001, "ACTION_REJECTED"],
  sentence: "It was rejected in the wallet: nothing was sent.",
};

/** Reasons, ordered from the most to the least specific, because an error may wrap another error. */
const REASONS: readonly Reason[] = [
  REJECTED,
  {
    codes: [4100],
    sentence:
      "The wallet has not authorised this page for the account: connect it, or choose the account in the wallet.",
  },
  {
    codes: [4902],
    or: /unrecognized chain id/i,
    sentence: "The wallet does not know this chain: add its network to the wallet first.",
  },
  {
    // Nodes also use this code for requests that take too long.
    codes: [-32002],
    words: /pending|already processing|already requested|already open/i,
    sentence: "The wallet has another request open: answer that one first.",
  },
  { codes: [4200], sentence: "The wallet cannot do this." },
  { codes: [4900], sentence: "The wallet is connected to no chain." },
  { codes: [4901, 5710], sentence: "The wallet is not connected to this chain: switch its network." },
  { codes: [5740], sentence: "The batch is too large for the wallet." },
  { codes: [5750], sentence: "The account was not upgraded, so the wallet cannot send a batch: nothing was sent." },
  { codes: [5700, 5760], sentence: "The wallet cannot send these calls as one batch." },
  {
    codes: ["NETWORK_ERROR"],
    words: /network changed/i,
    sentence: "The wallet has switched to another network: switch it back, or connect again.",
  },
  NO_COIN,
  {
    codes: ["NONCE_EXPIRED"],
    or: /nonce (is )?too low/i,
    sentence:
      "A transaction with this number was sent before. If the chain was restarted, clear the account's activity in the wallet.",
  },
  {
    codes: ["REPLACEMENT_UNDERPRICED"],
    or: /replacement transaction underpriced/i,
    sentence: "Another transaction with this number is waiting: speed that one up, or wait for it.",
  },
  { codes: ["TRANSACTION_REPLACED"], sentence: "Another transaction was sent in its place." },
];

/** Maximum depth of wrapped errors. */
const DEPTH = 5;

/**
 * Returns a sentence for the error of a wallet or its node; undefined for any other error.
 * @example
 * ```ts
 * import { walletSentence } from "duello";
 *
 * walletSentence({ code: 4900 }); // => "The wallet is connected to no chain."
 * ```
 */
export function walletSentence(thrown: unknown): string | undefined {
  return REASONS.find((reason) => isFor(thrown, reason))?.sentence;
}

/**
 * Returns whether an error reports that the sender cannot pay for a transaction.
 * @example
 * ```ts
 * import { isShortOfCoin } from "duello";
 *
 * isShortOfCoin({ code: "INSUFFICIENT_FUNDS" }); // => true
 * ```
 */
export function isShortOfCoin(thrown: unknown): boolean {
  return isFor(thrown, NO_COIN);
}

/**
 * Returns whether an error proves that a transaction was not sent: it was rejected or cannot be paid for, the wallet is
 * on another chain, or the gas estimate was rejected.
 * @example
 * ```ts
 * import { isUnsent } from "duello";
 *
 * isUnsent({ code: "ACTION_REJECTED" }); // => true
 * isUnsent(new Error("timeout")); // => false
 * ```
 */
export function isUnsent(thrown: unknown): boolean {
  return isFor(thrown, REJECTED) || isShortOfCoin(thrown) || isBeforeSending(thrown);
}

/**
 * Returns whether an error of a wallet, or an error that it wraps, has a code.
 * @example
 * ```ts
 * import { hasCode } from "duello";
 *
 * hasCode({ code: 4001 }, 4001); // => true
 * ```
 */
export function hasCode(thrown: unknown, code: number): boolean {
  return isFor(thrown, { codes: [code] });
}

function isBeforeSending(thrown: unknown, depth = 0): boolean {
  if (thrown instanceof WrongNetwork) return true;
  if (typeof thrown !== "object" || thrown === null || depth > DEPTH) return false;
  const { action, cause } = thrown as Record<string, unknown>;
  return action === "estimateGas" || isBeforeSending(cause, depth + 1);
}

/** Returns whether an error, or an error that it wraps, matches a reason. */
function isFor(thrown: unknown, reason: Omit<Reason, "sentence">, depth = 0): boolean {
  if (typeof thrown !== "object" || thrown === null || depth > DEPTH) return false;
  const { code, data, error, info, cause, originalError } = thrown as Record<string, unknown>;
  const text = ownMessage(thrown);
  const { codes, words = /^/, or } = reason;
  if (codes.includes(code as number | string) && words.test(text)) return true;
  if (or?.test(text) === true) return true;
  return [data, error, info, cause, originalError].some((inner) => isFor(inner, reason, depth + 1));
}
