import { OVER } from "../chain/channels.js";
import { UnregisteredMode, type History } from "../chain/history.js";
import type { MatchRecord, Replayed } from "../chain/record.js";
import { isRefusal, replayUnfolded, unfolded, type UnfoldedMatch } from "../games/channel-match.js";
import type { GameModule } from "../games/module.js";
import { RecordError } from "../games/revealed-rounds.js";
import { NO_STATE } from "../protocol/commit-reveal.js";
import { isKind } from "../protocol/error-kind.js";
import type { Hex } from "../protocol/hex.js";
import { differs } from "../protocol/mismatch.js";
import { otherSeat } from "../protocol/sides.js";
import { Seat } from "../protocol/status.js";
import { compareEnd, compareLogs, type EventMismatch, type Replay } from "./compared-replay.js";

/** Beginning of a match that was submitted on chain only from a later state, the base. Players may show it. */
export interface ShownBefore {
  /** Position in the offer, 32 bytes. */
  offered: Hex;
  /** Data of the actions before the base, the answer first. */
  actions: readonly Hex[];
}

/**
 * Replays a channel match, like `replay`. If the match starts from a base, replays it with its shown beginning or,
 * without one, from the base as far as the game can.
 * @throws RecordError or InputError for an action that the game refuses.
 */
export async function replayChannelMatch(
  read: MatchRecord,
  module: GameModule,
  history: History,
  before?: ShownBefore,
): Promise<Replay> {
  const { code, started, position } = read.channel!.shown!;
  const nothing = { logs: [], turns: [], position: started?.position ?? NO_STATE };
  if (code.turn !== Seat.None && !before && !module.channels?.resume) {
    return { record: read, replayed: nothing, isUnshown: true };
  }
  try {
    const match = await unfolded(before ? withBefore(read, before) : read, module, history);
    const { record, refused } = match;
    const isReplayed = record.joinData !== undefined || code.turn !== Seat.None;
    const replayedTo = async (count: number): Promise<Replayed> =>
      isReplayed ? replayUnfolded({ ...record, actions: record.actions.slice(0, count) }, module, history) : nothing;
    const base = before && (await replayedTo(before.actions.length - 1));
    if (base && (base.position !== position || base.turns.at(-1) !== code.turn)) {
      throw new RecordError("what is shown does not lead to the position from which it was brought to the chain");
    }
    const sent = record.actions.length - read.actions.length;
    const first = await replayedTo(sent);
    const whole = read.actions.length === 0 ? first : await replayedTo(record.actions.length);
    const mismatch =
      (refused === undefined ? resultMismatch(record, first) : forfeitMismatch(record, refused)) ??
      compareLogs(
        record.logs.slice(base && record.logs.length - read.logs.length),
        whole.logs.slice(base?.logs.length),
      ) ??
      endMismatch(record, first, whole);
    const turns = started ? [started.turn, ...whole.turns.slice(first.turns.length)] : whole.turns;
    const replayed = { ...whole, turns, ...(started && first.result && { position: OVER }) };
    const dependsOnChain = mismatch === undefined && !(await isRefused(match, module, history));
    return { record, replayed, mismatch, ...(dependsOnChain && { dependsOnChain }) };
  } catch (error) {
    // The game refused the action because the mode is not registered.
    if (!code.forfeit || !isKind(error, UnregisteredMode)) throw error;
    return { record: read, replayed: nothing };
  }
}

/** Returns the record of a match as if it had been submitted on chain from its offer on. */
function withBefore(record: MatchRecord, { offered, actions }: ShownBefore): MatchRecord {
  const shown = record.channel!.shown!;
  const brought = [...actions, ...shown.brought];
  return { ...record, channel: { offered, shown: { ...shown, brought, code: { ...shown.code, turn: Seat.None } } } };
}

/** Compares the claims about a match when it was submitted on chain. @param first Replay up to that point. */
function resultMismatch({ channel }: MatchRecord, first: Replayed): EventMismatch | undefined {
  const { code, started } = channel!.shown!;
  const { result, turns } = first;
  const event = started ? "Challenged" : "Played";
  const said = mismatchIn(event, result ?? { winner: Seat.None, taker: Seat.None }, code);
  if (said) return said;
  if (!started) return mismatchIn(event, { "turn after it": Seat.None }, { "turn after it": turns.at(-1) });
  return mismatchIn(
    "Started",
    { turn: otherSeat(moverIn(first, code.turn)), position: result ? OVER : first.position },
    started,
  );
}

function forfeitMismatch({ channel }: MatchRecord, refused: bigint): EventMismatch | undefined {
  const { code, started } = channel!.shown!;
  const [event, winner] = [started ? "Challenged" : "Played", otherSeat(refused)] as const;
  return mismatchIn(event, { winner, taker: winner, forfeit: started === undefined }, code);
}

/** Compares the end of a match in the arena. The end of any other match is already compared with its result. */
function endMismatch(record: MatchRecord, first: Replayed, whole: Replayed): EventMismatch | undefined {
  const { started } = record.channel!.shown!;
  if (!started) return undefined;
  // The opponent has not confirmed the end, and so can only resign or let the clock run out.
  return compareEnd(record, first.result ? { ...whole, result: undefined } : whole);
}

/** Returns the seat that acted last. @param turn Turn of the base; None if there is no base. */
function moverIn({ turns }: Replayed, turn: bigint): bigint {
  return turns.at(-2) ?? (turn === Seat.None ? Seat.Two : turn);
}

/** Returns whether the engine refuses the action of a forfeit; true without such an action. */
async function isRefused({ attempt }: UnfoldedMatch, module: GameModule, history: History): Promise<boolean> {
  if (!attempt) return true;
  try {
    await replayUnfolded(attempt, module, history);
    return false;
  } catch (error) {
    if (isRefusal(error) || isKind(error, UnregisteredMode)) return true;
    throw error;
  }
}

/** Finds the first value that differs from the expected value. */
function mismatchIn<T extends object>(
  event: EventMismatch["event"],
  wanted: T,
  found: { [K in keyof T]: unknown },
): EventMismatch | undefined {
  const what = (Object.keys(wanted) as (keyof T & string)[]).find((name) => wanted[name] !== found[name]);
  return what === undefined ? undefined : { event, index: -1, ...differs(what, wanted[what], found[what]) };
}
