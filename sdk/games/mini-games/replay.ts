import { toNumber } from "ethers";
import type { MatchRecord, Replayed } from "../../chain/record.js";
import { RecordError, replayedSingleRound, singleRound } from "../revealed-rounds.js";
import { play, type Played } from "./engine.js";
import { decodeGame, encodeGame } from "./log.js";
import { kinds, modeOfHash } from "./mode.js";
import { MOVE_BYTES } from "./moves.js";

const LENGTHS: [number, number] = [MOVE_BYTES, MOVE_BYTES];

/**
 * Replays a match from its events: the commitments and moves are checked, and the engine plays the game.
 * @throws RecordError where commitment, answer and reveal do not fit together, or for a move that the game lacks.
 */
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

/** Decodes the log of a match: its one game, or nothing if player 1 has not revealed its move. */
export async function decodeLog({ logs }: MatchRecord): Promise<Played[]> {
  return logs.flatMap(({ entries }) => entries.map(decodeGame));
}
