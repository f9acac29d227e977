import { toNumber } from "ethers";
import type { History } from "../../chain/history.js";
import type { MatchRecord } from "../../chain/record.js";
import type { Hex } from "../../protocol/hex.js";
import type { Paint } from "../module.js";
import { roundTexts } from "../revealed-rounds.js";
import type { Played } from "./engine.js";
import { kinds, modeOfHash } from "./mode.js";
import { moveRound } from "./moves.js";
import { decodeLog } from "./replay.js";

/**
 * Tells the game of a match as lines of text.
 * @param paint Colours the name of a player.
 */
export async function story(record: MatchRecord, _history: History, paint: Paint): Promise<string[]> {
  return (await decodeLog(record)).flatMap((game) => linesOf(game, paint));
}

function linesOf({ kind, values: [value1, value2], flip, result, winner }: Played, paint: Paint): string[] {
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

/** Tells what the players of a match did: their moves, by name where they have names. */
export async function actionTexts(record: MatchRecord): Promise<string[]> {
  const { names } = kinds[modeOfHash(record.terms.mode).kind];
  const textOf = (move: Hex) => names?.[toNumber(move)] ?? String(toNumber(move));
  return roundTexts(record, moveRound.lengths, () => "a move", textOf);
}
