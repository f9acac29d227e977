import type { MatchRecord } from "../../chain/record.js";
import { layout, pack, unpack, unpackEntry, type Values } from "../../protocol/layout.js";
import { playerOf, sideOf } from "../../protocol/sides.js";
import type { Pair } from "./legal-moves.js";

/** Shot, Light, Heavy or Block that rolled a die. A chance and its die are 0 if the die was not rolled. */
export interface Blow {
  /** Round of the blow, 1 or 2. */
  round: number;
  /** Slot of the blow: 0 in round 1; 1 or 2 in round 2; 3 for an attack on or by a duelist who runs. */
  slot: number;
  /** Player who shoots or strikes, 1 or 2. */
  player: number;
  /** Action of the blow: 1 Light, 2 Heavy, 3 Block, 7 shot. */
  action: number;
  /** Paces of a shot; otherwise 0. */
  paces: number;
  critChance: number;
  critDie: number;
  hitChance: number;
  hitDie: number;
  /** Lethal chance of a shot; otherwise 0. */
  lethalChance: number;
  critical: boolean;
  hit: boolean;
  /** Damage before any Block, 3 for an execution; for a Block, the points that it can stop. */
  points: number;
  /** Health of both players afterwards. */
  health: Pair<number>;
}

/** End of a duel. */
export interface Result {
  /** Winner of the duel: 1, 2 or 0 for a draw. */
  winner: number;
  /** Taker of the pot: 1, 2 or 0 if each player gets its own stake back. */
  pot: number;
  /** Duel honour that both records get, 0..100. */
  honour: Pair<number>;
}

/** Fields of the log entry of a blow, in bits. */
export const BLOW = layout({
  round: [0, 2],
  slot: [2, 2],
  side: [4, 1],
  action: [5, 4],
  paces: [9, 4],
  critChance: [16, 7],
  critDie: [23, 7],
  hitChance: [30, 7],
  hitDie: [37, 7],
  lethalChance: [44, 7],
  critical: [51, 1],
  hit: [52, 1],
  points: [53, 2],
  health1: [56, 2],
  health2: [58, 2],
});

/** Fields of the last log entry of a duel, its result, in bits. */
export const RESULT = layout({ round: [0, 2], winner: [2, 2], taker: [4, 2], honour1: [8, 7], honour2: [16, 7] });

/** Value of the round field that marks an entry as a result. */
const RESULT_ROUND = 3;

/** Encodes a blow as its log entry. */
export function encodeBlow(blow: Blow): bigint {
  return pack(BLOW, {
    round: blow.round,
    slot: blow.slot,
    side: sideOf(blow.player),
    action: blow.action,
    paces: blow.paces,
    critChance: blow.critChance,
    critDie: blow.critDie,
    hitChance: blow.hitChance,
    hitDie: blow.hitDie,
    lethalChance: blow.lethalChance,
    critical: Number(blow.critical),
    hit: Number(blow.hit),
    points: blow.points,
    health1: blow.health[0],
    health2: blow.health[1],
  });
}

/**
 * Decodes the log entry of a blow.
 * @throws InputError for any other word.
 */
export function decodeBlow(entry: bigint): Blow {
  const values = unpackEntry(BLOW, entry, ({ round }) => round !== RESULT_ROUND);
  return {
    round: values.round,
    slot: values.slot,
    player: playerOf(values.side),
    action: values.action,
    paces: values.paces,
    critChance: values.critChance,
    critDie: values.critDie,
    hitChance: values.hitChance,
    hitDie: values.hitDie,
    lethalChance: values.lethalChance,
    critical: values.critical === 1,
    hit: values.hit === 1,
    points: values.points,
    health: [values.health1, values.health2],
  };
}

/** Encodes a result as the last log entry of a duel. */
export function encodeResult({ winner, pot, honour }: Result): bigint {
  return pack(RESULT, { round: RESULT_ROUND, winner, taker: pot, honour1: honour[0], honour2: honour[1] });
}

/**
 * Decodes the log entry of a result.
 * @throws InputError for any other word.
 */
export function decodeResult(entry: bigint): Result {
  const { winner, taker, honour1, honour2 } = unpackEntry(RESULT, entry, canBeResult);
  return { winner, pot: taker, honour: [honour1, honour2] };
}

/** Returns whether a word is the log entry of a result. */
export function isResult(entry: bigint): boolean {
  const values = unpack(RESULT, entry);
  return canBeResult(values) && pack(RESULT, values) === entry;
}

/**
 * Decodes the log of a match: its blows and, once it is over, its result.
 * @throws InputError for an entry that is neither.
 */
export function decodeLog({ logs }: MatchRecord): Promise<(Blow | Result)[]> {
  const entries = logs.flatMap((log) => log.entries);
  return Promise.resolve(entries.map((entry) => (isResult(entry) ? decodeResult(entry) : decodeBlow(entry))));
}

function canBeResult({ round, winner, taker }: Values<typeof RESULT>): boolean {
  return round === RESULT_ROUND && winner <= 2 && taker <= 2;
}
