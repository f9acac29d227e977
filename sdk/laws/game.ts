import type { Addressable, BaseContractMethod, ContractRunner, Interface } from "ethers";
import type { History } from "../chain/history.js";
import type { MatchRecord, Replayed } from "../chain/record.js";
import type { GameModule } from "../games/module.js";
import type { Hex } from "../protocol/hex.js";
import type { Random } from "./random.js";
import type { Account, World } from "./world.js";

/** One thing that a player sends to a match. */
export interface Piece {
  /** The seat that sends it, as in `Seat`. */
  seat: bigint;
  data: Hex;
  /**
   * Returns true for each length that the game accepts here, whatever bytes follow `data`; defaults to the length of
   * `data` only.
   */
  fits?(length: number): boolean;
  /** The piece with one thing wrong, by what is wrong; every one must be rejected. */
  wrong: Record<string, Hex>;
}

/** An action of a player outside the match. */
export interface OutsideAct {
  what: string;
  run(): Promise<unknown>;
}

/** A match in which a player committed to an illegal move. */
export interface Fraud {
  /** Pieces up to the reveal, which must be rejected. */
  pieces: Piece[];
  /** The error that rejects it; defaults to any named one. */
  error?: string;
  /** True if only the token contracts can detect it; an engine, which has only the match, need not. */
  isOfTokens?: boolean;
}

/** A whole match as it will be sent, and everything else that the laws try. */
export interface Script {
  /** The pieces in their order, from the creation to the last action. */
  pieces: Piece[];
  /** Frauds by the committed move; undefined without commitments. */
  frauds?: Record<string, Fraud>;
  /** Actions of player 1 outside the match, with its own assets, once the match is created. */
  player1Acts: OutsideAct[];
  /** Actions of player 2 outside the match, with its own assets, once it has joined. */
  player2Acts: OutsideAct[];
}

/** The place of a match: its number, its mode and its players. */
export interface Seats {
  matchId: bigint;
  /** Content of the mode; empty for the default. */
  mode: Hex;
  player1: Account;
  player2: Account;
}

/** An engine's replay of a record: the logs, and the result if the game ended it; by a module, everything else too. */
export type Played = Pick<Replayed, "logs" | "result"> & Partial<Replayed>;

/** A contract on the chain, e.g. one that `ethers.deployContract` returns. */
export interface Deployed extends Addressable {
  readonly interface: Interface;
  connect(runner: ContractRunner): Pick<Deployed, "getFunction">;
  getFunction(name: string): BaseContractMethod;
}

/** A game on the chain, and how to play it. */
export interface Table {
  game: Deployed;
  /**
   * Further contracts of the game by their names in a deployment, e.g. its own tokens; the one of the module's
   * `preview`.
   */
  contracts?: Record<string, Deployed>;
  /** Contents of modes to play in; empty for the default. */
  modes: Hex[];
  /** Modes of these in which no match can be rated. */
  unrated?: Hex[];
  /** Set if there is a default mode whose matches are too long to be played here. */
  longDefault?: true;
  /** Contents that cannot be registered, by what is wrong with them. */
  badModes: Record<string, Hex>;
  /** Gives both players the assets that they need, or those of an earlier script, and writes a random match. */
  script(seats: Seats, random: Random, earlier?: Script): Promise<Script>;
  /** Writes the match that costs most, in the mode `worstMode`; all matches cost the same by default. */
  worst?(seats: Seats, random: Random): Promise<Script>;
  worstMode?: Hex;
  /** Gives a player the assets for one match, e.g. tokens, for programs that play; without it none are needed. */
  equip?(player: Account, random: Random): Promise<unknown>;
  /** Replays a match with an engine; the game's module does by default. */
  replay?(record: MatchRecord, history: History): Promise<Played>;
}

/** A game whose laws are tested. */
export interface LawGame {
  /** Name in the titles of its tests. */
  name: string;
  /** Module by which its matches are replayed and followed; without it `Table.replay` only replays them. */
  module?: GameModule;
  /** Deploys the game for the world's arena, on the world's chain. */
  deploy(world: World): Promise<Table>;
}
