import { concat, toBeHex, toBigInt } from "ethers";
import { sized } from "../../protocol/bytes.js";
import type { Hex } from "../../protocol/hex.js";
import { checkCounts } from "./army.js";
import { THRONE } from "./ranks.js";
import { ContractError } from "./contract-error.js";
import { maskOf, NEIGHBOURS, tilesOf } from "./tiles.js";

/** A board, and the army that fights on it. Masks have bit number = tile. */
export interface Board {
  readonly passable: bigint;
  readonly setup1: bigint;
  readonly setup2: bigint;
  /** Pawns by rank. */
  readonly army: readonly number[];
}

/** Switches of a mode. */
export interface Flags {
  readonly casual: boolean;
  readonly alwaysHidden: boolean;
  readonly sequential: boolean;
}

/** Everything players can agree on. */
export interface Mode extends Board, Flags {
  /** 0: exactly the army; else pawns are bought with it. */
  readonly budget: number;
  /** 0 means 2000. */
  readonly maxTurns: number;
}

/** Ranges of columns and rows, both ends included. */
function rectangle(columns: readonly [number, number], rows: readonly [number, number]): bigint {
  const width = columns[1] - columns[0] + 1;
  const row = (y: number) => Array.from({ length: width }, (_, x) => y * 16 + columns[0] + x);
  return maskOf(Array.from({ length: rows[1] - rows[0] + 1 }, (_, y) => row(rows[0] + y)).flat());
}

/** The boards that come with the game, by name. */
export const BOARDS = {
  classic: {
    passable: rectangle([0, 9], [0, 9]) & ~rectangle([2, 3], [4, 5]) & ~rectangle([6, 7], [4, 5]),
    setup1: rectangle([0, 9], [0, 3]),
    setup2: rectangle([0, 9], [6, 9]),
    army: [1, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6],
  },
  skirmish: {
    passable: rectangle([0, 5], [0, 5]) & ~rectangle([1, 1], [2, 3]) & ~rectangle([4, 4], [2, 3]),
    setup1: rectangle([0, 5], [0, 1]),
    setup2: rectangle([0, 5], [4, 5]),
    army: [1, 1, 2, 1, 1, 1, 1, 0, 1, 1, 1, 1],
  },
  quick: {
    passable: rectangle([0, 3], [0, 1]),
    setup1: rectangle([0, 1], [0, 1]),
    setup2: rectangle([2, 3], [0, 1]),
    army: [1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0],
  },
} satisfies Record<string, Board>;

const PLAIN = { budget: 0, casual: false, alwaysHidden: false, sequential: false };

/** The default. */
export const CLASSIC: Mode = { ...BOARDS.classic, ...PLAIN, maxTurns: 500 };
export const SKIRMISH: Mode = { ...BOARDS.skirmish, ...PLAIN, maxTurns: 200 };
export const QUICK: Mode = { ...BOARDS.quick, ...PLAIN, maxTurns: 50 };

/** Turns after which every game is a draw. */
export const MAX_TURNS = 2000;
const BYTES = 113;
const MAX_FLAGS = 7;
const MAX_PAWNS = 64;

/** The three switches as one byte. */
export function flagsOf({ casual, alwaysHidden, sequential }: Flags): number {
  return Number(casual) | (Number(alwaysHidden) << 1) | (Number(sequential) << 2);
}

/** Inverse of `flagsOf`. */
export function readFlags(flags: number): Flags {
  return { casual: (flags & 1) !== 0, alwaysHidden: (flags & 2) !== 0, sequential: (flags & 4) !== 0 };
}

/** A mode as the 113 bytes that the contract registers. */
export function encodeMode(mode: Mode): Hex {
  return concat([
    ...[mode.passable, mode.setup1, mode.setup2].map((mask) => toBeHex(mask, 32)),
    new Uint8Array(mode.army),
    toBeHex(mode.budget, 2),
    toBeHex(flagsOf(mode), 1),
    toBeHex(mode.maxTurns, 2),
  ]);
}

/** The mode in registered bytes, `0x` for the default. @throws ContractError for what the contract refuses. */
export function decodeMode(content: Hex): Mode {
  const bytes = sized(content, "mode", 0, Infinity);
  const { length } = bytes;
  if (length === 0) return CLASSIC;
  if (length !== BYTES) throw new ContractError("WrongLength", { length, min: BYTES, max: BYTES });
  const number = (at: number) => bytes[at] * 256 + bytes[at + 1];
  const mask = (at: number) => toBigInt(bytes.slice(at, at + 32));
  if (bytes[110] > MAX_FLAGS) throw outOfBounds(110, bytes[110], MAX_FLAGS);
  const mode = {
    ...{ passable: mask(0), setup1: mask(32), setup2: mask(64) },
    army: [...bytes.slice(96, 108)],
    budget: number(108),
    ...readFlags(bytes[110]),
    maxTurns: number(111),
  };
  checkMode(mode);
  return mode;
}

/** Checks that a mode can be played. @throws ContractError for what the contract refuses. */
export function checkMode(mode: Mode): void {
  if (mode.maxTurns > MAX_TURNS) throw outOfBounds(111, mode.maxTurns, MAX_TURNS);
  if (mode.casual && mode.alwaysHidden) throw new ContractError("CasualHidesNothing");
  const slots = checkSetups(mode);
  checkArmy(mode, slots);
  const reached = regionOf(mode.passable);
  if (reached !== mode.passable) throw new ContractError("Disconnected", { reached, passable: mode.passable });
}

function outOfBounds(offset: number, value: number, max: number): ContractError {
  return new ContractError("ModeOutOfBounds", { offset, value, min: 0, max });
}

function checkSetups({ passable, setup1, setup2 }: Board): number {
  const outside = (setup1 | setup2) & ~passable;
  if (outside !== 0n) throw new ContractError("SetupOutsideBoard", { tiles: outside });
  if ((setup1 & setup2) !== 0n) throw new ContractError("SetupsOverlap", { tiles: setup1 & setup2 });
  const [count1, count2] = [setup1, setup2].map((mask) => tilesOf(mask).length);
  if (count1 !== count2 || count1 < 2 || count1 > MAX_PAWNS)
    throw new ContractError("UnequalSetups", { count1, count2 });
  return count1;
}

function checkArmy({ army, budget }: Mode, slots: number): void {
  if (army[THRONE] !== 1) throw new ContractError("WrongArmy", { rank: THRONE, count: army[THRONE], min: 1, max: 1 });
  checkCounts({ army, budget }, army);
  const count = army.reduce((sum, each) => sum + each, 0);
  if (count !== slots) throw new ContractError("ArmySize", { count, slots });
}

/** The passable tiles that can be reached from the first one. */
function regionOf(passable: bigint): bigint {
  const open = new Set(tilesOf(passable));
  const reached = new Set([...open].slice(0, 1));
  // A set's walk meets what is added on the way.
  for (const tile of reached) for (const beside of NEIGHBOURS[tile]) if (open.has(beside)) reached.add(beside);
  return maskOf(reached);
}
