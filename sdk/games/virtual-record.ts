import type { MatchRecord } from "../chain/record.js";
import type { Transcript } from "../protocol/away/messages.js";
import type { AwayPlay } from "./module.js";

/**
 * Returns a record of a match as if the actions at its table were those of the chain: an engine replays it from the state
 * after joining on, and everything that works on records works on it. It has no logs and no settlement.
 * @param actions Actions at the table, oldest first.
 */
export function virtualRecord(record: MatchRecord, actions: MatchRecord["actions"]): MatchRecord {
  const { settlement: _settlement, agreement: _agreement, transcript: _transcript, ...rest } = record;
  return { ...rest, actions: [...actions], logs: [], isAway: true };
}

/** Returns the actions of a transcript as those of a record. */
export function actionsOf(transcript: Transcript): MatchRecord["actions"] {
  return transcript.map(({ seat, action }) => ({ seat, data: action }));
}

/**
 * Returns the record of a match as it was played: the actions at its table, as far as they were accepted on the chain, then
 * those of the chain; of a match whose table was never accepted, all actions at the table, up to the result on which both
 * have agreed.
 * @returns undefined if the transcript does not reach as far, or the match has none.
 */
export function playedRecord(record: MatchRecord, away: AwayPlay): MatchRecord | undefined {
  const { transcript, actions, ...rest } = record;
  if (transcript === undefined) return undefined;
  for (const [i, { seat, data }] of actions.entries()) {
    const action = away.decode(data);
    if (action?.type !== "accept") continue;
    const { nonce } = action.table;
    if (transcript.length < nonce) return undefined;
    const own = action.action === undefined ? [] : [{ seat, data: action.action }];
    const played = [...actionsOf(transcript.slice(0, nonce)), ...own, ...actions.slice(i + 1)];
    return { ...rest, actions: played, isAway: true };
  }
  // What somebody signs behind the result is no part of the match.
  const { agreement } = rest;
  const records = [transcript.at(0)?.base, ...transcript.map((move) => move.record)];
  const end = agreement === undefined ? -1 : records.lastIndexOf(agreement.record);
  return { ...rest, actions: actionsOf(end === -1 ? transcript : transcript.slice(0, end)), isAway: true };
}
