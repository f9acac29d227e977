import { deviationText, type Deviation } from "../protocol/deviation.js";
import { gameAt } from "../games/index.js";
import type { History } from "../chain/history.js";
import type { MatchRecord, Rerun, RoundLog } from "../chain/record.js";
import { expectedEnding } from "../chain/settlement.js";

/** What a replay found. */
export interface Replay {
  record: MatchRecord;
  /** What the twin made of the players' data. */
  rerun: Rerun;
  /** The first thing in which the events and the twin differ; undefined if the match is identical. */
  difference?: string;
  /** The same in parts. */
  finding?: Finding;
}

/** Something that events say and a twin does not. */
export interface Finding extends Deviation {
  /** The name of the event, and which of the match's of that name it is, from 0. */
  event: "Log" | "Settled";
  index: number;
}

/**
 * Re-runs a match from its events alone: the players' data through the game's TypeScript twin, every word of the log and
 * every amount of the settlement compared. @throws Error for an unknown match, or a game that is not of the deployment.
 */
export async function replay(history: History, matchId: bigint): Promise<Replay> {
  const record = await history.match(matchId);
  const game = gameAt(record.terms.game, history.addresses);
  const rerun = await game.replay(record, history);
  const finding = compareLogs(record.logs, rerun.logs) ?? compareEnd(record, rerun);
  return { record, rerun, difference: finding && deviationText(finding), finding };
}

function compareLogs(written: RoundLog[], expected: RoundLog[]): Finding | undefined {
  const differs = (what: string, found: unknown, wanted: unknown, index = expected.length): Finding => {
    return { event: "Log", index, what, expected: String(wanted), found: String(found) };
  };
  if (written.length !== expected.length) return differs("logged rounds", written.length, expected.length);
  for (const [i, { round, words }] of expected.entries()) {
    const log = written[i];
    if (log.round !== round) return differs(`round of log ${i + 1}`, log.round, round, i);
    const at = words.findIndex((word, n) => word !== log.words[n]);
    if (at >= 0) return differs(`round ${round}, word ${at + 1}`, log.words[at] ?? "none", words[at], i);
    if (log.words.length > words.length) return differs(`words of round ${round}`, log.words.length, words.length, i);
  }
  return undefined;
}

function compareEnd(record: MatchRecord, { result }: Rerun): Finding | undefined {
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
