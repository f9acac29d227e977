import { concat, type BaseContract } from "ethers";
import { cryptoSource, pick } from "../bots/source.js";
import type { SeededRandom } from "../bots/seeded-random.js";
import type { History } from "../chain/history.js";
import type { MatchRecord, Replayed } from "../chain/record.js";
import { hexOf, sized } from "../protocol/bytes.js";
import type { Hex } from "../protocol/hex.js";
import { listUpTo, object } from "../protocol/input.js";
import { Seat } from "../protocol/status.js";
import type { BasedDefinition, BasedGame } from "./based-game.js";
import { entriesOf } from "./entry-codec.js";
import { modesOf, type ModeRules } from "./mode-format.js";
import { replayedFrames } from "./frames.js";
import { defineGame, type Paint, type Telling } from "./module.js";
import { argsOf, choicesOf, encodeLegalMove, encodeMove, readMove } from "./move-codec.js";
import type { Moves, Turn } from "./moves.js";
import { RecordError } from "./revealed-rounds.js";
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
  type SentMove,
  type SentMoves,
  type SimulatedTurns,
  type TurnFrame,
  type TurnRules,
} from "./turns.js";

/** Number of the move in the first action of a match; the data to create and join it contain the earlier moves. */
const FIRST_OF_ACTIONS = 3;

/** Rules of a game in open turns from its first move on: player 1 makes the first move, player 2 the second. */
export interface OpenTurnsRules<M extends object, V, P extends object, S extends object>
  extends TurnRules<M, V, P, S>, ModeRules<M> {
  /** Returns the position before the first move. */
  start(mode: NoInfer<M>): NoInfer<P>;
}

/**
 * Makes the module of a game in open turns. Its contract expects a move to create a match, the first move and an answer
 * to join it, and the number of a move and the move in each action. It logs each move as a round of one entry, and has
 * the view
 *
 *     preview(bytes mode, M[] moves) returns (uint256[] logEntries)
 *
 * where M is the type of a move: an unsigned integer of up to 32 bytes, or `bytes`. `mode` is empty for the default.
 * @example
 * ```ts
 * import { openTurns } from "duello";
 *
 * const nim = openTurns({
 *   name: "nim",
 *   contract: "Nim",
 *   abi,
 *   modes: { default: { content: "0x" } },
 *   rules: turnRules,
 * });
 * ```
 */
export function openTurns<M extends object, V, P extends object, S extends object = { position: P }>(
  definition: BasedDefinition<OpenTurnsRules<M, V, P, S>, SimulatedTurns<S>>,
): BasedGame<OpenTurnsRules<M, V, P, S>, SimulatedTurns<S>> {
  const { rules } = definition;
  const { move, entry, draw, choose, start } = rules;
  const modes = modesOf(rules);
  const { modeOf } = modes;

  const decodeLog = async (record: MatchRecord) => entriesOf(record, entry.decode);

  function positionsOf(record: MatchRecord, mode: M): P[] {
    return playSent(rules, start(mode), sentMoves(rules, record, mode), mode, record);
  }

  async function positionIn({ record, history, ...terms }: Turn): Promise<{ position: P; mode: M }> {
    const mode = await modeOf(terms, history);
    return { mode, position: (record && positionsOf(record, mode).at(-1)) ?? start(mode) };
  }

  const modeIn = (turn: Turn) => modeOf(turn, turn.history);
  const encoded = async (value: unknown, turn: Turn) => encodeLegalMove(move, value, await modeIn(turn));

  const moves: Moves<V> = {
    usage: [move.usage, move.usage],
    parse: async (moveArgs, turn) => readMove(move, moveArgs, await modeIn(turn)),
    args: async (value: V, turn) => argsOf(move, value, await modeIn(turn)),
    async suggest(turn) {
      const { position, mode } = await positionIn(turn);
      return pick(rules.legalMoves(position, mode), cryptoSource);
    },
    async choices(turn) {
      const { position, mode } = await positionIn(turn);
      return choicesOf(move, rules.legalMoves(position, mode), mode);
    },
    create: encoded,
    join: async (value, turn) => concat([turn.record.createData, await encoded(value, turn)]),
    act: async (value, turn) =>
      actionData(rules, FIRST_OF_ACTIONS + turn.record.actions.length, await encoded(value, turn)),
  };

  function readInput(input: unknown): { mode: M; moves: V[] } {
    const { readMode, byMode } = modes.inputReaders();
    const readMoves = byMode((mode) => listUpTo(move.read(mode), Infinity));
    return object({ mode: readMode, moves: readMoves })(input, "");
  }

  async function preview(contract: BaseContract, mode: M, played: readonly V[]): Promise<bigint[]> {
    const encoded = played.map((each) => encodeMove(move, each, mode));
    return Array.from((await contract.getFunction("preview").staticCall(modes.encode(mode), encoded)) as bigint[]);
  }

  async function replay(record: MatchRecord, history: History): Promise<Replayed> {
    const positions = positionsOf(record, await modeOf(record.terms, history));
    const turns = positions.slice(1).map((position) => seatInTurn(rules, position));
    return { logs: positionLogs(rules, positions), turns, ...replayedEnd(rules, positions.at(-1)!) };
  }

  const game = {
    modeFormat: modes.format,
    moves,
    bot: choose && {
      async strategy(turn: Turn) {
        const { position, mode } = await positionIn(turn);
        return choose(position, mode, turn);
      },
    },
    async simulate(input: unknown, contract?: BaseContract): Promise<SimulatedTurns<S>> {
      const { mode, moves: played } = readInput(input);
      const positions = playTurns(rules, start(mode), played, mode, "moves");
      const entries = contract ? await preview(contract, mode, played) : positions.map(entry.encode);
      return simulatedTurns(rules, start(mode), entries);
    },
    odds: {
      atRandom(content: Hex, random: SeededRandom) {
        const mode = modes.decode(content);
        return { mode: modes.toJson(mode), moves: playAtRandom(rules, start(mode), mode, random) };
      },
    },
    channels: {
      createdBy: (joinData: Hex, mode: Hex) => {
        const length = move.length(modes.decode(mode));
        return hexOf(sized(joinData, "joinData", length, Infinity).subarray(0, length));
      },
    },
    replay,
    decodeLog,
    frames: replayedFrames<TurnFrame>(definition.replay ?? replay, async (record, history) => {
      const mode = await modeOf(record.terms, history);
      return turnFrames(rules, await decodeLog(record), mode, () => "The match begins");
    }),
    view:
      draw &&
      (async (record: MatchRecord, history: History, paint: Paint) => {
        const position = (await decodeLog(record)).at(-1) ?? start(await modeOf(record.terms, history));
        return draw(position, paint, true);
      }),
    async story(record: MatchRecord, history: History, paint: Paint, telling?: Telling) {
      const mode = await modeOf(record.terms, history);
      return turnLines(rules, await decodeLog(record), mode, paint, telling);
    },
    async actionTexts(record: MatchRecord, history: History) {
      const mode = await modeOf(record.terms, history);
      return sentMoves(rules, record, mode).map((sent) => turnText(rules, sent.move, mode));
    },
    ...definition,
  };
  return defineGame(game);
}

/**
 * Lists the moves that were sent in a match in open turns, from the first on.
 * @throws RecordError for a move that was sent for another position.
 * @throws InputError for data of the wrong length.
 */
export function sentMoves<M, V>(rules: SentMoves<M, V>, record: MatchRecord, mode: M): SentMove<V>[] {
  const { move, noun } = rules;
  const { matchId, createData, joinData, actions } = record;
  const length = move.length(mode);
  const first = sized(createData, "createData", length);
  const opening = { seat: Seat.One, move: move.decode(first, mode) };
  if (joinData === undefined) return [opening];
  const both = sized(joinData, "joinData", 2 * length);
  if (first.some((byte, i) => byte !== both[i])) {
    throw new RecordError(`the answer is to another first ${noun}`, { matchId });
  }
  const answer = { seat: Seat.Two, move: move.decode(both.subarray(length), mode) };
  return [opening, answer, ...actionMoves(rules, record, actions, FIRST_OF_ACTIONS, mode)];
}
