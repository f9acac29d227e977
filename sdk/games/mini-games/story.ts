import type { Paint } from "../module.js";
import type { Played } from "./engine.js";
import { kinds } from "./mode.js";

/**
 * Tells a game as lines of text.
 * @param paint Colours the name of a player.
 */
export function linesOf({ kind, values: [value1, value2], flip, result, winner }: Played, paint: Paint): string[] {
  const { title, verb = "plays", names } = kinds[kind];
  const name = (player: number) => paint(`Player ${player}`, player);
  const shown = (value: number) => names?.[value] ?? String(value);
  const lines = [
    `${title[0].toUpperCase()}${title.slice(1)}`,
    `  ${name(1)} ${verb} ${shown(value1)}`,
    `  ${name(2)} ${verb} ${shown(value2)}`,
  ];
  if (flip !== null) lines.push(`  The coin shows ${shown(flip)}`);
  if (result !== 0) lines.push(`  ${name(winner)} wins`);
  else if (winner === 0) lines.push("  A tie: a draw");
  else lines.push(`  A tie, and ties are the challenger's: ${name(1)} wins`);
  return lines;
}
