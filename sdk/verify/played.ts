import { explain } from "../player/errors.js";
import { findGame } from "../games/index.js";
import { replay } from "./replay.js";
import type { LocatedMismatch } from "../chain/mismatch.js";
import type { TurnOrder } from "./expected-match.js";
import type { Expectation } from "./state.js";
import type { Window } from "./window.js";

/** What came of playing a match again. */
export interface Played {
  /** Left out: its game is not of the deployment. */
  turnOrder?: TurnOrder;
  /** What its game must answer of it. */
  expectations: Expectation[];
  mismatch?: LocatedMismatch;
}

/** Plays a match again, as far as it has come. */
export async function playAgain(window: Window, matchId: bigint): Promise<Played> {
  const { addresses } = window;
  try {
    const { terms } = await window.match(matchId);
    if (!findGame(terms.game, addresses)) return { expectations: [] };
    const { replayed, finding } = await replay(window, matchId);
    const { turns, expectedAnswer } = replayed;
    const played = { turnOrder: { turns }, expectations: [{ address: terms.game, matchId, ...expectedAnswer }] };
    if (!finding) return played;
    const { event, index, ...mismatch } = finding;
    const address = event === "Log" ? terms.game : addresses.Arena;
    const block = (await window.events(address, event, { matchId })).at(index)?.block;
    return { ...played, mismatch: { matchId, at: event, ...(block !== undefined && { block }), ...mismatch } };
  } catch (error) {
    const what = explain(error).replace(/^match \d+[,:] /, "");
    return { expectations: [], mismatch: { matchId, at: "what was sent", what } };
  }
}
