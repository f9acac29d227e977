import type { BladesView, DuelView } from "./bot.js";
import { outcomesOf } from "./dice-tree.js";
import { fight, shoot, type Fought } from "./engine.js";
import type { Blades, Pair } from "./legal-moves.js";
import { decodeBlow, encodeBlow, type Blow } from "./log.js";
import { FULL_HEALTH, shot, stroke, type DuelState, type Lanes, type ShotOrder } from "./strikes.js";

/** Probabilities of a blow's points, or of the points that a Block stops: 0, 1, 2, and 3, an execution. */
export type PointOdds = readonly [number, number, number, number];

/** Probabilities of the outcomes of a pair of moves, from one player's point of view. */
export interface Prospects {
  /** The player takes the pot. */
  readonly won: number;
  /** Each player gets its own stake back. */
  readonly drawn: number;
  /** The opponent takes the pot. */
  readonly lost: number;
  /** The duel continues with blades. */
  readonly goesOn: number;
}

type Rolls = (n: number) => Lanes;

const UNHURT: Pair<number> = [FULL_HEALTH, FULL_HEALTH];
/** Once the pistols are empty, paces count only for honour. */
const ANY_PACES: Pair<number> = [1, 1];

/**
 * Returns the odds of a shot in round 1 by a duelist at full health.
 * @example
 * ```ts
 * import { shotOdds } from "duello/games/pistols";
 *
 * const [missed] = shotOdds(duel, 10, "first");
 * missed < 1; // => true
 * ```
 */
export function shotOdds({ duelists, seat }: DuelView, paces: number, order: ShotOrder): PointOdds {
  const state = stateOf({ duelists, health: UNHURT });
  return pointOdds((dice) => shot(state, dice(0), { round: 1, slot: 0 }, seat - 1, paces, order));
}

/**
 * Returns the odds of a Light, Heavy or Block.
 * @example
 * ```ts
 * import { ACTIONS, strokeOdds } from "duello/games/pistols";
 *
 * const [missed] = strokeOdds(duel, ACTIONS.indexOf("light"));
 * missed < 1; // => true
 * ```
 */
export function strokeOdds(view: BladesView, action: number): PointOdds {
  const state = stateOf(view);
  return pointOdds((dice) => stroke(state, dice(1), { round: 2, slot: 1 }, view.seat - 1, action, true));
}

/**
 * Returns a player's prospects with paces, given the opponent's paces.
 * @example
 * ```ts
 * import { pacesProspects } from "duello/games/pistols";
 *
 * const { won, goesOn } = pacesProspects(duel, 1, 10);
 * won > 0 && goesOn > 0; // => true
 * ```
 */
export function pacesProspects({ duelists, seat }: DuelView, own: number, other: number): Prospects {
  return prospects(seat, (dice) => shoot(duelists, bySeat(seat, own, other), dice(0)));
}

/**
 * Returns a player's prospects with blades, given the opponent's blades.
 * @example
 * ```ts
 * import { ALL_BLADES, bladesProspects } from "duello/games/pistols";
 *
 * const { won, drawn, lost } = bladesProspects(duel, ALL_BLADES[4], ALL_BLADES[0]);
 * Math.round(won + drawn + lost); // => 1
 * ```
 */
export function bladesProspects({ duelists, health, seat }: BladesView, own: Blades, other: Blades): Prospects {
  const state = { duelists, health, paces: ANY_PACES };
  return prospects(seat, (dice) => fight(state, bySeat(seat, own, other), dice));
}

function stateOf({ duelists, health: [one, two] }: Pick<BladesView, "duelists" | "health">): DuelState {
  return { duelists, health: [one, two], entries: [] };
}

/** Orders a player's value and the opponent's by side. */
function bySeat<T>(seat: number, own: T, other: T): Pair<T> {
  return seat === 1 ? [own, other] : [other, own];
}

function pointOdds(blowBy: (dice: Rolls) => Blow): PointOdds {
  const odds: [number, number, number, number] = [0, 0, 0, 0];
  for (const { fought, chance } of outcomesOf((dice) => ({ entries: [encodeBlow(blowBy(dice))] }))) {
    odds[decodeBlow(fought.entries[0]).points] += chance;
  }
  return odds;
}

function prospects(seat: number, fightBy: (dice: Rolls) => Fought): Prospects {
  const sums = { won: 0, drawn: 0, lost: 0, goesOn: 0 };
  for (const { fought, chance } of outcomesOf(fightBy)) sums[outcomeFor(seat, fought)] += chance;
  return sums;
}

function outcomeFor(seat: number, { over, pot }: Fought): keyof Prospects {
  if (!over) return "goesOn";
  if (pot === 0) return "drawn";
  return pot === seat ? "won" : "lost";
}
