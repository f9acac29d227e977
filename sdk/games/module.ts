import type { BaseContract, InterfaceAbi } from "ethers";
import type { RandomSource } from "../bots/source.js";
import type { SeededRandom } from "../bots/seeded-random.js";
import type { Artifact } from "../chain/code.js";
import type { CharacterContract } from "../chain/character-contract.js";
import type { AnyEvent } from "../chain/events.js";
import type { History } from "../chain/history.js";
import type { ExpectedAnswer, MatchRecord, Replayed } from "../chain/record.js";
import type { Place } from "../protocol/channels/transcript.js";
import type { Secret } from "../protocol/commitment.js";
import type { Hex } from "../protocol/hex.js";
import type { Mismatch } from "../protocol/mismatch.js";
import type { ErrorValues, Sentences } from "../protocol/sentences.js";
import { upperFirst } from "../protocol/text.js";
import type { Assessment, Chooser } from "./assessment.js";
import type { Calculator } from "./calculator.js";
import type { Counters, Fought } from "./counters.js";
import type { ModeFormat } from "./mode-format.js";
import type { Moves, PendingCommitment, SecretStore, Turn } from "./moves.js";

/** Results of matches between players who move at random. */
export interface WinRate {
  player1: number;
  player2: number;
  draws: number;
}

/** Colours a text that belongs to a player, 1 or 2; or returns it unchanged. */
export type Paint = (text: string, player: number) => string;

/** Player who views one of its own matches. */
export interface Viewer {
  /** Seat of the player, as in `Seat`. */
  seat: bigint;
  secretStore: SecretStore;
}

/**
 * View in which a finished match is drawn: everything that was shown by its end, or what the public or one player knew
 * at the time.
 */
export type Sight = "end" | "then" | "player 1" | "player 2";

/** Options of a story. */
export interface Telling {
  /** True to draw the board after every turn, if the game has a board. */
  turns?: boolean;
  /** View in which turns of a finished match are drawn, if the game hides anything; defaults to `end`. */
  sight?: Sight;
  /** Hidden states that players have shown after the match, for which `HiddenState.mismatch` has found no mismatch. */
  shown?: readonly { seat: bigint; secret: Secret }[];
}

/** State that a player hides in a match, and that may remain hidden when the match ends. */
export interface HiddenState {
  /** Name of the hidden state, e.g. `army`. */
  readonly noun: string;
  /** Finds the commitment of a seat to its state; undefined if the seat has made no commitment. */
  commitmentOf(record: MatchRecord, seat: bigint, history: History): Promise<PendingCommitment | undefined>;
  /**
   * Checks the secret that a player shows after a match against the player's commitment, the rules, and everything that
   * the match revealed.
   * @returns The first mismatch; undefined if the player has played by the rules.
   */
  mismatch(record: MatchRecord, seat: bigint, secret: Secret, history: History): Promise<Mismatch | undefined>;
  /** Draws the state as lines of text. */
  draw(record: MatchRecord, seat: bigint, secret: Secret, history: History, paint: Paint): Promise<string[]>;
  /** Counts how often a seat has shown a part of its state in a match so far. */
  shownParts(record: MatchRecord, seat: bigint): number;
}

/** Published mode, as a catalogue of games has it. */
export interface ModeFacts {
  /** Registered content; `0x` for the game's default. */
  readonly content: Hex;
  /** Stakes of player 1 and player 2 in an even game. */
  readonly odds: readonly [bigint, bigint];
  /** Player who wins ties; defaults to nobody. */
  readonly ties?: "challenger";
  /** Name of the mode that replaces this one in free challenges to a program; defaults to the mode itself. */
  readonly againstProgram?: string;
  /** Sentence that warns why the mode is unfair or dull for players who play well. */
  readonly weakness?: string;
}

/** Advantages that only player 1 has from the start, whose win rates are measured and reported. */
export interface Starts {
  /** Beginning of the sentence that states the win rates. */
  readonly told: string;
  /** Makes the input of a random match for each such start, by the name of the start. */
  readonly inputs: Readonly<Record<string, (random: SeededRandom) => unknown>>;
}

/** How matches of a game are measured, and the game's known odds. */
export interface GameOdds {
  /** Makes the input of a simulated match between players who move at random, given the content of the mode. */
  atRandom(mode: Hex, random: SeededRandom): unknown;
  /** Rules for simulating one input many times; without it the game has no dice. */
  readonly calculator?: Calculator;
  /** Number of matches for measuring the win rates, if the usual number would take too long. */
  readonly winRateRuns?: number;
  /** Starts that are not the same for both players, by the name of their mode; defaults to none. */
  readonly starts?: Readonly<Record<string, Starts>>;
}

/** Program that plays a game well. */
export interface Bot {
  readonly strategy: Chooser;
  /** Assesses the first move that the strategy would play; without this function, the prospects are unknown. */
  assess?(turn: Turn): Promise<Assessment>;
  /**
   * Returns whether any legal move is as good as the strategy's move in a mode, given the mode's content. Without this
   * function, the strategy's moves are better in every mode.
   */
  isLuck?(mode: Hex): boolean;
  /**
   * Describes the result of a match between a program and a player in one line, as the program of the game's source
   * logs it; absent if that program logs no results.
   * @param side Side of the program, 0 or 1.
   * @returns undefined for a match that ended without a log
   */
  resultText?(record: MatchRecord, history: History, side: number): Promise<string | undefined>;
}

/** Situation of a player before it commits to a move, or pays for a seat to play the move. */
export interface MoveContext {
  player: string;
  /** Address of the game. */
  game: string;
  history: History;
  /** Moves that the player has committed to in its other open matches of the game. */
  committed: readonly { matchId: bigint; move: Hex }[];
}

/** Properties of a token to mint, as people write them. */
export type Stats = Readonly<Record<string, string | number | boolean>>;

/** Move of a game with tokens that its players own: the ids of a team's tokens, by slot. */
export type Team = readonly bigint[];

/** Tokens that a game's players own and use in the game, whose moves are a `Team`. */
export interface Characters<T extends object = object> extends CharacterContract<T> {
  /** Lists the ids of the tokens in an encoded move. */
  idsIn(move: Hex): bigint[];
  /**
   * Lists warnings, as sentences, about obstacles to a player's move, before the player commits to it or pays for a
   * seat.
   */
  moveChecks(team: Team, context: MoveContext): Promise<string[]>;
  /** Lists the ids of the tokens that a player owns. */
  ownedBy(player: string, history: History): Promise<bigint[]>;
  /**
   * Describes a token, as data and as text, and any reason that prevents it from fighting.
   * @param game Address of the game.
   */
  describe(id: bigint, history: History, game: string): Promise<{ data: object; text: string; obstacle?: string }>;
  /** Source of `counters`: a view of the game's contract, or all battles since the deployment. */
  readonly countedBy: "contract" | "events";
  /** Names of the counters shown in a list of tokens. */
  readonly mainCounters: readonly string[];
  /** Names of the counters shown after a battle. */
  readonly battleCounters: readonly string[];
  /**
   * Reads the counters of existing tokens from all battles up to a block, in the order of `ids`.
   * @param game Address of the game.
   */
  counters(ids: readonly bigint[], history: History, block: number, game: string): Promise<Counters[]>;
  /** Adds to counters, up to the maximum of each; without this function, counters have no maximum. */
  add?(counters: Counters, more: Counters): Counters;
  /** Counts the actions of a match's tokens, by side and slot; empty without a battle. */
  fought(record: MatchRecord, history: History): Promise<Fought[][]>;
  /** Example of a token's properties, for people who mint tokens. */
  readonly example: Stats;
  /** Makes random properties like those of `example`; without it all tokens of a practice match equal the example. */
  atRandom?(source: RandomSource): Stats;
  /**
   * Encodes the call of the contract that mints a token with the properties of `example`.
   * @param path Name of the properties in errors.
   * @throws InputError naming the property that breaks a rule.
   */
  encodeMint(to: string, stats: unknown, path: string): Hex;
}

/** Statistics of a player that only one game keeps, as data and as text. */
export interface OwnStats {
  data: object;
  text: string;
}

/** Values that a game keeps of a player in addition to the ladder. */
export type KeptValues = Readonly<Record<string, number>>;

/** Rules for how rated matches change the values that a game keeps of their players. */
export interface Keeping {
  /** Values of a player before its first match. */
  readonly fresh: KeptValues;
  /** Returns the values of the player of a side, 0 or 1, after a rated match that is over. */
  after(record: MatchRecord, side: number, before: KeptValues): KeptValues;
}

/** Data that a game keeps beyond single matches. */
export interface Kept {
  /**
   * Starts to derive the data from the events, for a history that grows.
   * @param game Address of the game.
   */
  audit(history: History, game: string): Audit;
  /** Data that the game keeps of each player; defaults to nothing. */
  readonly ofPlayers?: KeptOfPlayers;
}

/** Data that a game itself keeps of each player. */
interface KeptOfPlayers {
  /**
   * Reads the data that the game keeps of a player, as of a block.
   * @param game Address of the game.
   */
  stats(player: string, history: History, block: number, game: string): Promise<OwnStats>;
  /** Rules that derive the data from the events. */
  readonly keeping: Keeping;
}

/** Contract with a view that decodes a game's log, for readers without the SDK. */
export interface Decoder {
  /** Name of the contract's artifact, and of its address in a deployment. */
  readonly contract: string;
  readonly abi: InterfaceAbi;
  /** Name of the token contract that the constructor takes; without a name, the constructor takes nothing. */
  readonly characters?: string;
}

/** Tracks the data that a game keeps beyond single matches, event by event. */
export interface Audit {
  /**
   * Takes the deployment's next event, from any contract.
   * @param time Time of its block, in seconds since 1970.
   * @throws MismatchError if the event is impossible.
   */
  take(event: AnyEvent, time: bigint): void;
  /** Lists the answers that the game's views must give in the end. */
  expectedAnswers(): ExpectedAnswer[];
}

/**
 * Trust in a game at an address: `stock` for a game of this project; `listed` for a game on the user's own list, which
 * this project has not audited. Any other game is foreign, and has no module.
 */
export type Trust = "stock" | "listed";

/** How a game is played in channels. */
export interface ChannelRules {
  /**
   * Returns the `create` data, without a note, that an answer responds to. The chain shows a match in a channel only
   * from its answer on.
   * @param mode Content of the mode.
   * @throws InputError for data that is too short
   */
  createdBy(joinData: Hex, mode: Hex): Hex;
  /** Returns why matches of a mode cannot be played in channels; undefined if they can. Defaults to undefined. */
  problem?(mode: Hex, rated: boolean): string | undefined;
  /**
   * Replays the actions that follow a position, if they contain the whole position. Without this function, only someone
   * with the earlier messages can replay them.
   * @param place Turn and position before the actions.
   * @throws RecordError or InputError for an action that the game refuses.
   */
  resume?(
    record: MatchRecord,
    place: Pick<Place, "turn" | "position">,
    actions: readonly Hex[],
    history: History,
  ): Promise<Replayed>;
}

/** Contract that runs a game without a match. */
export interface Preview {
  /** Name of the contract's artifact, and of its address in a deployment. */
  readonly contract: string;
  readonly abi: InterfaceAbi;
}

/** Facts about a game that need none of its code, so that a catalogue contains no engine. */
export interface GameFacts {
  /** Name on the command line and of the rules page, e.g. `auto-battler`. */
  readonly name: string;
  /** Display name. */
  readonly title: string;
  /** Summary for newcomers, in a sentence or two; optional. */
  readonly summary?: string;
  /** Name of the contract's artifact, and of its address in a deployment. */
  readonly contract: string;
  /** Published modes by name, the usual mode first. */
  readonly modes: Readonly<Record<string, ModeFacts>>;
  /** Name of the mode for demonstrations, if the usual mode would take too long. */
  readonly demo?: string;
  /** Contract of the tokens that players own and fight with. The game's constructor takes it after the arena. */
  readonly characters?: CharacterContract;
}

/** End of a game. */
export interface FrameResult {
  /** Player who has won, 1 or 2; 0 for a draw. */
  readonly winner: number;
  /** Player who takes the pot, 1 or 2; 0 if each player gets its own stake back. */
  readonly taker: number;
}

/**
 * Step of a match to draw. A game adds the contents of its scene as JSON values: text, numbers, booleans, null, lists
 * and objects; ids of tokens are text.
 */
export interface Frame {
  /** Sentence that describes the step. */
  readonly text: string;
  /** End of the game, in the last frame of a game that is over; otherwise null. */
  readonly result: FrameResult | null;
}

/**
 * Everything that defines a game: a core, and optional capabilities. Code that works for any game uses a list of these
 * modules.
 */
export interface GameModule extends GameFacts {
  readonly abi: InterfaceAbi;
  /** Trust in the game. */
  readonly trust: Trust;
  /** The compiled contract: its code must equal the code at the game's address. Without it, code is not compared. */
  readonly artifact?: Artifact;
  /** Contract whose `preview` runs the game without a match; defaults to the game's contract, if it has a `preview`. */
  readonly preview?: Preview;
  /** Contract that decodes the game's log; without it, only readers with the SDK can decode the log. */
  readonly decoder?: Decoder;
  /** Sentences for the game's custom errors; an error without a sentence is described by its `@notice`. */
  readonly errors: Sentences;
  /**
   * Words for values of errors that are unclear as numbers, e.g. the tiles of a board. Anyone can make a contract
   * revert with any value.
   */
  readonly errorValues?: ErrorValues;
  /** Rules that turn players' moves into the data that they send. */
  readonly moves: Moves;
  /**
   * Runs the game without a match, on JSON values only. The game's rules page describes input and output. Uses the
   * `preview` of a deployed `contract` that has one, otherwise the TypeScript engine: both agree bit for bit.
   * @throws InputError naming the field that breaks a rule.
   */
  simulate(input: unknown, contract?: BaseContract): Promise<object>;
  /**
   * Replays a match from its events alone: the expected logs, and the result if the game ended the match.
   * @throws RecordError if the data that the players sent is inconsistent.
   */
  replay(record: MatchRecord, history: History): Promise<Replayed>;
  /** Decodes the log of a match, an object per entry. */
  decodeLog(record: MatchRecord, history: History): Promise<object[]>;
  /** Describes the course of a match, as lines of text. */
  story(record: MatchRecord, history: History, paint: Paint, telling?: Telling): Promise<string[]>;
  /**
   * Describes the state of a match in play, as lines of text.
   * @param viewer One of the players, who sees more than a spectator; defaults to a spectator.
   */
  view?(record: MatchRecord, history: History, paint: Paint, viewer?: Viewer): Promise<string[]>;
  /**
   * Describes players' actions, each as a sentence without its subject, e.g. `answers with rock`: the data that created
   * the match, the data that joined it, and each action.
   * @throws RecordError or InputError if the data that the players sent is inconsistent.
   */
  actionTexts?(record: MatchRecord, history: History): Promise<string[]>;

  // Capabilities, which only some games have.

  /** Tokens that the game's facts name, with the functions to use them; defaults to none. */
  readonly characters?: Characters;
  /** Format of modes, for players who make their own; without it the game has only its default mode. */
  readonly modeFormat?: ModeFormat;
  /** How the game's win rates and the odds of one input are measured; by default, they are not measured. */
  readonly odds?: GameOdds;
  /** Program that plays the game well; by default, a program plays any legal move. */
  readonly bot?: Bot;
  /** Rules for playing the game in channels; without them, it cannot be played there. */
  readonly channels?: ChannelRules;
  /** Data that the game keeps beyond single matches; defaults to nothing. */
  readonly kept?: Kept;
  /** State that may remain hidden when a match ends; defaults to none. */
  readonly hidden?: HiddenState;
  /**
   * Lists the steps of a match to draw, from a replay of the data that the players sent, not from the recorded logs;
   * without this function, the match cannot be drawn.
   * @param viewer See `view`.
   * @throws RecordError or InputError if the data that the players sent is inconsistent.
   */
  frames?(record: MatchRecord, history: History, viewer?: Viewer): Promise<readonly Frame[]>;
}

/** Parts of a module that have a default. */
type Defaulted = "title" | "trust" | "errors" | "story";

/** Mode as its game declares it. */
export type ModeDefinition = Omit<ModeFacts, "odds"> & Partial<Pick<ModeFacts, "odds">>;

/** Facts about a game as it declares them: omitted facts get their defaults. */
type FactsDefinition = Omit<GameFacts, "title" | "modes"> &
  Partial<Pick<GameFacts, "title">> & { readonly modes: Readonly<Record<string, ModeDefinition>> };

/** Module as its game declares it: omitted parts get their defaults. */
export type GameDefinition = Omit<GameModule, Defaulted | "modes"> &
  Partial<Pick<GameModule, Defaulted>> & { readonly modes: Readonly<Record<string, ModeDefinition>> };

/** Odds of a mode in which both seats have equal value. */
export const EVEN: ModeFacts["odds"] = [1n, 1n];

/** Completes facts about a game with defaults: a title made of the name, and even odds for its modes. */
export function defineFacts<D extends FactsDefinition>(
  definition: D,
): Omit<D, "modes"> & Pick<GameFacts, "title" | "modes"> {
  const { name, modes } = definition;
  return { title: upperFirst(name), ...definition, modes: withOdds(modes) };
}

/**
 * Completes a module with defaults: a title made of the name, `listed` trust, even odds for its modes, errors described
 * by the `@notice` of the contract, and a story that lists the decoded log.
 * @example
 * ```ts
 * import { defineGame } from "duello";
 *
 * const chess = defineGame({ ...definition, name: "chess", contract: "Chess" });
 * console.log(chess.title, chess.trust); // "Chess", "listed"
 * ```
 */
export function defineGame<D extends GameDefinition>(definition: D): D & GameModule {
  const { name, decodeLog, modes } = definition;
  return {
    title: upperFirst(name),
    trust: "listed",
    errors: {},
    async story(record, history) {
      return (await decodeLog(record, history)).map(entryText);
    },
    ...definition,
    modes: withOdds(modes),
  };
}

/**
 * Returns the mode of a free challenge to a program.
 * @param named Mode that the challenger named, or the first.
 * @example
 * ```ts
 * import { modeAgainstProgram } from "duello/catalogue";
 * import { stockGame } from "duello";
 *
 * modeAgainstProgram(stockGame("mini-games"), "coin"); // => "coin-challenger"
 * ```
 */
export function modeAgainstProgram({ modes }: Pick<GameFacts, "modes">, named = Object.keys(modes)[0]): string {
  return modes[named].againstProgram ?? named;
}

/** Properties of a challenge that decide its mode if the challenger names none. */
interface Challenged {
  /** Checksummed address; undefined for an offer to anyone. */
  readonly opponent?: string;
  /** Addresses of the deployment's programs. */
  readonly agents?: readonly string[];
  /** True if neither player stakes anything. */
  readonly isFree: boolean;
}

/**
 * Returns the mode of a challenge.
 * @param named Mode that the challenger named; defaults to the first.
 * @example
 * ```ts
 * import { impliedMode } from "duello/catalogue";
 * import { stockGame } from "duello";
 *
 * impliedMode(stockGame("mini-games"), { opponent: bob, agents: [bob], isFree: true }, "coin"); // => "coin-challenger"
 * impliedMode(stockGame("mini-games"), { isFree: true }, "coin"); // => "coin"
 * ```
 */
export function impliedMode(
  game: Pick<GameFacts, "modes">,
  { opponent, agents, isFree }: Challenged,
  named = Object.keys(game.modes)[0],
): string {
  const isProgram = opponent !== undefined && agents?.includes(opponent) === true;
  return isProgram && isFree ? modeAgainstProgram(game, named) : named;
}

function withOdds(modes: Readonly<Record<string, ModeDefinition>>): Record<string, ModeFacts> {
  return Object.fromEntries(Object.entries(modes).map(([name, mode]) => [name, { odds: EVEN, ...mode }]));
}

/** Describes a decoded log entry in a line, field by field. */
function entryText(entry: object, i: number): string {
  const fields = Object.entries(entry).map(([field, value]) => `${field} ${String(value)}`);
  return `${i + 1}. ${fields.join(", ")}`;
}
