import { otherSide, playerOf } from "../../protocol/sides.js";
import { HONOURABLE, TRICKSTER, VILLAINOUS, type Duelist } from "./honour.js";
import { HEAVY, type Pair } from "./legal-moves.js";
import type { Blow } from "./log.js";

/** Word of dice. */
export interface Lanes {
  /** Returns the k-th 64 bits modulo `modulus`. */
  lane(k: number, modulus: number): number;
}

/** State of a duel in progress. */
export interface DuelState {
  readonly duelists: Pair<Duelist>;
  readonly health: [number, number];
  /** Log entries so far. */
  readonly entries: bigint[];
}

/** Place of a shot in the order of round 1; `unordered` if both shoot at once, and in round 2. */
export type ShotOrder = "unordered" | "first" | "second";

/** Round and slot of a blow. */
export type RoundSlot = Pick<Blow, "round" | "slot">;

type Rolled = Pick<Blow, "critChance" | "critDie" | "critical" | "hitChance" | "hitDie" | "hit">;

/** Health of a duelist before the duel. */
export const FULL_HEALTH = 3;
const SHOT = 7;
const EXECUTION = 3;
const BLADES_CRIT = 20;
const BLADES_HIT = 75;
const FAVOUR = 10;
const RELIEF = 10;

/** Rolls a shot, without applying it: 3 points of damage if critical, otherwise 2 if it hits lethally, 1 if it hits. */
export function shot(
  duelState: DuelState,
  dice: Lanes,
  roundSlot: RoundSlot,
  side: number,
  paces: number,
  order: ShotOrder,
): Blow {
  const own = duelState.duelists[side].archetype;
  const target = duelState.duelists[otherSide(side)].archetype;
  const favoured = (order === "first" && own === HONOURABLE) || (order === "second" && own === VILLAINOUS);
  const relieved = order === "first" && target === HONOURABLE;
  const along = (whole: number) => Math.floor((whole * (paces - 1)) / 9);
  const lethalChance = Math.max(0, 80 - along(75) - (relieved ? RELIEF : 0));
  const rolled = roll(duelState, dice, side, 5 + along(15), favoured ? FAVOUR : 0, 100 - along(80));
  const damage = rolled.hitDie <= lethalChance ? 2 : 1;
  const points = rolled.critical ? EXECUTION : rolled.hit ? damage : 0;
  return { ...roundSlot, ...rolled, player: playerOf(side), action: SHOT, paces, lethalChance, points, health: [0, 0] };
}

/**
 * Rolls a Light, Heavy or Block: 1, 2 or 1 points if it hits, one more if critical. Does not apply it yet.
 * @param whole False if only the crit die is rolled.
 */
export function stroke(
  duelState: DuelState,
  dice: Lanes,
  roundSlot: RoundSlot,
  side: number,
  action: number,
  whole: boolean,
): Blow {
  const rolled = roll(duelState, dice, side, BLADES_CRIT, 0, whole ? BLADES_HIT : undefined);
  const hitPoints = action === HEAVY ? 2 : 1;
  const points = rolled.critical ? hitPoints + 1 : rolled.hit ? hitPoints : 0;
  return {
    ...roundSlot,
    ...rolled,
    player: playerOf(side),
    action,
    paces: 0,
    lethalChance: 0,
    points,
    health: [0, 0],
  };
}

/** Rolls the crit die of a blow and, unless the crit die succeeds or `hitBase` is omitted, the hit die. */
function roll(
  { duelists, health }: DuelState,
  dice: Lanes,
  side: number,
  critBase: number,
  favour: number,
  hitBase: number | undefined,
): Rolled {
  const { archetype, strength } = duelists[side];
  const tricked = duelists[otherSide(side)].archetype === TRICKSTER && [VILLAINOUS, HONOURABLE].includes(archetype);
  const bonus = (max: number[]) => Math.floor((max[archetype] * strength) / 100);
  const critChance = chance(critBase, favour + bonus([0, 0, 6, 12]), tricked ? 2 : 0);
  const critDie = dice.lane(2 * side, 100) + 1;
  const critical = critDie <= critChance;
  if (critical || hitBase === undefined) return { critChance, critDie, critical, hitChance: 0, hitDie: 0, hit: false };
  const penalty = 10 * (FULL_HEALTH - health[side]) + (tricked ? 10 : 0);
  const hitChance = chance(hitBase, bonus([0, 20, 10, 0]), penalty);
  const hitDie = dice.lane(2 * side + 1, 100) + 1;
  return { critChance, critDie, critical, hitChance, hitDie, hit: hitDie <= hitChance };
}

/** Applies bonus and penalty to a base: no penalty takes a chance below half its base, no bonus above 100. */
function chance(base: number, bonus: number, penalty: number): number {
  return Math.min(100, Math.max(Math.floor(base / 2), base + bonus - penalty));
}
