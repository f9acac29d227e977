import { gameAt } from "./games/index.js";
import type { History } from "./history.js";
import type { MatchRecord, Rerun, RoundLog } from "./record.js";
import { expectedEnding } from "./settlement.js";

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
export interface Finding {
  /** The name of the event, and which of the match's of that name it is, from 0. */
  event: "Log" | "Settled";
  index: number;
  text: string;
  expected: string;
  found: string;
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
  return { record, rerun, difference: finding?.text, finding };
}

function compareLogs(written: RoundLog[], expected: RoundLog[]): Finding | undefined {
  const differs = (text: string, found: unknown, wanted: unknown, index = expected.length): Finding => {
    return { event: "Log", index, text, expected: String(wanted), found: String(found) };
  };
  const [logged, played] = [written.length, expected.length];
  if (logged !== played) return differs(`${logged} rounds were logged, ${played} were played`, logged, played);
  for (const [i, { round, words }] of expected.entries()) {
    const log = written[i];
    if (log.round !== round) return differs(`log ${i + 1} is of round ${log.round}, not ${round}`, log.round, round, i);
    const at = words.findIndex((word, n) => word !== log.words[n]);
    const [word, wanted] = [log.words[at], words[at]];
    if (at >= 0) return differs(`round ${round}, word ${at + 1}: logged ${word}, replayed ${wanted}`, word, wanted, i);
    const [more, enough] = [log.words.length, words.length];
    if (more > enough) return differs(`round ${round}: ${more} words logged, ${enough} replayed`, more, enough, i);
  }
  return undefined;
}

function compareEnd(record: MatchRecord, { result }: Rerun): Finding | undefined {
  const { settlement } = record;
  const differs = (text: string, found: unknown, wanted: unknown): Finding => {
    return { event: "Settled", index: 0, text, expected: String(wanted), found: String(found) };
  };
  if (!settlement) return result && differs("the game is over, the match is not", "none", "a settlement");
  const expected = expectedEnding(record, settlement, result);
  if (typeof expected === "string") return differs(expected, settlement.status, "another status");
  for (const field of ["status", "paid1", "paid2", "house"] as const) {
    const [found, wanted] = [settlement[field], expected[field]];
    if (found !== wanted) return differs(`${field}: settled with ${found}, replayed ${wanted}`, found, wanted);
  }
  return undefined;
}
