import { FetchRequest, type JsonRpcPayload } from "ethers";
import { InputError } from "../../sdk/protocol/input.js";
import { troubleOf } from "../../sdk/chain/trouble.js";
import { backoff, MAX_WAIT, type Clock } from "../../sdk/chain/waiting.js";

/** Calls in one request: public nodes refuse more. */
const BATCH = 10;

const TIMEOUT = 20_000;

/** Milliseconds between two requests to a node that has had too many: at first, and at most. */
const PACES = [100, 10_000] as const;

/** By so many calls its requests grow again behind each good answer. */
const GAIN = 1 / 4;

/** What is left of the pace behind each good answer: four or five make up for one refusal. */
const EASE = 0.85;

/** What a node answers to a call. */
export interface Answer {
  id: unknown;
  result?: unknown;
  error?: unknown;
}

/** One node: where it is, and how it wants to be asked. */
export class Node {
  /** All that is ever told of where it is: a path may hold an access key. */
  readonly host: string;
  /** The newest block that it has told of. */
  head = 0;
  /** The chain that it serves, once it has said so. */
  chainId?: bigint;
  /** The fewest blocks whose logs it has refused to give at once. */
  refused = Infinity;
  private max = BATCH;
  private weight = BATCH;
  private pace = 0;
  private next = 0;
  private slowed = -Infinity;
  private failures = 0;

  /** @throws InputError for what is no address of a node. */
  constructor(
    private readonly url: string,
    private readonly clock: Clock,
  ) {
    const { host, protocol } = URL.parse(url) ?? {};
    if (!host || !/^https?:$/.test(protocol!)) throw new InputError("--rpc", "not an http or https address");
    this.host = host;
  }

  /** Milliseconds until it may be asked. */
  get delay(): number {
    return Math.max(0, this.next - this.clock.now());
  }

  /** Calls that it takes in one request. */
  get batch(): number {
    return Math.floor(this.weight);
  }

  /** Asks in one request, as soon as the node may be asked. @throws Error if no answers come. */
  async ask(calls: readonly JsonRpcPayload[]): Promise<Answer[]> {
    const { delay } = this;
    this.next = this.clock.now() + delay + this.pace;
    if (delay > 0) await this.clock.pause(delay);
    const asked = this.clock.now();
    const request = new FetchRequest(this.url);
    request.timeout = TIMEOUT;
    // It would take seconds for milliseconds.
    request.retryFunc = () => Promise.resolve(false);
    request.body = JSON.stringify(calls.length === 1 ? calls[0] : calls);
    request.setHeader("content-type", "application/json");
    const response = await request.send();
    // Some refuse in the body what they refuse by the status too, and say more there.
    const answers = response.statusCode === 429 ? [] : answersIn(response.hasBody() ? response.bodyText : "");
    if (answers.length === 0) {
      response.assertOk();
      throw new Error("response body is not valid JSON");
    }
    // A request that is refused as a whole.
    const [{ id, error }] = answers;
    if (id === null && calls.length > 1) throw new Error("The request was refused.", { cause: error });
    this.failures = 0;
    this.weight = Math.min(this.max, this.weight + GAIN);
    if (asked > this.slowed) this.pace = this.pace < PACES[0] / 4 ? 0 : this.pace * EASE;
    return id === null ? [{ id: calls[0].id, error }] : answers;
  }

  /** Learns which chain the node serves. @throws Error if it does not tell, at once where nobody listens. */
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

  /** It has had too many requests. @param after Milliseconds that it wants to be left alone, if it said so. */
  slowDown(after?: number): void {
    const now = this.clock.now();
    // What was on its way together counts once.
    if (now > this.slowed + this.pace) this.pace = Math.min(Math.max(2 * this.pace, PACES[0]), PACES[1]);
    this.slowed = now;
    this.weight = Math.max(1, this.weight / 2);
    this.pauseFor(after ?? this.pace);
  }

  /** It takes fewer calls in one request than so many. */
  limitBatch(calls: number): void {
    this.max = this.weight = Math.ceil(calls / 2);
  }

  /** It has not answered. */
  recordFailure(): void {
    this.pauseFor(backoff(this.failures++, this.clock));
  }

  private pauseFor(milliseconds: number): void {
    this.next = Math.max(this.next, this.clock.now() + milliseconds);
  }
}

/** A call that nobody else asks for. */
export function callOf(method: string, params: unknown[]): JsonRpcPayload {
  return { jsonrpc: "2.0", id: 0, method, params };
}

/** The answers in a body; none if it is something else. */
function answersIn(body: string): Answer[] {
  try {
    const answers = [JSON.parse(body) as unknown].flat() as Answer[];
    return answers.every((each) => typeof each === "object" && each !== null && ("result" in each || "error" in each))
      ? answers
      : [];
  } catch {
    return [];
  }
}
