import type { BytesLike } from "ethers";
import { Dice } from "../../protocol/dice.js";
import { bits, exactly } from "../../protocol/word.js";
import type { Mode } from "./mode.js";

/** A game that was played. Players are 1 and 2; a `result` of 0 is a tie, a `winner` of 0 a draw. */
export interface Played {
  /** The moves, or for rolled dice the rolls. */
  values: [number, number];
  /** How the coin fell; null where none is flipped. */
  flip: number | null;
  kind: number;
  /** Before the tie rule. */
  result: number;
  /** After it. */
  winner: number;
}

type Pair = readonly [number, number];

const SIDES = 6;
const COIN = 3;
const ROLLED = 5;

/** What each of rock, paper and scissors beats. */
const BEATEN = [2, 0, 1];

/** Who wins between two values, by kind: 0 is a tie. */
const rules: Readonly<Record<number, (values: Pair, flip: number | null) => number>> = {
  0: ([one, two]) => (BEATEN[one] === two ? 1 : BEATEN[two] === one ? 2 : 0),
  1: higher,
  2: higher,
  3: ([one, two], flip) => (one === two ? 0 : one === flip ? 1 : 2),
  5: higher,
  6: ([one, two]) => (Math.abs(one - two) === 1 ? higher([two, one]) : higher([one, two])),
};

/** One game of two valid moves on one seed (32 bytes): the engine of the Solidity engine. */
export function play(seed: BytesLike, mode: Mode, moves: Pair): Played {
  const { kind } = mode;
  const roll = new Dice(seed).roll(0);
  const values: [number, number] = kind === ROLLED ? [1 + roll.lane(0, SIDES), 1 + roll.lane(1, SIDES)] : [...moves];
  const flip = kind === COIN ? roll.lane(0, 2) : null;
  return { values, flip, kind, ...judge(mode, values, flip) };
}

/** Who wins by the values and the coin, null where none is flipped. */
export function judge({ kind, ties }: Mode, values: Pair, flip: number | null): Pick<Played, "result" | "winner"> {
  const result = rules[kind](values, flip);
  return { result, winner: result === 0 && ties === 0 ? 1 : result };
}

/** All that dice may make of two valid moves, each as likely as the others. */
export function chancesOf(mode: Mode, moves: Pair): Pick<Played, "result" | "winner">[] {
  if (mode.kind === COIN) return [0, 1].map((flip) => judge(mode, moves, flip));
  if (mode.kind !== ROLLED) return [judge(mode, moves, null)];
  const sides = Array.from({ length: SIDES }, (_, i) => i + 1);
  return sides.flatMap((one) => sides.map((two) => judge(mode, [one, two], null)));
}

/** A game as its entry of the log. */
export function encodeGame({ values, flip, kind, result, winner }: Played): bigint {
  const low = values[0] + values[1] * 2 ** 8 + (flip ?? 0) * 2 ** 16 + kind * 2 ** 24;
  return BigInt(low + result * 2 ** 32 + winner * 2 ** 34);
}

/** A entry of the log as the game it tells. @throws InputError for a word that tells none. */
export function decodeGame(entry: bigint): Played {
  const kind = bits(entry, 24, 8);
  const game: Played = {
    values: [bits(entry, 0, 8), bits(entry, 8, 8)],
    flip: kind === COIN ? bits(entry, 16, 8) : null,
    kind,
    result: bits(entry, 32, 2),
    winner: bits(entry, 34, 2),
  };
  const isFit = kind in rules && game.result <= 2 && game.winner <= 2;
  return exactly(entry, isFit ? game : undefined, encodeGame);
}

function higher([one, two]: Pair): number {
  return one === two ? 0 : one > two ? 1 : 2;
}
