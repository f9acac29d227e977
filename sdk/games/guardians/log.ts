import { bits, exactly } from "../../protocol/word.js";

const RELATIONS = 3;

/** One attack. `damageDealt` is the damage before it is capped at the defender's hp; rolls that were not made are 0. */
export interface Turn {
  /** From 1. */
  turn: number;
  /** The attacking player, 1 or 2. */
  attacker: number;
  attackerSlot: number;
  defenderSlot: number;
  wasKill: boolean;
  /** 0 neutral, 1 the attacker's type beats the defender's, 2 the other way round; on a dodge too. */
  typeRelation: number;
  wasDodge: boolean;
  wasCritical: boolean;
  randomDodge: number;
  randomCritical: number;
  defenderHpStart: number;
  defenderHpEnd: number;
  damageDealt: number;
}

/** A turn as its entry of the log. */
export function encodeTurn(turn: Turn): bigint {
  const places = ((turn.attacker - 1) << 10) | (turn.attackerSlot << 11) | (turn.defenderSlot << 14);
  const flags = Number(turn.wasKill) | (Number(turn.wasDodge) << 3) | (Number(turn.wasCritical) << 4);
  const head = turn.turn | places | (flags << 17) | (turn.typeRelation << 18);
  return (
    BigInt(head) |
    (BigInt(turn.randomDodge + turn.randomCritical * 2 ** 16) << 32n) |
    (BigInt(turn.defenderHpStart + turn.defenderHpEnd * 2 ** 32) << 64n) |
    (BigInt(turn.damageDealt) << 128n)
  );
}

/** A entry of the log as the turn it tells. @throws InputError for a word that tells none. */
export function decodeTurn(entry: bigint): Turn {
  const turn = {
    turn: bits(entry, 0, 10),
    attacker: bits(entry, 10, 1) + 1,
    attackerSlot: bits(entry, 11, 3),
    defenderSlot: bits(entry, 14, 3),
    wasKill: bits(entry, 17, 1) === 1,
    typeRelation: bits(entry, 18, 2),
    wasDodge: bits(entry, 20, 1) === 1,
    wasCritical: bits(entry, 21, 1) === 1,
    randomDodge: bits(entry, 32, 16),
    randomCritical: bits(entry, 48, 16),
    defenderHpStart: bits(entry, 64, 32),
    defenderHpEnd: bits(entry, 96, 32),
    damageDealt: bits(entry, 128, 32),
  };
  return exactly(entry, turn.typeRelation < RELATIONS ? turn : undefined, encodeTurn);
}
