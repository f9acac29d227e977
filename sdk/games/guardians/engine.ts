import type { BytesLike } from "ethers";
import { Dice } from "../../protocol/dice.js";
import type { CardStats } from "./cards.js";
import { otherSide, playerOf } from "../../protocol/sides.js";
import { encodeTurn, type Turn } from "./log.js";
import { MAX_TEAM, type Mode } from "./mode.js";

const TYPES = 8;
const ROLLS = 1000;
const TIE_BREAK_BITS = 24;
/** Damage in percent, by the relation of the types. */
const TYPE_FACTORS = [100, 115, 85];

/** Cards by side and slot; player 1's side is the first. */
export type Teams = readonly (readonly CardStats[])[];

/** End of a battle. */
export interface Battle {
  /** Player who has won, 1 or 2; 0 for a draw. */
  winner: number;
  /** Cards in the order in which they act, as side * 5 + slot. */
  order: number[];
  /** Final hp by side and slot. */
  hp: number[][];
  /** Log entries, one per attack. */
  entries: bigint[];
}

/** Outcome of an attack, given its rolls. */
type Strike = Omit<Turn, "turn" | "attacker" | "attackerSlot" | "defenderSlot">;

/** A card in battle; `hp` is its remaining hp. */
interface Guardian extends CardStats {
  readonly side: number;
  readonly slot: number;
}

/**
 * Fights the whole battle of two teams by the rules of docs/games/guardians.md. The log entries equal those of
 * `GuardianBattle.sol`.
 * @param seed Seed of the dice, 32 bytes.
 */
export function battle(seed: BytesLike, mode: Mode, teams: Teams): Battle {
  const dice = new Dice(seed);
  const sides = teams.map((team, side) => team.map((card, slot): Guardian => ({ ...card, side, slot })));
  const order = sides.flat().sort(actsBefore(dice.roll(0).word));
  const entries: bigint[] = [];
  while (entries.length < mode.maxTurns && sides.every(isAlive)) {
    for (const attacker of order) {
      if (attacker.hp === 0 || entries.length === mode.maxTurns) continue;
      const defender = targetOf(attacker, sides[otherSide(attacker.side)]);
      if (!defender) continue;
      const turn = entries.length + 1;
      const roll = dice.roll(turn);
      const struck = strike(attacker, defender, mode.dodgeCap, roll.lane(0, ROLLS), roll.lane(1, ROLLS));
      defender.hp = struck.defenderHpEnd;
      entries.push(
        encodeTurn({
          ...struck,
          turn,
          attacker: playerOf(attacker.side),
          attackerSlot: attacker.slot,
          defenderSlot: defender.slot,
        }),
      );
    }
  }
  const hp = sides.map((side) => side.map((guardian) => guardian.hp));
  return { winner: winnerOf(hp), order: order.map(placeOf), hp, entries };
}

/** Decides one attack, given its rolls; `defender.hp` is the defender's remaining hp. */
export function strike(
  attacker: CardStats,
  defender: CardStats,
  dodgeCap: number,
  randomDodge: number,
  randomCritical: number,
): Strike {
  const wasDodge = randomDodge < defender.luck && randomDodge < dodgeCap;
  const wasCritical = !wasDodge && randomCritical < attacker.critical;
  const typeRelation = relationOf(attacker.type, defender.type);
  const damageDealt = wasDodge ? 0 : damageOf(attacker.power, defender.defense, wasCritical, typeRelation);
  const defenderHpEnd = Math.max(0, defender.hp - damageDealt);
  return {
    wasKill: defenderHpEnd === 0,
    typeRelation,
    wasDodge,
    wasCritical,
    randomDodge,
    randomCritical: wasDodge ? 0 : randomCritical,
    defenderHpStart: defender.hp,
    defenderHpEnd,
    damageDealt,
  };
}

/** Returns the damage of a hit, at least 1. */
export function damageOf(power: number, defense: number, wasCritical: boolean, typeRelation: number): number {
  const base = Math.max(1, power - Math.floor(defense / 2)) * (wasCritical ? 2 : 1);
  return Math.max(1, Math.floor((base * TYPE_FACTORS[typeRelation]) / 100));
}

/**
 * Compares types: 1 if the attacker's beats the defender's, 2 if the defender's beats the attacker's, otherwise 0.
 * @example
 * ```ts
 * import { relationOf } from "duello/games/guardians";
 *
 * relationOf(0, 1); // => 1
 * relationOf(1, 0); // => 2
 * ```
 */
export function relationOf(attackerType: number, defenderType: number): number {
  if ((attackerType + 1) % TYPES === defenderType) return 1;
  return (defenderType + 1) % TYPES === attackerType ? 2 : 0;
}

/** Orders guardians by speed, fastest first. Higher 24 bits of `dice` break ties, then lower places. */
function actsBefore(dice: bigint): (a: Guardian, b: Guardian) => number {
  const tieBreak = (guardian: Guardian) =>
    Number(BigInt.asUintN(TIE_BREAK_BITS, dice >> BigInt(TIE_BREAK_BITS * placeOf(guardian))));
  return (a, b) => b.speed - a.speed || tieBreak(b) - tieBreak(a) || placeOf(a) - placeOf(b);
}

function placeOf({ side, slot }: Guardian): number {
  return side * MAX_TEAM + slot;
}

/** Finds the living enemy opposite or, if it is dead, in the next higher slot; slot 0 follows the last slot. */
function targetOf({ slot }: Guardian, enemies: readonly Guardian[]): Guardian | undefined {
  for (let ahead = 0; ahead < enemies.length; ahead++) {
    const enemy = enemies[(slot + ahead) % enemies.length];
    if (enemy.hp > 0) return enemy;
  }
  return undefined;
}

function isAlive(side: readonly Guardian[]): boolean {
  return side.some(({ hp }) => hp > 0);
}

/** Returns the player with more hp in total, 1 or 2; 0 for a draw. */
function winnerOf(hp: readonly (readonly number[])[]): number {
  const [hp1, hp2] = hp.map((side) => side.reduce((sum, each) => sum + each, 0));
  return hp1 === hp2 ? 0 : hp1 > hp2 ? 1 : 2;
}
