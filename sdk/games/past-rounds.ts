import type { History, PastQuery } from "../chain/history.js";
import { decodeReveal } from "../protocol/commit-reveal.js";
import type { Hex } from "../protocol/hex.js";
import { InputError } from "../protocol/input.js";
import { Seat } from "../protocol/status.js";

/** Round that was revealed: the move that a player played, and the move that it faced. */
interface PastRound {
  played: Hex;
  faced: Hex;
}

/** Query for past rounds of a game of one committed round. */
export interface Query extends PastQuery {
  /** Lengths in bytes of both players' moves in these modes. */
  lengths: readonly [number, number];
}

/** Reads the revealed rounds of a player's latest matches of a game, oldest first. */
export async function pastRounds(history: History, { lengths, ...query }: Query): Promise<PastRound[]> {
  const { joined, actions } = await history.pastActions(query);
  const rounds: PastRound[] = [];
  for (const { seat, matchId, data } of actions) {
    if (seat !== Seat.One) continue;
    try {
      const { move, answerMove } = decodeReveal(data, ...lengths);
      rounds.push(joined.has(matchId) ? { played: answerMove, faced: move } : { played: move, faced: answerMove });
    } catch (error) {
      // No arena accepts such a move, so it comes from an index.
      if (!(error instanceof InputError)) throw error;
    }
  }
  return rounds;
}
