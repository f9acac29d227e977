import type { BytesLike } from "ethers";
import { Dice, type Roll } from "../../protocol/dice.js";
import { otherSide, playerOf } from "../../protocol/sides.js";
import { encodeTurn, type Turn } from "./log.js";
import type { Mode } from "./mode.js";

/** Fighters in a team. */
export const TEAM_SIZE = 5;
const MAX_ROUNDS = 100;
const MAX_RANGE_PENALTY = 3;
const BPS = 10_000;

/** Tiers of a fighter, 1..3 each: attack, defense, health, speed, range, combo. */
export type Tiers = readonly number[];

/** Tiers of five fighters by side and slot; player 1's side is the first. */
export type Teams = readonly (readonly Tiers[])[];

/** End of a battle. */
export interface Battle {
  /** Player who has won, 1 or 2. */
  winner: number;
  /** Final hp by side and slot. */
  hp: number[][];
  /** Log entries, one per attack. */
  entries: bigint[];
}

/** Values of a fighter in a mode, by its tiers. */
export interface FighterValues {
  readonly attack: number;
  readonly defense: number;
  /** Hp at the start of the battle. */
  readonly hp: number;
  readonly speed: number;
  readonly range: number;
  readonly combo: number;
}

/** A fighter in battle; `hp` is its remaining hp. */
interface Fighter extends Omit<FighterValues, "hp"> {
  readonly side: number;
  readonly slot: number;
  hp: number;
}

/**
 * Fights the whole battle of two teams by the rules of docs/games/auto-battler.md. The log entries equal those of
 * `AutoBattle.sol`.
 * @param seed Seed of the dice, 32 bytes.
 */
export function battle(seed: BytesLike, mode: Mode, teams: Teams): Battle {
  const dice = new Dice(seed);
  const sides = teams.map((team, side) =>
    team.map((tiers, slot): Fighter => ({ side, slot, ...valuesOf(mode, tiers) })),
  );
  const entries: bigint[] = [];
  for (const [round, side, slot] of attackOrder(dice.roll(0).lane(0, 2))) {
    const attacker = sides[side][slot];
    if (attacker.hp === 0) continue;
    const enemies = living(sides[otherSide(side)]);
    if (enemies.length === 0) break;
    const roll = dice.roll(entries.length + 1);
    const target = enemies[roll.lane(0, enemies.length)];
    entries.push(encodeTurn(strike(mode, round, attacker, target, roll)));
  }
  const winner = living(sides[1]).length > living(sides[0]).length ? 2 : 1;
  return { winner, hp: sides.map((side) => side.map((fighter) => fighter.hp)), entries };
}

/** Returns whether a defender dodges, given the dodge roll. */
export function dodges(defenderSpeed: number, attackerSpeed: number, roll: number): boolean {
  return defenderSpeed >= roll * attackerSpeed;
}

/** Returns the range penalty: the number of slots, at most 3, that the target is beyond the attacker's range. */
export function rangePenalty(attackerSlot: number, defenderSlot: number, range: number): number {
  return Math.min(MAX_RANGE_PENALTY, Math.max(0, Math.abs(attackerSlot - defenderSlot) - range));
}

/** Returns the damage factor of a range penalty in basis points. */
export function rangeFactor(mode: Mode, penalty: number): number {
  return penalty === 0 ? BPS : mode.rangeFactors[penalty - 1];
}

/** Returns the damage of a hit, at least 1; factors are in basis points. It is floored once, at the end. */
export function strikeDamage(attack: number, defense: number, factor: number, comboFactor: number): number {
  const strong = attack > defense;
  // Larger products would not be exact in plain numbers.
  const numerator = (strong ? attack * attack : attack) * factor * comboFactor;
  const denominator = (strong ? defense : 1) * BPS * BPS;
  if (numerator <= Number.MAX_SAFE_INTEGER) return Math.max(1, Math.floor(numerator / denominator));
  const exact = BigInt(attack) * BigInt(strong ? attack : 1) * BigInt(factor * comboFactor);
  return Math.max(1, Number(exact / BigInt(denominator)));
}

/**
 * Returns the values of a fighter in a mode.
 * @example
 * ```ts
 * import { defaultMode, valuesOf } from "duello/games/auto-battler";
 *
 * valuesOf(defaultMode, [1, 2, 3, 1, 2, 3]).hp; // => 16
 * ```
 */
export function valuesOf(mode: Mode, [attack, defense, health, speed, range, combo]: Tiers): FighterValues {
  return {
    attack: mode.attackValues[attack - 1],
    defense: mode.defenseValues[defense - 1],
    hp: mode.healthValues[health - 1],
    speed: mode.speedValues[speed - 1],
    range: mode.rangeValues[range - 1],
    combo: mode.comboValues[combo - 1],
  };
}

function living(side: readonly Fighter[]): Fighter[] {
  return side.filter((fighter) => fighter.hp > 0);
}

/** Yields the fighters that may attack, in order; `first` is the side that begins every slot. */
function* attackOrder(first: number): Generator<[round: number, side: number, slot: number]> {
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    for (let slot = 0; slot < TEAM_SIZE; slot++) {
      yield [round, first, slot];
      yield [round, otherSide(first), slot];
    }
  }
}

/** Attacks: takes the damage off the target's hp and returns the turn. */
function strike(mode: Mode, round: number, attacker: Fighter, target: Fighter, roll: Roll): Turn {
  const defenderHpStart = target.hp;
  const randomDodge = roll.lane(1, mode.dodgeMaxRandom + 1);
  const wasDodge = dodges(target.speed, attacker.speed, randomDodge);
  const randomCombo = wasDodge ? 0 : roll.lane(2, mode.comboMaxRandom + 1);
  const wasCombo = !wasDodge && attacker.combo >= randomCombo;
  const penalty = wasDodge ? 0 : rangePenalty(attacker.slot, target.slot, attacker.range);
  const comboFactor = wasCombo ? mode.comboFactor : BPS;
  const damageDealt = wasDodge
    ? 0
    : strikeDamage(attacker.attack, target.defense, rangeFactor(mode, penalty), comboFactor);
  target.hp -= Math.min(target.hp, damageDealt);
  return {
    round,
    attacker: playerOf(attacker.side),
    attackerSlot: attacker.slot,
    defenderSlot: target.slot,
    wasDodge,
    wasCombo,
    wasKill: target.hp === 0,
    rangePenalty: penalty,
    randomDodge,
    randomCombo,
    defenderHpStart,
    defenderHpEnd: target.hp,
    damageDealt,
  };
}
