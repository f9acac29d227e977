import type { GameModule, ModeFacts } from "../../sdk/games/module.js";
import { WAYS_TO_SIGN, type WayToSign } from "./match-keys.js";
import type { Random } from "./random.js";

/**
 * What a player does in a match away from the chain besides playing on: nothing; it offers a draw, gives up by its
 * signature, posts the newest state that it can, or an old one; the relay dies; the loser does not sign the result.
 */
type AwayDeed = "none" | "draw" | "give up" | "post" | "old post" | "dead relay" | "unsigned";

/** Random choices for a match that is played away from the chain. */
export interface AwayPlan {
  ways: readonly [WayToSign, WayToSign];
  deed: AwayDeed;
  /** Side of the player who does it. */
  side: number;
  /** Nonce from which on it is done. */
  from: number;
}

const LATEST = 24;

/** Returns the mode that is played as the one in which the game is shown, but away from the chain. */
export function awayDemoOf({ demo, modes }: GameModule): ModeFacts | undefined {
  return modes[`${demo}-away`];
}

/**
 * Draws how a match is played away from the chain.
 * @param isWhole True if it is short enough to be played to its end on the chain.
 */
export function awayPlanFor(isWhole: boolean, random: Random): AwayPlan {
  const deeds: AwayDeed[] = ["draw", "give up", "none", "post", "old post", "dead relay", "unsigned"];
  return {
    ways: [random.pick(WAYS_TO_SIGN), random.pick(WAYS_TO_SIGN)],
    deed: random.pick(isWhole ? deeds : deeds.slice(0, 2)),
    side: random.below(2),
    from: random.below(LATEST),
  };
}
