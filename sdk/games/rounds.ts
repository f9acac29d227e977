import { dataLength } from "ethers";
import { seedOf } from "../protocol/dice.js";
import type { Kept, MatchRecord, Rerun } from "../chain/record.js";
import type { Hex } from "../protocol/hex.js";
import { decodeAnswer, decodeOpening, decodeSealed, NO_STATE, sealOf, wordOf } from "../protocol/seal.js";
import { Seat } from "../protocol/status.js";

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

/** The lengths in bytes of both moves in a round, from 1. */
export type Lengths = (round: number) => [number, number];

/**
 * The opened rounds of a game in which player 1 seals every round, from a match's events alone.
 * @throws Mismatch where seal, answer and opening do not fit together.
 */
export function* playedRounds(record: MatchRecord, lengths: Lengths): Generator<PlayedRound> {
  const { chainId, matchId, terms, player1 } = record;
  const openings = actionsOf(record, Seat.One);
  const answers = answersOf(record);
  let { seal } = decodeSealed(record.opening);
  for (let i = 0; i < Math.max(openings.length, answers.length); i++) {
    const round = i + 1;
    const where = `match ${matchId}, round ${round}`;
    if (answers[i] === undefined) throw new Mismatch(`${where}: opened without an answer`);
    const answer = decodeAnswer(answers[i]);
    if (answer.round !== round) throw new Mismatch(`${where}: sent for another round`);
    if (answer.seal !== seal) throw new Mismatch(`${where}: the answer is to another seal`);
    const length = dataLength(answer.move);
    if (length !== lengths(round)[1]) throw new Mismatch(`${where}: ${length} bytes are no answer's move`);
    if (openings[i] === undefined) return;
    const opening = decodeOpening(openings[i], ...lengths(round));
    if (opening.round !== round) throw new Mismatch(`${where}: sent for another round`);
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

/**
 * The round of a game that has only one and keeps no state; undefined if it was not opened.
 * @throws Mismatch where what was sent does not fit together, or is more than a round.
 */
export function onlyRound(record: MatchRecord, lengths: [number, number]): PlayedRound | undefined {
  const { matchId, answer, actions } = record;
  const [played] = [...playedRounds(record, () => lengths)];
  if (answer !== undefined && decodeAnswer(answer).state !== NO_STATE) {
    throw new Mismatch(`match ${matchId}: this game keeps no state`);
  }
  if (actions.length > 1) throw new Mismatch(`match ${matchId}: somebody acted after its end`);
  return played;
}

/** What a match of one round comes to; `fought` is what came of that, if it was opened. */
export function onlyRerun(
  record: MatchRecord,
  lengths: [number, number],
  fought?: { winner: number; words: bigint[] },
): Rerun {
  const over = fought !== undefined;
  const winner = BigInt(fought?.winner ?? 0);
  return {
    logs: fought ? [{ round: 1n, words: fought.words }] : [],
    result: fought && { winner, taker: winner },
    turns: takingTurns(record, over),
    kept: keptWord(record, () => lengths, NO_STATE, over),
  };
}

/** Whose turn it was once player 2 had joined, and after each action, where both take turns from player 1 on. */
export function takingTurns({ answer, actions }: MatchRecord, over: boolean): bigint[] {
  if (answer === undefined) return [];
  const turns: bigint[] = [Seat.One, ...actions.map((_, i) => (i % 2 === 0 ? Seat.Two : Seat.One))];
  return over ? turns.with(-1, Seat.None) : turns;
}

/** The word that a game in which player 1 seals every round keeps of a match; `state` is that of the round in progress. */
export function keptWord(record: MatchRecord, lengths: Lengths, state: Hex, over: boolean): Kept {
  const openings = actionsOf(record, Seat.One).length;
  const answer = answersOf(record).at(openings);
  const word = () =>
    wordOf(
      { round: openings + 1, state },
      decodeSealed(openSeal(record, lengths)).seal,
      answer === undefined ? undefined : decodeAnswer(answer),
    );
  return { view: "wordOf", args: [record.matchId], answer: [over ? NO_STATE : word()] };
}

/** The seal of the round that is being played, with the note behind it. @throws Error if nothing is sealed any more. */
export function openSeal(record: MatchRecord, lengths: Lengths): Hex {
  const seal = sealsOf(record, lengths).at(actionsOf(record, Seat.One).length);
  if (seal === undefined) throw new Error(`Nothing is sealed in match ${record.matchId} any more.`);
  return seal;
}

/** The seals of all rounds so far, each with the note behind it. */
export function sealsOf(record: MatchRecord, lengths: Lengths): Hex[] {
  const later = actionsOf(record, Seat.One).map((action, i) => decodeOpening(action, ...lengths(i + 1)).next);
  return [record.opening, ...later].filter((sealed) => sealed !== "0x");
}

/** What a seat has acted with, in order. */
export function actionsOf({ actions }: MatchRecord, seat: bigint): Hex[] {
  return actions.filter((each) => each.seat === seat).map((each) => each.action);
}

/** The answers to player 1's seals, in order. */
function answersOf(record: MatchRecord): Hex[] {
  return [record.answer ?? [], ...actionsOf(record, Seat.Two)].flat();
}
