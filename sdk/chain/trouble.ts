import { oneLine } from "../protocol/input.js";

/** Why a node has given no answer, as far as asking for less, later or elsewhere may help. */
export type Trouble =
  /** It gives less at once: so many blocks, if it says so. */
  | { kind: "limit"; blocks?: number }
  /** It wants to be asked later: in so many milliseconds, if it says so. */
  | { kind: "rate"; after?: number }
  /** It took too long, for what was asked or for everything. */
  | { kind: "timeout" }
  /** It does not have what was asked for: it lags, or has forgotten. */
  | { kind: "missing" }
  /** It does not answer. */
  | { kind: "silence" };

/** A node was asked as often and as long as makes sense: there is no use in asking on. */
export class Outage extends Error {
  override readonly name = "Outage";
}

/** What ethers and Node call failures of the line, and of what is behind it. */
const FAILURES = ["SERVER_ERROR", "NETWORK_ERROR", "TIMEOUT", "BAD_DATA", "CANCELLED"];

/** Whether a node has not answered at all, or not as one; else it has, and what was thrown is its answer. */
export function isOutage(thrown: unknown): boolean {
  const { code } = thrown as { code?: unknown };
  const isFailure = typeof code === "string" && (FAILURES.includes(code) || /^(E[A-Z]+|UND_ERR_\w+)$/.test(code));
  return thrown instanceof Outage || isFailure;
}

/** What errors of all kinds say, wrapped in each other as they come. */
interface Said {
  status?: number;
  after?: string;
  codes: (string | number)[];
  /** All messages. */
  text: string;
}

/** What contracts say may be anything: a token's reason must not be taken for its node's. */
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
 * What is wrong with the node that something was asked of; undefined if it has answered, with a refusal for one.
 * @param blocks How many it was asked for, if logs were.
 */
export function troubleOf(thrown: unknown, blocks = 0): Trouble | undefined {
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

/** What a node says, or else the error itself, in one line. */
export function reasonOf(thrown: unknown): string {
  const { info, error, shortMessage, message } = thrown as Record<string, unknown> &
    Record<"info", { error?: unknown }>;
  const inner = [info?.error, error].map((each) => (each as { message?: unknown } | undefined)?.message);
  const text = [...inner, shortMessage, message].find((each) => typeof each === "string");
  return oneLine(text ?? String(thrown)).slice(0, 200);
}

/** Milliseconds that a Retry-After asks for, in either of its forms. */
function waitOf(after?: string): number | undefined {
  if (after === undefined) return undefined;
  const seconds = /^\d+$/.test(after) ? Number(after) : (Date.parse(after) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : undefined;
}

/** So many blocks may be asked for at once, fewer than were asked for, if the words say so. */
function blocksIn(text: string, asked: number): number | undefined {
  const [, from, to] =
    /(?:should work|try with|retry with)[^\d]*(0x[0-9a-f]+|\d+)[^\da-z]+(0x[0-9a-f]+|\d+)/i.exec(text) ?? [];
  const named = from === undefined ? numbersIn(text) : [Number(to) - Number(from) + 1];
  const fewer = named.filter((number) => number > 0 && number < asked);
  return fewer.length > 0 ? Math.max(...fewer) : undefined;
}

/** The numbers in a message; those of results say nothing about blocks. */
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
  const { code, message, shortMessage, statusCode, headers } = thrown as Record<string, unknown>;
  if (typeof code === "string" || typeof code === "number") said.codes.push(code);
  if (typeof statusCode === "number") said.status = statusCode;
  const retry = (headers as Record<string, unknown> | undefined)?.["retry-after"];
  if (typeof retry === "string") said.after = retry;
  // What ethers says at length repeats the question, whose numbers would be taken for limits.
  const own = shortMessage ?? message;
  said.text = typeof own === "string" ? own.slice(0, 1000) : "";
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
