import { mismatchText, type Mismatch } from "../protocol/mismatch.js";
import { gameAt } from "../games/index.js";
import type { History } from "../chain/history.js";
import type { MatchRecord, Replayed, RoundLog } from "../chain/record.js";
import { expectedEnding } from "../chain/settlement.js";

/** What a replay found. */
export interface Replay {
  record: MatchRecord;
  /** What the engine made of the players' data. */
  replayed: Replayed;
  /** The first thing in which the events and the engine differ; undefined if the match is identical. */
  mismatch?: string;
  /** The same in parts. */
  finding?: Finding;
}

/** Something that events say and a engine does not. */
export interface Finding extends Mismatch {
  /** The name of the event, and which of the match's of that name it is, from 0. */
  event: "Log" | "Settled";
  index: number;
}

/**
 * Re-runs a match from its events alone: the players' data through the game's TypeScript engine, every entry of the log
 * and every amount of the settlement compared. @throws Error for an unknown match, or a game that is not of the
 * deployment.
 */
export async function replay(history: History, matchId: bigint): Promise<Replay> {
  const record = await history.match(matchId);
  const game = gameAt(record.terms.game, history.addresses);
  const replayed = await game.replay(record, history);
  const finding = compareLogs(record.logs, replayed.logs) ?? compareEnd(record, replayed);
  return { record, replayed, mismatch: finding && mismatchText(finding), finding };
}

function compareLogs(written: RoundLog[], expected: RoundLog[]): Finding | undefined {
  const differs = (what: string, found: unknown, wanted: unknown, index = expected.length): Finding => {
    return { event: "Log", index, what, expected: String(wanted), found: String(found) };
  };
  if (written.length !== expected.length) return differs("logged rounds", written.length, expected.length);
  for (const [i, { round, entries }] of expected.entries()) {
    const log = written[i];
    if (log.round !== round) return differs(`round of log ${i + 1}`, log.round, round, i);
    const at = entries.findIndex((word, n) => word !== log.entries[n]);
    if (at >= 0) return differs(`round ${round}, log entry ${at + 1}`, log.entries[at] ?? "none", entries[at], i);
    if (log.entries.length > entries.length)
      return differs(`log entries of round ${round}`, log.entries.length, entries.length, i);
  }
  return undefined;
}

function compareEnd(record: MatchRecord, { result }: Replayed): Finding | undefined {
  const { settlement } = record;
  const event = { event: "Settled", index: 0 } as const;
  if (!settlement) return result && { ...event, what: "the game is over, the match is not" };
  const expected = expectedEnding(record, settlement, result);
  if (typeof expected === "string") return { ...event, what: expected };
  for (const what of ["status", "paid1", "paid2", "house"] as const) {
    const [found, wanted] = [settlement[what], expected[what]];
    if (found !== wanted) return { ...event, what, expected: String(wanted), found: String(found) };
  }
  return undefined;
}
