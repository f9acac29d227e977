import type { IncomingMessage, ServerResponse } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono, type Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { isKind } from "../../sdk/protocol/error-kind.js";
import { InputError, object, oneLine, text, type Reader } from "../../sdk/protocol/input.js";
import { withFullStop } from "../../sdk/protocol/text.js";
import { bodyOf } from "../shared/server/bounded-server.js";
import { localRefusal } from "../shared/server/local-requests.js";
import { write } from "../shared/server/stream.js";
import type { ApiPlayer } from "./api-player.js";
import type { FeedReader } from "./feed.js";
import { Refusal } from "./refusal.js";
import { REQUESTS } from "./requests.js";
import type { Done, Refused } from "./wire.js";

/** Maximum bytes of a body, and arguments of a move. */
const MAX_BODY = 64 * 1024;
const MAX_ARGUMENTS = 1000;

const HEADERS = {
  "Cache-Control": "no-store",
  "Content-Type": "application/json",
  "X-Content-Type-Options": "nosniff",
};
const STREAM = { ...HEADERS, "Content-Type": "application/x-ndjson" };

/** State of a request. */
interface Environment {
  Bindings: HttpBindings;
}

/** What the requests are answered from. */
export interface ApiAppOptions {
  readonly player: ApiPlayer;
  /** Milliseconds after which a stream without news sends an empty line. */
  readonly beat: number;
  /** Checks the token of a request. @throws Refusal for a wrong one, or for too many requests */
  authorize(token: string | undefined): Promise<void>;
  /** Counts a stream. @returns a function that ends it. @throws Refusal if there are too many */
  beginStream(): () => void;
  /** Reports a failure that no client caused. */
  onTrouble(error: unknown): void;
}

/** Reads the body of a move: its text, or a list of its arguments. */
const readMoveRequest = object({ move: readMoveArguments });

/** Creates the application that answers the API's requests. */
export function apiApp({ player, beat, authorize, beginStream, onTrouble }: ApiAppOptions): Hono<Environment> {
  const app = new Hono<Environment>();

  const stream = async <T>(c: Context<Environment>, open: () => Promise<FeedReader<T>>) => {
    const end = beginStream();
    try {
      const reader = await open();
      await streamLines(c.env.outgoing, reader, beat).finally(() => reader.close());
    } finally {
      end();
    }
    return RESPONSE_ALREADY_SENT;
  };

  app.use(async (c, next) => {
    const refusal = localRefusal(c.env.incoming.headers);
    if (refusal !== undefined) throw new Refusal(403, refusal);
    const [, token] = /^Bearer +(\S+)$/i.exec(c.req.header("authorization") ?? "") ?? [];
    await authorize(token);
    return next();
  });
  app.get(REQUESTS.account.path, async (c) => answer(c, await player.account()));
  app.get(REQUESTS.playing.path, (c) => answer(c, player.playing()));
  app.get(REQUESTS.events.path, (c) => stream(c, async () => player.readEvents()));
  app.get(REQUESTS.challenges.path, (c) => answer(c, player.openChallenges()));
  app.post(REQUESTS.accept.path, async (c) => done(c, player.accept(c.req.param("id"))));
  app.post(REQUESTS.decline.path, async (c) => done(c, player.decline(c.req.param("id"))));
  app.post(REQUESTS.cancel.path, async (c) => done(c, player.cancel(c.req.param("id"))));
  app.post(REQUESTS.challenge.path, async (c) => {
    return answer(c, await player.challenge(c.req.param("address"), await jsonOf(c)));
  });
  app.post(REQUESTS.seek.path, async (c) => answer(c, await player.seek(await jsonOf(c))));
  app.get(REQUESTS.game.path, (c) => stream(c, () => player.readGame(c.req.param("id"))));
  app.post(REQUESTS.moveInPath.path, async (c) => {
    return done(c, player.move(c.req.param("id"), readMoveArguments(c.req.param("move"), "move")));
  });
  app.post(REQUESTS.move.path, async (c) => {
    const { move } = readMoveRequest(await jsonOf(c), "");
    return done(c, player.move(c.req.param("id"), move));
  });
  app.post(REQUESTS.resign.path, async (c) => done(c, player.resign(c.req.param("id"))));
  app.post(REQUESTS.draw.path, (c) => player.draw(c.req.param("id")));
  app.all("*", () => {
    throw new Refusal(404, "There is no such request.");
  });
  app.onError((error, c) => {
    const { status, message } = refusalOf(error, onTrouble);
    // The rest of an oversized body is not read.
    const closing: Record<string, string> = c.env.incoming.complete ? {} : { Connection: "close" };
    const body: Refused = { error: withFullStop(oneLine(message)) };
    return answer(c, body, status, closing);
  });
  return app;
}

/** Sends the items of a feed as lines of JSON until it ends or the client is gone; an empty line when there is no news. */
async function streamLines<T>(response: ServerResponse, reader: FeedReader<T>, beat: number): Promise<void> {
  response.once("close", () => reader.close());
  response.writeHead(200, STREAM);
  response.flushHeaders();
  for (;;) {
    const next = await reader.next(beat);
    if (next === "over" || response.destroyed) break;
    await write(response, next === "late" ? "\n" : `${JSON.stringify(next.item)}\n`);
  }
  response.end();
}

function answer(c: Context<Environment>, value: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return c.body(JSON.stringify(value), status as ContentfulStatusCode, { ...HEADERS, ...headers });
}

async function done(c: Context<Environment>, work: Promise<void>): Promise<Response> {
  await work;
  const body: Done = { ok: true };
  return answer(c, body);
}

function refusalOf(error: unknown, onTrouble: (error: unknown) => void): Refusal {
  if (error instanceof Refusal) return error;
  if (isKind(error, InputError)) return new Refusal(400, error.message);
  onTrouble(error);
  return new Refusal(500, "The server has failed: its log says why.");
}

/** Reads the JSON body of a request. @throws Refusal for a body that is too long or no JSON */
async function jsonOf(c: Context<Environment>): Promise<unknown> {
  const body = await readBodyOf(c.env.incoming);
  try {
    return JSON.parse(body) as unknown;
  } catch {
    throw new Refusal(400, "The body is not JSON.");
  }
}

async function readBodyOf(request: IncomingMessage): Promise<string> {
  const body = await bodyOf(request, MAX_BODY).catch(() => {
    throw new Refusal(400, "The body breaks off.");
  });
  if (body === undefined) throw new Refusal(413, `A body has ${MAX_BODY} bytes at most.`);
  return body;
}

/** Reads a move as text, whose arguments spaces separate, or as a list of its arguments. @throws InputError */
function readMoveArguments(...[value, path]: Parameters<Reader<string[]>>): string[] {
  const isList = Array.isArray(value);
  const args = isList ? value.map((each, i) => text(each, `${path}[${i}]`)) : text(value, path).split(/\s+/);
  if (args.length > MAX_ARGUMENTS) throw new InputError(path, `more than ${MAX_ARGUMENTS} arguments`);
  return args.filter((each) => each !== "");
}
