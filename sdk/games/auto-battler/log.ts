import { layout, pack, unpackEntry, type Values } from "../../protocol/layout.js";
import { pairOf, playerOf, sideOf } from "../../protocol/sides.js";

const SLOTS = 5;
/** Hp of the healthiest fighter that a mode allows. */
const MAX_HP = 65_535;
/** Most damage that a fighter's counter holds. */
const MAX_DAMAGE = 2 ** 48 - 1;

/** Fields of a log entry, in bits. */
export const LOG = layout({
  round: [0, 7],
  side: [7, 1],
  attackerSlot: [8, 3],
  defenderSlot: [11, 3],
  wasDodge: [14, 1],
  wasCombo: [15, 1],
  wasKill: [16, 1],
  rangePenalty: [17, 2],
  randomDodge: [32, 16],
  randomCombo: [48, 16],
  defenderHpStart: [64, 32],
  defenderHpEnd: [96, 32],
  damageDealt: [128, 64],
});

/** One attack. Rolls that were not made are 0. */
export interface Turn {
  /** Round of the battle, 1..100. */
  round: number;
  /** Player who attacks, 1 or 2. */
  attacker: number;
  /** Slot of the attacking fighter in its team, 0..4. */
  attackerSlot: number;
  /** Slot of the attacked fighter in its team, 0..4. */
  defenderSlot: number;
  wasDodge: boolean;
  wasCombo: boolean;
  wasKill: boolean;
  /** Slots that the target is beyond the attacker's range, at most 3; 0 in range and on a dodge. */
  rangePenalty: number;
  randomDodge: number;
  randomCombo: number;
  defenderHpStart: number;
  defenderHpEnd: number;
  /** Damage before it is capped at the defender's hp. */
  damageDealt: number;
}

/** A fighter's token, and the character that it shows. */
interface FighterIds {
  assetId: bigint;
  charId: bigint;
}

/** Tokens and characters of the two fighters of a turn. */
export interface TurnIds {
  attackerAssetId: bigint;
  attackerCharId: bigint;
  defenderAssetId: bigint;
  defenderCharId: bigint;
}

/** Encodes a turn as an entry of the log. */
export function encodeTurn(turn: Turn): bigint {
  return pack(LOG, {
    ...turn,
    side: sideOf(turn.attacker),
    wasDodge: Number(turn.wasDodge),
    wasCombo: Number(turn.wasCombo),
    wasKill: Number(turn.wasKill),
  });
}

/**
 * Decodes an entry of the log.
 * @throws InputError for an entry that encodes no turn.
 */
export function decodeTurn(entry: bigint): Turn {
  const { round, side, ...rest } = unpackEntry(LOG, entry, isPossible);
  return {
    round,
    attacker: playerOf(side),
    ...rest,
    wasDodge: rest.wasDodge === 1,
    wasCombo: rest.wasCombo === 1,
    wasKill: rest.wasKill === 1,
  };
}

/** Names the tokens and characters of a turn, given those of all fighters by side and slot. */
export function idsOfTurn(turn: Turn, teams: readonly (readonly FighterIds[])[]): TurnIds {
  const { attacker, defender } = pairOf(turn, teams);
  return {
    attackerAssetId: attacker.assetId,
    attackerCharId: attacker.charId,
    defenderAssetId: defender.assetId,
    defenderCharId: defender.charId,
  };
}

/** Returns whether a turn can have these fields. */
function isPossible(fields: Values<typeof LOG>): boolean {
  const haveSlots = fields.attackerSlot < SLOTS && fields.defenderSlot < SLOTS;
  const haveHp = fields.defenderHpStart <= MAX_HP && fields.defenderHpEnd <= MAX_HP;
  return haveSlots && haveHp && fields.damageDealt <= MAX_DAMAGE;
}
