import {
  chancesOf,
  KindId,
  kinds,
  moveName,
  movesOf,
  Ties,
  type MiniGameFrame,
  type Mode,
} from "duello/games/mini-games";
import { subjectOf } from "../shared/grammar.ts";

const RULES: Readonly<Record<number, string>> = {
  [KindId.RockPaperScissors]: "Rock beats scissors, scissors beat paper, paper beats rock.",
  [KindId.Dice]: "Both set a die at once. The higher one wins.",
  [KindId.StrategyBattle]: "Both name a number at once. The higher one wins.",
  [KindId.Coin]: "Both call the coin. If only one of you is right, that one wins.",
  [KindId.RolledDice]: "Both roll a die. The higher roll wins.",
  [KindId.Undercut]: "Both name a number at once. The higher one wins, but a number just below undercuts it.",
};

/** What rock, paper and scissors each do to the move that they beat. */
const BEATING = ["Rock blunts scissors", "Paper wraps rock", "Scissors cut paper"];

/** Describes the rules of a mode in one line, for a player in a seat. */
export function ruleText({ kind, ties }: Mode, seat: number): string {
  if (ties === Ties.Draw) return `${RULES[kind]} A tie is a draw.`;
  return `${RULES[kind]} ${seat === 1 ? "You win" : "Your opponent wins"} a tie.`;
}

/** Finds the kind of a game by its title. */
export function kindTitled(title: string): number {
  return Number(Object.keys(kinds).find((kind) => kinds[Number(kind)].title === title));
}

/**
 * Describes the result of a move against each possible move of the opponent, e.g. `Beats scissors. Ties with rock.
 * Loses to paper.`
 */
export function effectText(mode: Mode, seat: number, own: number): string {
  const { kind } = mode;
  const others = movesOf(mode);
  const fates = others.map((other) => fateOf(mode, seat, own, other));
  // With a single move there is nothing to distinguish.
  if (others.length === 1) return `${oddsText(fates[0])}.`;
  const groups = new Map<string, number[]>();
  for (const [i, other] of others.entries()) {
    const effect = effectOf(fates[i]);
    groups.set(effect, [...(groups.get(effect) ?? []), other]);
  }
  const worth = (other: number) => fates[others.indexOf(other)].won + fates[others.indexOf(other)].drawn / 2;
  const sorted = [...groups].sort(([, [one]], [, [two]]) => worth(two) - worth(one));
  return sorted.map(([effect, moves]) => `${effect} ${listed(kind, moves)}.`).join(" ");
}

interface Fate {
  /** Probability that the player wins. */
  readonly won: number;
  readonly drawn: number;
}

function fateOf(mode: Mode, seat: number, own: number, other: number): Fate {
  const ends = chancesOf(mode, seat === 1 ? [own, other] : [other, own]);
  const part = (player: number) => ends.filter(({ winner }) => winner === player).length / ends.length;
  return { won: part(seat), drawn: part(0) };
}

function effectOf(fate: Fate): string {
  if (fate.won === 1) return "Beats";
  if (fate.drawn === 1) return "Ties with";
  return fate.won + fate.drawn === 0 ? "Loses to" : `${oddsText(fate)} against`;
}

function oddsText({ won, drawn }: Fate): string {
  const percent = (part: number) => `${Math.round(100 * part)} %`;
  return `${percent(won)} to win${drawn === 0 ? "" : `, ${percent(drawn)} to draw`}`;
}

/** Lists moves in words, neighbouring numbers as a range. */
function listed(kind: number, moves: readonly number[]): string {
  if (kinds[kind].names) return moves.map((move) => moveName(kind, move)).join(" and ");
  const runs: [number, number][] = [];
  for (const move of moves) {
    const run = runs.at(-1);
    if (run && run[1] === move - 1) run[1] = move;
    else runs.push([move, move]);
  }
  const texts = runs.map(([from, to]) =>
    from === to ? `${from}` : to === from + 1 ? `${from}, ${to}` : `${from} to ${to}`,
  );
  return texts.join(", ").replace(/, ([^,]*)$/, " and $1");
}

/** Explains why a game ended as it did. */
export function reasonText(
  { game, values: [one, two], coin, tie, winner }: MiniGameFrame,
  viewer: number,
  names: readonly [string, string],
): string {
  if (tie) return winner === 0 ? "A tie" : `A tie, which ${subjectOf(winner, viewer, names).alsoDoes("win")}`;
  if (coin !== null) return `The coin shows ${coin}`;
  const [own, other] = winner === 1 ? [one, two] : [two, one];
  if (kindTitled(game) === KindId.RockPaperScissors) return BEATING[own];
  return own < other ? `${own} undercuts ${other}` : `${own} beats ${other}`;
}
