import type { Transcript } from "../protocol/away/messages.js";
import { differs, type Mismatch } from "../protocol/mismatch.js";
import { gameAt } from "../games/list.js";
import type { GameModule } from "../games/module.js";
import type { History, MatchOptions } from "../chain/history.js";
import type { MatchRecord, Replayed, RoundLog } from "../chain/record.js";
import { expectedEnding } from "../chain/settlement.js";
import { Seat, Status } from "../protocol/status.js";

/** Result of a replay. */
export interface Replay {
  record: MatchRecord;
  /** Outcome that the engine computes from the players' data. */
  replayed: Replayed;
  /** First mismatch between events and engine; undefined if there is none. */
  mismatch?: EventMismatch;
}

/** Options of `replay`. */
interface ReplayOptions extends MatchOptions {
  /** Off-chain actions, as a transcript shows them. */
  transcript?: Transcript;
}

/** A mismatch between an event and the engine. */
export interface EventMismatch extends Mismatch {
  /** Name of the event. */
  event: "Log" | "Settled";
  /** Place among the match's events of that name, from 0. */
  index: number;
}

/**
 * Replays a match from its events alone: runs the players' data through the game's TypeScript engine, and compares
 * every log entry and every amount of the settlement. Actions after the acceptance of a state are compared only if the
 * transcript shows that state.
 * @param games Games that can be replayed.
 * @throws Error for an unknown match.
 * @throws InputError for any other game, and for data that is too short.
 * @throws RecordError for events that cannot have come from an honest arena and game.
 */
export async function replay(
  history: History,
  games: readonly GameModule[],
  matchId: bigint,
  options: ReplayOptions = {},
): Promise<Replay> {
  const { transcript, ...reading } = options;
  const snapshot = await history.snapshot(reading);
  const record = { ...(await snapshot.match(matchId)), ...(transcript && { transcript }) };
  const game = gameAt(record.terms.game, games, history.addresses);
  const replayed = await game.replay(record, snapshot);
  // Only the players can replay a state that they have accepted without showing it.
  const mismatch = replayed.unshown
    ? undefined
    : (compareLogs(record.logs, replayed.logs) ?? compareEnd(record, replayed));
  return { record, replayed, mismatch };
}

function compareLogs(written: RoundLog[], expected: RoundLog[]): EventMismatch | undefined {
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

function compareEnd(record: MatchRecord, { result, turns }: Replayed): EventMismatch | undefined {
  const { settlement, declinedBy } = record;
  const event = { event: "Settled", index: 0 } as const;
  if (!settlement) {
    if (result) return { ...event, what: "the game is over, the match is not" };
    return declinedBy === undefined ? undefined : { ...event, what: "the offer was declined, the match is not over" };
  }
  if (declinedBy !== undefined && settlement.status !== Status.P1Canceled) {
    return { ...event, what: `status ${settlement.status}, but the offer was declined` };
  }
  // Off-chain players may agree on a draw in any turn.
  const turn = record.isAway ? undefined : turns.length === 0 ? Seat.None : turns.at(-1);
  const expected = expectedEnding(record, settlement, result, turn);
  if (typeof expected === "string") return { ...event, what: expected };
  for (const what of ["status", "paid1", "paid2", "house"] as const) {
    const [found, wanted] = [settlement[what], expected[what]];
    if (found !== wanted) return { ...event, ...differs(what, wanted, found) };
  }
  return undefined;
}
