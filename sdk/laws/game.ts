import type { Addressable, BaseContractMethod, ContractRunner, Interface } from "ethers";
import type { History } from "../chain/history.js";
import type { MatchRecord, Replayed } from "../chain/record.js";
import type { GameModule } from "../games/module.js";
import type { Hex } from "../protocol/hex.js";
import type { Random } from "./random.js";
import type { Account, World } from "./world.js";

/** Data that a player sends to a match in one transaction. */
export interface Piece {
  /** The seat that sends the piece, as in `Seat`. */
  seat: bigint;
  data: Hex;
  /**
   * Returns true for each length that the game accepts here, whatever bytes follow `data`; by default, only for the
   * length of `data`.
   */
  fits?(length: number): boolean;
  /** Wrong versions of the piece, by what is wrong with them; all must be rejected. */
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
  /** The error that rejects the reveal; defaults to any named error. */
  error?: string;
  /** True if only the token contracts can detect the fraud; an engine sees only the match, and need not detect it. */
  isOfTokens?: boolean;
}

/** A whole match as it will be sent, and everything else that the laws try. */
export interface Script {
  /** The pieces in order, from the creation to the last action. */
  pieces: Piece[];
  /** Frauds by the committed move; undefined in a game without commitments. */
  frauds?: Record<string, Fraud>;
  /** Actions of player 1 outside the match, with the player's own assets, once the match is created. */
  player1Acts: OutsideAct[];
  /** Actions of player 2 outside the match, with the player's own assets, once player 2 has joined. */
  player2Acts: OutsideAct[];
}

/** Identity of a match: its number, its mode and its players. */
export interface Seats {
  matchId: bigint;
  /** Content of the mode; empty for the default. */
  mode: Hex;
  player1: Account;
  player2: Account;
}

/** An engine's replay of a record: the logs, and the result if the game ended. A module returns everything else too. */
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
   * Further contracts of the game by their names in a deployment, e.g. its tokens or the contract of the module's
   * `preview`.
   */
  contracts?: Record<string, Deployed>;
  /** Contents of modes to play in; empty for the default. */
  modes: Hex[];
  /** The modes among `modes` in which no match can be rated. */
  unrated?: Hex[];
  /** True if there is a default mode whose matches are too long to be played here. */
  longDefault?: true;
  /** Contents that cannot be registered, by what is wrong with them. */
  badModes: Record<string, Hex>;
  /** Writes a random match. Gives both players the assets that they need, or uses those of an earlier script again. */
  script(seats: Seats, random: Random, earlier?: Script): Promise<Script>;
  /** Writes the most expensive match, in the mode `worstMode`. Without this function, all matches cost the same. */
  worst?(seats: Seats, random: Random): Promise<Script>;
  worstMode?: Hex;
  /** Gives a player the assets for one match, e.g. tokens, when programs play; by default none are needed. */
  equip?(player: Account, random: Random): Promise<unknown>;
  /** Replays a match with an engine; defaults to the game's module. */
  replay?(record: MatchRecord, history: History): Promise<Played>;
}

/** A game whose laws are tested. */
export interface LawGame {
  /** Name of the game in the titles of its tests. */
  name: string;
  /** Module that replays and verifies its matches; without it, `Table.replay` only replays them. */
  module?: GameModule;
  /** Deploys the game for the world's arena, on the world's chain. */
  deploy(world: World): Promise<Table>;
}
