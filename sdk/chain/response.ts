import { reasonOf } from "./trouble.js";
import { unlessAborted } from "./waiting.js";

/** How `answered` sends a request. */
export interface Asking<T> {
  /** Request; its signal ends it. */
  request: RequestInit;
  /** Milliseconds within which the response must be used. */
  timeLimit: number;
  /** Uses the response. */
  use: (response: Response) => Promise<T>;
  /** Class of the errors of `use`, and of the error for a server that does not answer. */
  Trouble: new (server: string, problem: string) => Error;
  /** Name of the server in the error. */
  server: string;
}

/**
 * Sends a request that may be repeated, and uses the response within a time limit.
 * @throws the reason of the signal, or an error of the class `Trouble`
 */
export async function answered<T>(url: string, asking: Asking<T>, isRepeated = false): Promise<T> {
  const { request, timeLimit, use, Trouble, server } = asking;
  const { signal } = request;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeLimit);
  const aborted = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
  try {
    return await unlessAborted(fetch(url, { ...request, signal: aborted }).then(use), aborted);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof Trouble) throw error;
    if (late.signal.aborted) throw new Trouble(server, `has not answered within ${timeLimit / 1000} s`);
    // The server may have closed a kept-alive connection.
    if (!isRepeated) return await answered(url, asking, true);
    throw new Trouble(server, `does not answer: ${reasonOf((error as Error).cause ?? error)}`);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns the text of a response. If the text exceeds `maxBytes`, stops reading and returns undefined.
 * @throws like the stream of the response.
 * @example
 * ```ts
 * import { textOf } from "duello";
 *
 * await textOf(new Response("three"), 5); // => "three"
 * await textOf(new Response("eleven"), 5); // => undefined
 * ```
 */
export async function textOf(response: Response, maxBytes: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let [text, size] = ["", 0];
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done) return text + decoder.decode();
    size += value!.length;
    if (size > maxBytes) {
      reader!.cancel().catch(() => undefined);
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
