import { textOf } from "../../chain/response.js";
import { reasonOf } from "../../chain/trouble.js";
import { machineClock, unlessAborted, type Clock } from "../../chain/waiting.js";
import type { ChannelsAt } from "../../protocol/channels/messages.js";
import { InputError, integer, object, oneLine, oneOf, text, type Reader } from "../../protocol/input.js";

/** Milliseconds within which a relay must answer, in addition to the time that it may wait. */
const TIME_LIMIT = 10_000;
/** Maximum bytes of an answer. */
const MAX_BYTES = 600_000;
/** Maximum characters of a relay's own error message that are shown. */
const MAX_SENTENCE = 200;
/** Milliseconds for which a failing relay is not asked: after the first failure, and the maximum. */
const FIRST_REST = 1_000;
const LONGEST_REST = 30_000;

/** Thrown, with a one-line message, if a relay gives no usable answer. */
export class RelayTrouble extends Error {
  override readonly name = "RelayTrouble";

  /** @param problem What is wrong with the relay: the rest of the sentence, without the full stop. */
  constructor(
    readonly url: string,
    problem: string,
    /** True if the relay works and refuses only this request. */
    readonly isRefusal = false,
  ) {
    super(oneLine(`The relay at ${url} ${problem}.`));
  }
}

/** Options of relay clients. */
export interface RelayOptions {
  /** Milliseconds within which a relay must answer; defaults to 10 seconds. */
  timeLimit?: number;
  /** Source of time; defaults to the machine's clock. */
  clock?: Clock;
}

/** Request to a relay. */
export interface RelayRequest {
  /** JSON body of a PUT; undefined for a GET. */
  body?: string;
  /** Milliseconds that the relay may wait before it answers. */
  waitMs?: number;
  signal?: AbortSignal;
}

const readRefusal = object({ error: text });
const readInfo = object({
  type: oneOf("duello relay"),
  chainId: integer(1, Number.MAX_SAFE_INTEGER),
  channels: text,
});

/** Client of one relay. It works in every runtime with `fetch`, and trusts nothing that the relay answers. */
export class RelayClient {
  /** URL of the relay, without a trailing slash. */
  readonly url: string;
  private readonly clock: Clock;
  private failures = 0;
  private restsUntil = 0;
  /** Last failure. */
  trouble?: RelayTrouble;

  /** @throws InputError for a URL that is not HTTP */
  constructor(
    url: string,
    private readonly at: ChannelsAt,
    private readonly options: RelayOptions = {},
  ) {
    this.url = relayUrl(url);
    this.clock = options.clock ?? machineClock;
  }

  /** Milliseconds until the relay may be asked again after a failure. */
  get rest(): number {
    return Math.max(0, this.restsUntil - this.clock.now());
  }

  /** Sends a request under the path of the channels contract. @throws RelayTrouble */
  async ask<T>(path: string, reader: Reader<T>, request: RelayRequest = {}): Promise<T> {
    const { chainId, channels } = this.at;
    try {
      const answer = await this.send(`${this.url}/${chainId}/${channels}/${path}`, reader, request);
      this.failures = this.restsUntil = 0;
      return answer;
    } catch (error) {
      if (!(error instanceof RelayTrouble) || error.isRefusal) throw error;
      this.trouble = error;
      this.restsUntil = this.clock.now() + Math.min(FIRST_REST * 2 ** this.failures++, LONGEST_REST);
      throw error;
    }
  }

  /** Checks which channels contract the relay serves. @throws RelayTrouble if it serves another one */
  async check(): Promise<void> {
    const found = await this.send(`${this.url}/`, readInfo, {});
    const { chainId, channels } = this.at;
    if (BigInt(found.chainId) === chainId && found.channels.toLowerCase() === channels.toLowerCase()) return;
    throw new RelayTrouble(this.url, `is of the channels ${found.channels} of chain ${found.chainId}`);
  }

  private async send<T>(
    address: string,
    reader: Reader<T>,
    { body, waitMs = 0, signal }: RelayRequest,
    isRepeated = false,
  ): Promise<T> {
    const { timeLimit = TIME_LIMIT } = this.options;
    const tooLate = AbortSignal.timeout(timeLimit + waitMs);
    const aborted = signal ? AbortSignal.any([signal, tooLate]) : tooLate;
    const put = { method: "PUT", headers: { "content-type": "application/json" }, body };
    const fixed = { credentials: "omit", cache: "no-store", redirect: "error", referrerPolicy: "no-referrer" } as const;
    const options = { ...fixed, ...(body !== undefined && put), signal: aborted };
    try {
      const response = await unlessAborted(fetch(address, options), aborted);
      const answer = await unlessAborted(textOf(response, MAX_BYTES), aborted);
      if (answer === undefined) throw new RelayTrouble(this.url, `answers with more than ${MAX_BYTES} bytes`);
      if (!response.ok) throw this.refusal(response.status, answer);
      return reader(JSON.parse(answer) as unknown, "answer");
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof RelayTrouble) throw error;
      if (tooLate.aborted) throw new RelayTrouble(this.url, `has not answered within ${(timeLimit + waitMs) / 1000} s`);
      if (error instanceof SyntaxError) throw new RelayTrouble(this.url, "answers nonsense: no JSON");
      if (error instanceof InputError) throw new RelayTrouble(this.url, `answers nonsense: ${error.message}`);
      // The server may have closed a kept-alive connection. Sending the request again is safe.
      if (!isRepeated) return await this.send(address, reader, { body, waitMs, signal }, true);
      throw new RelayTrouble(this.url, `does not answer: ${reasonOf((error as Error).cause ?? error)}`);
    }
  }

  private refusal(status: number, body: string): RelayTrouble {
    const isRefusal = status >= 400 && status < 500 && status !== 429;
    try {
      const { error } = readRefusal(JSON.parse(body), "answer");
      return new RelayTrouble(this.url, `refuses: ${oneLine(error, MAX_SENTENCE)}`, isRefusal);
    } catch {
      return new RelayTrouble(this.url, `answers with the status ${status} of HTTP`, isRefusal);
    }
  }
}

/**
 * Asks all relays that have not failed recently, and returns the answers that arrive.
 * @throws the RelayTrouble of one relay if no relay answers
 */
export async function askAll<T>(relays: readonly RelayClient[], ask: (relay: RelayClient) => Promise<T>): Promise<T[]> {
  const asked = relays.filter(({ rest }) => rest === 0);
  const results = await Promise.allSettled(asked.map(ask));
  const answers = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  if (answers.length > 0 || relays.length === 0) return answers;
  const failed = results.find((result) => result.status === "rejected");
  throw failed ? failed.reason : relays.find(({ trouble }) => trouble)!.trouble;
}

/**
 * Reads the URL of a relay.
 * @throws InputError for a URL that is not HTTP, or that contains a user or a password, which `fetch` rejects.
 */
export function relayUrl(written: string, path = "relay"): string {
  let url: URL | undefined;
  try {
    url = new URL(written);
  } catch {
    // Refused below.
  }
  if (url && `${url.username}${url.password}` !== "") {
    throw new InputError(path, "an address of a relay has no user and no password");
  }
  if (!url || !/^https?:$/.test(url.protocol)) {
    // The part before an @ may be a password.
    const at = written.lastIndexOf("@");
    const shown = at < 0 ? written : `…${written.slice(at)}`;
    throw new InputError(path, `${shown} is not an address of HTTP`);
  }
  return url.href.replace(/[?#].*$/, "").replace(/\/+$/, "");
}
