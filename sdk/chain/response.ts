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
  /** Returns the error for a problem, which continues a sentence about the server. */
  trouble: (problem: string) => Error;
}

/**
 * Sends a request that may be repeated, and uses the response within a time limit.
 * @throws the error of `trouble` for a server that does not answer, an error of `use`, or the reason of the signal
 */
export async function answered<T>(url: string, asking: Asking<T>, isRepeated = false): Promise<T> {
  const { request, timeLimit, use, trouble } = asking;
  const { signal } = request;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeLimit);
  const aborted = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
  try {
    return await unlessAborted(fetch(url, { ...request, signal: aborted }).then(use), aborted);
  } catch (error) {
    signal?.throwIfAborted();
    if (late.signal.aborted) throw trouble(`has not answered within ${timeLimit / 1000} s`);
    // Only `fetch` and bodies fail with this error.
    if (!(error instanceof TypeError)) throw error;
    // The server may have closed a kept-alive connection.
    if (!isRepeated) return await answered(url, asking, true);
    throw trouble(`does not answer: ${reasonOf(error.cause ?? error)}`);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the text of a response. If the text exceeds `maxBytes`, stops reading and returns undefined. */
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
