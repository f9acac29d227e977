import type { HardhatEthersSigner } from "@nomicfoundation/hardhat-ethers/types";
import type { Contract } from "ethers";
import type { History } from "../../../sdk/chain/history.js";
import type { MatchRecord, Replayed } from "../../../sdk/chain/record.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import type { World } from "../index.js";
import type { Random } from "../random.js";

/** One thing that a player sends to a match. */
export interface Piece {
  /** Who sends it, as in `Seat`. */
  seat: bigint;
  data: Hex;
  /**
   * Whether the game takes this many bytes here, those behind `data` meaning nothing; left out: its own length only.
   */
  fits?(length: number): boolean;
  /** The same with one thing wrong, by what is wrong; every one must be refused. */
  wrong: Record<string, Hex>;
}

/** Something a player does outside the match. */
export interface Action {
  what: string;
  run(): Promise<unknown>;
}

/** A match in which somebody committed what the rules do not allow. */
export interface Fraud {
  /** Up to the reveal, which must be refused. */
  pieces: Piece[];
  /** The error that it is refused by. */
  error: string;
  /** Only the tokens know that it is wrong; a engine, which has the match alone, need not. */
  isOfTokens?: boolean;
}

/** A whole match, from the reveal to the last action, in the order in which it is sent. */
export interface Script {
  pieces: Piece[];
  /** The same match with something committed that is wrong, by what is; left out where nothing is committed. */
  frauds?: Record<string, Fraud>;
  /** What player 1 can do to its own things once the match is created. */
  player1Acts: Action[];
  /** What player 2 can do to its own things once it has joined. */
  player2Acts: Action[];
}

/** Who plays what. */
export interface Seats {
  matchId: bigint;
  /** Content of the mode; empty for the default. */
  mode: Hex;
  player1: HardhatEthersSigner;
  player2: HardhatEthersSigner;
}

/**
 * What a engine makes of a record: the logs, and the result if the game ended it; of a game of the list, all the rest
 * too.
 */
export type Played = Pick<Replayed, "logs" | "result"> & Partial<Replayed>;

/** A game on the chain, and how to play it. */
export interface Table {
  game: Contract;
  /** Contents of modes to play in; empty for the default. */
  modes: Hex[];
  /** Those of them in which no match can be rated. */
  unrated?: Hex[];
  /** There is a default, although its matches are too long to be among them. */
  longDefault?: true;
  /** Contents that cannot be registered, by what is wrong. */
  badModes: Record<string, Hex>;
  /** Gives both players what they need, or what they had in an earlier script, and writes a random match down. */
  script(seats: Seats, random: Random, earlier?: Script): Promise<Script>;
  /** The same for the match that costs most, which is played in the mode `worstMode`; left out: any is. */
  worst?(seats: Seats, random: Random): Promise<Script>;
  worstMode?: Hex;
  /** What the game's engine makes of a match's events. */
  replay(record: MatchRecord, history: History): Promise<Played>;
}

/** What a game brings to have its laws tested. */
export interface LawGame {
  name: string;
  deploy(world: World): Promise<Table>;
}
