import { dataLength } from "ethers";
import { seedOf } from "../protocol/dice.js";
import type { ExpectedAnswer, MatchRecord, Replayed } from "../chain/record.js";
import type { Hex } from "../protocol/hex.js";
import {
  decodeAnswer,
  decodeReveal,
  decodeCommitment,
  NO_STATE,
  commitmentOf,
  stateHashOf,
} from "../protocol/commit-reveal.js";
import { Seat } from "../protocol/status.js";

/** A committed round that was opened: what both players brought, found to fit. */
export interface PlayedRound {
  /** From 1. */
  round: number;
  /** The game's state in this round, 32 bytes; the game's engine knows what it must be. */
  state: Hex;
  /** Player 1's committed move. */
  move1: Hex;
  /** Player 2's open move. */
  move2: Hex;
  /** Where the round's dice come from. */
  seed: Hex;
}

/** Place in a match's record of what cannot be. */
interface RecordPlace {
  matchId?: bigint;
  /** The round or the action, in words. */
  place?: string;
}

/**
 * Thrown for an event that cannot have come from an honest arena and game. The message is e.g.
 * `match 5, round 1: the states differ`.
 */
export class RecordError extends Error {
  override readonly name = "RecordError";
  /** The message without the match. */
  readonly problem: string;

  constructor(problem: string, { matchId, place }: RecordPlace = {}) {
    const located = place === undefined ? problem : `${place}: ${problem}`;
    const separator = place === undefined ? ":" : ",";
    super(matchId === undefined ? located : `match ${matchId}${separator} ${located}`);
    this.problem = located;
  }
}

/** The lengths in bytes of both moves in a round, from 1. */
export type Lengths = (round: number) => [number, number];

/**
 * The opened rounds of a game in which player 1 commits to every round, from a match's events alone.
 * @throws RecordError where commitment, answer and reveal do not fit together.
 */
export function* playedRounds(record: MatchRecord, lengths: Lengths): Generator<PlayedRound> {
  const { chainId, matchId, terms, player1 } = record;
  const reveals = actionsOf(record, Seat.One);
  const answers = answersOf(record);
  let { commitment } = decodeCommitment(record.createData);
  for (let i = 0; i < Math.max(reveals.length, answers.length); i++) {
    const round = i + 1;
    const where = { matchId, place: `round ${round}` };
    if (answers[i] === undefined) throw new RecordError("opened without an answer", where);
    const answer = decodeAnswer(answers[i]);
    if (answer.round !== round) throw new RecordError("sent for another round", where);
    if (answer.commitment !== commitment) throw new RecordError("the answer is to another commitment", where);
    const length = dataLength(answer.move);
    if (length !== lengths(round)[1]) throw new RecordError(`${length} bytes are no answer's move`, where);
    if (reveals[i] === undefined) return;
    const reveal = decodeReveal(reveals[i], ...lengths(round));
    if (reveal.round !== round) throw new RecordError("sent for another round", where);
    if (answer.state !== reveal.state) throw new RecordError("the states differ", where);
    if (answer.move !== reveal.answerMove || answer.salt !== reveal.answerSalt) {
      throw new RecordError("the reveal repeats another answer", where);
    }
    if (commitmentOf(chainId, terms.game, player1, reveal.move, reveal.salt) !== commitment) {
      throw new RecordError("the reveal does not fit the commitment", where);
    }
    if ([reveal.salt, answer.salt].includes(NO_STATE)) throw new RecordError("a salt is zero", where);
    const seed = seedOf(matchId, round, reveal.salt, answer.salt);
    yield { round, state: reveal.state, move1: reveal.move, move2: answer.move, seed };
    if (reveal.next !== "0x") ({ commitment } = decodeCommitment(reveal.next));
  }
}

/**
 * The round of a game that has only one and keeps no state; undefined if it was not opened.
 * @throws RecordError where what was sent does not fit together, or is more than a round.
 */
export function singleRound(record: MatchRecord, lengths: [number, number]): PlayedRound | undefined {
  const { matchId, joinData, actions } = record;
  const [played] = [...playedRounds(record, () => lengths)];
  if (joinData !== undefined && decodeAnswer(joinData).state !== NO_STATE) {
    throw new RecordError("this game keeps no state", { matchId });
  }
  if (actions.length > 1) throw new RecordError("somebody acted after its end", { matchId });
  return played;
}

/** What a match of one round comes to; `fought` is what came of that, if it was opened. */
export function replayedSingleRound(
  record: MatchRecord,
  lengths: [number, number],
  fought?: { winner: number; entries: bigint[] },
): Replayed {
  const over = fought !== undefined;
  const winner = BigInt(fought?.winner ?? 0);
  return {
    logs: fought ? [{ round: 1n, entries: fought.entries }] : [],
    result: fought && { winner, taker: winner },
    turns: takingTurns(record, over),
    expectedAnswer: expectedStateHash(record, () => lengths, NO_STATE, over),
  };
}

/** Whose turn it was once player 2 had joined, and after each action, where both take turns from player 1 on. */
export function takingTurns({ joinData, actions }: MatchRecord, over: boolean): bigint[] {
  if (joinData === undefined) return [];
  const turns: bigint[] = [Seat.One, ...actions.map((_, i) => (i % 2 === 0 ? Seat.Two : Seat.One))];
  return over ? turns.with(-1, Seat.None) : turns;
}

/**
 * The word that a game in which player 1 commits to every round keeps of a match; `state` is that of the round in
 * progress.
 */
export function expectedStateHash(record: MatchRecord, lengths: Lengths, state: Hex, over: boolean): ExpectedAnswer {
  const reveals = actionsOf(record, Seat.One).length;
  const answer = answersOf(record).at(reveals);
  const word = () =>
    stateHashOf(
      { round: reveals + 1, state },
      decodeCommitment(pendingCommitment(record, lengths)).commitment,
      answer === undefined ? undefined : decodeAnswer(answer),
    );
  return { view: "stateHashOf", args: [record.matchId], answer: [over ? NO_STATE : word()] };
}

/**
 * The commitment of the round that is being played, with the note behind it. @throws Error if nothing is committed any
 * more.
 */
export function pendingCommitment(record: MatchRecord, lengths: Lengths): Hex {
  const commitment = commitmentsOf(record, lengths).at(actionsOf(record, Seat.One).length);
  if (commitment === undefined) throw new Error(`Nothing is committed in match ${record.matchId} any more.`);
  return commitment;
}

/** The commitments of all rounds so far, each with the note behind it. */
export function commitmentsOf(record: MatchRecord, lengths: Lengths): Hex[] {
  const later = actionsOf(record, Seat.One).map((action, i) => decodeReveal(action, ...lengths(i + 1)).next);
  return [record.createData, ...later].filter((committed) => committed !== "0x");
}

/** What a seat has acted with, in order. */
export function actionsOf({ actions }: MatchRecord, seat: bigint): Hex[] {
  return actions.filter((each) => each.seat === seat).map((each) => each.data);
}

/** The answers to player 1's commitments, in order. */
function answersOf(record: MatchRecord): Hex[] {
  return [record.joinData ?? [], ...actionsOf(record, Seat.Two)].flat();
}
