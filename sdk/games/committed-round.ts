import { type RandomSource, cryptoSource } from "../bots/source.js";
import type { MatchRecord } from "../chain/record.js";
import { decodeAnswer } from "../protocol/commit-reveal.js";
import type { Hex } from "../protocol/hex.js";
import { Seat } from "../protocol/status.js";
import { committedChooser, committedMoves, type CommittedMoves } from "./commit-reveal.js";
import type { ModeFinder } from "./mode-format.js";
import { argsOf, choicesOf, decodeMove, encodeMove, isMove, moveText, type MoveCodec } from "./move-codec.js";
import type { Moves, Turn } from "./moves.js";
import { RecordError, roundTexts, singleRound } from "./revealed-rounds.js";

/** Rules of a round in which player 1 commits to a move and player 2 answers with a move. `V` is the type of a move. */
export interface CommittedRoundRules<M, V> {
  readonly move: MoveCodec<NoInfer<M>, V>;
  /** Noun with its article for what players commit to; defaults to `a move`. */
  readonly noun?: string;
  /** Names the game that a mode plays, for errors, e.g. `undercut`; defaults to the name of the game. */
  subject?(mode: NoInfer<M>): string;
  /** Draws a random move. */
  random(mode: NoInfer<M>, source: RandomSource): NoInfer<V>;
  /** Lists all moves, if they are few enough for a prompt. */
  choices?(mode: NoInfer<M>): readonly NoInfer<V>[];
  /** Chooses a good move for a player in its turn; without it, the computer plays any legal move. */
  choose?(turn: Turn, mode: NoInfer<M>): NoInfer<V> | Promise<NoInfer<V>>;
}

/** Revealed round, whose moves are legal. */
export interface RevealedRound<M, V> {
  mode: M;
  /** Moves of player 1 and player 2. */
  moves: [V, V];
  /** Seed of the dice, 32 bytes. */
  seed: string;
}

/** Makes the moves of a match whose first round is its only committed one. */
export function committedRoundMoves<M, V>(rules: CommittedRoundRules<M, V>, modeOf: ModeFinder<M>): Moves<V> {
  const committed = committedRound(rules, modeOf);
  return {
    ...committedMoves(committed),
    commitments: async ({ createData }, seat) => (seat === Seat.One ? [createData] : []),
  };
}

/** Makes the strategy of a committed round; undefined if the rules contain no strategy. */
export function committedRoundStrategy<M, V>(
  rules: CommittedRoundRules<M, V>,
  modeOf: ModeFinder<M>,
): Moves<V>["suggest"] | undefined {
  const { choose } = rules;
  if (!choose) return undefined;
  return committedChooser(committedRound(rules, modeOf), async (_round, turn) =>
    choose(turn, await modeOf(turn, turn.history)),
  );
}

function committedRound<M, V>(
  { move, random, choices }: CommittedRoundRules<M, V>,
  modeOf: ModeFinder<M>,
): CommittedMoves<V> {
  const modeIn = (turn: Turn) => modeOf(turn, turn.history);
  return {
    usage: [move.usage, move.usage],
    rounds: 1,
    // Lengths matter only if a commitment follows a reveal.
    lengths: () => [0, 0],
    parse: async (moveArgs, turn) => move.parse(moveArgs, await modeIn(turn)),
    check: async (value, _round, turn) => move.read(await modeIn(turn))(value, "move"),
    args: async (value, turn) => argsOf(move, value, await modeIn(turn)),
    encode: async (value, turn) => encodeMove(move, value, await modeIn(turn)),
    suggest: async (_round, turn) => random(await modeIn(turn), cryptoSource),
    choices:
      choices &&
      (async (_round, turn) => {
        const mode = await modeIn(turn);
        return choicesOf(move, choices(mode), mode);
      }),
  };
}

/**
 * Returns the revealed round of a match; undefined if it was not revealed.
 * @param name Name of the game, for errors.
 * @throws RecordError if commitment, answer and reveal do not fit together, or for a move that the mode does not have.
 */
export function revealedRound<M, V>(
  { move, subject = () => name }: CommittedRoundRules<M, V>,
  record: MatchRecord,
  mode: M,
  name: string,
): RevealedRound<M, V> | undefined {
  const length = move.length(mode);
  const round = singleRound(record, [length, length]);
  const { matchId, joinData } = record;
  const checked = (data: Hex): V => {
    const value = decodeMove(move, data, mode);
    if (isMove(move, value, mode)) return value;
    throw new RecordError(`${moveText(move, value, mode)} is no move of ${subject(mode)}`, { matchId });
  };
  if (round) return { mode, moves: [checked(round.move1), checked(round.move2)], seed: round.seed };
  // The answer was checked when it was sent.
  if (joinData !== undefined) checked(decodeAnswer(joinData).move);
  return undefined;
}

/** Describes the players' actions in a match's committed round. @throws as `roundTexts` does */
export function committedRoundTexts<M, V>(
  { move, noun = "a move" }: CommittedRoundRules<M, V>,
  record: MatchRecord,
  mode: M,
): string[] {
  const length = move.length(mode);
  return roundTexts(
    record,
    () => [length, length],
    () => noun,
    (data) => moveText(move, decodeMove(move, data, mode), mode),
  );
}
