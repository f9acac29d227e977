import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Deployment } from "../../sdk/chain/deployment.js";
import { parseEntry } from "../../sdk/player/away/log.js";
import { RelayTransport, relayUrl, RelayTrouble } from "../../sdk/player/away/relay-transport.js";
import {
  MAX_MATCH_BYTES,
  parseMessage,
  type AwayMessage,
  type AwayMove,
  type Transcript,
} from "../../sdk/protocol/away/messages.js";
import { fileProblem } from "../shared/files/file-problem.js";
import { InputError } from "../../sdk/protocol/input.js";
import { isVersionLine } from "../../sdk/protocol/version.js";
import type { Transcripts } from "../../sdk/verify/checked-match.js";

/** Maximum depth of searched folders: that of a relay or a player has one folder per deployment. */
const MAX_DEPTH = 3;
/** Maximum number of messages of a relay that are read per match. */
const MAX_MESSAGES = 20_000;
/** Maximum milliseconds for requests to a relay, per match and for all matches. */
const MAX_MATCH_MS = 60_000;
const MAX_ALL_MS = 600_000;
/** Problem that is reported for a relay that takes longer. */
const TOO_LONG = `it takes more than ${MAX_MATCH_MS / 1000} s for a match, or ${MAX_ALL_MS / 1000} s for all`;
/** Maximum bytes of a file: a player's log also contains its own signatures. */
const MAX_BYTES = 2 * MAX_MATCH_BYTES;

/** Formats of files with the messages of a match. A file written by hand need not name its format. */
const FORMATS = ["the log of a seat", "the archive of a relay"] as const;
/** Names of files with the messages of a match: a relay's, and a player's log. */
const FILE = /^([1-9]\d{0,77})(?:-0x[0-9a-fA-F]{40})?\.jsonl$/;
/** Names of folders of a deployment: chain, the beginning of its first block's hash where chains share an id, arena. */
const FOLDER = /^(\d+)-(?:([0-9a-f]{16})-)?(0x[0-9a-fA-F]{40})$/;

/** Deployment whose transcripts are read. */
export interface TranscriptPlace {
  chainId: bigint;
  /** Hash of the chain's first block. */
  genesis: string;
  deployment: Deployment;
}

/** Where transcripts are. */
export interface TranscriptSources {
  /** Path of a file, or of a folder with files. */
  path?: string;
  /** Address of a relay. */
  relay?: string;
}

/**
 * Opens the transcripts that are in files, and then those that a relay has.
 * @param now Describes the time in milliseconds.
 * @throws InputError for a path that does not exist, a file that is not of a match, or an invalid address of a relay.
 */
export async function openTranscripts(
  { path, relay }: TranscriptSources,
  place: TranscriptPlace,
  now: () => number = Date.now,
): Promise<Transcripts | undefined> {
  if (path === undefined && relay === undefined) return undefined;
  const files = path === undefined ? new Map<bigint, string[]>() : await filesIn(path, place);
  const asked = relay === undefined ? undefined : new AskedRelay(relayUrl(relay, "--relay"), place, now);
  return function* (matchId) {
    // Both players may have stored the match; one file may be shorter or unreadable.
    for (const file of files.get(matchId) ?? []) yield transcriptIn(file);
    if (asked) yield asked.transcriptOf(matchId);
  };
}

/** Finds the files of matches. */
async function filesIn(path: string, place: TranscriptPlace): Promise<ReadonlyMap<bigint, string[]>> {
  const files = new Map<bigint, string[]>();
  const add = (file: string) => {
    const matchId = FILE.exec(basename(file))?.[1];
    if (matchId !== undefined) files.set(BigInt(matchId), [...(files.get(BigInt(matchId)) ?? []), file]);
    return matchId !== undefined;
  };
  const look = async (folder: string, depth: number): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const inside = join(folder, entry.name);
      if (entry.isFile()) add(inside);
      if (entry.isDirectory() && depth < MAX_DEPTH && isOf(place, entry.name)) await look(inside, depth + 1);
    }
  };
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new InputError("--transcripts", `there is no ${path}`);
  if (found.isDirectory()) await look(path, 0);
  else if (!add(path))
    throw new InputError("--transcripts", `${path} has no name like 17.jsonl, by which its match is known`);
  return files;
}

/** Returns whether a folder may have files of a deployment: only its name can exclude that. */
function isOf({ chainId, genesis, deployment }: TranscriptPlace, folder: string): boolean {
  const [, chain, first, arena] = FOLDER.exec(folder) ?? [];
  if (chain === undefined) return true;
  const isFirst = first === undefined || genesis.startsWith(`0x${first}`);
  return BigInt(chain) === chainId && isFirst && arena.toLowerCase() === deployment.addresses.Arena.toLowerCase();
}

/**
 * Reads a file of messages or log entries, one a line.
 * @throws InputError, also for a file that has been removed meanwhile.
 */
async function transcriptIn(file: string): Promise<Transcript> {
  const refuse = (error: unknown): never => {
    throw new InputError(file, fileProblem(error));
  };
  const { size } = await stat(file).catch(refuse);
  if (size > MAX_BYTES) throw new InputError(file, `${size} bytes are more than ${MAX_BYTES}`);
  const lines = (await readFile(file, "utf8").catch(refuse)).split("\n");
  // A relay, or a player, may be writing the last line now, or was killed while it did.
  if (!isJson(lines.at(-1)!)) lines.pop();
  const written = lines.filter((line) => line.trim() !== "");
  return inOrder(
    written.flatMap((line, i) => {
      const place = `${file}:${i + 1}`;
      return i === 0 && isVersionLine(FORMATS, line, place) ? [] : (messageIn(line, place) ?? []);
    }),
  );
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** Reads a message, as it is or as an entry of a log; undefined for another entry. @throws InputError */
function messageIn(line: string, path: string): AwayMessage | undefined {
  if (!/^\{\s*"type"\s*:\s*"(message|post|signature|action)"/.test(line)) return parseMessage(line, path);
  const entry = parseEntry(line, path);
  return entry.type === "message" ? entry.message : undefined;
}

/** Relay from which matches are requested, within a time limit for all of them. */
class AskedRelay {
  /** Milliseconds spent on its requests so far. */
  private spent = 0;

  constructor(
    private readonly url: string,
    private readonly place: TranscriptPlace,
    private readonly now: () => number,
  ) {}

  /** Reads the relay's messages of a match; undefined if it has none. @throws InputError if it gives no answer. */
  async transcriptOf(matchId: bigint): Promise<Transcript | undefined> {
    const begun = this.now();
    try {
      const messages = await this.messagesOf(matchId, begun + Math.min(MAX_MATCH_MS, MAX_ALL_MS - this.spent));
      return messages.length === 0 ? undefined : inOrder(messages);
    } catch (error) {
      throw error instanceof RelayTrouble ? new InputError("--relay", error.message) : error;
    } finally {
      this.spent += this.now() - begun;
    }
  }

  /** @param end Time of the last request. */
  private async messagesOf(matchId: bigint, end: number): Promise<AwayMessage[]> {
    const { chainId, deployment } = this.place;
    const relay = new RelayTransport(this.url, { chainId, arena: deployment.addresses.Arena, matchId });
    const all: AwayMessage[] = [];
    for (let from = 0; all.length < MAX_MESSAGES;) {
      if (this.now() > end) throw new InputError("--relay", TOO_LONG);
      const { messages, seen } = await relay.after(from);
      if (messages.length === 0 || seen <= from) break;
      all.push(...messages);
      from = seen;
    }
    return all;
  }
}

/** Returns the moves among messages, in their order and once each. */
function inOrder(messages: readonly AwayMessage[]): AwayMove[] {
  const moves = new Map<number, AwayMove>();
  for (const message of messages)
    if (message.type === "move" && !moves.has(message.nonce)) moves.set(message.nonce, message);
  return [...moves.values()].sort((a, b) => a.nonce - b.nonce);
}
