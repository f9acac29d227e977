import { channelsOf } from "../chain/channels.js";
import { findGame } from "../games/list.js";
import type { GameModule } from "../games/module.js";
import { RecordError } from "../games/revealed-rounds.js";
import type { LocatedMismatch } from "../chain/mismatch.js";
import { explain } from "../player/errors.js";
import { isKind } from "../protocol/error-kind.js";
import type { Hex } from "../protocol/hex.js";
import { oneLine } from "../protocol/input.js";
import { Seat } from "../protocol/status.js";
import type { EventMismatch, Replay } from "./compared-replay.js";
import type { TurnOrder } from "./expected-match.js";
import { replay } from "./replay.js";
import type { Expectation } from "./state.js";
import { beginningOf, type ShownCheck, type ShownMessages } from "./shown-messages.js";
import type { Window } from "./window.js";

/** A match that was replayed up to its latest event. */
export interface CheckedMatch {
  /** Order of turns; undefined if the game does not belong to the deployment, so that it could not be replayed. */
  turnOrder?: TurnOrder;
  /** Expected answers of the game about the match. */
  expectations: Expectation[];
  mismatch?: LocatedMismatch;
  /** Evidence for a channel match that starts from a base; undefined for any other match. */
  shown?: ShownCheck;
  /** See `Replay`. */
  dependsOnChain?: boolean;
}

/**
 * Replays a match up to its latest event, and finds the first mismatch.
 * @param messages Lists the channel messages that players show; defaults to none.
 */
export async function checkMatch(
  window: Window,
  games: readonly GameModule[],
  matchId: bigint,
  messages: ShownMessages = () => [],
): Promise<CheckedMatch> {
  try {
    const { terms, channel } = await window.match(matchId);
    const game = findGame(terms.game, games, window.addresses);
    if (!game) return { expectations: [] };
    return await (channel ? checkChannelMatch(window, game, matchId, messages) : checkReplay(window, game, matchId));
  } catch (error) {
    const what = isKind(error, RecordError) ? oneLine(error.problem) : explain(error, { games });
    return { expectations: [], mismatch: { matchId, at: "what was sent", what } };
  }
}

/** Replays a channel match, with its shown beginning if the match starts from a base. */
async function checkChannelMatch(
  window: Window,
  game: GameModule,
  matchId: bigint,
  messages: ShownMessages,
): Promise<CheckedMatch> {
  const { channel, terms } = await window.match(matchId);
  const { code, started } = channel!.shown!;
  let shown: ShownCheck | undefined;
  let whole: Replay | undefined;
  if (code.turn !== Seat.None) {
    const { before, problem } = await beginningOf(channel!.shown!, game, window, messages);
    shown = { verdict: before ? "agreed and shown" : "agreed, not shown", ...(problem !== undefined && { problem }) };
    whole = before && (await replay(window, [game], matchId, { before }));
  }
  const { mismatch, replayed, dependsOnChain, isUnshown } = whole ?? (await replay(window, [game], matchId));
  const { turns, position } = replayed;
  const expectations = started && !isUnshown ? [keptPosition(window, matchId, position)] : [];
  const checked = { turnOrder: { turns }, expectations, shown, dependsOnChain };
  return mismatch ? { ...checked, mismatch: await located(window, matchId, terms.game, mismatch) } : checked;
}

async function checkReplay(window: Window, game: GameModule, matchId: bigint): Promise<CheckedMatch> {
  const { record, replayed, mismatch } = await replay(window, [game], matchId);
  const { terms } = record;
  const { turns, position } = replayed;
  const checked = { turnOrder: { turns }, expectations: [keptPosition(window, matchId, position)] };
  return mismatch ? { ...checked, mismatch: await located(window, matchId, terms.game, mismatch) } : checked;
}

function keptPosition({ addresses }: Window, matchId: bigint, position: Hex): Expectation {
  return { address: addresses.Arena, matchId, view: "positionOf", args: [matchId], answer: [position] };
}

/** Adds the match and the block to a mismatch. */
async function located(
  window: Window,
  matchId: bigint,
  game: string,
  { event, index, ...values }: EventMismatch,
): Promise<LocatedMismatch> {
  const { Arena } = window.addresses;
  const address = event === "Log" ? game : event === "Played" || event === "Challenged" ? channelsOf(Arena) : Arena;
  const block = (await window.events(address, event, { matchId })).at(index)?.block;
  return { matchId, at: event, block, ...values };
}
