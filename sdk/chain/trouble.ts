import { oneLine } from "../protocol/input.js";

/** Reason why a node gives no answer. A smaller request, a later request or another node may help. */
export type Trouble =
  /** The node allows only fewer results per request; `blocks` is its maximum number of blocks, if it reports one. */
  | { kind: "limit"; blocks?: number }
  /** The node requests a later retry; `after` is the wait in milliseconds, if it reports one. */
  | { kind: "rate"; after?: number }
  /** The node took too long. */
  | { kind: "timeout" }
  /** The node does not have the requested block or state: it lags, or has pruned it. */
  | { kind: "missing" }
  /** The node does not answer. */
  | { kind: "silence" };

/**
 * Thrown after the last retry of a request to a node.
 * @example
 * ```ts
 * import { Outage } from "duello";
 *
 * try {
 *   await history.match(7n);
 * } catch (error) {
 *   if (error instanceof Outage) console.error("The node does not answer.");
 * }
 * ```
 */
export class Outage extends Error {
  override readonly name = "Outage";
}

/** Thrown for a node that does not have a block yet. */
export class LaggingNode extends Error {
  override readonly name = "LaggingNode";

  /**
   * @param head The latest block that the node has.
   * @param wanted The block that it must have.
   */
  constructor(head: number, wanted: number) {
    super(`block not found: the node has ${head}, not ${wanted}`);
  }
}

/** Error codes of ethers for failures of the connection or of the server. */
const FAILURES = ["SERVER_ERROR", "NETWORK_ERROR", "TIMEOUT", "BAD_DATA", "CANCELLED"];

/**
 * Returns whether a node has given no valid answer; otherwise the thrown error is its answer.
 * @example
 * ```ts
 * import { isOutage, Outage } from "duello";
 *
 * isOutage(new Outage("the node does not answer")); // => true
 * isOutage(new Error("execution reverted")); // => false
 * ```
 */
export function isOutage(thrown: unknown): boolean {
  const { code } = thrown as { code?: unknown };
  const isFailure = typeof code === "string" && (FAILURES.includes(code) || /^(E[A-Z]+|UND_ERR_\w+)$/.test(code));
  return thrown instanceof Outage || isFailure;
}

/** Texts and codes of an error and of all errors that it wraps. */
interface Said {
  /** HTTP status. */
  status?: number;
  /** HTTP header Retry-After. */
  after?: string;
  codes: (string | number)[];
  /** All messages. */
  text: string;
}

/**
 * Signs of a contract's refusal, whose text may be anything: a token's revert reason must not be mistaken for its
 * node's error.
 */
const REVERT = /revert|VM exception|VM execution|invalid opcode|out of gas/i;
const RATE =
  /\brate\b.{0,12}limit|too many requests|request (rate|count|limit)|requests? per|per second|compute units|throughput|throttl|credits/i;
const RESULTS = /result|response|logs? (matched|size)|too many logs|\bsize\b/i;
const LIMIT =
  /range|too many (blocks|results|logs)|more than [\d,.]+|exceed|limit|too (large|big|wide|high|long)|distance|at most|response size|entity too large/i;
const TIMEOUT = /time(d|s)? ?-?out|deadline exceeded|took too long/i;
const MISSING =
  /header not found|unknown block|block not found|could not find block|missing trie node|pruned|(state|block|history).{0,40}(not available|unavailable|not found|is not)|beyond (the )?(current )?head|archive/i;
const SILENT =
  /^(E(CONN\w+|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|PROTO)|UND_ERR\w*|NETWORK_ERROR|BAD_DATA)$/;
const SILENCE =
  /socket hang up|failed to fetch|fetch failed|networkerror|load failed|not valid json|missing response|no backend|bad gateway|service unavailable|temporarily unavailable|try again/i;

/**
 * Finds the reason for which a node gave no answer; undefined if it has answered, e.g. with a contract's rejection.
 * @param blocks Number of blocks whose logs were requested, if any.
 * @example
 * ```ts
 * import { troubleOf } from "duello";
 *
 * troubleOf({ status: 429, message: "Too Many Requests" })?.kind; // => "rate"
 * troubleOf(new Error("execution reverted")); // => undefined
 * ```
 */
export function troubleOf(thrown: unknown, blocks = 0): Trouble | undefined {
  if (thrown instanceof LaggingNode) return { kind: "missing" };
  const { status = 0, after, codes, text } = saidBy(thrown);
  if (status < 400 && REVERT.test(text)) return undefined;
  if (status === 429 || codes.includes(429) || RATE.test(text)) return { kind: "rate", after: waitOf(after) };
  if (status === 413) return { kind: "limit", blocks: blocksIn(text, blocks) };
  if ([408, 504, 522, 524].includes(status) || codes.includes("TIMEOUT")) return { kind: "timeout" };
  if (status >= 500 || SILENCE.test(text)) return { kind: "silence" };
  if (codes.some((code) => typeof code === "string" && SILENT.test(code))) return { kind: "silence" };
  if (MISSING.test(text)) return { kind: "missing" };
  if (TIMEOUT.test(text)) return { kind: "timeout" };
  return LIMIT.test(text) ? { kind: "limit", blocks: blocksIn(text, blocks) } : undefined;
}

/**
 * Returns the message of a node in one line, or the error's own message if the node sent none.
 * @example
 * ```ts
 * import { reasonOf } from "duello";
 *
 * reasonOf(new Error("nonce too low")); // => "nonce too low"
 * ```
 */
export function reasonOf(thrown: unknown): string {
  return oneLine(messagesOf(thrown).at(0) ?? String(thrown)).slice(0, 200);
}

/** Lists the messages of an error. The node's message, which ethers wraps in a long one, comes first. */
export function messagesOf(thrown: unknown): string[] {
  const { info, error, shortMessage, message } = thrown as Record<string, unknown> &
    Record<"info", { error?: unknown }>;
  const inner = [info?.error, error].map((each) => (each as { message?: unknown } | undefined)?.message);
  return [...inner, shortMessage, message].filter((each) => typeof each === "string");
}

/**
 * Returns an error's own short message, which contains the reason. The long message of ethers repeats the request.
 * Others may have written that request, and its numbers would be mistaken for limits.
 */
export function ownMessage({ shortMessage, message }: { shortMessage?: unknown; message?: unknown }): string {
  const own = shortMessage ?? message;
  return typeof own === "string" ? own.slice(0, 1000) : "";
}

/** Returns the milliseconds that a Retry-After header requests, as seconds or as a date. */
function waitOf(after?: string): number | undefined {
  if (after === undefined) return undefined;
  const seconds = /^\d+$/.test(after) ? Number(after) : (Date.parse(after) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : undefined;
}

/** Finds the number of blocks per request that a message allows, if it is smaller than the requested number. */
function blocksIn(text: string, asked: number): number | undefined {
  const [, from, to] =
    /(?:should work|try with|retry with)[^\d]*(0x[0-9a-f]+|\d+)[^\da-z]+(0x[0-9a-f]+|\d+)/i.exec(text) ?? [];
  const named = from === undefined ? numbersIn(text) : [Number(to) - Number(from) + 1];
  const fewer = named.filter((number) => number > 0 && number < asked);
  return fewer.length > 0 ? Math.max(...fewer) : undefined;
}

/** Finds the numbers in a message; a message about results does not limit blocks. */
function numbersIn(text: string): number[] {
  if (RESULTS.test(text)) return [];
  const numbers = text.matchAll(/(?<![\w.])(\d[\d,]*)(k?)(?!\w)/gi);
  return Array.from(numbers, ([, digits, k]) => Number(digits.replaceAll(",", "")) * (k === "" ? 1 : 1000));
}

const DEPTH = 5;

function saidBy(thrown: unknown, depth = 0): Said {
  const said: Said = { codes: [], text: "" };
  if (typeof thrown === "string") said.text = thrown;
  if (typeof thrown !== "object" || thrown === null || depth > DEPTH) return said;
  const { code, statusCode, headers } = thrown as Record<string, unknown>;
  if (typeof code === "string" || typeof code === "number") said.codes.push(code);
  if (typeof statusCode === "number") said.status = statusCode;
  const retry = (headers as Record<string, unknown> | undefined)?.["retry-after"];
  if (typeof retry === "string") said.after = retry;
  said.text = ownMessage(thrown);
  for (const name of ["error", "info", "response", "cause", "data"]) {
    const inner = (thrown as Record<string, unknown>)[name];
    if (name === "data" && typeof inner !== "object") continue;
    const { status, after, codes, text } = saidBy(inner, depth + 1);
    said.status ??= status;
    said.after ??= after;
    said.codes.push(...codes);
    said.text += ` ${text}`;
  }
  return said;
}
