import type { BytesLike } from "ethers";
import { Dice } from "../../protocol/dice.js";
import type { CardStats } from "../../chain/characters.js";
import { encodeTurn, type Turn } from "./log.js";
import type { Mode } from "./mode.js";

const MAX_TEAM = 5;
const TYPES = 8;
const ROLLS = 1000;

/** A team of cards a side, player 1's side first. */
export type Teams = readonly (readonly CardStats[])[];

/**
 * How a battle ended: 1, 2 or 0 for a draw; who acted in what order, as side * 5 + slot; hp by side and slot; the log.
 */
export interface Battle {
  winner: number;
  order: number[];
  hp: number[][];
  entries: bigint[];
}

/** What an attack does, given its rolls. */
export type Strike = Omit<Turn, "turn" | "attacker" | "attackerSlot" | "defenderSlot">;

interface Guardian extends CardStats {
  readonly side: number;
  readonly slot: number;
}

/** The whole battle of two teams on one seed (32 bytes): the engine of the Solidity engine, word for word. */
export function battle(seed: BytesLike, mode: Mode, teams: Teams): Battle {
  const dice = new Dice(seed);
  const sides = teams.map((team, side) => team.map((card, slot): Guardian => ({ ...card, side, slot })));
  const order = sides.flat().sort(actsBefore(dice.roll(0).word));
  const entries: bigint[] = [];
  while (entries.length < mode.maxTurns && sides.every(isAlive)) {
    for (const attacker of order) {
      const defender = targetOf(attacker, sides[1 - attacker.side]);
      if (attacker.hp === 0 || !defender || entries.length === mode.maxTurns) continue;
      const turn = entries.length + 1;
      const roll = dice.roll(turn);
      const struck = strike(attacker, defender, mode.dodgeCap, roll.lane(0, ROLLS), roll.lane(1, ROLLS));
      defender.hp = struck.defenderHpEnd;
      const places = { attacker: attacker.side + 1, attackerSlot: attacker.slot, defenderSlot: defender.slot };
      entries.push(encodeTurn({ turn, ...places, ...struck }));
    }
  }
  const hp = sides.map((side) => side.map((guardian) => guardian.hp));
  return { winner: winnerOf(hp), order: order.map(placeOf), hp, entries };
}

/** One attack, given its rolls; `defender.hp` is what is left of it. */
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

/** The damage of a hit, at least 1. */
export function damageOf(power: number, defense: number, wasCritical: boolean, typeRelation: number): number {
  const base = Math.max(1, power - Math.floor(defense / 2)) * (wasCritical ? 2 : 1);
  return Math.max(1, Math.floor((base * [100, 115, 85][typeRelation]) / 100));
}

/** 1 if the attacker's type beats the defender's, 2 if it is beaten by it, else 0. */
export function relationOf(attackerType: number, defenderType: number): number {
  if ((attackerType + 1) % TYPES === defenderType) return 1;
  return (defenderType + 1) % TYPES === attackerType ? 2 : 0;
}

/** Faster first, then the higher tie-break (24 bits of the word by place), then the lower place. */
function actsBefore(entry: bigint): (a: Guardian, b: Guardian) => number {
  const tieBreak = (guardian: Guardian) => Number((entry >> BigInt(24 * placeOf(guardian))) & 0xffffffn);
  return (a, b) => b.speed - a.speed || tieBreak(b) - tieBreak(a) || placeOf(a) - placeOf(b);
}

function placeOf({ side, slot }: Guardian): number {
  return side * MAX_TEAM + slot;
}

/** Whoever lives opposite, or the next above it, after the last slot from the first again. */
function targetOf({ slot }: Guardian, enemies: readonly Guardian[]): Guardian | undefined {
  return [...enemies.slice(slot), ...enemies.slice(0, slot)].find(({ hp }) => hp > 0);
}

function isAlive(side: readonly Guardian[]): boolean {
  return side.some(({ hp }) => hp > 0);
}

/** The side with more hp in total. */
function winnerOf(hp: readonly (readonly number[])[]): number {
  const [hp1, hp2] = hp.map((side) => side.reduce((sum, each) => sum + each, 0));
  return hp1 === hp2 ? 0 : hp1 > hp2 ? 1 : 2;
}
