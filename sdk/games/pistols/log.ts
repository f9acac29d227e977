import { bits, exactly } from "../../protocol/word.js";
import type { Pair } from "./moves.js";

/** One shot, Light, Heavy or Block. Chances and dice that were not rolled are 0. */
export interface Blow {
  round: number;
  /** 0 in round 1; 1 or 2; 3 at or by one who runs. */
  slot: number;
  /** 1 or 2. */
  player: number;
  /** 1 Light, 2 Heavy, 3 Block, 7 a shot. */
  action: number;
  /** Of a shot; else 0. */
  paces: number;
  critChance: number;
  critDie: number;
  hitChance: number;
  hitDie: number;
  /** Of a shot; else 0. */
  lethalChance: number;
  critical: boolean;
  hit: boolean;
  /** Damage before any Block, 3 for an execution; or what a Block can stop. */
  points: number;
  /** Of both players afterwards. */
  health: Pair<number>;
}

/** How a duel ended. */
export interface Result {
  /** 1, 2 or 0 for a draw. */
  winner: number;
  /** Who takes the pot; 0 if each has its own stake back. */
  pot: number;
  /** What the duel is worth to both records, 0..100. */
  honour: Pair<number>;
}

const RESULT = 3;

/** A blow as its entry of the log. */
export function encodeBlow(blow: Blow): bigint {
  const { health } = blow;
  const low = blow.round | (blow.slot << 2) | ((blow.player - 1) << 4) | (blow.action << 5) | (blow.paces << 9);
  const dice = blow.critChance + blow.critDie * 2 ** 7 + blow.hitChance * 2 ** 14 + blow.hitDie * 2 ** 21;
  const outcome = blow.lethalChance + Number(blow.critical) * 2 ** 7 + Number(blow.hit) * 2 ** 8 + blow.points * 2 ** 9;
  return BigInt(low) | (BigInt(dice) << 16n) | (BigInt(outcome) << 44n) | (BigInt(health[0] + health[1] * 4) << 56n);
}

/** A result as the last entry of the log. */
export function encodeResult({ winner, pot, honour }: Result): bigint {
  return BigInt(RESULT | (winner << 2) | (pot << 4) | (honour[0] << 8) | (honour[1] << 16));
}

/** Whether a word is the result of a duel. */
export function isResult(entry: bigint): boolean {
  const result = resultIn(entry);
  return result !== undefined && encodeResult(result) === entry;
}

/** A result of the log. @throws InputError for a word that is none. */
export function decodeResult(entry: bigint): Result {
  return exactly(entry, resultIn(entry), encodeResult);
}

function resultIn(entry: bigint): Result | undefined {
  const [winner, pot] = [bits(entry, 2, 2), bits(entry, 4, 2)];
  return winner <= 2 && pot <= 2 ? { winner, pot, honour: [bits(entry, 8, 7), bits(entry, 16, 7)] } : undefined;
}

/** A blow of the log. @throws InputError for a word that is none. */
export function decodeBlow(entry: bigint): Blow {
  const blow: Blow = {
    round: bits(entry, 0, 2),
    slot: bits(entry, 2, 2),
    player: bits(entry, 4, 1) + 1,
    action: bits(entry, 5, 4),
    paces: bits(entry, 9, 4),
    critChance: bits(entry, 16, 7),
    critDie: bits(entry, 23, 7),
    hitChance: bits(entry, 30, 7),
    hitDie: bits(entry, 37, 7),
    lethalChance: bits(entry, 44, 7),
    critical: bits(entry, 51, 1) === 1,
    hit: bits(entry, 52, 1) === 1,
    points: bits(entry, 53, 2),
    health: [bits(entry, 56, 2), bits(entry, 58, 2)],
  };
  return exactly(entry, blow.round === RESULT ? undefined : blow, encodeBlow);
}
