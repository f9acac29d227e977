import { PerfectStrategy } from "../../bots/perfect.js";
import { cryptoSource } from "../../bots/source.js";
import type { Assessment } from "../assessment.js";
import type { Turn } from "../moves.js";
import { boardOf, freeCells, NO_MARK, play } from "./engine.js";
import { decodeMark } from "./log.js";
import { modeOf, Ties } from "./mode.js";
import { cellsOf } from "./moves.js";

/** Strategies that never make a mistake, by the rule for ties. */
export const perfectPlayers = [perfectPlayer(Ties.ToPlayer1), perfectPlayer(Ties.Draw)];

/** Chooses a perfect mark, and estimates how likely its seat is to win. */
export async function assess({ record, game, mode, history }: Turn): Promise<Assessment<number>> {
  const { ties } = await modeOf({ game, mode }, history);
  const player = perfectPlayers[ties];
  const cells = record ? cellsOf(record) : [];
  return { move: player.choose(cells, cryptoSource), winProbability: player.chance(cells) };
}

/** Chooses a perfect mark. */
export async function chooseCell(turn: Turn): Promise<number> {
  return (await assess(turn)).move;
}

function perfectPlayer(ties: number): PerfectStrategy {
  const after = (cells: readonly number[]) => {
    const mark = play(cells, ties).map(decodeMark).at(-1) ?? NO_MARK;
    return { key: boardOf(mark), moves: mark.finished ? [] : freeCells(mark), winner: mark.winner };
  };
  return new PerfectStrategy({ after });
}
