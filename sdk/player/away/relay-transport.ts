import { textOf } from "../../chain/response.js";
import { reasonOf } from "../../chain/trouble.js";
import { unlessAborted } from "../../chain/waiting.js";
import { messageText, readMessage, type AwayMessage } from "../../protocol/away/messages.js";
import type { AwayMatch } from "../../protocol/away/signatures.js";
import {
  bytes32,
  InputError,
  integer,
  listUpTo,
  object,
  oneLine,
  oneOf,
  optional,
  text,
} from "../../protocol/input.js";
import type { AfterAnswer, AfterOptions, Transport } from "./transport.js";

/** Milliseconds within which a relay must answer, beyond those for which it is asked to wait. */
const TIME_LIMIT = 10_000;
/** Bytes of an answer, at most. */
const MAX_BYTES = 600_000;
/** Messages of an answer, at most. */
const MAX_MESSAGES = 4_000;
/** Characters of a relay's own sentence that are told. */
const MAX_SENTENCE = 200;

/** Thrown for a relay that gives no answer, or none that can be used, in one line. */
export class RelayTrouble extends Error {
  override readonly name = "RelayTrouble";

  /** @param problem Rest of the sentence, without its end. */
  constructor(
    readonly url: string,
    problem: string,
  ) {
    super(oneLine(`The relay at ${url} ${problem}.`));
  }
}

/** Options of a relay's transport. */
export interface RelayOptions {
  /** Milliseconds within which the relay must answer; defaults to 10 seconds. */
  timeLimit?: number;
}

const readAnswer = object({
  messages: listUpTo((value) => value, MAX_MESSAGES),
  seen: integer(0, Number.MAX_SAFE_INTEGER),
  digest: optional(bytes32, undefined),
});
const readRefusal = object({ error: text, last: optional(integer(0, Number.MAX_SAFE_INTEGER), undefined) });
const readInfo = object({
  type: oneOf("duello relay"),
  chainId: integer(1, Number.MAX_SAFE_INTEGER),
  arena: text,
});

/** Transport by a relay of `npm run relay`. It works wherever there is `fetch`. */
export class RelayTransport implements Transport {
  /** Address of the relay, without a slash at its end. */
  readonly url: string;
  private readonly base: string;
  /** Place behind the messages that were read last, and the relay's digest of all before it. */
  private last: { seen: number; digest?: string } = { seen: 0 };

  /**
   * @param url Address of the relay.
   * @throws InputError for no address of HTTP.
   */
  constructor(
    url: string,
    { chainId, arena, matchId }: Pick<AwayMatch, "chainId" | "arena" | "matchId">,
    private readonly options: RelayOptions = {},
  ) {
    this.url = relayUrl(url);
    this.base = `${this.url}/${chainId}/${arena}/${matchId}`;
  }

  get name(): string {
    return this.url;
  }

  /** @throws RelayTrouble */
  async put(message: AwayMessage): Promise<void> {
    const place = message.type === "move" ? String(message.nonce) : "notes";
    await this.ask(`${this.base}/${place}`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: messageText(message),
    });
  }

  /** @throws RelayTrouble */
  async after(seen: number, { waitMs = 0, signal }: AfterOptions = {}): Promise<AfterAnswer> {
    const query = new URLSearchParams();
    const wait = Math.floor(waitMs / 1000);
    if (wait > 0) query.set("wait", String(wait));
    // A relay that has lost its messages, and was given others since, tells so by this.
    if (this.last.seen === seen && this.last.digest !== undefined) query.set("digest", this.last.digest);
    const address = `${this.base}/${seen}?${query}`;
    const { messages, seen: next, digest } = await this.ask(address, {}, { waitMs, signal }, readAnswer);
    // The loss is told until all is read again: its first answer may come too late.
    if (next >= seen) this.last = { seen: next, digest };
    return { messages: messages.flatMap(readable), seen: next };
  }

  /** Reads which deployment the relay is of. @throws RelayTrouble if it is of another one. */
  async check(chainId: bigint, arena: string): Promise<void> {
    const found = await this.ask(`${this.url}/`, {}, {}, readInfo);
    if (BigInt(found.chainId) === chainId && found.arena.toLowerCase() === arena.toLowerCase()) return;
    throw new RelayTrouble(this.url, `is of the arena ${found.arena} of chain ${found.chainId}`);
  }

  private async ask<T>(
    address: string,
    request: RequestInit,
    { waitMs = 0, signal }: AfterOptions = {},
    reader: (value: unknown, path: string) => T = (value) => value as T,
    isRepeated = false,
  ): Promise<T> {
    const { timeLimit = TIME_LIMIT } = this.options;
    const tooLate = AbortSignal.timeout(timeLimit + waitMs);
    const aborted = signal ? AbortSignal.any([signal, tooLate]) : tooLate;
    const options = {
      credentials: "omit",
      cache: "no-store",
      redirect: "error",
      referrerPolicy: "no-referrer",
    } as const;
    try {
      const response = await unlessAborted(fetch(address, { ...options, ...request, signal: aborted }), aborted);
      const body = await unlessAborted(textOf(response, MAX_BYTES), aborted);
      if (body === undefined) throw new RelayTrouble(this.url, `answers with more than ${MAX_BYTES} bytes`);
      if (!response.ok) throw this.refusal(response.status, body);
      return reader(JSON.parse(body) as unknown, "answer");
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof RelayTrouble) throw error;
      if (tooLate.aborted) throw new RelayTrouble(this.url, `has not answered within ${(timeLimit + waitMs) / 1000} s`);
      if (error instanceof SyntaxError) throw new RelayTrouble(this.url, "answers nonsense: no JSON");
      if (error instanceof InputError) throw new RelayTrouble(this.url, `answers nonsense: ${error.message}`);
      // A connection that was kept open may have ended meanwhile. What was sent may be sent again.
      if (!isRepeated) return await this.ask(address, request, { waitMs, signal }, reader, true);
      throw new RelayTrouble(this.url, `does not answer: ${reasonOf((error as Error).cause ?? error)}`);
    }
  }

  private refusal(status: number, body: string): RelayTrouble {
    try {
      const { error } = readRefusal(JSON.parse(body), "answer");
      return new RelayTrouble(this.url, `refuses: ${oneLine(error, MAX_SENTENCE)}`);
    } catch {
      return new RelayTrouble(this.url, `answers with the status ${status} of HTTP`);
    }
  }
}

/**
 * Reads the address of a relay.
 * @throws InputError for no address of HTTP, and for one with a user or a password, with which nothing can be fetched.
 */
export function relayUrl(written: string, path = "relay"): string {
  const url = URL.parse(written);
  if (url && `${url.username}${url.password}` !== "") {
    throw new InputError(path, "an address of a relay has no user and no password");
  }
  if (!url || !/^https?:$/.test(url.protocol)) {
    // What stands before an @ may be a password.
    const at = written.lastIndexOf("@");
    const told = at < 0 ? written : `…${written.slice(at)}`;
    throw new InputError(path, `${told} is not an address of HTTP`);
  }
  return url.href.replace(/[?#].*$/, "").replace(/\/+$/, "");
}

/** Reads a message, or none: one that nobody can read must not hide those around it. */
function readable(value: unknown): AwayMessage[] {
  try {
    return [readMessage(value, "message")];
  } catch {
    return [];
  }
}
