import type { History } from "../chain/history.js";
import type { MatchRecord } from "../chain/record.js";
import {
  decodeAnswer,
  decodeCommitment,
  encodeAnswer,
  encodeReveal,
  newSalt,
  NO_STATE,
  type Answer,
} from "../protocol/commit-reveal.js";
import type { Secret } from "../protocol/commitment.js";
import type { Hex } from "../protocol/hex.js";
import { InputError } from "../protocol/input.js";
import { Seat } from "../protocol/status.js";
import type { Foresight, Moves, OpenTurn, SecretStore, Turn } from "./moves.js";
import { actionsOf, commitmentsOf, pendingCommitment, RecordError, type Lengths } from "./revealed-rounds.js";

/** Description of the moves of a commit-reveal game in which player 1 commits in every round. */
export interface CommittedMoves<V> {
  usage: Moves["usage"];
  later?: Moves["later"];
  /** Maximum number of rounds. */
  rounds: number;
  /** Lengths in bytes of both players' moves in a round; rounds count from 1. */
  lengths: Lengths;
  /** Parses arguments into a move, which `check` then checks. @throws InputError for arguments that are not a move. */
  parse(moveArgs: readonly string[], turn: Turn): unknown;
  /** Checks the move of a seat in a round and returns it. @throws InputError for a move against the rules. */
  check(move: unknown, round: number, turn: Turn): V | Promise<V>;
  /** Returns the arguments of a move. */
  args(move: V, turn: Turn): string[] | Promise<string[]>;
  /** Encodes a checked move. */
  encode(move: V, turn: Turn): Hex | Promise<Hex>;
  /** Suggests any legal move of a seat in a round. @throws Error if there is none. */
  suggest(round: number, turn: Turn): Promise<V>;
  /** Lists a player's choices in a round, as `Moves.choices` does; omitted if there are too many to list. */
  choices?(round: number, turn: Turn): Promise<string[]>;
  /**
   * Predicts the result of any round but the last if player 1 reveals it with this secret. Without this function,
   * player 1 always needs a move for the next round.
   */
  foresee?(record: MatchRecord, secret: Secret, history: History): Promise<Foresight>;
  /** State of the game, 32 bytes, in the current round; without it the game keeps no state. */
  state?(record: MatchRecord, history: History): Promise<Hex>;
}

const LAST_ROUND: Foresight = { over: true, text: "this is the last round" };

/** Makes the moves of a commit-reveal game. */
export function committedMoves<V>(game: CommittedMoves<V>): Moves<V> {
  const choose = game.choices && committedChooser(game, game.choices);
  return {
    usage: game.usage,
    later: game.later,
    async pendingCommitments(record, seat) {
      return seat === Seat.One && record.settlement === undefined
        ? [{ committed: pendingCommitment(record, game.lengths) }]
        : [];
    },
    async commitments(record, seat) {
      return seat === Seat.One ? commitmentsOf(record, game.lengths) : [];
    },
    async answeredCommitment({ seat, record }) {
      return seat === Seat.Two ? decodeCommitment(pendingCommitment(record, game.lengths)).commitment : undefined;
    },
    async parse(moveArgs, turn, secretStore) {
      const seen = moveArgs.length === 0 ? await foreseen(game, turn, secretStore) : undefined;
      if (seen?.over) return undefined;
      if (seen) throw new InputError("move", `${seen.text}: your move of the next round is needed`);
      return game.check(await game.parse(moveArgs, turn), Math.min(roundToMove(turn), game.rounds), turn);
    },
    args: async (move, turn) => (move === undefined ? [] : game.args(move, turn)),
    suggest: committedChooser(game, game.suggest),
    choices: choose && (async (turn, secretStore) => (await choose(turn, secretStore)) ?? []),
    create: commit,
    join: (move, turn, _secretStore, shown) => answer(move, turn, shown),
    async act(move, turn, secretStore, shown) {
      if (turn.seat === Seat.Two) return answer(move, turn, shown);
      const { record, history } = turn;
      const round = roundOf(record);
      const { move: answerMove, salt: answerSalt } = answerOf(record);
      const secret = await secretStore.reveal(pendingCommitment(record, game.lengths));
      const foreseen = round === game.rounds ? LAST_ROUND : await game.foresee?.(record, secret, history);
      const over = foreseen?.over ?? false;
      if (!over && move === undefined) throw new InputError("move", "none is given, but another round follows");
      const next = over ? "0x" : await commit(move, turn, secretStore);
      return encodeReveal({ round, state: await stateOf(turn), ...secret, answerMove, answerSalt, next });
    },
  };

  async function encoded(move: V | undefined, turn: Turn): Promise<Hex> {
    if (move === undefined) throw new InputError("move", "none is given");
    return game.encode(await game.check(move, roundToMove(turn), turn), turn);
  }

  async function commit(move: V | undefined, turn: Turn, secretStore: SecretStore): Promise<Hex> {
    return secretStore.commit(await encoded(move, turn));
  }

  async function answer(value: V | undefined, turn: OpenTurn, shown?: Hex): Promise<Hex> {
    const move = await encoded(value, turn);
    const { commitment } = decodeCommitment(pendingCommitment(turn.record, game.lengths));
    // If two salts were public, the opponent could choose between the dice of the two salts.
    const salt = shown === undefined ? newSalt() : decodeAnswer(shown).salt;
    return encodeAnswer({ round: roundOf(turn.record), state: await stateOf(turn), commitment, move, salt });
  }

  async function stateOf({ record, history }: OpenTurn): Promise<Hex> {
    return game.state ? game.state(record, history) : NO_STATE;
  }
}

/** Parts of a game that predict the end of a match. */
type Foreseeable = Pick<CommittedMoves<unknown>, "rounds" | "lengths" | "foresee">;

/**
 * Makes a chooser for turns in a commit-reveal game. It returns undefined if no move is needed.
 * @param choose Chooses for a round in which a move is needed.
 */
export function committedChooser<T, Store extends SecretStore | undefined>(
  game: Foreseeable,
  choose: (round: number, turn: Turn, secretStore: Store) => Promise<T>,
): (turn: Turn, secretStore: Store) => Promise<T | undefined> {
  return async (turn, secretStore) =>
    (await foreseen(game, turn, secretStore))?.over ? undefined : choose(roundToMove(turn), turn, secretStore);
}

/** Predicts the result of player 1's reveal; undefined if no reveal is due, or its result cannot be predicted. */
async function foreseen(
  game: Foreseeable,
  { seat, record, history }: Turn,
  secretStore?: SecretStore,
): Promise<Foresight | undefined> {
  if (seat !== Seat.One || record?.joinData === undefined) return undefined;
  if (roundOf(record) === game.rounds) return LAST_ROUND;
  if (!secretStore || !game.foresee) return undefined;
  return game.foresee(record, await secretStore.reveal(pendingCommitment(record, game.lengths)), history);
}

/** Round for which a player needs a move: a player who reveals a round commits to the move of the next round. */
function roundToMove({ seat, record }: Turn): number {
  const isReveal = seat === Seat.One && record?.joinData !== undefined;
  return roundOf(record) + Number(isReveal);
}

/** Current round, from 1. */
export function roundOf(record?: MatchRecord): number {
  return 1 + (record ? actionsOf(record, Seat.One).length : 0);
}

/** Answer to the commitment of the current round. @throws RecordError if there is none yet. */
function answerOf(record: MatchRecord): Answer {
  const answer = [record.joinData, ...actionsOf(record, Seat.Two)].at(roundOf(record) - 1);
  if (answer === undefined) throw new RecordError("there is no answer to what is committed", record);
  return decodeAnswer(answer);
}
