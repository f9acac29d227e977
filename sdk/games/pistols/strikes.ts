import { HONOURABLE, TRICKSTER, VILLAINOUS, type Duelist } from "./honour.js";
import type { Blow } from "./log.js";
import { HEAVY, type Pair } from "./moves.js";

/** A word of dice: its k-th 64 bits modulo m. */
export interface Lanes {
  lane(k: number, m: number): number;
}

/** Two duelists, and what is left of them. */
export interface Fray {
  readonly duelists: Pair<Duelist>;
  readonly health: [number, number];
  readonly words: bigint[];
}

/** When one shoots in round 1; `none` at once with the other, and outside round 1. */
export type Place = "first" | "second" | "none";

/** Round and slot. */
export type Scene = Pick<Blow, "round" | "slot">;

type Rolled = Pick<Blow, "critChance" | "critDie" | "critical" | "hitChance" | "hitDie" | "hit">;

export const FULL_HEALTH = 3;
const SHOT = 7;

/** A shot, not yet landed. */
export function shot(fray: Fray, dice: Lanes, scene: Scene, side: number, paces: number, place: Place): Blow {
  const { archetype } = fray.duelists[side];
  const target = fray.duelists[1 - side].archetype;
  const favoured = (archetype === HONOURABLE && place === "first") || (archetype === VILLAINOUS && place === "second");
  const along = (whole: number) => Math.floor((whole * (paces - 1)) / 9);
  const lethalBase = 80 - along(75);
  const lethalChance = target === HONOURABLE && place === "first" ? Math.max(0, lethalBase - 10) : lethalBase;
  const rolled = roll(fray, dice, side, 5 + along(15), favoured ? 10 : 0, 100 - along(80));
  const damage = rolled.hitDie <= lethalChance ? 2 : 1;
  const points = rolled.critical ? 3 : rolled.hit ? damage : 0;
  return { ...scene, ...rolled, player: side + 1, action: SHOT, paces, lethalChance, points, health: [0, 0] };
}

/** A Light, Heavy or Block, not yet landed. @param whole False if only the crit die is rolled. */
export function stroke(fray: Fray, dice: Lanes, scene: Scene, side: number, action: number, whole: boolean): Blow {
  const rolled = roll(fray, dice, side, 20, 0, whole ? 75 : undefined);
  const strength = action === HEAVY ? 2 : 1;
  const points = rolled.critical ? strength + 1 : rolled.hit ? strength : 0;
  return { ...scene, ...rolled, player: side + 1, action, paces: 0, lethalChance: 0, points, health: [0, 0] };
}

function roll(
  { duelists, health }: Fray,
  dice: Lanes,
  side: number,
  critBase: number,
  favour: number,
  hitBase: number | undefined,
): Rolled {
  const { archetype, m } = duelists[side];
  const tricked = duelists[1 - side].archetype === TRICKSTER && [VILLAINOUS, HONOURABLE].includes(archetype);
  const bonus = (most: number[]) => Math.floor((most[archetype] * m) / 100);
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
