import { seedOf } from "./dice.js";
import type { MatchRecord } from "./record.js";
import { decodeAnswer, decodeOpening, decodeSealed, NO_STATE, sealOf, type Hex } from "./seal.js";
import { Seat } from "./status.js";

/** A sealed round that was opened: what both players brought, found to fit. */
export interface PlayedRound {
  /** From 1. */
  round: number;
  /** The game's state in this round, 32 bytes; the game's twin knows what it must be. */
  state: Hex;
  /** Player 1's sealed move. */
  move1: Hex;
  /** Player 2's open move. */
  move2: Hex;
  /** Where the round's dice come from. */
  seed: Hex;
}

/** An event that cannot have come from an honest arena and game: the message says which and why. */
export class Mismatch extends Error {
  override readonly name = "Mismatch";
}

/**
 * The opened rounds of a game in which player 1 seals every round, from a match's events alone.
 * @param lengths The lengths in bytes of both moves in a round.
 * @throws Mismatch where seal, answer and opening do not fit together.
 */
export function* playedRounds(
  record: MatchRecord,
  lengths: (round: number) => [number, number],
): Generator<PlayedRound> {
  const { chainId, matchId, terms, player1 } = record;
  const answers = [record.answer ?? [], ...actionsOf(record, Seat.Two)].flat();
  let { seal } = decodeSealed(record.opening);
  for (const [i, action] of actionsOf(record, Seat.One).entries()) {
    const round = i + 1;
    const where = `match ${matchId}, round ${round}`;
    if (answers[i] === undefined) throw new Mismatch(`${where}: opened without an answer`);
    const opening = decodeOpening(action, ...lengths(round));
    const answer = decodeAnswer(answers[i]);
    if (answer.round !== round || opening.round !== round) throw new Mismatch(`${where}: sent for another round`);
    if (answer.seal !== seal) throw new Mismatch(`${where}: the answer is to another seal`);
    if (answer.state !== opening.state) throw new Mismatch(`${where}: the states differ`);
    if (answer.move !== opening.answerMove || answer.salt !== opening.answerSalt) {
      throw new Mismatch(`${where}: the opening repeats another answer`);
    }
    if (sealOf(chainId, terms.game, player1, opening.move, opening.salt) !== seal) {
      throw new Mismatch(`${where}: the opening does not fit the seal`);
    }
    if ([opening.salt, answer.salt].includes(NO_STATE)) throw new Mismatch(`${where}: a salt is zero`);
    const seed = seedOf(matchId, round, opening.salt, answer.salt);
    yield { round, state: opening.state, move1: opening.move, move2: answer.move, seed };
    if (opening.next !== "0x") ({ seal } = decodeSealed(opening.next));
  }
}

/** What a seat has acted with, in order. */
export function actionsOf({ actions }: MatchRecord, seat: bigint): Hex[] {
  return actions.filter((each) => each.seat === seat).map((each) => each.action);
}
