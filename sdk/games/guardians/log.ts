import { layout, pack, unpackEntry, type Values } from "../../protocol/layout.js";
import { playerOf, sideOf } from "../../protocol/sides.js";

/** Fields of a log entry, in bits. */
export const LOG = layout({
  turn: [0, 10],
  side: [10, 1],
  attackerSlot: [11, 3],
  defenderSlot: [14, 3],
  wasKill: [17, 1],
  typeRelation: [18, 2],
  wasDodge: [20, 1],
  wasCritical: [21, 1],
  randomDodge: [32, 16],
  randomCritical: [48, 16],
  defenderHpStart: [64, 32],
  defenderHpEnd: [96, 32],
  damageDealt: [128, 32],
});

/** Highest value of `typeRelation`. */
const DISADVANTAGE = 2;
/** Hp of the healthiest card that can be minted. */
const MAX_HP = 65_535;

/** One attack. Rolls that were not made are 0. */
export interface Turn {
  /** Number of the attack in the battle, from 1. */
  turn: number;
  /** Player who attacks, 1 or 2. */
  attacker: number;
  /** Slot of the attacking card in its team, from 0. */
  attackerSlot: number;
  /** Slot of the attacked card in its team, from 0. */
  defenderSlot: number;
  wasKill: boolean;
  /** 0 neutral, 1 the attacker's type is stronger, 2 the defender's type is stronger; also set on a dodge. */
  typeRelation: number;
  wasDodge: boolean;
  wasCritical: boolean;
  randomDodge: number;
  randomCritical: number;
  defenderHpStart: number;
  defenderHpEnd: number;
  /** Damage before it is capped at the defender's hp. */
  damageDealt: number;
}

/** Encodes a turn as an entry of the log. */
export function encodeTurn(turn: Turn): bigint {
  return pack(LOG, {
    ...turn,
    side: sideOf(turn.attacker),
    wasKill: Number(turn.wasKill),
    wasDodge: Number(turn.wasDodge),
    wasCritical: Number(turn.wasCritical),
  });
}

/**
 * Decodes an entry of the log.
 * @throws InputError for an entry that encodes no turn.
 */
export function decodeTurn(entry: bigint): Turn {
  const { turn, side, ...rest } = unpackEntry(LOG, entry, isPossible);
  return {
    turn,
    attacker: playerOf(side),
    ...rest,
    wasKill: rest.wasKill === 1,
    wasDodge: rest.wasDodge === 1,
    wasCritical: rest.wasCritical === 1,
  };
}

/** Returns whether a turn can have these fields. */
function isPossible({ typeRelation, defenderHpStart, defenderHpEnd }: Values<typeof LOG>): boolean {
  return typeRelation <= DISADVANTAGE && defenderHpStart <= MAX_HP && defenderHpEnd <= MAX_HP;
}
