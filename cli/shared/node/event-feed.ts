import { WebSocket } from "ws";
import { backoff, machineClock, type Clock } from "../../../sdk/chain/waiting.js";
import { oneLine } from "../../../sdk/protocol/input.js";
import { callOf } from "./node.js";

/** Returns whether the address of a node is that of a WebSocket, which only announces events. */
export const isFeed = (url: string) => /^wss?:/i.test(url.trim());

/** Milliseconds in which a node must open a connection, and answer each sign of life. */
const PATIENCE = 30_000;

/** Maximum bytes of a message. A longer event, which only a foreign game can cause, ends the connection. */
const MAX_MESSAGE = 4 * 2 ** 20;

/** Maximum characters of a failure's description. */
const LONGEST = 200;

/** Smallest number of milliseconds between two announcements that are passed on. */
const LEAST_PAUSE = 50;

/** Options of a feed. */
interface FeedOptions {
  /** Contracts whose events are announced. */
  addresses: readonly string[];
  /** Ends the feed. */
  signal: AbortSignal;
  /**
   * Called once the node has begun to announce events, and after events, at most 20 times a second.
   * @param block Highest number of a block with an announced event; 0 if there is none yet.
   */
  onNews: (block: number) => void;
  /** Called with a sentence when the connection ends, and with undefined once it has lasted for a while. */
  onTrouble: (trouble: string | undefined) => void;
  clock?: Clock;
}

/**
 * Follows the events that a node announces over a WebSocket, and reconnects after failures. The node is not trusted: an
 * announcement only says that it may be time to read the chain.
 */
export async function followEvents(url: string, options: FeedOptions): Promise<void> {
  const { signal, onTrouble, clock = machineClock } = options;
  let failures = 0;
  const onLasting = () => {
    failures = 0;
    onTrouble(undefined);
  };
  while (!signal.aborted) {
    const reason = await subscribe(url, options, onLasting);
    if (signal.aborted) return;
    // Only the host: the path may contain an access key.
    onTrouble(`${new URL(url).host} announces no events: ${reason}.`);
    await clock.pause(backoff(failures++, clock), signal).catch(() => undefined);
  }
}

/**
 * Subscribes to events until the connection ends.
 * @param onLasting Called each time that the connection has lasted another while.
 * @returns the reason why it ended
 */
async function subscribe(
  url: string,
  { addresses, signal, onNews }: FeedOptions,
  onLasting: () => void,
): Promise<string> {
  const socket = new WebSocket(url, { maxPayload: MAX_MESSAGE, handshakeTimeout: PATIENCE, perMessageDeflate: false });
  let reason = "it closed the connection";
  let announced: NodeJS.Timeout | undefined;
  let newest = 0;
  let isSubscribed = false;
  let isAlive = true;
  const end = (why: string) => {
    reason = why;
    socket.terminate();
  };
  const stop = () => socket.terminate();
  signal.addEventListener("abort", stop);
  const signs = setInterval(() => {
    if (!isAlive || !isSubscribed) return end("it does not answer");
    isAlive = false;
    socket.ping();
    onLasting();
  }, PATIENCE);
  socket.on("open", () => socket.send(JSON.stringify(callOf("eth_subscribe", ["logs", { address: addresses }]))));
  socket.on("pong", () => (isAlive = true));
  socket.on("error", ({ message }) => (reason = oneLine(message, LONGEST)));
  socket.on("message", (data: Buffer) => {
    const message = messageIn(data);
    if (message === undefined) return end("it sends no JSON-RPC");
    if (message.error !== undefined) return end("it refuses to announce them");
    isSubscribed = true;
    newest = Math.max(newest, blockIn(message));
    announced ??= setTimeout(() => {
      announced = undefined;
      onNews(newest);
    }, LEAST_PAUSE);
  });
  await new Promise((resolve) => socket.once("close", resolve));
  signal.removeEventListener("abort", stop);
  clearInterval(signs);
  clearTimeout(announced);
  return reason;
}

/** Message of JSON-RPC, as far as it is checked. */
interface Message {
  error?: unknown;
  params?: { result?: { blockNumber?: unknown } | null } | null;
}

/** Parses a message of JSON-RPC; undefined if it is malformed. */
function messageIn(data: Buffer): Message | undefined {
  try {
    const message = JSON.parse(data.toString()) as Message | null;
    return typeof message === "object" ? (message ?? undefined) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the number of the block whose event a message announces; 0 without one. */
function blockIn({ params }: Message): number {
  const number = params?.result?.blockNumber;
  // The conversion of an object would call what the node has sent as its `toString`.
  return typeof number === "string" ? Number(number) || 0 : 0;
}
