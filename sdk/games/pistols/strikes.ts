import { HONOURABLE, TRICKSTER, VILLAINOUS, type Duelist } from "./honour.js";
import type { Blow } from "./log.js";
import { HEAVY, type Pair } from "./moves.js";

/** A word of dice: its k-th 64 bits modulo m. */
export interface Lanes {
  lane(k: number, strength: number): number;
}

/** Two duelists, and what is left of them. */
export interface DuelState {
  readonly duelists: Pair<Duelist>;
  readonly health: [number, number];
  readonly entries: bigint[];
}

/** When one shoots in round 1; `none` at once with the other, and outside round 1. */
export type ShotOrder = "first" | "second" | "none";

/** Round and slot. */
export type RoundSlot = Pick<Blow, "round" | "slot">;

type Rolled = Pick<Blow, "critChance" | "critDie" | "critical" | "hitChance" | "hitDie" | "hit">;

export const FULL_HEALTH = 3;
const SHOT = 7;

/** A shot, not yet landed. */
export function shot(
  duelState: DuelState,
  dice: Lanes,
  roundSlot: RoundSlot,
  side: number,
  paces: number,
  place: ShotOrder,
): Blow {
  const { archetype } = duelState.duelists[side];
  const target = duelState.duelists[1 - side].archetype;
  const favoured = (archetype === HONOURABLE && place === "first") || (archetype === VILLAINOUS && place === "second");
  const along = (whole: number) => Math.floor((whole * (paces - 1)) / 9);
  const lethalBase = 80 - along(75);
  const lethalChance = target === HONOURABLE && place === "first" ? Math.max(0, lethalBase - 10) : lethalBase;
  const rolled = roll(duelState, dice, side, 5 + along(15), favoured ? 10 : 0, 100 - along(80));
  const damage = rolled.hitDie <= lethalChance ? 2 : 1;
  const points = rolled.critical ? 3 : rolled.hit ? damage : 0;
  return { ...roundSlot, ...rolled, player: side + 1, action: SHOT, paces, lethalChance, points, health: [0, 0] };
}

/** A Light, Heavy or Block, not yet landed. @param whole False if only the crit die is rolled. */
export function stroke(
  duelState: DuelState,
  dice: Lanes,
  roundSlot: RoundSlot,
  side: number,
  action: number,
  whole: boolean,
): Blow {
  const rolled = roll(duelState, dice, side, 20, 0, whole ? 75 : undefined);
  const strength = action === HEAVY ? 2 : 1;
  const points = rolled.critical ? strength + 1 : rolled.hit ? strength : 0;
  return { ...roundSlot, ...rolled, player: side + 1, action, paces: 0, lethalChance: 0, points, health: [0, 0] };
}

function roll(
  { duelists, health }: DuelState,
  dice: Lanes,
  side: number,
  critBase: number,
  favour: number,
  hitBase: number | undefined,
): Rolled {
  const { archetype, strength } = duelists[side];
  const tricked = duelists[1 - side].archetype === TRICKSTER && [VILLAINOUS, HONOURABLE].includes(archetype);
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

function chance(base: number, bonus: number, penalty: number): number {
  return Math.min(100, Math.max(Math.floor(base / 2), base + bonus - penalty));
}
