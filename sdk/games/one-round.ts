import type { BaseContract } from "ethers";
import type { SeededRandom } from "../bots/seeded-random.js";
import type { History } from "../chain/history.js";
import type { MatchRecord } from "../chain/record.js";
import type { Hex } from "../protocol/hex.js";
import { bytes32, list, object, type Reader } from "../protocol/input.js";
import { playerOf } from "../protocol/sides.js";
import { hexWord } from "../protocol/word.js";
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
import { entriesOf, type EntryCodec } from "./entry-codec.js";
import { modesOf, type ModeRules } from "./mode-format.js";
import { frameText, jsonValue, replayedFrames, unpainted } from "./frames.js";
import { defineGame, type Bot, type Frame, type Paint } from "./module.js";
import { encodeMove, moveText } from "./move-codec.js";
import { replayedSingleRound } from "./revealed-rounds.js";

/** Result of a match of one round. */
export interface RoundResult<E> {
  /** Player who has won, 1 or 2; 0 for a draw. */
  winner: number;
  /** Log of the match. */
  entries: readonly E[];
}

/** Output of a simulated match of one round; `S` is the game's summary. */
export type SimulatedRound<S> = { winner: number } & S & {
    /** Log entries as 0x hex. */
    words: string[];
  };

/** Frame of a match of one round, with the game's additions. */
export interface RoundFrame extends Frame {
  /** Moves of player 1 and player 2, in words. */
  readonly moves: readonly [string, string];
}

/**
 * Rules of a game of one committed move each: player 1 commits, player 2 answers in the open, player 1 reveals. `M` is a
 * mode, `V` a move, `E` an entry of the log.
 */
export interface OneRoundRules<M extends object, V, E extends object, S extends object>
  extends CommittedRoundRules<M, V>, ModeRules<M> {
  /** Plays two legal moves. */
  play(round: RevealedRound<NoInfer<M>, NoInfer<V>>): RoundResult<NoInfer<E>>;
  readonly entry: EntryCodec<E>;
  /** Sums up the log for the output of a simulation; without it the output lists the log as `entries`. */
  summary?(entries: readonly NoInfer<E>[]): S;
  /** Measures a simulated match, as `Calculator.measure` does; without it the game has no dice. */
  measure?: Calculator["measure"];
  /** Makes the contents of a match's frame besides both moves; defaults to the decoded log, as `entries`. */
  frame?(entries: readonly NoInfer<E>[]): object;
  /** Describes an entry of the log as lines of text; without it the story states both moves and the winner. */
  lines?(entry: NoInfer<E>, paint: Paint): string[];
  /** Assesses the first move that `choose` finds in a match; without it the move's prospects are unknown. */
  assess?: Bot["assess"];
  /** Returns whether the moves of `choose` are no better than any others in a mode, as `Bot.isLuck` does. */
  isLuck?(mode: NoInfer<M>): boolean;
  /** Describes the result in one line, as `Bot.resultText` does; for a game with `choose`. */
  result?(entry: NoInfer<E>, side: number): string;
}

/**
 * Makes the module of a game of one committed move each. Its contract extends `OneRound`, and keeps no state. A contract
 * that extends `CommitReveal` itself logs the match as round 1, and has the view
 *
 *     preview(bytes32 seed, bytes mode, M move1, M move2) returns (uint8 winner, uint256[] logEntries)
 *
 * where M is the type of a move: an unsigned integer of up to 32 bytes, or `bytes`.
 * @example
 * ```ts
 * import { oneRound } from "duello";
 *
 * const blotto = oneRound({
 *   name: "blotto",
 *   contract: "Blotto",
 *   abi,
 *   modes: { default: { content: "0x" } },
 *   rules: roundRules,
 * });
 * ```
 */
export function oneRound<M extends object, V, E extends object, S extends object = { entries: E[] }>(
  definition: BasedDefinition<OneRoundRules<M, V, E, S>, SimulatedRound<S>>,
): BasedGame<OneRoundRules<M, V, E, S>, SimulatedRound<S>> {
  const { name, rules } = definition;
  const { move, entry, measure, assess, isLuck, lines, result } = rules;
  const modes = modesOf(rules);
  const { modeOf } = modes;
  // Without a summary, `S` is the default summary.
  const summary = rules.summary ?? ((entries: readonly E[]) => ({ entries }) as unknown as S);

  const modeIn = (record: MatchRecord, history: History) => modeOf(record.terms, history);
  const decodeLog = async (record: MatchRecord) => entriesOf(record, entry.decode);

  function readInput(input: unknown): RevealedRound<M, V> {
    const { readMode, byMode } = modes.inputReaders();
    const readMoves = byMode((mode) => list(move.read(mode), 2) as Reader<[V, V]>);
    return object({ seed: bytes32, mode: readMode, moves: readMoves })(input, "");
  }

  function engine(round: RevealedRound<M, V>) {
    const { winner, entries } = rules.play(round);
    return { winner, entries: entries.map(entry.encode) };
  }

  async function preview(contract: BaseContract, { seed, mode, moves }: RevealedRound<M, V>) {
    const encoded = moves.map((each) => encodeMove(move, each, mode));
    const result: unknown = await contract.getFunction("preview").staticCall(seed, modes.encode(mode), ...encoded);
    const [winner, entries] = result as [winner: bigint, logEntries: bigint[]];
    return { winner: Number(winner), entries: Array.from(entries) };
  }

  async function replay(record: MatchRecord, history: History) {
    const mode = await modeIn(record, history);
    const round = revealedRound(rules, record, mode, name);
    const length = move.length(mode);
    return replayedSingleRound(record, [length, length], round && engine(round));
  }

  async function story(record: MatchRecord, history: History, paint: Paint): Promise<string[]> {
    if (lines) return (await decodeLog(record)).flatMap((each) => lines(each, paint));
    const mode = await modeIn(record, history);
    const round = revealedRound(rules, record, mode, name);
    if (!round) return [];
    const { winner } = rules.play(round);
    const player = (number: number) => paint(`Player ${number}`, number);
    return [
      ...round.moves.map((each, side) => `${player(playerOf(side))} plays ${moveText(move, each, mode)}`),
      winner === 0 ? "A draw" : `${player(winner)} wins`,
    ];
  }

  const frames = replayedFrames<RoundFrame>(definition.replay ?? replay, async (record, history) => {
    const mode = await modeIn(record, history);
    const round = revealedRound(rules, record, mode, name);
    if (!round) return [];
    const entries = await decodeLog(record);
    const [move1, move2] = round.moves.map((each) => moveText(move, each, mode));
    const text = frameText(await (definition.story ?? story)(record, history, unpainted));
    return [{ text, moves: [move1, move2], ...(rules.frame?.(entries) ?? { entries: jsonValue(entries) }) }];
  });

  const strategy = committedRoundStrategy(rules, modeOf);
  const resultText =
    result &&
    (async (record: MatchRecord, _history: History, side: number) =>
      (await decodeLog(record)).map((each) => result(each, side)).at(0));

  const game = {
    modeFormat: modes.format,
    moves: committedRoundMoves(rules, modeOf),
    bot: strategy && {
      strategy,
      assess,
      resultText,
      isLuck: isLuck && ((content: Hex) => isLuck(modes.decode(content))),
    },
    async simulate(input: unknown, contract?: BaseContract) {
      const round = readInput(input);
      const { winner, entries } = contract ? await preview(contract, round) : engine(round);
      return { winner, ...summary(entries.map(entry.decode)), words: entries.map(hexWord) };
    },
    odds: {
      calculator: measure && { reseed: (input: object, seed: Hex) => ({ ...input, seed }), measure },
      atRandom(content: Hex, random: SeededRandom) {
        const mode = modes.decode(content);
        const any = () => rules.random(mode, random);
        return { seed: random.seed, mode: modes.toJson(mode), moves: [any(), any()] };
      },
    },
    channels: committedChannels,
    replay,
    decodeLog,
    frames,
    story,
    actionTexts: async (record: MatchRecord, history: History) =>
      committedRoundTexts(rules, record, await modeIn(record, history)),
    ...definition,
  };
  return defineGame(game);
}
