import { toNumber } from "ethers";
import type { History } from "../../chain/history.js";
import type { MatchRecord, Replayed } from "../../chain/record.js";
import { RecordError, replayedSingleRound, singleRound } from "../revealed-rounds.js";
import type { Paint } from "../module.js";
import { decodeGame, encodeGame, play, type Played } from "./engine.js";
import { kinds, modeOfHash } from "./mode.js";

const LENGTHS: [number, number] = [1, 1];

/** Re-runs a match from its events: commitments and moves checked, the game by the engine. */
export async function replay(record: MatchRecord): Promise<Replayed> {
  const { matchId, terms } = record;
  const round = singleRound(record, LENGTHS);
  if (!round) return replayedSingleRound(record, LENGTHS);
  const mode = modeOfHash(terms.mode);
  const moves: [number, number] = [toNumber(round.move1), toNumber(round.move2)];
  const { title, min, max } = kinds[mode.kind];
  const wrong = moves.find((move) => move < min || move > max);
  if (wrong !== undefined) throw new RecordError(`${wrong} is no move of ${title}`, { matchId });
  const game = play(round.seed, mode, moves);
  return replayedSingleRound(record, LENGTHS, { winner: game.winner, entries: [encodeGame(game)] });
}

/** The game of a match as the chain logged it: one, or none if nothing was opened. */
export function gamesOf({ logs }: MatchRecord): Promise<Played[]> {
  return Promise.resolve(logs.flatMap(({ entries }) => entries.map(decodeGame)));
}

/** The game of a match as lines of text; `paint` may colour what belongs to a player. */
export async function story(record: MatchRecord, _: History, paint: Paint): Promise<string[]> {
  return (await gamesOf(record)).flatMap((game) => linesOf(game, paint));
}

function linesOf({ kind, values, flip, result, winner }: Played, paint: Paint): string[] {
  const { title, verb = "plays", words } = kinds[kind];
  const name = (player: number) => paint(`Player ${player}`, player);
  const shown = (value: number) => words?.[value] ?? String(value);
  return [
    `${title[0].toUpperCase()}${title.slice(1)}`,
    ...values.map((value, i) => `  ${name(i + 1)} ${verb} ${shown(value)}`),
    ...(flip === null ? [] : [`  The coin shows ${shown(flip)}`]),
    ...(result === 0 && winner === 0 ? ["  A tie: a draw"] : []),
    ...(result === 0 && winner === 1 ? [`  A tie, and ties are the challenger's: ${name(1)} wins`] : []),
    ...(result === 0 ? [] : [`  ${name(winner)} wins`]),
  ];
}
