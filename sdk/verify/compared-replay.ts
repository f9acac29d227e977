import { differs, type Mismatch } from "../protocol/mismatch.js";
import type { MatchRecord, Replayed, RoundLog } from "../chain/record.js";
import { expectedEnding } from "../chain/settlement.js";
import { Status } from "../protocol/status.js";

/** Result of a replay. */
export interface Replay {
  record: MatchRecord;
  /** Outcome that the engine computes from the players' data. */
  replayed: Replayed;
  /** First mismatch between events and engine; undefined if there is none. */
  mismatch?: EventMismatch;
  /** True if the channel refused an action that the engine accepts: only the chain's state then can explain it. */
  dependsOnChain?: boolean;
  /** True if the match starts from a base, and nobody has shown the messages before it. */
  isUnshown?: boolean;
}

/** A mismatch between an event and the engine. */
export interface EventMismatch extends Mismatch {
  /** Name of the event. */
  event: "Log" | "Settled" | "Played" | "Challenged" | "Started";
  /** Place among the match's events of that name, from 0. */
  index: number;
}

/** Compares the logs of a match with the logs that its engine writes. */
export function compareLogs(written: RoundLog[], expected: RoundLog[]): EventMismatch | undefined {
  const inLog = (what: string, found: unknown, wanted: unknown, index = expected.length): EventMismatch => {
    return { event: "Log", index, ...differs(what, wanted, found) };
  };
  if (written.length !== expected.length) return inLog("logged rounds", written.length, expected.length);
  for (const [i, { round, entries }] of expected.entries()) {
    const log = written[i];
    if (log.round !== round) return inLog(`round of log ${i + 1}`, log.round, round, i);
    const at = entries.findIndex((entry, n) => entry !== log.entries[n]);
    if (at >= 0) return inLog(`round ${round}, log entry ${at + 1}`, log.entries[at] ?? "none", entries[at], i);
    const [found, wanted] = [log.entries.length, entries.length];
    if (found > wanted) return inLog(`log entries of round ${round}`, found, wanted, i);
  }
  return undefined;
}

/** Compares the end of a match with the end of its replay. */
export function compareEnd(record: MatchRecord, { result }: Replayed): EventMismatch | undefined {
  const { settlement, declinedBy } = record;
  const event = { event: "Settled", index: 0 } as const;
  if (!settlement) {
    if (result) return { ...event, what: "the game is over, the match is not" };
    return declinedBy === undefined ? undefined : { ...event, what: "the offer was declined, the match is not over" };
  }
  if (declinedBy !== undefined && settlement.status !== Status.P1Canceled) {
    return { ...event, what: `status ${settlement.status}, but the offer was declined` };
  }
  const expected = expectedEnding(record, settlement, result);
  if (typeof expected === "string") return { ...event, what: expected };
  for (const what of ["status", "paid1", "paid2", "house"] as const) {
    const [found, wanted] = [settlement[what], expected[what]];
    if (found !== wanted) return { ...event, ...differs(what, wanted, found) };
  }
  return undefined;
}
