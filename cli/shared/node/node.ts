import { FetchRequest, type JsonRpcPayload } from "ethers";
import { InputError } from "../../../sdk/protocol/input.js";
import { troubleOf } from "../../../sdk/chain/trouble.js";
import { backoff, MAX_WAIT, type Clock } from "../../../sdk/chain/waiting.js";
import { getUrl } from "./get-url.js";

/** Maximum number of calls in one request: public nodes reject more. */
const BATCH = 10;

const TIMEOUT = 20_000;

/** Decoder of answers. The decoder of ethers takes longer than almost everything else in a command. */
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Shortest and longest pause, in milliseconds, between requests to a node that has refused some for being too many. */
const PACES = [100, 10_000] as const;

/** Number of calls by which the size of requests grows after each success. */
const GAIN = 1 / 4;

/**
 * Factor by which the pause between requests shrinks after each success: four or five successes make up for one
 * refusal.
 */
const EASE = 0.85;

/** Answer to a call. */
export interface Answer {
  id: unknown;
  result?: unknown;
  error?: unknown;
}

/** A node: its URL, its limits, and the pace at which it accepts requests. */
export class Node {
  /** Host of the URL. No other part is ever shown: the path may contain an access key. */
  readonly host: string;
  /** Latest block that the node has reported. */
  head = 0;
  /** Id of the chain that the node serves; undefined until it has answered. */
  chainId?: bigint;
  /** Smallest number of blocks whose logs the node has refused to return at once. */
  refused = Infinity;
  private max = BATCH;
  private weight = BATCH;
  private pace = 0;
  private next = 0;
  private slowed = -Infinity;
  private failures = 0;

  /** @throws InputError if the URL cannot be that of a node. */
  constructor(
    private readonly url: string,
    private readonly clock: Clock,
  ) {
    const { host, protocol } = URL.parse(url) ?? {};
    if (!host || !/^https?:$/.test(protocol!)) throw new InputError("--rpc", "not an http or https address");
    this.host = host;
  }

  /** Milliseconds until the node may receive a request. */
  get delay(): number {
    return Math.max(0, this.next - this.clock.now());
  }

  /** Largest number of calls for one request. */
  get batch(): number {
    return Math.floor(this.weight);
  }

  /** Sends calls in one request, as soon as the node may receive one. @throws Error if no answers come. */
  async ask(calls: readonly JsonRpcPayload[]): Promise<Answer[]> {
    const { delay } = this;
    this.next = this.clock.now() + delay + this.pace;
    if (delay > 0) await this.clock.pause(delay);
    const asked = this.clock.now();
    const request = new FetchRequest(this.url);
    request.timeout = TIMEOUT;
    request.getUrlFunc = getUrl;
    // Ethers would wait seconds where milliseconds suffice.
    request.retryFunc = () => Promise.resolve(false);
    request.body = JSON.stringify(calls.length === 1 ? calls[0] : calls);
    request.setHeader("content-type", "application/json");
    const response = await request.send();
    // Some nodes send a failure status, and a more detailed error in the body.
    const answers = response.statusCode === 429 ? [] : answersIn(response.body);
    if (answers.length === 0) {
      response.assertOk();
      throw new Error("response body is not valid JSON");
    }
    // The whole request was rejected.
    const [{ id, error }] = answers;
    if (id === null && calls.length > 1) throw new Error("The request was refused.", { cause: error });
    this.failures = 0;
    this.weight = Math.min(this.max, this.weight + GAIN);
    if (asked > this.slowed) this.pace = this.pace < PACES[0] / 4 ? 0 : this.pace * EASE;
    return id === null ? [{ id: calls[0].id, error }] : answers;
  }

  /**
   * Asks for the id of the node's chain, up to `max` times.
   * @throws Error if the node does not answer; at once if nothing listens at its URL.
   */
  async identify(max: number): Promise<void> {
    for (let tries = 1; this.chainId === undefined; tries++) {
      try {
        const [{ result }] = await this.ask([callOf("eth_chainId", [])]);
        this.chainId = BigInt(result as string);
      } catch (error) {
        const trouble = troubleOf(error);
        const isDeaf = !trouble || trouble.kind === "timeout" || /ECONNREFUSED|ENOTFOUND/.test(String(error));
        if (isDeaf || tries >= max || this.delay > MAX_WAIT) throw error;
        if (trouble.kind === "rate") this.slowDown(trouble.after);
        else this.recordFailure();
      }
    }
  }

  /**
   * Slows down after a refusal for too many requests. @param after Milliseconds of the pause that the node requested.
   */
  slowDown(after?: number): void {
    const now = this.clock.now();
    // Requests that were sent together count as one rejection.
    if (now > this.slowed + this.pace) this.pace = Math.min(Math.max(2 * this.pace, PACES[0]), PACES[1]);
    this.slowed = now;
    this.weight = Math.max(1, this.weight / 2);
    this.pauseFor(after ?? this.pace);
  }

  /** Limits the size of later requests, after a request with this many calls was too large. */
  limitBatch(calls: number): void {
    this.max = this.weight = Math.ceil(calls / 2);
  }

  /** Waits longer after a request without an answer. */
  recordFailure(): void {
    this.pauseFor(backoff(this.failures++, this.clock));
  }

  private pauseFor(milliseconds: number): void {
    this.next = Math.max(this.next, this.clock.now() + milliseconds);
  }
}

/** Builds a call that is not part of a batch. */
export function callOf(method: string, params: unknown[]): JsonRpcPayload {
  return { jsonrpc: "2.0", id: 0, method, params };
}

/** Parses the answers in a response body; an empty list if it is malformed. */
function answersIn(body: Uint8Array | null): Answer[] {
  try {
    const answers = [JSON.parse(UTF8.decode(body ?? undefined)) as unknown].flat() as Answer[];
    return answers.every((each) => typeof each === "object" && each !== null && ("result" in each || "error" in each))
      ? answers
      : [];
  } catch {
    return [];
  }
}
