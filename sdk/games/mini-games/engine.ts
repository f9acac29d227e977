import type { BytesLike } from "ethers";
import { Dice } from "../../protocol/dice.js";
import { KindId, Ties, type Mode } from "./mode.js";

/** A played game. */
export interface Played extends Judgement {
  /** Moves of player 1 and player 2, or their rolls if dice are rolled. */
  values: [number, number];
  /** Side on which the coin fell: 0 heads, 1 tails; null if no coin is flipped. */
  flip: number | null;
  /** Kind of the game, one of `KindId`. */
  kind: number;
}

/** Result of a game. */
export interface Judgement {
  /** Player with the better result before the rule for ties applies, 1 or 2; 0 for a tie. */
  result: number;
  /** Player who has won, 1 or 2; 0 for a draw. */
  winner: number;
}

type Pair = readonly [number, number];

/** Sides of a die. */
const SIDES = 6;

/** Move that each of rock, paper and scissors beats. */
const BEATEN = [2, 0, 1];

/** Player who wins between two values, by kind; 0 for a tie. */
const rules: Readonly<Record<number, (values: Pair, flip: number | null) => number>> = {
  [KindId.RockPaperScissors]: ([one, two]) => (BEATEN[one] === two ? 1 : BEATEN[two] === one ? 2 : 0),
  [KindId.Dice]: higher,
  [KindId.StrategyBattle]: higher,
  [KindId.Coin]: ([one, two], flip) => (one === two ? 0 : one === flip ? 1 : 2),
  [KindId.RolledDice]: higher,
  [KindId.Undercut]: ([one, two]) => (Math.abs(one - two) === 1 ? higher([two, one]) : higher([one, two])),
};

/**
 * Plays one game of two valid moves by the rules of docs/games/mini-games.md.
 * @param seed Seed of the dice, 32 bytes.
 */
export function play(seed: BytesLike, mode: Mode, moves: Pair): Played {
  const { kind } = mode;
  const roll = new Dice(seed).roll(0);
  const isRolled = kind === KindId.RolledDice;
  const values: [number, number] = isRolled ? [1 + roll.lane(0, SIDES), 1 + roll.lane(1, SIDES)] : [...moves];
  const flip = kind === KindId.Coin ? roll.lane(0, 2) : null;
  return { values, flip, kind, ...judge(mode, values, flip) };
}

/**
 * Decides a game, given its values and the side of the coin (null if no coin is flipped).
 * @example
 * ```ts
 * import { judge, KindId, Ties } from "duello/games/mini-games";
 *
 * const mode = { kind: KindId.RockPaperScissors, ties: Ties.Draw };
 * judge(mode, [1, 0], null).winner; // => 1
 * ```
 */
export function judge({ kind, ties }: Mode, values: Pair, flip: number | null): Judgement {
  const result = rules[kind](values, flip);
  return { result, winner: result === 0 && ties === Ties.ToPlayer1 ? 1 : result };
}

/**
 * Lists the results that two valid moves can have with different dice, all equally likely.
 * @example
 * ```ts
 * import { chancesOf, KindId, Ties } from "duello/games/mini-games";
 *
 * const mode = { kind: KindId.Coin, ties: Ties.Draw };
 * chancesOf(mode, [0, 1]).length; // => 2
 * ```
 */
export function chancesOf(mode: Mode, moves: Pair): Judgement[] {
  if (mode.kind === KindId.Coin) return [0, 1].map((flip) => judge(mode, moves, flip));
  if (mode.kind !== KindId.RolledDice) return [judge(mode, moves, null)];
  const sides = Array.from({ length: SIDES }, (_, i) => i + 1);
  return sides.flatMap((one) => sides.map((two) => judge(mode, [one, two], null)));
}

function higher([one, two]: Pair): number {
  return one === two ? 0 : one > two ? 1 : 2;
}
