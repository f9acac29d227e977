import type { BaseContract } from "ethers";
import { cryptoSource, pick } from "../bots/source.js";
import type { SeededRandom } from "../bots/seeded-random.js";
import type { History } from "../chain/history.js";
import type { MatchRecord, Replayed } from "../chain/record.js";
import { NO_STATE } from "../protocol/commit-reveal.js";
import type { Hex } from "../protocol/hex.js";
import { bytes32, list, listUpTo, object, type Reader } from "../protocol/input.js";
import { Seat } from "../protocol/status.js";
import type { BasedDefinition, BasedGame } from "./based-game.js";
import type { Calculator } from "./calculator.js";
import { committedChannels } from "./committed-channels.js";
import {
  committedRoundMoves,
  committedRoundStrategy,
  committedRoundTexts,
  revealedRound,
  type CommittedRoundRules,
  type RevealedRound,
} from "./committed-round.js";
import { entriesOf } from "./entry-codec.js";
import { modesOf, type ModeRules } from "./mode-format.js";
import { frameText, replayedFrames } from "./frames.js";
import { defineGame, type Paint, type Telling } from "./module.js";
import { argsOf, choicesOf, encodeLegalMove, encodeMove, readMove } from "./move-codec.js";
import type { Moves, OpenTurn, SecretStore, Turn } from "./moves.js";
import { expectedPosition, RecordError } from "./revealed-rounds.js";
import {
  actionData,
  actionMoves,
  playAtRandom,
  playSent,
  playTurns,
  positionLogs,
  replayedEnd,
  seatInTurn,
  simulatedTurns,
  turnFrames,
  turnLines,
  turnText,
  type SimulatedTurns,
  type TurnFrame,
  type TurnRules,
} from "./turns.js";

/**
 * Rules of a game that starts with a committed round, which creates its first position, and continues in open turns:
 * `C` is a move of that round; for the other letters see `TurnRules`.
 */
export interface CommittedThenOpenRules<M extends object, C, V, P, S extends object>
  extends TurnRules<M, V, P, S>, ModeRules<M> {
  /** Rules of the committed round. */
  readonly committed: CommittedRoundRules<M, C>;
  /** Returns the position that results from the committed round, which the reveal logs. */
  start(round: RevealedRound<NoInfer<M>, NoInfer<C>>): NoInfer<P>;
  /** Describes that position in one line of a story; without it the story omits the position. */
  startText?(position: NoInfer<P>): string;
  /** Measures a simulated match, as `Calculator.measure` does; without it the game has no dice. */
  measure?: Calculator["measure"];
}

/** Match of such a game: its committed round, and its open moves. */
interface Played<M, C, V> {
  round: RevealedRound<M, C>;
  moves: V[];
}

/**
 * Makes the module of a game in which player 1 commits, player 2 answers, player 1 reveals, and both continue in open
 * turns from the resulting position. Its contract extends `CommitReveal` and keeps no state in the committed round.
 * Each later action contains the number of its move, from 1, and the move. The contract logs the position after the
 * reveal as round 1, and that after each move as a further round. It has the view
 *
 *     preview(bytes32 seed, bytes mode, M move1, M move2, N[] moves) returns (uint256[] logEntries)
 *
 * where M and N are the types of a committed and an open move: an unsigned integer of up to 32 bytes, or `bytes`.
 * `mode` is empty for the default. The entries are the positions after the reveal and after each move.
 *
 * The reveal may contain a commitment to a further move, as `_takeReveal` returns it. The contract ignores it, since no
 * committed round follows.
 *
 * `examples/sticks` in this package contains the contract and the module of such a game.
 * @example
 * ```ts
 * import { committedThenOpen } from "duello";
 *
 * const sticks = committedThenOpen({
 *   name: "sticks",
 *   contract: "Sticks",
 *   abi,
 *   modes: { default: { content: "0x" } },
 *   rules: openingRules,
 * });
 * ```
 */
export function committedThenOpen<M extends object, C, V, P extends object, S extends object = { position: P }>(
  definition: BasedDefinition<CommittedThenOpenRules<M, C, V, P, S>, SimulatedTurns<S>>,
): BasedGame<CommittedThenOpenRules<M, C, V, P, S>, SimulatedTurns<S>> {
  const { name, rules } = definition;
  const { move, committed, entry, draw, choose, measure, startText } = rules;
  const modes = modesOf(rules);
  const { modeOf } = modes;
  const roundMoves: Moves = committedRoundMoves(committed, modeOf);
  const roundStrategy = committedRoundStrategy(committed, modeOf);

  const decodeLog = async (record: MatchRecord) => entriesOf(record, entry.decode);

  const sentMoves = (record: MatchRecord, mode: M) => actionMoves(rules, record, record.actions.slice(1), 1, mode);

  /** Plays a match and returns its positions; empty before the reveal. */
  function positionsOf(record: MatchRecord, mode: M): P[] {
    const round = revealedRound(committed, roundOf(record), mode, name);
    if (!round && record.actions.length > 0) throw new RecordError("somebody acted before the reveal", record);
    if (!round) return [];
    const start = rules.start(round);
    return [start, ...playSent(rules, start, sentMoves(record, mode), mode, record)];
  }

  async function positionIn({ record, history }: OpenTurn): Promise<{ position: P; mode: M }> {
    const mode = await modeOf(record.terms, history);
    const position = positionsOf(record, mode).at(-1);
    if (position === undefined) throw new RecordError("nothing is revealed yet", record);
    return { position, mode };
  }

  const moves: Moves = {
    ...roundMoves,
    later: move.usage,
    pendingCommitments: async (record, seat, history) =>
      record.actions.length === 0 ? roundMoves.pendingCommitments!(record, seat, history) : [],
    answeredCommitment: async (turn) => (isOpen(turn) ? undefined : roundMoves.answeredCommitment!(turn)),
    async parse(moveArgs, turn, secretStore) {
      if (!isOpen(turn)) return roundMoves.parse(moveArgs, turn, secretStore);
      return readMove(move, moveArgs, await modeOf(turn, turn.history));
    },
    async args(value, turn) {
      return isOpen(turn) ? argsOf(move, value as V, await modeOf(turn, turn.history)) : roundMoves.args(value, turn);
    },
    async suggest(turn, secretStore) {
      if (!isOpen(turn)) return roundMoves.suggest(turn, secretStore);
      const { position, mode } = await positionIn(turn);
      return pick(rules.legalMoves(position, mode), cryptoSource);
    },
    async choices(turn, secretStore) {
      if (!isOpen(turn)) return (await roundMoves.choices?.(turn, secretStore)) ?? [];
      const { position, mode } = await positionIn(turn);
      return choicesOf(move, rules.legalMoves(position, mode), mode);
    },
    async act(value, turn, secretStore, shown) {
      if (!isOpen(turn)) return roundMoves.act(value, turn, secretStore, shown);
      const data = encodeLegalMove(move, value, await modeOf(turn, turn.history));
      return actionData(rules, turn.record.actions.length, data);
    },
  };

  async function strategy(turn: Turn, secretStore: SecretStore): Promise<unknown> {
    if (!isOpen(turn)) return (roundStrategy ?? roundMoves.suggest)(turn, secretStore);
    if (!choose) return moves.suggest(turn, secretStore);
    const { position, mode } = await positionIn(turn);
    return choose(position, mode, turn);
  }

  function readInput(input: unknown): Played<M, C, V> {
    const { readMode, byMode } = modes.inputReaders();
    const readCommitted = byMode((mode) => list(committed.move.read(mode), 2) as Reader<[C, C]>);
    const readMoves = byMode((mode) => listUpTo(move.read(mode), Infinity));
    const shape = { seed: bytes32, mode: readMode, committed: readCommitted, moves: readMoves };
    const { seed, mode, committed: both, moves: played } = object(shape)(input, "");
    return { round: { seed, mode, moves: both }, moves: played };
  }

  async function preview(contract: BaseContract, { round, moves: played }: Played<M, C, V>): Promise<bigint[]> {
    const { seed, mode } = round;
    const both = round.moves.map((each) => encodeMove(committed.move, each, mode));
    const open = played.map((each) => encodeMove(move, each, mode));
    const args = [seed, modes.encode(mode), ...both, open];
    return Array.from((await contract.getFunction("preview").staticCall(...args)) as bigint[]);
  }

  async function replay(record: MatchRecord, history: History): Promise<Replayed> {
    const mode = await modeOf(record.terms, history);
    const positions = positionsOf(record, mode);
    const open = positions.map((position) => seatInTurn(rules, position));
    const turns = record.joinData === undefined ? [] : [Seat.One, ...open];
    const length = committed.move.length(mode);
    if (positions.length === 0) {
      return { logs: [], turns, position: expectedPosition(record, () => [length, length], NO_STATE, false) };
    }
    return { logs: positionLogs(rules, positions), turns, ...replayedEnd(rules, positions.at(-1)!) };
  }

  const game = {
    modeFormat: modes.format,
    moves,
    bot: choose || roundStrategy ? { strategy } : undefined,
    async simulate(input: unknown, contract?: BaseContract): Promise<SimulatedTurns<S>> {
      const played = readInput(input);
      const start = rules.start(played.round);
      const positions = [start, ...playTurns(rules, start, played.moves, played.round.mode, "moves")];
      const entries = contract ? await preview(contract, played) : positions.map(entry.encode);
      return simulatedTurns(rules, start, entries);
    },
    odds: {
      calculator: measure && { reseed: (input: object, seed: Hex) => ({ ...input, seed }), measure },
      atRandom(content: Hex, random: SeededRandom) {
        const mode = modes.decode(content);
        const any = () => committed.random(mode, random);
        const both: [C, C] = [any(), any()];
        const start = rules.start({ seed: random.seed, mode, moves: both });
        const played = playAtRandom(rules, start, mode, random);
        return { seed: random.seed, mode: modes.toJson(mode), committed: both, moves: played };
      },
    },
    channels: committedChannels,
    replay,
    decodeLog,
    frames: replayedFrames<TurnFrame>(definition.replay ?? replay, async (record, history) => {
      const mode = await modeOf(record.terms, history);
      const begun = committedRoundTexts(committed, roundOf(record), mode);
      const told = frameText(begun.slice(1).map((text, i) => `Player ${2 - i} ${text}`));
      return turnFrames(rules, await decodeLog(record), mode, (position) => startText?.(position) ?? told);
    }),
    view:
      draw &&
      (async (record: MatchRecord, _history: History, paint: Paint) => {
        const position = (await decodeLog(record)).at(-1);
        return position ? draw(position, paint, true) : [];
      }),
    async story(record: MatchRecord, history: History, paint: Paint, telling?: Telling) {
      const positions = await decodeLog(record);
      const mode = await modeOf(record.terms, history);
      const start = startText && positions.length > 0 ? [startText(positions[0])] : [];
      return [...start, ...turnLines(rules, positions, mode, paint, telling)];
    },
    async actionTexts(record: MatchRecord, history: History) {
      const mode = await modeOf(record.terms, history);
      const open = sentMoves(record, mode).map((sent) => turnText(rules, sent.move, mode));
      return [...committedRoundTexts(committed, roundOf(record), mode), ...open];
    },
    ...definition,
  };
  return defineGame(game);
}

/** Returns whether a turn comes after the reveal. */
function isOpen(turn: Turn): turn is OpenTurn {
  return turn.record !== undefined && turn.record.actions.length > 0;
}

/** Returns the committed round of a match. */
function roundOf(record: MatchRecord): MatchRecord {
  return { ...record, actions: record.actions.slice(0, 1) };
}
