import type { History } from "../chain/history.js";
import { InputError } from "../protocol/input.js";
import type { MatchRecord } from "../chain/record.js";
import { actionsOf, RecordError, pendingCommitment, commitmentsOf } from "./revealed-rounds.js";
import type { Hex } from "../protocol/hex.js";
import {
  decodeAnswer,
  decodeCommitment,
  encodeAnswer,
  encodeReveal,
  newSalt,
  NO_STATE,
  type Answer,
} from "../protocol/commit-reveal.js";
import type { Commit, Committer, Secret } from "../protocol/commitment.js";
import { Seat } from "../protocol/status.js";

/** Who keeps a player's secrets. */
export interface SecretStore {
  /** Commitments a move: the commitment and the note behind it. */
  commit(move: Hex, commit?: Commit): Promise<Hex>;
  /** The secret behind a commitment that the player made. */
  reveal(committed: Hex, commit?: Commit): Promise<Secret>;
}

/** What a player has committed to: the commitment with the note behind it. */
export interface PendingCommitment {
  committed: Hex;
  commit?: Commit;
}

/** Where a player stands when it is to move. */
export interface Turn {
  /** As in `Seat`. */
  seat: bigint;
  player: string;
  /** What the match's terms call its mode. */
  mode: Hex;
  /** The match so far; undefined before it is created. */
  record?: MatchRecord;
  history: History;
}

/** The turn of a match that is there. */
export type OpenTurn = Turn & { record: MatchRecord };

/** What a round will have come to once it is opened. */
export interface Foresight {
  /** Whether the match is over then, so that no further move is needed. */
  over: boolean;
  /** How the player stands then, as part of a sentence. */
  text: string;
}

/** How players' moves become what they send. */
export interface Moves {
  /** The words of the first move on the command line, by seat: player 1's, player 2's. */
  readonly usage: readonly [string, string];
  /** The words of every later move, where they are others. */
  readonly later?: string;
  /**
   * What a seat has committed to in a match and may yet have to open; left out: in this game nobody commitments
   * anything.
   */
  pendingCommitments?(record: MatchRecord, seat: bigint, history: History): Promise<PendingCommitment[]>;
  /** All that a seat has committed to in a match so far, opened or not, as far as it names the match. */
  commitments?(record: MatchRecord, seat: bigint, history: History): Promise<Hex[]>;
  /** How commitments of this game are made, where not all of them are of moves. */
  commitmentSchemes?(by: Committer): readonly Commit[];
  /** The commitment that a turn answers, if it does. */
  answeredCommitment?(turn: OpenTurn): Promise<Hex | undefined>;
  /**
   * The move in the words of the player to move; the move that it commitments for the next round, where it opens. `0x`
   * for no words where none is needed: where the last round is opened, or one that ends the match, as the keeper's
   * secret tells.
   * @throws InputError for words that are no move.
   */
  read(moveArgs: readonly string[], turn: Turn, secretStore?: SecretStore): Promise<Hex>;
  /**
   * Words of some move that may be played now, not of a good one; none where none is needed. @throws Error if none may.
   */
  suggest(turn: Turn, secretStore: SecretStore): Promise<string[]>;
  /** What player 1 creates a match with. */
  create(move: Hex, turn: Turn, secretStore: SecretStore): Promise<Hex>;
  /** What player 2 joins with. @param shown What it has shown for this turn before: an answer keeps its salt. */
  join(move: Hex, turn: OpenTurn, secretStore: SecretStore, shown?: Hex): Promise<Hex>;
  /**
   * What whoever's turn it is acts with.
   * @param shown As of `join`.
   * @throws InputError for `0x` in place of a move that is needed.
   */
  act(move: Hex, turn: OpenTurn, secretStore: SecretStore, shown?: Hex): Promise<Hex>;
}

/** What a game of committed rounds says of its moves; player 1 commitments in every round. */
export interface CommittedMoves {
  usage: readonly [string, string];
  /** The words of the moves of later rounds, where there are any. */
  later?: string;
  /** How many rounds there may be. */
  rounds: number;
  /** Lengths in bytes of both players' moves in a round, from 1. */
  lengths(round: number): [number, number];
  /** The move that the words of a seat mean in a round. @throws InputError */
  read(moveArgs: readonly string[], round: number, turn: Turn): Hex | Promise<Hex>;
  /** Words of some move that a seat may play in a round. @throws Error if there is none. */
  suggest(round: number, turn: Turn): Promise<string[]>;
  /**
   * What a round but the last comes to if player 1 opens it with this secret; left out: its last move is always needed.
   */
  foresee?(record: MatchRecord, secret: Secret): Foresight;
  /** The game's state in the round that is being played; left out: none is kept. */
  state?(record: MatchRecord, history: History): Promise<Hex>;
}

/** The moves of a game of committed rounds. */
export function committedMoves(game: CommittedMoves): Moves {
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
    async read(moveArgs, turn, secretStore) {
      const seen = moveArgs.length === 0 ? await foreseen(game, turn, secretStore) : undefined;
      if (seen?.over) return "0x";
      if (seen) throw new InputError("move", `${seen.text}: your move of the next round is needed`);
      return game.read(moveArgs, Math.min(roundToMove(turn), game.rounds), turn);
    },
    suggest: committedChooser(game, game.suggest),
    create: (move, _turn, secretStore) => secretStore.commit(move),
    join: (move, turn, _secretStore, shown) => answer(move, turn, shown),
    async act(move, turn, secretStore, shown) {
      if (turn.seat === Seat.Two) return answer(move, turn, shown);
      const { record } = turn;
      const state = await stateOf(turn);
      const { move: answerMove, salt: answerSalt } = answerOf(record);
      const secret = await secretStore.reveal(pendingCommitment(record, game.lengths));
      const over = (await foreseen(game, turn, secretStore))?.over;
      // A commitment of nothing could never be opened.
      if (!over && move === "0x") throw new InputError("move", "none is given, but another round follows");
      const next = over ? "0x" : await secretStore.commit(move);
      return encodeReveal({ round: roundOf(record), state, ...secret, answerMove, answerSalt, next });
    },
  };

  async function answer(move: Hex, turn: OpenTurn, shown?: Hex): Promise<Hex> {
    const { commitment } = decodeCommitment(pendingCommitment(turn.record, game.lengths));
    // With two salts in the open the other side could choose between their dice.
    const salt = shown === undefined ? newSalt() : decodeAnswer(shown).salt;
    return encodeAnswer({ round: roundOf(turn.record), state: await stateOf(turn), commitment, move, salt });
  }

  async function stateOf({ record, history }: OpenTurn): Promise<Hex> {
    return game.state ? game.state(record, history) : NO_STATE;
  }
}

/**
 * Finds words for a turn in a game of committed rounds: none where none is needed, else those that are chosen for a
 * round.
 */
export function committedChooser(
  game: Pick<CommittedMoves, "rounds" | "lengths" | "foresee">,
  choose: (round: number, turn: Turn, secretStore: SecretStore) => Promise<string[]>,
): Moves["suggest"] {
  return async (turn, secretStore) =>
    (await foreseen(game, turn, secretStore))?.over ? [] : choose(roundToMove(turn), turn, secretStore);
}

/** What player 1's reveal will have come to; undefined if none is due, or nobody can tell. */
async function foreseen(
  game: Pick<CommittedMoves, "rounds" | "lengths" | "foresee">,
  { seat, record }: Turn,
  secretStore?: SecretStore,
): Promise<Foresight | undefined> {
  if (seat !== Seat.One || record?.joinData === undefined) return undefined;
  if (roundOf(record) === game.rounds) return { over: true, text: "this is the last round" };
  return secretStore && game.foresee?.(record, await secretStore.reveal(pendingCommitment(record, game.lengths)));
}

/** The round for which a player is to find a move: who opens commits to the next one's with it. */
function roundToMove({ seat, record }: Turn): number {
  const opens = seat === Seat.One && record?.joinData !== undefined;
  return roundOf(record) + Number(opens);
}

/** The round of committed moves that is being played, from 1. */
export function roundOf(record?: MatchRecord): number {
  return 1 + (record ? actionsOf(record, Seat.One).length : 0);
}

function answerOf(record: MatchRecord): Answer {
  const answer = [record.joinData, ...actionsOf(record, Seat.Two)].at(roundOf(record) - 1);
  if (answer === undefined) throw new RecordError("there is no answer to what is committed", record);
  return decodeAnswer(answer);
}
