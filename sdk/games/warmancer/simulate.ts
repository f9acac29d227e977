import { concat, toBeHex, type BaseContract } from "ethers";
import { NO_STATE } from "../../protocol/commit-reveal.js";
import { boolean, bytes32, InputError, integer, list, object, optional, type Reader } from "../../protocol/input.js";
import { hexWord } from "../../protocol/word.js";
import { otherSide, playerOf, sideOf } from "../../protocol/sides.js";
import { checkRanks } from "./army.js";
import { ContractError } from "./contract-error.js";
import { resolve, type Resolved } from "./engine.js";
import { checkMove, moveOf, NONE, STUCK, type Move } from "./legal-moves.js";
import { encodeEntry } from "./log.js";
import { BOARDS, checkMode, encodeMode, MAX_TURNS, type Board, type Mode } from "./mode.js";
import { decodePosition, startPosition, type Position } from "./position.js";
import { RANKS } from "./ranks.js";
import { tilesOf } from "./tiles.js";

/** Input of a player for a turn: a move by its two tiles, which may be any integers, or Stuck. */
export type Entry = readonly [from: number, to: number] | "stuck";

/** Game to simulate, with a playable mode and valid armies. */
export interface Game {
  mode: Mode;
  /** Ranks by slot. */
  setups: number[][];
  /** Inputs of both players by turn; in sequential play, the input of the player who must move or reply. */
  turns: Entry[][];
}

/** Output of a simulated game; the winner is 1, 2, 0 for a draw, or null while the game is not over. */
export interface WarmancerSimulation {
  winner: number | null;
  turns: number;
  /** Tiles of pawns, by side and slot; null for dead pawns. */
  pawns: (number | null)[][];
  /** Recorded ranks, by side and slot; null for unrecorded ranks. */
  revealed: (number | null)[][];
  words: string[];
}

/** Part of a mode that the input contains in addition to the board. */
type Switches = Omit<Mode, keyof Board | "casual">;

const PLAIN: Switches = { budget: 0, alwaysHidden: false, sequential: false, maxTurns: 0 };

/** Field of the input that breaks a rule of modes, by the name of the error. */
const FIELDS: Readonly<Record<string, string>> = {
  WrongArmy: "board.army",
  NoPawnMoves: "board.army",
  ArmySize: "board.army",
  OverBudget: "mode.budget",
  Disconnected: "board.passable",
};

const mask: Reader<bigint> = (value, path) => BigInt(bytes32(value, path));
const any: Reader<unknown> = (value) => value;
const whole = integer(-Infinity, Infinity);

const customBoard: Reader<Board> = object({
  passable: mask,
  setup1: mask,
  setup2: mask,
  army: list(integer(0, 255), RANKS.length),
});

const board: Reader<Board> = (value, path) => {
  if (typeof value !== "string") return customBoard(value, path);
  const stock = Object.entries(BOARDS).find(([name]) => name === value);
  if (!stock) throw new InputError(path, `${JSON.stringify(value)} is none of ${Object.keys(BOARDS).join(", ")}`);
  return stock[1];
};

const switches: Reader<Switches> = object({
  budget: optional(integer(0, 65_535), PLAIN.budget),
  alwaysHidden: optional(boolean, PLAIN.alwaysHidden),
  sequential: optional(boolean, PLAIN.sequential),
  maxTurns: optional(integer(0, MAX_TURNS), PLAIN.maxTurns),
});

const outline = object({ board, mode: optional(switches, PLAIN), setups: any, turns: any });

const entry: Reader<Entry> = (value, path) => {
  if (value === "stuck") return value;
  const [from, to] = list(whole, 2)(value, path);
  return [from, to];
};

/** Reads a list of any length. */
function listOf<T>(item: Reader<T>): Reader<T[]> {
  return (value, path) => list(item, Array.isArray(value) ? value.length : 0)(value, path);
}

/**
 * Reads a game.
 * @throws InputError that names the field.
 */
export function readGame(input: unknown): Game {
  const read = outline(input, "");
  const mode = { ...read.board, ...read.mode, casual: false };
  refusedAt(
    (refusal) => fieldOf(refusal, mode),
    () => checkMode(mode),
  );
  const setups = list(list(whole, tilesOf(mode.setup1).length), 2)(read.setups, "setups");
  const turn: Reader<Entry[]> = mode.sequential ? (value, path) => [entry(value, path)] : list(entry, 2);
  const turns = listOf(turn)(read.turns, "turns");
  for (const [side, ranks] of setups.entries()) {
    refusedAt(
      () => "setups",
      () => checkRanks(mode, ranks),
      `player ${playerOf(side)}: `,
    );
  }
  return { mode, setups, turns };
}

/** Returns the field of the input that caused an error of its mode. */
function fieldOf({ error }: ContractError, { passable, setup1 }: Mode): string {
  const size = tilesOf(setup1).length;
  if (error === "SetupOutsideBoard") return (setup1 & ~passable) === 0n ? "board.setup2" : "board.setup1";
  if (error === "UnequalSetups") return size < 2 || size > 64 ? "board.setup1" : "board.setup2";
  return FIELDS[error] ?? "board.setup2";
}

/** Rethrows a check's rejection as an InputError for the field that `path` returns. */
function refusedAt(path: (refusal: ContractError) => string, check: () => void, whose = ""): void {
  try {
    check();
  } catch (error) {
    throw error instanceof ContractError ? new InputError(path(error), `${whose}${error.message}`) : error;
  }
}

/** Game that was played up to its last given turn. */
interface Played {
  over: boolean;
  winner: number;
  turns: number;
  position: Position;
  entries: bigint[];
}

/**
 * Simulates a game between two known armies, with the `preview` of a deployed `WarmancerPreview`, if one is given,
 * otherwise with the TypeScript engine.
 * @throws InputError that names the field; for an illegal move, the turn and the player.
 */
export async function simulateWarmancer(input: unknown, contract?: BaseContract): Promise<WarmancerSimulation> {
  const game = readGame(input);
  const simulation = new Simulation(game);
  for (const entries of game.turns) simulation.play(entries);
  const { over, winner, turns, position, entries } = contract ? await previewed(contract, game) : simulation;
  return {
    winner: over ? winner : null,
    turns,
    pawns: position.sides.map(({ alive, tiles }) => Array.from(tiles, (tile, slot) => (alive[slot] ? tile : null))),
    revealed: position.sides.map(({ ranks }) => Array.from(ranks, (rank) => (rank ? rank - 1 : null))),
    words: entries.map(hexWord),
  };
}

/** Game in progress, whose ranks are all known. */
class Simulation implements Played {
  over = false;
  winner = 0;
  turns = 0;
  readonly position: Position;
  readonly entries: bigint[] = [];
  private readonly known: readonly [Uint8Array, Uint8Array];
  /** True in sequential play while the mover is stuck and waits for the reply. */
  private awaitsReply = false;

  constructor({ mode, setups }: Game) {
    this.position = startPosition(mode, { roots: [NO_STATE, NO_STATE] });
    const [one, two] = setups.map((ranks) => Uint8Array.from(ranks, (rank) => rank + 1));
    this.known = [one, two];
  }

  /** Plays a turn from both players' inputs; in sequential play, from the input of the player in turn. */
  play(entries: readonly Entry[]): void {
    const { position, turns } = this;
    position.turn = turns + 1;
    if (this.over) throw new InputError(`turn ${position.turn}, player 1`, "the game is over");
    const moves: [Move, Move] = [NONE, NONE];
    const mover = sideOf(position.mover);
    const isAlone = entries.length === 1;
    const first = !isAlone ? 0 : this.awaitsReply ? otherSide(mover) : mover;
    for (const [i, entry] of entries.entries()) moves[first + i] = this.checked(first + i, entry);
    const stuck = moves.map((move) => move === STUCK);
    if (this.awaitsReply) stuck[mover] = true;
    else if (isAlone && stuck[first]) {
      this.awaitsReply = true;
      return;
    }
    this.turns++;
    if (isAlone) position.mover = playerOf(otherSide(mover));
    if (!stuck.includes(true)) return this.end(resolve(position, moves, this.known));
    const winner = stuck[0] && stuck[1] ? 0 : stuck[0] ? 2 : 1;
    this.end({ over: true, winner, operations: [{ op: "result", turn: position.turn, winner }] });
  }

  private end({ over, winner, operations }: Resolved): void {
    this.over = over;
    this.winner = winner;
    this.entries.push(...operations.map(encodeEntry));
  }

  /** Returns the move of an input, which must be legal. */
  private checked(side: number, entry: Entry): Move {
    if (entry === "stuck") return STUCK;
    try {
      checkMove(this.position, side, ...entry, this.known[side]);
    } catch (error) {
      if (!(error instanceof ContractError)) throw error;
      throw new InputError(`turn ${this.position.turn}, player ${playerOf(side)}`, error.message);
    }
    return moveOf(...entry);
  }
}

/** Plays a game with the contract. */
async function previewed(contract: BaseContract, { mode, setups, turns }: Game): Promise<Played> {
  const moves = turns.flat().map((entry) => (entry === "stuck" ? STUCK : moveOf(...entry)));
  const ranks = setups.map((each) => concat(each.map((rank) => toBeHex(rank, 1))));
  type Preview = [over: boolean, winner: bigint, played: bigint, position: string, entries: bigint[]];
  const previewOf = contract.getFunction("preview");
  const preview = (await previewOf.staticCall(encodeMode(mode), ...ranks, moves)) as Preview;
  const [over, winner, played, position, entries] = preview;
  return {
    over,
    winner: Number(winner),
    turns: Number(played),
    position: decodePosition(position),
    entries: [...entries],
  };
}
