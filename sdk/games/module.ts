import type { BaseContract, InterfaceAbi } from "ethers";
import type { Addresses } from "../chain/addresses.js";
import type { SeededRandom } from "../bots/seeded-random.js";
import type { Sentences } from "../protocol/sentences.js";
import type { AnyEvent } from "../chain/events.js";
import type { History } from "../chain/history.js";
import type { SecretStore, Moves, OpenTurn } from "./moves.js";
import type { ExpectedAnswer, MatchRecord, Replayed } from "../chain/record.js";
import type { Hex } from "../protocol/hex.js";
import type { Chooser, Assessment } from "./assessment.js";

/** How matches between players who move at random have ended. */
export interface WinRate {
  player1: number;
  player2: number;
  draws: number;
}

/** Colours a text that belongs to a player, 1 or 2; or leaves it as it is. */
export type Paint = (text: string, player: number) => string;

/** A player who looks at a match of its own. */
export interface Viewer {
  /** As in `Seat`. */
  seat: bigint;
  secretStore: SecretStore;
}

/** A mode that is published with its game. */
export interface StockMode {
  /** As it is registered; `0x` for the game's default. */
  readonly content: Hex;
  /** Stakes of player 1 : player 2 in an even game. */
  readonly odds: readonly [bigint, bigint];
  /** Who has the ties, if not nobody: player 1. */
  readonly ties?: "challenger";
  /** What makes it unfair or dull for players who play well, in a sentence. */
  readonly weakness?: string;
  /** Starts that are not the same for both; left out: there are none. */
  readonly starts?: Starts;
}

/** What player 1 may have from the start and player 2 not; how often that wins and loses is measured and told. */
export interface Starts {
  /** The beginning of the sentence that tells it. */
  readonly told: string;
  /** By name: the input of a match at random with that start. */
  readonly inputs: Readonly<Record<string, (random: SeededRandom) => unknown>>;
}

/** Where a player stands before it commits to a move, or pays for a seat to play it in. */
export interface MoveContext {
  player: string;
  history: History;
  /** What the player has committed to in other open matches of the game. */
  committed: readonly { matchId: bigint; move: Hex }[];
}

/** The tokens with numbers that a game's players bring to it. */
export interface Characters {
  /** What one is called, e.g. `fighter`; several have an s behind it, on the command line too. */
  readonly noun: string;
  /** Name of their contract's address in a deployment. */
  readonly contract: "Fighters" | "GuardianCards";
  /** The numbers of those that a move brings. */
  idsIn(move: Hex): bigint[];
  /** The numbers of those that a player owns. */
  ownedBy(player: string, history: History): Promise<bigint[]>;
  /** All that one says, the same in words, and what keeps it from fighting, if something does. */
  describe(id: bigint, history: History): Promise<{ data: object; text: string; obstacle?: string }>;
}

/** What a game keeps beyond single matches, followed event by event. */
export interface Audit {
  /**
   * Takes the deployment's next event, whichever it is.
   * @param time When it was, in seconds since 1970.
   * @throws MismatchError if it cannot have been.
   */
  take(event: AnyEvent, time: bigint): void;
  /** What the game's views must answer in the end. */
  expectedAnswers(): ExpectedAnswer[];
}

/** What a game brings. Everything that works for all games walks the list of these in `index.ts`. */
export interface GameModule {
  /** The name on the command line and of the rules page, e.g. `auto-battler`. */
  readonly name: string;
  /** The name people read. */
  readonly title: string;
  /** Name of the contract's artifact, and of its address in a deployment. */
  readonly contract: keyof Addresses;
  readonly abi: InterfaceAbi;
  /** The tokens its constructor takes after the arena. */
  readonly tokens: readonly ("FightToken" | "Fighters" | "GuardianCards")[];
  /** What its players own and fight with; left out: nothing. */
  readonly characters?: Characters;
  /** The published modes by name, the usual one first. */
  readonly modes: Readonly<Record<string, StockMode>>;
  /** The mode in which a match is shown, where the usual one would take too long. */
  readonly demo?: string;
  /** How many matches its edges are measured by, where the usual number would take too long. */
  readonly winRateRuns?: number;
  /** A sentence for each of its custom errors. */
  readonly errors: Sentences;
  /** How players' moves become what they send. */
  readonly moves: Moves;
  /** How a program plays it well; left out: with any move that may be played. */
  readonly strategy?: Chooser;
  /** What that would choose for the first move of the match, and how likely it wins; left out: nobody can tell. */
  assess?(turn: OpenTurn): Promise<Assessment>;
  /**
   * Sentences about what may keep a player from playing a move: one to be committed, or in a seat to be paid for first.
   */
  moveChecks?(move: Hex, standing: MoveContext): Promise<string[]>;
  /**
   * Runs the game without a match, on input and output as the game's rules page lays them out (JSON values only). With
   * a deployed `contract` of the game its `preview` decides, else the TypeScript engine does: the same, bit for bit.
   * @throws InputError naming the field that breaks a rule.
   */
  simulate(input: unknown, contract?: BaseContract): Promise<object>;
  /** The input of a simulated match between players who move at random, in a mode by its content. */
  atRandom(mode: Hex, random: SeededRandom): unknown;
  /**
   * Re-runs a match from its events alone: the logs it must have written, and its result if the game ended it.
   * @throws RecordError where what the players sent does not fit together.
   */
  replay(record: MatchRecord, history: History): Promise<Replayed>;
  /**
   * Begins to follow what the game keeps beyond single matches, for a history that grows; left out: it keeps nothing
   * more.
   */
  audit?(history: History): Audit;
  /** The decoded log of a match, an object per word. */
  decodeLog(record: MatchRecord, history: History): Promise<object[]>;
  /**
   * How a match in play stands, as lines of text: what everybody sees, or one of its players; left out: nothing is
   * seen.
   */
  view?(record: MatchRecord, history: History, paint: Paint, viewer?: Viewer): Promise<string[]>;
  /** What happened in a match, as lines of text to read. */
  story(record: MatchRecord, history: History, paint: Paint): Promise<string[]>;
}
