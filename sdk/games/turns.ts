import { concat, toBeHex } from "ethers";
import { pick, type RandomSource } from "../bots/source.js";
import type { MatchRecord, Replayed, RoundLog } from "../chain/record.js";
import { numberAt, sized } from "../protocol/bytes.js";
import { NO_STATE } from "../protocol/commit-reveal.js";
import type { Hex } from "../protocol/hex.js";
import { InputError } from "../protocol/input.js";
import { seatOf, sideOf } from "../protocol/sides.js";
import { Seat } from "../protocol/status.js";
import { hexWord } from "../protocol/word.js";
import type { EntryCodec } from "./entry-codec.js";
import { jsonValue, type Step } from "./frames.js";
import type { Frame, Paint, Telling } from "./module.js";
import { encodeMove, moveText, type MoveCodec } from "./move-codec.js";
import type { Turn } from "./moves.js";
import { RecordError } from "./revealed-rounds.js";

/** Rules for sending moves: `M` is a mode, `V` a move. */
export interface SentMoves<M, V> {
  readonly move: MoveCodec<NoInfer<M>, V>;
  /** Names a move in errors, e.g. `mark`. */
  readonly noun: string;
  /** Length in bytes of the move's number in the data of an action; defaults to 2. */
  readonly numberBytes?: number;
}

/**
 * Rules of a game in open turns, whose position fits one word: every move logs the position after it. `M` is a mode,
 * `V` a move, `P` a position with the move that led to it, `S` its summary in the output of a simulation.
 */
export interface TurnRules<M, V, P, S extends object> extends SentMoves<M, V> {
  /** Verb for what a player does with its move; defaults to `plays`. */
  readonly verb?: string;
  /** Returns the player in turn, 1 or 2; 0 once the game is over. */
  turn(position: NoInfer<P>): number;
  /** Returns the player who has won, 1 or 2; 0 for a draw, or while the game goes on. */
  winner(position: NoInfer<P>): number;
  /** Lists the legal moves of the player in turn. */
  legalMoves(position: NoInfer<P>, mode: NoInfer<M>): readonly NoInfer<V>[];
  /**
   * Returns the position after a move of the player in turn.
   * @param path Name of the move in errors.
   * @throws InputError saying why a move is illegal; other illegal moves get a generic message.
   */
  after(position: NoInfer<P>, move: NoInfer<V>, mode: NoInfer<M>, path: string): NoInfer<P>;
  /** Returns the move that led to a position; undefined at the start. */
  last(position: NoInfer<P>): { player: number; move: NoInfer<V> } | undefined;
  readonly entry: EntryCodec<P>;
  /** Returns the position as the arena stores it; defaults to the log entry. */
  stored?(position: NoInfer<P>): bigint;
  /** Draws a position as lines of text, for a story or for players who must move. */
  draw?(position: NoInfer<P>, paint: Paint, isToMove: boolean): string[];
  /** Makes the contents of a position's frame besides its move; defaults to the position, as `position`. */
  frame?(position: NoInfer<P>): object;
  /** Describes a position in the output of a simulation; without it the output contains the position as `position`. */
  summary?(position: NoInfer<P>): S;
  /** Chooses a good move for a player in its turn; without it, the computer plays any legal move. */
  choose?(position: NoInfer<P>, mode: NoInfer<M>, turn: Turn): NoInfer<V> | Promise<NoInfer<V>>;
}

/** Frame of a position, with the game's additions. */
export interface TurnFrame extends Frame {
  /** Move that led to the position, in words; null for a position that no move led to. */
  readonly move: { readonly player: number; readonly text: string } | null;
}

/** Output of a simulated match of turns. */
export type SimulatedTurns<S> = {
  /** Player who has won, 1 or 2; 0 for a draw; null while the game continues. */
  winner: number | null;
  finished: boolean;
} & S & {
    /** Log entries as 0x hex. */
    words: string[];
  };

/** Move as it was sent. */
export interface SentMove<V> {
  seat: bigint;
  move: V;
}

/** Composes the data of an action, which contains the number of its move. */
export function actionData<M, V>({ numberBytes = 2 }: SentMoves<M, V>, number: number, move: Hex): Hex {
  return concat([toBeHex(number, numberBytes), move]);
}

/**
 * Lists the moves in actions.
 * @param first Number of the first move.
 * @throws RecordError for a move with the wrong number, InputError for data of the wrong length.
 */
export function actionMoves<M, V>(
  { move, noun, numberBytes = 2 }: SentMoves<M, V>,
  { matchId }: MatchRecord,
  actions: MatchRecord["actions"],
  first: number,
  mode: M,
): SentMove<V>[] {
  return actions.map(({ seat, data }, i) => {
    const due = first + i;
    const bytes = sized(data, "data", numberBytes + move.length(mode));
    const number = numberAt(bytes, 0, numberBytes);
    if (number !== due) throw new RecordError(`${noun} ${due} was sent as ${noun} ${number}`, { matchId });
    return { seat, move: move.decode(bytes.subarray(numberBytes), mode) };
  });
}

/**
 * Plays moves, and returns the position after each.
 * @param path Name of the moves in errors.
 * @throws InputError for an illegal move, named as `path[i]`.
 */
export function playTurns<M, V, P, S extends object>(
  rules: TurnRules<M, V, P, S>,
  start: P,
  moves: readonly V[],
  mode: M,
  path: string,
): P[] {
  const { move, noun } = rules;
  let position = start;
  return moves.map((each, i) => {
    const where = `${path}[${i}]`;
    if (rules.turn(position) === 0) throw new InputError(where, "the game is over");
    const behind = rules.after(position, each, mode, where);
    const data = encodeMove(move, each, mode);
    if (!rules.legalMoves(position, mode).some((legal) => encodeMove(move, legal, mode) === data)) {
      throw new InputError(where, `${moveText(move, each, mode)} is no legal ${noun}`);
    }
    position = behind;
    return position;
  });
}

/**
 * Plays the moves of a match, and returns the position after each.
 * @throws InputError for an illegal move, RecordError for a move out of turn.
 */
export function playSent<M, V, P, S extends object>(
  rules: TurnRules<M, V, P, S>,
  start: P,
  sent: readonly SentMove<V>[],
  mode: M,
  { matchId }: MatchRecord,
): P[] {
  const { noun } = rules;
  const moves = sent.map(({ move }) => move);
  const positions = playTurns(rules, start, moves, mode, `match ${matchId}: ${noun}`);
  const wrong = sent.findIndex(({ seat }, i) => seat !== seatInTurn(rules, positions[i - 1] ?? start));
  if (wrong >= 0) throw new RecordError(`${noun} ${wrong + 1} out of turn`, { matchId });
  return positions;
}

/** Plays random legal moves to the end of the game. @returns The moves. */
export function playAtRandom<M, V, P, S extends object>(
  rules: TurnRules<M, V, P, S>,
  start: P,
  mode: M,
  source: RandomSource,
): V[] {
  const moves: V[] = [];
  for (let position = start; rules.turn(position) !== 0;) {
    const move = pick(rules.legalMoves(position, mode), source);
    moves.push(move);
    position = rules.after(position, move, mode, "move");
  }
  return moves;
}

/** Returns the seat in turn; None once the game is over. */
export function seatInTurn<M, V, P, S extends object>({ turn }: TurnRules<M, V, P, S>, position: P): bigint {
  const player = turn(position);
  return player === 0 ? Seat.None : seatOf(sideOf(player));
}

/** Returns the logs of a match from its positions, each in its own round. */
export function positionLogs<M, V, P, S extends object>(
  { entry }: TurnRules<M, V, P, S>,
  positions: readonly P[],
): RoundLog[] {
  return positions.map((position, i) => ({ round: BigInt(i + 1), entries: [entry.encode(position)] }));
}

/** Returns the final part of a replay from the last position of a match: the result, and the stored position. */
export function replayedEnd<M, V, P, S extends object>(
  { turn, winner, stored, entry }: TurnRules<M, V, P, S>,
  position: P,
): Pick<Replayed, "result" | "position"> {
  const won = BigInt(winner(position));
  if (turn(position) === 0) return { result: { winner: won, taker: won }, position: NO_STATE };
  return { position: hexWord(stored ? stored(position) : entry.encode(position)) };
}

/** Makes the output of a simulated match from its log. @param start Position before the first move. */
export function simulatedTurns<M, V, P, S extends object>(
  { turn, winner, entry, summary }: TurnRules<M, V, P, S>,
  start: P,
  entries: readonly bigint[],
): SimulatedTurns<S> {
  const position = entries.map(entry.decode).at(-1) ?? start;
  const finished = turn(position) === 0;
  // Without a summary, `S` is the default summary.
  const told = summary ? summary(position) : ({ position } as unknown as S);
  return { winner: finished ? winner(position) : null, finished, ...told, words: entries.map(hexWord) };
}

/** Describes what a player does with its move. */
export function turnText<M, V>(
  { move, verb = "plays" }: Pick<TurnRules<M, V, unknown, object>, "move" | "verb">,
  value: V,
  mode: M,
): string {
  return `${verb} ${moveText(move, value, mode)}`;
}

/** Draws positions. @param startText Sentence for a position that no move led to. */
export function turnFrames<M, V, P, S extends object>(
  rules: TurnRules<M, V, P, S>,
  positions: readonly P[],
  mode: M,
  startText: (position: P) => string,
): Step<TurnFrame>[] {
  const { move, last, frame } = rules;
  return positions.map((position) => {
    const led = last(position);
    return {
      text: led ? `Player ${led.player} ${turnText(rules, led.move, mode)}` : startText(position),
      move: led ? { player: led.player, text: moveText(move, led.move, mode) } : null,
      ...(frame?.(position) ?? { position: jsonValue(position) }),
    };
  });
}

/** Describes positions as lines of text: the moves that led to them, and a drawing of the last position, or of each. */
export function turnLines<M, V, P, S extends object>(
  rules: TurnRules<M, V, P, S>,
  positions: readonly P[],
  mode: M,
  paint: Paint,
  { turns = false }: Telling = {},
): string[] {
  const { last, draw } = rules;
  return positions.flatMap((position, i) => {
    const move = last(position);
    return [
      ...(turns ? [""] : []),
      ...(move ? [`Player ${move.player} ${turnText(rules, move.move, mode)}`] : []),
      ...(draw && (turns || i === positions.length - 1) ? draw(position, paint, false) : []),
    ];
  });
}
