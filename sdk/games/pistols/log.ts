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

/** A blow as its word of the log. */
export function encodeBlow(blow: Blow): bigint {
  const { health } = blow;
  const low = blow.round | (blow.slot << 2) | ((blow.player - 1) << 4) | (blow.action << 5) | (blow.paces << 9);
  const dice = blow.critChance + blow.critDie * 2 ** 7 + blow.hitChance * 2 ** 14 + blow.hitDie * 2 ** 21;
  const outcome = blow.lethalChance + Number(blow.critical) * 2 ** 7 + Number(blow.hit) * 2 ** 8 + blow.points * 2 ** 9;
  return BigInt(low) | (BigInt(dice) << 16n) | (BigInt(outcome) << 44n) | (BigInt(health[0] + health[1] * 4) << 56n);
}

/** A result as the last word of the log. */
export function encodeResult({ winner, pot, honour }: Result): bigint {
  return BigInt(RESULT | (winner << 2) | (pot << 4) | (honour[0] << 8) | (honour[1] << 16));
}

/** Whether a word is the result of a duel. */
export function isResult(word: bigint): boolean {
  const result = resultIn(word);
  return result !== undefined && encodeResult(result) === word;
}

/** A result of the log. @throws InputError for a word that is none. */
export function decodeResult(word: bigint): Result {
  return exactly(word, resultIn(word), encodeResult);
}

function resultIn(word: bigint): Result | undefined {
  const [winner, pot] = [bits(word, 2, 2), bits(word, 4, 2)];
  return winner <= 2 && pot <= 2 ? { winner, pot, honour: [bits(word, 8, 7), bits(word, 16, 7)] } : undefined;
}

/** A blow of the log. @throws InputError for a word that is none. */
export function decodeBlow(word: bigint): Blow {
  const blow: Blow = {
    round: bits(word, 0, 2),
    slot: bits(word, 2, 2),
    player: bits(word, 4, 1) + 1,
    action: bits(word, 5, 4),
    paces: bits(word, 9, 4),
    critChance: bits(word, 16, 7),
    critDie: bits(word, 23, 7),
    hitChance: bits(word, 30, 7),
    hitDie: bits(word, 37, 7),
    lethalChance: bits(word, 44, 7),
    critical: bits(word, 51, 1) === 1,
    hit: bits(word, 52, 1) === 1,
    points: bits(word, 53, 2),
    health: [bits(word, 56, 2), bits(word, 58, 2)],
  };
  return exactly(word, blow.round === RESULT ? undefined : blow, encodeBlow);
}
