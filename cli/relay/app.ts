import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono, type Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { getPath } from "hono/utils/url";
import { address } from "../../sdk/protocol/address.js";
import { channelIdOf, type Channel, type ChannelsAt } from "../../sdk/protocol/channels/messages.js";
import { MAX_SEEK_LENGTH, readSeek } from "../../sdk/protocol/channels/seek.js";
import {
  MAX_MESSAGE_LENGTH,
  plainText,
  readChannel,
  readChannelMessage,
  type ChannelMessage,
} from "../../sdk/protocol/channels/wire.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { InputError, object, oneLine, type Reader } from "../../sdk/protocol/input.js";
import { bodyOf } from "../shared/server/bounded-server.js";
import { streamNews, type NewsSource, type Page } from "./news-stream.js";
import { LATER, Refusal } from "./refusal.js";
import { REQUESTS } from "./requests.js";
import type { RelayStore } from "./store.js";

/** Maximum bytes of messages in an answer, approximately. */
const PAGE_BYTES = 256 * 1024;

/** Maximum bytes of a body: a message or a search, with the fields of its channel. */
export const MAX_BODY_BYTES = MAX_MESSAGE_LENGTH + MAX_SEEK_LENGTH;

/** Headers of every answer. */
const HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Cache-Control": "no-store",
  "Content-Type": "application/json",
  "X-Content-Type-Options": "nosniff",
};
/** Headers of a stream. Nginx would otherwise collect events before it passes them on. */
const STREAM = { ...HEADERS, "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" };
const PREFLIGHT = {
  "Access-Control-Allow-Methods": "GET, PUT",
  "Access-Control-Allow-Headers": "content-type",
  "Access-Control-Max-Age": "86400",
};

/** State of a request. */
interface Environment {
  Bindings: HttpBindings;
  Variables: {
    /** Name under which the client is counted. */
    client: string;
  };
}

/** What the requests are answered from. */
export interface AppOptions extends Omit<NewsSource, "pageAfter"> {
  readonly at: ChannelsAt;
  readonly store: RelayStore;
  /** Returns the name under which the client of a request is counted. */
  clientOf(request: IncomingMessage): string;
  /** @throws Refusal if a client sends too many requests at once */
  begin(client: string): void;
  /** Counts a new channel towards the limits of a client. @returns false if it exceeds them */
  admitChannel(client: string): Promise<boolean>;
  /** Counts a message. @param isNew False for a repeated one */
  onMessage(message: ChannelMessage, isNew: boolean): void;
  /** @throws Refusal while the store accepts no messages */
  check(): Promise<void>;
  /** Counts a failed request, and returns the refusal that answers it. */
  refusalOf(error: unknown, client: string, request: IncomingMessage): Refusal;
}

/** Reads the body with a message. The fields of the channel are read only if the store does not know it. */
const readBody = object({ channel: (value: unknown) => value, message: readChannelMessage });

/** Creates the application that answers a relay's requests. */
export function relayApp(options: AppOptions): Hono<Environment> {
  const { at, store } = options;
  // Addresses in paths may have any case.
  const app = new Hono<Environment>({ getPath: (request) => getPath(request).toLowerCase() });
  const base = `/${at.chainId}/${at.channels.toLowerCase()}`;

  const pageAfter = async (id: Hex, place: number, client: string, known?: number) => {
    const { lines, from } = await store.messages.after(id, place, client, known);
    return pageOf(lines, from);
  };

  /** Adds a new channel for the client whose search it answers, or for the client that sends it. */
  const admitFor = (client: string) => async (channel: Channel) => {
    const searcher = await store.seeks.answer(channel);
    const isPaid = searcher !== undefined && (await options.admitChannel(searcher));
    if (isPaid || (await options.admitChannel(client))) return;
    throw new Refusal("client-channels", `${client} has added too many channels`, LATER);
  };

  app.use(async (c, next) => {
    const { method } = c.req;
    const client = options.clientOf(c.env.incoming);
    c.set("client", client);
    options.begin(client);
    if (!(await options.admit(client))) {
      throw new Refusal("client-requests", `${client} sends too many requests`, LATER);
    }
    if (!["GET", "PUT", "OPTIONS"].includes(method)) {
      throw new Refusal("method", `${method} is not allowed`, { Allow: "GET, PUT" });
    }
    return method === "OPTIONS" ? c.body(null, 204, { ...HEADERS, ...PREFLIGHT }) : next();
  });
  app.get(REQUESTS.info.path, async (c) => {
    await options.check();
    return answer(c, JSON.stringify({ type: "duello relay", chainId: Number(at.chainId), channels: at.channels }));
  });
  const deployed = app.basePath(base);
  deployed.get(REQUESTS.readLobby.path, async (c) => {
    const player = address(c.req.query("player"), "player");
    return answer(c, plainText({ seeks: await store.seeks.for(player) }));
  });
  deployed.put(REQUESTS.putSeek.path, async (c) => {
    const body = await readBodyOf(c.env.incoming);
    if (body.length > MAX_SEEK_LENGTH) throw new InputError("seek", `more than ${MAX_SEEK_LENGTH} characters`);
    await store.seeks.put(parsed(body, readSeek, "seek"), c.get("client"));
    return answer(c, "{}", 201);
  });
  deployed.get(REQUESTS.readKey.path, async (c) => {
    const channels = await store.messages.channelsOf(address(c.req.param("key"), "key"));
    return answer(c, plainText({ channels }));
  });
  deployed.get(REQUESTS.streamKey.path, async (c) => {
    const { outgoing } = c.env;
    const reader = { key: address(c.req.param("key"), "key"), seen: Number(c.req.param("seen")) };
    outgoing.writeHead(200, STREAM);
    try {
      await streamNews(outgoing, { ...reader, client: c.get("client") }, { ...options, pageAfter });
      outgoing.end();
    } catch (error) {
      options.refusalOf(error, c.get("client"), c.env.incoming);
      outgoing.destroy();
    }
    return RESPONSE_ALREADY_SENT;
  });
  const readChannelAt = async (c: Context<Environment>, id: Hex, seen: number) => {
    const { messages, end, isMore } = await pageAfter(id, seen, c.get("client"));
    return answer(c, `{"messages":${messages},"seen":${end},"more":${isMore}}`);
  };
  deployed.get(REQUESTS.readChannel.path, (c) => readChannelAt(c, c.req.param("id"), 0));
  deployed.get(REQUESTS.readChannelAfter.path, (c) => {
    return readChannelAt(c, c.req.param("id"), Number(c.req.param("seen")));
  });
  deployed.put(REQUESTS.putMessage.path, async (c) => {
    const id: Hex = c.req.param("id");
    const client = c.get("client");
    const { channel, message } = parsed(await readBodyOf(c.env.incoming), readBody, "");
    if (message.channel !== id) throw new InputError("message.channel", `${message.channel} instead of ${id}`);
    const admission = { channel: () => channelOf(id, channel), admit: admitFor(client) };
    const isNew = await store.messages.add(id, client, message, admission);
    options.onMessage(message, isNew);
    return answer(c, "{}", isNew ? 201 : 200);
  });
  for (const { path } of [REQUESTS.readKey, REQUESTS.streamKey, REQUESTS.readChannelAfter]) {
    deployed.put(path, () => {
      throw new Refusal("method", "PUT is not allowed here", { Allow: "GET" });
    });
  }

  app.all("*", (c) => {
    throw c.req.path.startsWith(`${base}/`) ? new Refusal("not-found", "there is no such place") : elsewhere(at);
  });
  app.onError((error, c) => {
    const { incoming } = c.env;
    const { status, message, headers } = options.refusalOf(error, c.get("client"), incoming);
    // The rest of an oversized body is not read.
    const closing: Record<string, string> = incoming.complete ? {} : { Connection: "close" };
    return answer(c, JSON.stringify({ error: oneLine(message) }), status, { ...headers, ...closing });
  });
  return app;
}

function answer(c: Context<Environment>, text: string, status = 200, headers: Record<string, string> = {}): Response {
  return c.body(text, status as ContentfulStatusCode, { ...HEADERS, ...headers });
}

/** Reads the fields of a channel. @throws InputError for the fields of another channel */
function channelOf(id: Hex, value: unknown): Channel | undefined {
  if (value === undefined) return undefined;
  const channel = readChannel(value, "channel");
  const found = channelIdOf(channel);
  if (found !== id) throw new InputError("channel", `its id is ${found}, not ${id}`);
  return channel;
}

function elsewhere({ chainId, channels }: ChannelsAt): Refusal {
  return new Refusal("not-found", `this relay is of the channels ${channels} of chain ${chainId}`);
}

function pageOf(lines: readonly string[], from: number): Page {
  let [count, bytes] = [0, 0];
  while (count < lines.length && (count === 0 || bytes + lines[count].length <= PAGE_BYTES)) {
    bytes += lines[count++].length;
  }
  const isMore = count < lines.length;
  return { messages: `[${lines.slice(0, count).join(",")}]`, from, end: from + count, isMore };
}

/** Parses and reads the body of a request. @param path Name of the body in errors. @throws InputError */
function parsed<T>(body: string, reader: Reader<T>, path: string): T {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new InputError(path || "body", "not JSON");
  }
  return reader(value, path);
}

/** Reads the body of a request. @throws Refusal if it is too long, or incomplete. */
async function readBodyOf(request: IncomingMessage): Promise<string> {
  const body = await bodyOf(request, MAX_BODY_BYTES).catch(() => {
    throw new Refusal("malformed", "the message breaks off");
  });
  if (body === undefined) throw new Refusal("too-long", `a body has ${MAX_BODY_BYTES} bytes at most`);
  return body;
}
