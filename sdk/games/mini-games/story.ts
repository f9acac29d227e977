import { upperFirst } from "../../protocol/text.js";
import type { Paint } from "../module.js";
import type { Played } from "./engine.js";
import { KindId, kinds } from "./mode.js";

/** Past-tense verbs for moves; the default is `played`, as in the source's log. */
const PAST: Readonly<Record<number, string>> = {
  [KindId.Dice]: "rolled",
  [KindId.Coin]: "called",
  [KindId.RolledDice]: "rolled",
};

/**
 * Describes a game as lines of text.
 * @param paint Colours the name of a player.
 */
export function linesOf({ kind, values: [value1, value2], flip, result, winner }: Played, paint: Paint): string[] {
  const { title, verb = "plays", names } = kinds[kind];
  const name = (player: number) => paint(`Player ${player}`, player);
  const shown = (value: number) => names?.[value] ?? String(value);
  const lines = [upperFirst(title), `  ${name(1)} ${verb} ${shown(value1)}`, `  ${name(2)} ${verb} ${shown(value2)}`];
  if (flip !== null) lines.push(`  The coin shows ${shown(flip)}`);
  if (result !== 0) lines.push(`  ${name(winner)} wins`);
  else if (winner === 0) lines.push("  A tie: a draw");
  else lines.push(`  A tie, and ties are the challenger's: ${name(1)} wins`);
  return lines;
}

/**
 * Describes the result of a game between a program and a player in one line, as the Arena Platform logs it: `Dice: AI
 * rolled 5, player rolled 3. AI wins, 5 > 3.`
 * @param side Side of the program, 0 or 1.
 */
export function resultText({ kind, values, flip, result, winner }: Played, side: number): string {
  const { title, names } = kinds[kind];
  const verb = PAST[kind] ?? "played";
  const shown = (value: number) => names?.[value] ?? String(value);
  const moves = `AI ${verb} ${shown(values[side])}, player ${verb} ${shown(values[1 - side])}`;
  const coin = flip === null ? "" : ` The coin landed on ${shown(flip)}.`;
  const wins = `${winner === side + 1 ? "AI" : "Player"} wins`;
  let end = wins;
  if (winner === 0) end = "It is a tie and a draw";
  else if (result === 0) end += ", as ties are the challenger's";
  else if (flip === null) end += `, ${reasonOf(kind, shown(values[result - 1]), shown(values[2 - result]))}`;
  return `${upperFirst(title)}: ${moves}.${coin} ${end}.`;
}

function reasonOf(kind: number, won: string, lost: string): string {
  if (kind === KindId.RockPaperScissors) return `${won} beats ${lost}`;
  return Number(won) > Number(lost) ? `${won} > ${lost}` : `${won} undercuts ${lost}`;
}
