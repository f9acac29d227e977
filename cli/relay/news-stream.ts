import type { ServerResponse } from "node:http";
import type { Hex } from "../../sdk/protocol/hex.js";
import { write } from "../shared/server/stream.js";
import type { KeyNews } from "./key-news.js";
import type { Waiters } from "./waiters.js";

/** Maximum number of channels whose last sent place a stream remembers. */
const MAX_SENT = 2_000;

/** Some messages of a channel. */
export interface Page {
  /** Messages as a JSON array. */
  messages: string;
  /** Places of the first message and after the last one. */
  from: number;
  end: number;
  /** True if there are more messages. */
  isMore: boolean;
}

/** What a stream of news reads. */
export interface NewsSource {
  readonly news: KeyNews;
  readonly waiters: Waiters;
  /** Seconds after which a stream without news sends a comment, so that proxies keep it open. */
  readonly beat: number;
  /** Returns some messages of a channel, starting at a place; messages after the place `known` may be missing. */
  pageAfter(id: Hex, place: number, client: string, known: number): Promise<Page>;
  /** Counts an event towards the limits of the client. @returns false if it exceeds them */
  admit(client: string): Promise<boolean>;
}

/**
 * Sends the news of a session key as server-sent events, until the client disconnects, does not read, or exceeds its
 * limits. An event names a channel, with its new messages and their place. An event without a channel tells the reader
 * to read all channels again. Each event contains the place from which another stream can continue.
 * @param key Address of the session key.
 * @param seen Place of the last event that the client has received.
 * @param client Name under which the client is counted.
 */
export async function streamNews(
  response: ServerResponse,
  { key, seen, client }: { key: string; seen: number; client: string },
  { news, waiters, beat, pageAfter, admit }: NewsSource,
): Promise<void> {
  /** Places after the messages that were sent, by channel. */
  const sent = new Map<Hex, number>();
  // The first comment tells the reader that the stream is open.
  await write(response, ":\n\n");
  while (!response.destroyed) {
    const found = news.after(key, seen);
    if (found?.length === 0) {
      const end = await waiters.wait(key, client, beat, response);
      if (end === "refused") return;
      if (end === "late") await write(response, ":\n\n");
      continue;
    }
    if (found === undefined) {
      seen = news.end;
      if (!(await admit(client))) return;
      await write(response, `data: {"seen":${seen}}\n\n`);
    }
    for (const { id, at, place } of found ?? []) {
      if (!(await admit(client))) return;
      const { messages, from, end } = await pageAfter(id, sent.get(id) ?? at, client, at);
      if (sent.size >= MAX_SENT) sent.clear();
      sent.set(id, end);
      const data = `{"seen":${place},"channel":"${id}","from":${from},"messages":${messages}}`;
      await write(response, `data: ${data}\n\n`);
      seen = place;
    }
  }
}
