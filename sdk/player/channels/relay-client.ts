import { answered, textOf } from "../../chain/response.js";
import { backoff, machineClock, type Clock } from "../../chain/waiting.js";
import type { ChannelsAt } from "../../protocol/channels/messages.js";
import { InputError, object, oneLine, text, type Reader } from "../../protocol/input.js";

/** Milliseconds within which a relay must answer. */
const TIME_LIMIT = 10_000;
/** Milliseconds after which a silent stream is closed; a relay sends a comment every 15 seconds. */
const SILENCE = 40_000;
/** Maximum number of messages in an answer. */
export const MAX_MESSAGES = 4_000;
/** Maximum bytes of an answer. */
const MAX_BYTES = 600_000;
/** Maximum characters of a relay's own error message that are shown. */
const MAX_SENTENCE = 200;
/** Status of HTTP for a client that exceeds a limit, and the minimum milliseconds for which it then does not ask. */
const TOO_MANY = 429;
const LIMIT_REST = 1_000;

/** Thrown, with a one-line message, if a relay gives no usable answer. */
export class RelayTrouble extends Error {
  override readonly name = "RelayTrouble";

  /** @param problem What is wrong with the relay: the rest of the sentence, without the full stop. */
  constructor(
    readonly url: string,
    problem: string,
    /** Status of HTTP of a refusal; 0 for other troubles. */
    readonly status = 0,
  ) {
    super(oneLine(`The relay at ${url} ${problem}.`));
  }

  /** True if the relay works and refuses only this request. */
  get isRefusal(): boolean {
    return this.status >= 400 && this.status < 500 && this.status !== TOO_MANY;
  }
}

/** Options of relay clients. */
export interface RelayOptions {
  /** Milliseconds within which a relay must answer; defaults to 10 seconds. */
  timeLimit?: number;
  /** Source of time; defaults to the machine's clock. */
  clock?: Clock;
}

const readRefusal = object({ error: text });

/**
 * Client of one relay. It works in every runtime with `fetch`, and trusts nothing that the relay answers.
 * @example
 * ```ts
 * import { RelayClient } from "duello";
 *
 * const client = new RelayClient("https://relay.example/", channelsAt);
 * client.url; // => "https://relay.example"
 * new RelayClient("ftp://relay.example", channelsAt); // throws InputError: …
 * ```
 */
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

  /**
   * Sends a request.
   * @param path Path under that of the channels contract, or of the relay if it begins with a slash.
   * @param body JSON of a PUT; undefined for a GET.
   * @throws RelayTrouble
   */
  async ask<T>(path: string, reader: Reader<T>, body?: string): Promise<T> {
    const put = { method: "PUT", headers: { "content-type": "application/json" }, body };
    return this.counted(() => this.send(this.under(path), body === undefined ? {} : put, this.json(reader)));
  }

  /**
   * Reads the data of server-sent events until the stream ends or breaks off. Yields undefined for comments.
   * @throws RelayTrouble if the relay sends no stream, or invalid data; the reason of the signal
   */
  async *events<T>(path: string, reader: Reader<T>, signal: AbortSignal): AsyncGenerator<T | undefined> {
    const open = async ({ body }: Response) => body!.getReader();
    const chunks = await this.counted(() => this.send(this.under(path), { signal }, open));
    const close = () => void chunks.cancel().catch(() => undefined);
    const decoder = new TextDecoder();
    let [text, last] = ["", ""];
    try {
      for (;;) {
        const timer = setTimeout(close, SILENCE);
        const read = chunks.read().finally(() => clearTimeout(timer));
        const { value } = await read.catch(() => ({ value: undefined }));
        signal.throwIfAborted();
        if (!value) return;
        const piece = decoder.decode(value, { stream: true });
        text += piece;
        if (text.length > MAX_BYTES) throw this.tooLong;
        // Splitting a large event again with each of its pieces would take quadratic time.
        const isWhole = (last + piece).includes("\n\n");
        last = piece.slice(-1);
        if (!isWhole) continue;
        const events = text.split("\n\n");
        text = events.pop()!;
        for (const event of events) yield event.startsWith("data:") ? this.parsed(event.slice(5), reader) : undefined;
      }
    } finally {
      close();
    }
  }

  private under(path: string): string {
    return this.url + (path.startsWith("/") ? path : `/${this.at.chainId}/${this.at.channels}/${path}`);
  }

  /** Runs a request, and pauses the relay if it fails. @throws RelayTrouble */
  private async counted<T>(request: () => Promise<T>): Promise<T> {
    const { failures } = this;
    try {
      const answer = await request();
      if (failures === this.failures) this.failures = this.restsUntil = 0;
      return answer;
    } catch (error) {
      if (!(error instanceof RelayTrouble) || error.isRefusal) throw error;
      this.trouble = error;
      const now = this.clock.now();
      // Requests that were sent together count as one failure.
      if (failures === this.failures) this.restsUntil = now + backoff(this.failures++, this.clock);
      if (error.status === TOO_MANY) this.restsUntil = Math.max(this.restsUntil, now + LIMIT_REST);
      throw error;
    }
  }

  /** Sends a request, and uses the response within the time limit. @throws RelayTrouble; the reason of the signal */
  private async send<T>(url: string, request: RequestInit, use: (response: Response) => Promise<T>): Promise<T> {
    const fixed = { credentials: "omit", cache: "no-store", redirect: "error", referrerPolicy: "no-referrer" } as const;
    return answered(url, {
      request: { ...fixed, ...request },
      timeLimit: this.options.timeLimit ?? TIME_LIMIT,
      use: async (response) => {
        if (!response.ok) throw this.refusal(response.status, await this.textOf(response));
        return use(response);
      },
      Trouble: RelayTrouble,
      server: this.url,
    });
  }

  private json<T>(reader: Reader<T>): (response: Response) => Promise<T> {
    return async (response) => this.parsed(await this.textOf(response), reader);
  }

  private async textOf(response: Response): Promise<string> {
    const text = await textOf(response, MAX_BYTES);
    if (text === undefined) throw this.tooLong;
    return text;
  }

  private parsed<T>(json: string, reader: Reader<T>): T {
    try {
      return reader(JSON.parse(json), "answer");
    } catch (error) {
      const problem = error instanceof InputError ? error.message : "no JSON";
      throw new RelayTrouble(this.url, `answers nonsense: ${problem}`);
    }
  }

  private get tooLong(): RelayTrouble {
    return new RelayTrouble(this.url, `answers with more than ${MAX_BYTES} bytes`);
  }

  private refusal(status: number, body: string): RelayTrouble {
    try {
      const { error } = readRefusal(JSON.parse(body), "answer");
      return new RelayTrouble(this.url, `refuses: ${oneLine(error, MAX_SENTENCE)}`, status);
    } catch {
      return new RelayTrouble(this.url, `answers with the status ${status} of HTTP`, status);
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
