import { COIN } from "../../sdk/protocol/terms.js";
import { demoOf } from "../../sdk/games/modes.js";
import type { GameModule, ModeFacts } from "../../sdk/games/module.js";
import type { Random } from "./random.js";

/** Intended end of a match; the match may end differently before. */
type PlannedOutcome = "played" | "cancelled" | "declined" | "silence" | "resigned";

/** Random choices for a match, made before it is offered. */
export interface Plan {
  mode: ModeFacts;
  token: string;
  stake1: bigint;
  stake2: bigint;
  clock: bigint;
  rated: boolean;
  /** True if the offer names its opponent. */
  named: boolean;
  /** Seconds for which the offer is firm; undefined for a soft one. */
  firmFor?: number;
  /** True if the named opponent of a firm offer joins in one step. */
  quick: boolean;
  /** True if player 1's purse is empty when it offers the match. */
  broke: boolean;
  outcome: PlannedOutcome;
  /** Number of steps after the offer before the outcome happens. */
  after: number;
}

const HOUR = 3600;
const DAY = 24 * HOUR;
const CLOCKS = [600, HOUR, DAY, 7 * DAY, 30 * DAY];
const FIRM = [HOUR, DAY, 30 * DAY];
/** Maximum number of steps before the outcome, in a short match and in a long match. */
const [SOON, LONG] = [4, 30];

/** Weight of a game in a random choice: on chain, a match of a long game takes as much time as several short ones. */
export function weightOf({ demo }: GameModule): number {
  return demo === undefined ? 4 : 1;
}

/** Draws the plan of a match. If the mode takes too long, the plan ends the match early. */
export function planFor(game: GameModule, fight: string, random: Random): Plan {
  const shown = demoOf(game);
  const mode = game.demo !== undefined && random.likely(70) ? shown : random.pick(Object.values(game.modes));
  const whole = game.demo === undefined || mode === shown;
  const outcomes: PlannedOutcome[] = ["silence", "resigned", "silence", "cancelled", "declined"];
  const outcome = whole && random.likely(60) ? "played" : random.pick(whole ? outcomes : outcomes.slice(0, 3));
  return {
    mode,
    ...stakesFor(mode, fight, random),
    clock: BigInt(random.pick(game.demo === undefined ? CLOCKS : CLOCKS.slice(2))),
    rated: random.likely(75),
    named: random.likely(60),
    firmFor: random.likely(60) ? random.pick(FIRM) : undefined,
    quick: random.likely(75),
    broke: random.likely(20),
    outcome,
    after: random.below(outcome === "cancelled" || outcome === "declined" ? 2 : game.demo === undefined ? SOON : LONG),
  };
}

/** Draws random stakes: zero, fair ones according to the mode's odds, or arbitrary amounts. */
function stakesFor({ odds }: ModeFacts, fight: string, random: Random): Pick<Plan, "token" | "stake1" | "stake2"> {
  const token = random.likely(50) ? COIN : fight;
  const any = () => BigInt(random.below(2 ** 20)) ** BigInt(1 + random.below(3));
  const stake2 = any();
  const kind = random.below(10);
  if (kind === 0) return { token, stake1: 0n, stake2: 0n };
  // With odds of zero, player 2 must not stake.
  if (kind < 6 && odds[1] === 0n) return { token, stake1: stake2, stake2: 0n };
  if (kind < 6) return { token, stake1: (stake2 * odds[0]) / odds[1], stake2 };
  return { token, stake1: random.likely(20) ? 0n : any(), stake2: random.likely(20) ? 0n : stake2 };
}
