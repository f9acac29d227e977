import { findGame } from "../games/list.js";
import type { GameModule } from "../games/module.js";
import { RecordError } from "../games/revealed-rounds.js";
import type { LocatedMismatch } from "../chain/mismatch.js";
import { explain } from "../player/errors.js";
import { isKind } from "../protocol/error-kind.js";
import { oneLine } from "../protocol/input.js";
import type { TurnOrder } from "./expected-match.js";
import { replay } from "./replay.js";
import type { Expectation } from "./state.js";
import type { Window } from "./window.js";

/** A match that was replayed, as far as it has come. */
export interface CheckedMatch {
  /** Left out if the game is not of the deployment, so that it could not be replayed. */
  turnOrder?: TurnOrder;
  /** Answers that the game must give of the match. */
  expectations: Expectation[];
  mismatch?: LocatedMismatch;
}

/** Replays a match as far as it has come, and finds the first mismatch. */
export async function checkMatch(window: Window, games: readonly GameModule[], matchId: bigint): Promise<CheckedMatch> {
  const { addresses } = window;
  try {
    const { terms } = await window.match(matchId);
    if (!findGame(terms.game, games, addresses)) return { expectations: [] };
    const { replayed, mismatch } = await replay(window, games, matchId);
    const { turns, expectedAnswer } = replayed;
    const checked = { turnOrder: { turns }, expectations: [{ address: terms.game, matchId, ...expectedAnswer }] };
    if (!mismatch) return checked;
    const { event, index, ...values } = mismatch;
    const address = event === "Log" ? terms.game : addresses.Arena;
    const block = (await window.events(address, event, { matchId })).at(index)?.block;
    return { ...checked, mismatch: { matchId, at: event, ...(block !== undefined && { block }), ...values } };
  } catch (error) {
    const what = isKind(error, RecordError) ? oneLine(error.problem) : explain(error, { games });
    return { expectations: [], mismatch: { matchId, at: "what was sent", what } };
  }
}
