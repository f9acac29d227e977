import { once } from "node:events";
import type { ServerResponse } from "node:http";

/** Writes to a response, and waits until the client reads. */
export async function write(response: ServerResponse, text: string): Promise<void> {
  if (response.destroyed || response.write(text)) return;
  const over = new AbortController();
  const ends = ["drain", "close"].map((event) => once(response, event, { signal: over.signal }));
  await Promise.race(ends).finally(() => over.abort());
}
