import type { History } from "../chain/history.js";
import type { MatchRecord } from "../chain/record.js";
import type { CommitmentScheme, Committer, Secret } from "../protocol/commitment.js";
import type { Hex } from "../protocol/hex.js";
import { Seat } from "../protocol/status.js";
import type { Terms } from "../protocol/terms.js";

/** Store of the secrets of a player's commitments. */
export interface SecretStore {
  /**
   * Commits to a move and stores its secret.
   * @param scheme Makes the commitment; defaults to the commitment to the move itself.
   * @returns the commitment, followed by its note.
   */
  commit(move: Hex, scheme?: CommitmentScheme): Promise<Hex>;
  /**
   * Finds the secret of a commitment that the player made.
   * @param committed The commitment, followed by its note.
   */
  reveal(committed: Hex, scheme?: CommitmentScheme): Promise<Secret>;
}

/** Commitment that the player who made it may still have to reveal. */
export interface PendingCommitment {
  /** The commitment, followed by its note. */
  committed: Hex;
  /** How the commitment was made; defaults to a commitment to the move itself. */
  scheme?: CommitmentScheme;
}

/** Turn of a player. */
export interface Turn {
  /** Seat of the player, as in `Seat`. */
  seat: bigint;
  player: string;
  /** Address of the match's game. */
  game: string;
  /** Content hash of the match's mode, as in its terms. */
  mode: Hex;
  /** The match so far; undefined before it is created. */
  record?: MatchRecord;
  history: History;
}

/** Turn in a match that was created. */
export type OpenTurn = Turn & { record: MatchRecord };

/** Returns whether a turn is in a match that was created. */
export function isOpenTurn(turn: Turn): turn is OpenTurn {
  return turn.record !== undefined;
}

/** Result that a round will have once it is revealed. */
export interface Foresight {
  /** True if the match then ends, so that no further move is needed. */
  over: boolean;
  /** Clause of a sentence for the player. */
  text: string;
}

/**
 * Rules that turn players' moves into the data that they send. `V` is a move as a value that can be structured-cloned,
 * e.g. a number. It is undefined if a turn needs no move: one that reveals the last round, or a round that ends the
 * match.
 */
export interface Moves<V = unknown> {
  /** Arguments of the first move on the command line, by seat: player 1's, then player 2's. */
  readonly usage: readonly [string, string];
  /** Arguments of every later move, if they differ from the arguments of the first move. */
  readonly later?: string;
  /** Commitments that a seat of a match may still have to reveal; without it the game has no commitments. */
  pendingCommitments?(record: MatchRecord, seat: bigint, history: History): Promise<PendingCommitment[]>;
  /** All commitments of a seat in a match so far, revealed or not, that name the match. */
  commitments?(record: MatchRecord, seat: bigint, history: History): Promise<Hex[]>;
  /** Schemes with which this game makes commitments, if it commits to anything other than moves. */
  commitmentSchemes?(by: Committer): readonly CommitmentScheme[];
  /** The commitment that a turn answers; undefined if the turn answers no commitment. */
  answeredCommitment?(turn: OpenTurn): Promise<Hex | undefined>;
  /**
   * Parses the command-line arguments of a player's next move. For a player who reveals, this is the move to commit to
   * for the next round.
   * @param secretStore Store whose secret shows whether the match ends without a further move.
   * @throws InputError for arguments that are not a move.
   */
  parse(moveArgs: readonly string[], turn: Turn, secretStore?: SecretStore): Promise<V | undefined>;
  /** Inverse of `parse`, for terminals and messages to people. */
  args(move: V | undefined, turn: Turn): Promise<string[]>;
  /**
   * Suggests any legal move, not necessarily a good one.
   * @throws Error if there is no legal move.
   */
  suggest(turn: Turn, secretStore: SecretStore): Promise<V | undefined>;
  /**
   * Lists a player's choices for a terminal: its moves, each as arguments separated by spaces, or the parts of a move,
   * e.g. its fighters. Empty if no move is needed, or there are too many choices to list.
   */
  choices?(turn: Turn, secretStore?: SecretStore): Promise<string[]>;
  /** Composes the data that player 1 creates a match with. @throws InputError for a move against the rules. */
  create(move: V, turn: Turn, secretStore: SecretStore): Promise<Hex>;
  /**
   * Composes the data that player 2 joins a match with.
   * @param shown Data that player 2 has already shown for this turn: an answer keeps its salt.
   * @throws InputError for a move against the rules.
   */
  join(move: V, turn: OpenTurn, secretStore: SecretStore, shown?: Hex): Promise<Hex>;
  /**
   * Composes the data that the player in turn acts with.
   * @param shown See `join`.
   * @throws InputError for a move against the rules, or if a needed move is missing.
   */
  act(move: V | undefined, turn: OpenTurn, secretStore: SecretStore, shown?: Hex): Promise<Hex>;
}

/**
 * Returns the turn of a player who is about to create a match.
 * @example
 * ```ts
 * import { firstTurn, Seat } from "duello";
 *
 * const { seat } = firstTurn(record.terms, record.player1, archive);
 * seat; // => Seat.One
 * ```
 */
export function firstTurn({ game, mode }: Pick<Terms, "game" | "mode">, player: string, history: History): Turn {
  return { seat: Seat.One, player, game, mode, history };
}

/**
 * Returns the turn of a player in a match.
 * @param seat As in `Seat`.
 * @example
 * ```ts
 * import { Seat, turnOf } from "duello";
 *
 * const { game, seat } = turnOf(record, Seat.Two, record.player2!, archive);
 * game === record.terms.game; // => true
 * ```
 */
export function turnOf(record: MatchRecord, seat: bigint, player: string, history: History): OpenTurn {
  const { game, mode } = record.terms;
  return { seat, player, game, mode, record, history };
}
