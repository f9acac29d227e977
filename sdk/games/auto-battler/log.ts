import { bits, exactly } from "../../protocol/word.js";

const SLOTS = 5;

/** One attack. `damageDealt` is the damage before it is capped at the defender's hp; rolls that were not made are 0. */
export interface Turn {
  /** 1..100. */
  round: number;
  /** The attacking player, 1 or 2. */
  attacker: number;
  attackerSlot: number;
  defenderSlot: number;
  wasDodge: boolean;
  wasCombo: boolean;
  wasKill: boolean;
  /** 0..3, the index of the range factor plus one; 0 in range and on a dodge. */
  rangePenalty: number;
  randomDodge: number;
  randomCombo: number;
  defenderHpStart: number;
  defenderHpEnd: number;
  damageDealt: number;
}

/** Which token a fighter is and which character the token shows. */
export interface FighterIds {
  assetId: bigint;
  charId: bigint;
}

/** The ids of a turn's two fighters. */
export interface TurnIds {
  attackerAssetId: bigint;
  attackerCharId: bigint;
  defenderAssetId: bigint;
  defenderCharId: bigint;
}

/** A turn as its entry of the log. */
export function encodeTurn(turn: Turn): bigint {
  const slots = turn.attackerSlot | (turn.defenderSlot << 3);
  const flags = Number(turn.wasDodge) | (Number(turn.wasCombo) << 1) | (Number(turn.wasKill) << 2);
  const head = turn.round | ((turn.attacker - 1) << 7) | (slots << 8) | (flags << 14) | (turn.rangePenalty << 17);
  return (
    BigInt(head) |
    (BigInt(turn.randomDodge + turn.randomCombo * 2 ** 16) << 32n) |
    (BigInt(turn.defenderHpStart + turn.defenderHpEnd * 2 ** 32) << 64n) |
    (BigInt(turn.damageDealt) << 128n)
  );
}

/** A entry of the log as the turn it tells. @throws InputError for a word that tells none. */
export function decodeTurn(entry: bigint): Turn {
  const turn = {
    round: bits(entry, 0, 7),
    attacker: bits(entry, 7, 1) + 1,
    attackerSlot: bits(entry, 8, 3),
    defenderSlot: bits(entry, 11, 3),
    wasDodge: bits(entry, 14, 1) === 1,
    wasCombo: bits(entry, 15, 1) === 1,
    wasKill: bits(entry, 16, 1) === 1,
    rangePenalty: bits(entry, 17, 2),
    randomDodge: bits(entry, 32, 16),
    randomCombo: bits(entry, 48, 16),
    defenderHpStart: bits(entry, 64, 32),
    defenderHpEnd: bits(entry, 96, 32),
    damageDealt: bits(entry, 128, 53),
  };
  const isFit = turn.attackerSlot < SLOTS && turn.defenderSlot < SLOTS;
  return exactly(entry, isFit ? turn : undefined, encodeTurn);
}

/** The ids that belong to a turn; `teams` lists five fighters a side, player 1's first. */
export function turnIds(turn: Turn, teams: readonly (readonly FighterIds[])[]): TurnIds {
  const attacker = teams[turn.attacker - 1][turn.attackerSlot];
  const defender = teams[2 - turn.attacker][turn.defenderSlot];
  return {
    attackerAssetId: attacker.assetId,
    attackerCharId: attacker.charId,
    defenderAssetId: defender.assetId,
    defenderCharId: defender.charId,
  };
}
