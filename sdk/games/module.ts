import type { BaseContract, InterfaceAbi } from "ethers";
import type { Addresses } from "../addresses.js";
import type { Sentences } from "../errors.js";
import type { History } from "../history.js";
import type { MatchRecord, Rerun } from "../record.js";

/** Colours a text that belongs to a player, 1 or 2; or leaves it as it is. */
export type Paint = (text: string, player: number) => string;

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
  readonly tokens: readonly ("FightToken" | "Fighters")[];
  /** A sentence for each of its custom errors. */
  readonly errors: Sentences;
  /**
   * Runs the game without a match, on input and output as the game's rules page lays them out (JSON values only).
   * With a deployed `contract` of the game its `preview` decides, else the TypeScript engine does: the same, bit for bit.
   * @throws InputError naming the field that breaks a rule.
   */
  simulate(input: unknown, contract?: BaseContract): Promise<object>;
  /**
   * Re-runs a match from its events alone: the logs it must have written, and its result if the game ended it.
   * @throws Mismatch where what the players sent does not fit together.
   */
  replay(record: MatchRecord, history: History): Promise<Rerun>;
  /** The decoded log of a match, an object per word. */
  decodeLog(record: MatchRecord, history: History): Promise<object[]>;
  /** What happened in a match, as lines of text to read. */
  story(record: MatchRecord, history: History, paint: Paint): Promise<string[]>;
}
