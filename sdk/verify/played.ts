import { explain } from "../player/errors.js";
import { findGame } from "../games/index.js";
import { replay } from "./replay.js";
import type { Difference } from "../chain/difference.js";
import type { Course } from "./standing.js";
import type { Expectation } from "./state.js";
import type { Window } from "./window.js";

/** What came of playing a match again. */
export interface Played {
  /** Left out: its game is not of the deployment. */
  course?: Course;
  /** What its game must answer of it. */
  kept: Expectation[];
  difference?: Difference;
}

/** Plays a match again, as far as it has come. */
export async function playAgain(window: Window, matchId: bigint): Promise<Played> {
  const { addresses } = window;
  try {
    const { terms } = await window.match(matchId);
    if (!findGame(terms.game, addresses)) return { kept: [] };
    const { rerun, finding } = await replay(window, matchId);
    const { turns, kept } = rerun;
    const played = { course: { turns }, kept: [{ address: terms.game, matchId, ...kept }] };
    if (!finding) return played;
    const { event, index, ...deviation } = finding;
    const address = event === "Log" ? terms.game : addresses.Arena;
    const block = (await window.events(address, event, { matchId })).at(index)?.block;
    return { ...played, difference: { matchId, at: event, ...(block !== undefined && { block }), ...deviation } };
  } catch (error) {
    const what = explain(error).replace(/^match \d+[,:] /, "");
    return { kept: [], difference: { matchId, at: "what was sent", what } };
  }
}
