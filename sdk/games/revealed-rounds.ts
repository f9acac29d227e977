import { dataLength } from "ethers";
import { seedOf } from "../protocol/dice.js";
import type { MatchRecord, Replayed } from "../chain/record.js";
import type { Hex } from "../protocol/hex.js";
import { WORD_BYTES } from "../protocol/bytes.js";
import {
  decodeAnswer,
  decodeReveal,
  decodeCommitment,
  MAX_NOTE_BYTES,
  NO_STATE,
  commitmentOf,
  stateHashOf,
} from "../protocol/commit-reveal.js";
import { Seat } from "../protocol/status.js";

/** Revealed round, with both players' moves, which fit their commitment and answer. */
export interface PlayedRound {
  /** Number of the round, from 1. */
  round: number;
  /** State of the game in this round, 32 bytes, as the players sent it; the engine computes the expected state. */
  state: Hex;
  /** Move that player 1 committed to. */
  move1: Hex;
  /** Move of player 2's answer. */
  move2: Hex;
  /** Seed of the round's dice, 32 bytes. */
  seed: Hex;
}

/** Place of an inconsistency in a match's record. */
interface RecordPlace {
  matchId?: bigint;
  /** The round or the action, in words. */
  place?: string;
}

/**
 * Error for a record that no honest arena and game can produce, e.g. `match 5, round 1: the states differ`.
 * @example
 * ```ts
 * import { RecordError } from "duello";
 *
 * const error = new RecordError("the states differ", { matchId: 5n, place: "round 1" });
 * error.message; // => "match 5, round 1: the states differ"
 * ```
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

/** Returns the lengths in bytes of both players' moves in a round; rounds count from 1. */
export type Lengths = (round: number) => [number, number];

/** Returns the state that the answer of a round names, given the state that the reveal of the round names. */
export type AnsweredState = (state: Hex, round: number) => Hex;

/**
 * Yields the revealed rounds of a match in which player 1 commits in every round, from its events alone.
 * @param answeredState For a game in which an answer changes the state; by default, answer and reveal name the same
 * state.
 * @throws RecordError if commitment, answer and reveal do not fit together.
 */
export function* playedRounds(
  record: MatchRecord,
  lengths: Lengths,
  answeredState: AnsweredState = (state) => state,
): Generator<PlayedRound> {
  const { chainId, matchId, terms, player1 } = record;
  const reveals = actionsOf(record, Seat.One);
  const answers = answersOf(record);
  let commitment = firstCommitment(record);
  for (let i = 0; i < Math.max(reveals.length, answers.length); i++) {
    const round = i + 1;
    const where = { matchId, place: `round ${round}` };
    if (answers[i] === undefined) throw new RecordError("revealed without an answer", where);
    const answer = decodeAnswer(answers[i]);
    if (answer.round !== round) throw new RecordError("sent for another round", where);
    if (answer.commitment !== commitment) throw new RecordError("the answer is to another commitment", where);
    const length = dataLength(answer.move);
    if (length !== lengths(round)[1]) throw new RecordError(`${length} bytes are no answer's move`, where);
    if (answer.salt === NO_STATE) throw new RecordError("the answer's salt is zero", where);
    if (reveals[i] === undefined) return;
    const reveal = decodeReveal(reveals[i], ...lengths(round));
    if (reveal.round !== round) throw new RecordError("sent for another round", where);
    if (answer.state !== answeredState(reveal.state, round)) throw new RecordError("the states differ", where);
    if (answer.move !== reveal.answerMove || answer.salt !== reveal.answerSalt) {
      throw new RecordError("the reveal repeats another answer", where);
    }
    if (commitmentOf(chainId, terms.game, player1, reveal.move, reveal.salt) !== commitment) {
      throw new RecordError("the reveal does not fit the commitment", where);
    }
    if (reveal.salt === NO_STATE) throw new RecordError("the reveal's salt is zero", where);
    if (reveal.next !== "0x") checkCommitted(reveal.next, where);
    const seed = seedOf(matchId, round, reveal.salt, answer.salt);
    yield { round, state: reveal.state, move1: reveal.move, move2: answer.move, seed };
    if (reveal.next !== "0x") ({ commitment } = decodeCommitment(reveal.next));
  }
}

/** Checks the length of a commitment with its note. @throws RecordError for more bytes than they can have. */
function checkCommitted(committed: Hex, where: RecordPlace): void {
  const length = dataLength(committed);
  if (length > WORD_BYTES + MAX_NOTE_BYTES) throw new RecordError(`${length} bytes are no commitment`, where);
}

/** Decodes the first commitment of a match. @throws RecordError if it is zero, or its note is too long. */
function firstCommitment({ matchId, createData }: MatchRecord): Hex {
  const { commitment } = decodeCommitment(createData);
  if (commitment === NO_STATE) throw new RecordError("the commitment is zero", { matchId });
  checkCommitted(createData, { matchId });
  return commitment;
}

/**
 * Returns the revealed round of a game that has only one and keeps no state; undefined if it was not revealed.
 * @throws RecordError if commitment, answer and reveal do not fit together, or there is more than one round.
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

/**
 * Makes the replay of a match of one round.
 * @param fought The engine's result for the round; omitted if the round was not revealed.
 */
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
    position: expectedPosition(record, () => lengths, NO_STATE, over),
  };
}

/**
 * Lists the seat in turn after player 2 joined and after each action, if both players alternate, starting with player
 * 1.
 */
export function takingTurns({ joinData, actions }: MatchRecord, over: boolean): bigint[] {
  if (joinData === undefined) return [];
  const turns: bigint[] = [Seat.One, ...actions.map((_, i) => (i % 2 === 0 ? Seat.Two : Seat.One))];
  return over ? turns.with(-1, Seat.None) : turns;
}

/**
 * Returns the position of a match in which player 1 commits in every round: its state hash, or zero once it is over.
 * @param state State of the game, 32 bytes, in the current round.
 * @throws RecordError if the current round has no commitment.
 */
export function expectedPosition(record: MatchRecord, lengths: Lengths, state: Hex, over: boolean): Hex {
  if (over) return NO_STATE;
  const reveals = actionsOf(record, Seat.One).length;
  const answer = answersOf(record).at(reveals);
  const where = { matchId: record.matchId, place: `round ${reveals + 1}` };
  const committed = commitmentsOf(record, lengths).at(reveals);
  if (committed === undefined) throw new RecordError("nothing is committed", where);
  const { commitment } = decodeCommitment(committed);
  if (commitment === NO_STATE) throw new RecordError("the commitment is zero", where);
  return stateHashOf(
    { round: reveals + 1, state },
    commitment,
    answer === undefined ? undefined : decodeAnswer(answer),
  );
}

/**
 * Returns the commitment of the current round, followed by its note.
 * @throws Error if no commitment is pending.
 */
export function pendingCommitment(record: MatchRecord, lengths: Lengths): Hex {
  const commitment = commitmentsOf(record, lengths).at(actionsOf(record, Seat.One).length);
  if (commitment === undefined) throw new Error(`Nothing is committed in match ${record.matchId} any more.`);
  return commitment;
}

/** Lists the commitments of all rounds so far, each followed by its note. */
export function commitmentsOf(record: MatchRecord, lengths: Lengths): Hex[] {
  const later = actionsOf(record, Seat.One).map((action, i) => decodeReveal(action, ...lengths(i + 1)).next);
  return [record.createData, ...later].filter((committed) => committed !== "0x");
}

/** Lists the data of a seat's actions in order. */
export function actionsOf({ actions }: MatchRecord, seat: bigint): Hex[] {
  return actions.filter((each) => each.seat === seat).map((each) => each.data);
}

/** Lists the answers to player 1's commitments in order. */
function answersOf(record: MatchRecord): Hex[] {
  return [record.joinData ?? [], ...actionsOf(record, Seat.Two)].flat();
}

/**
 * Describes the players' actions in a match in which player 1 commits in every round, as a module's `actionTexts`.
 * @param nounOf Noun of what player 1 commits to in a round, e.g. `a team`.
 * @param textOf Describes a move of a round, e.g. `rock`.
 * @throws RecordError or InputError for data of the wrong length.
 */
export function roundTexts(
  record: MatchRecord,
  lengths: Lengths,
  nounOf: (round: number) => string,
  textOf: (move: Hex, round: number) => string,
): string[] {
  const { matchId, joinData, actions } = record;
  const answered = (data: Hex, round: number) => {
    const { move } = decodeAnswer(data);
    const length = dataLength(move);
    if (length !== lengths(round)[1]) {
      throw new RecordError(`${length} bytes are no answer's move`, { matchId, place: `round ${round}` });
    }
    return `answers with ${textOf(move, round)}`;
  };
  const rounds = { reveals: 0, answers: 1 };
  const later = actions.map(({ seat, data }) => {
    if (seat === Seat.Two) return answered(data, ++rounds.answers);
    const round = ++rounds.reveals;
    const { move, next } = decodeReveal(data, ...lengths(round));
    const goesOn = next === "0x" ? "" : ` and commits to ${nounOf(round + 1)}`;
    return `reveals ${textOf(move, round)}${goesOn}`;
  });
  const created = `commits to ${nounOf(1)}`;
  return joinData === undefined ? [created] : [created, answered(joinData, 1), ...later];
}
