import { toBeHex, toBigInt } from "ethers";
import { bytesOf, hexOf, sized } from "../../protocol/bytes.js";
import type { Hex } from "../../protocol/hex.js";
import { layout, readField, sliceField, writeField, type Field } from "../../protocol/layout.js";
import { checkCounts } from "./army.js";
import { THRONE } from "./ranks.js";
import { ContractError } from "./contract-error.js";
import { maskOf, NEIGHBOURS, tilesOf } from "./tiles.js";

/** Board, and the army that fights on it. In masks of tiles, a bit's number is its tile. */
export interface Board {
  readonly passable: bigint;
  readonly setup1: bigint;
  readonly setup2: bigint;
  /** Pawns by rank. */
  readonly army: readonly number[];
}

/** Flags of a mode. */
export interface Flags {
  readonly casual: boolean;
  readonly alwaysHidden: boolean;
  readonly sequential: boolean;
}

/** Mode of a match. */
export interface Mode extends Board, Flags {
  /** Budget for buying pawns; 0 for exactly the army. */
  readonly budget: number;
  /** Maximum number of turns; 0 means 2000. */
  readonly maxTurns: number;
}

/** Returns the mask of a range of columns and a range of rows, both ends included. */
function rectangle(columns: readonly [number, number], rows: readonly [number, number]): bigint {
  const width = columns[1] - columns[0] + 1;
  const row = (y: number) => Array.from({ length: width }, (_, x) => y * 16 + columns[0] + x);
  return maskOf(Array.from({ length: rows[1] - rows[0] + 1 }, (_, y) => row(rows[0] + y)).flat());
}

/** Built-in boards, by name. */
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
  grand: {
    passable: rectangle([0, 11], [0, 11]) & ~rectangle([2, 3], [5, 6]) & ~rectangle([8, 9], [5, 6]),
    setup1: rectangle([0, 11], [0, 4]),
    setup2: rectangle([0, 11], [7, 11]),
    army: [1, 2, 12, 7, 6, 6, 6, 5, 3, 2, 1, 9],
  },
} satisfies Record<string, Board>;

const PLAIN = { budget: 0, casual: false, alwaysHidden: false, sequential: false };

/** Default mode. */
export const CLASSIC: Mode = { ...BOARDS.classic, ...PLAIN, maxTurns: 500 };
export const SKIRMISH: Mode = { ...BOARDS.skirmish, ...PLAIN, maxTurns: 200 };
export const QUICK: Mode = { ...BOARDS.quick, ...PLAIN, maxTurns: 50 };
/** Larger than Classic: the armies of Grand are one and a half times as large. */
export const GRAND: Mode = { ...BOARDS.grand, ...PLAIN, maxTurns: 1000 };

/** Maximum number of turns, after which every game is a draw. */
export const MAX_TURNS = 2000;
const MAX_FLAGS = 7;
/** Maximum number of pawns of a side. */
export const MAX_PAWNS = 64;

/** Fields of a mode, in bytes. */
export const MODE = layout({
  passable: [0, 32],
  setup1: [32, 32],
  setup2: [64, 32],
  army: [96, 12],
  budget: [108, 2],
  flags: [110, 1],
  maxTurns: [111, 2],
});
const MODE_BYTES = 113;

/** Encodes the flags as one byte. */
export function flagsOf({ casual, alwaysHidden, sequential }: Flags): number {
  return Number(casual) | (Number(alwaysHidden) << 1) | (Number(sequential) << 2);
}

/** Inverse of `flagsOf`. */
export function readFlags(flags: number): Flags {
  const [casual, alwaysHidden, sequential] = [1, 2, 4].map((flag) => (flags & flag) !== 0);
  return { casual, alwaysHidden, sequential };
}

/**
 * Encodes a mode as the 113 bytes that the contract registers.
 * @example
 * ```ts
 * import { decodeMode, encodeMode } from "duello/games/warmancer";
 *
 * encodeMode({ ...decodeMode("0x"), maxTurns: 100 }).length; // => 2 + 2 * 113
 * ```
 */
export function encodeMode(mode: Mode): Hex {
  const bytes = new Uint8Array(MODE_BYTES);
  for (const mask of ["passable", "setup1", "setup2"] as const) {
    sliceField(bytes, MODE[mask]).set(bytesOf(toBeHex(mode[mask], 32)));
  }
  sliceField(bytes, MODE.army).set(mode.army);
  writeField(bytes, MODE.budget, mode.budget);
  writeField(bytes, MODE.flags, flagsOf(mode));
  writeField(bytes, MODE.maxTurns, mode.maxTurns);
  return hexOf(bytes);
}

/**
 * Decodes the bytes of a registered mode; `0x` is the default.
 * @throws ContractError for bytes that the contract rejects.
 * @example
 * ```ts
 * import { decodeMode } from "duello/games/warmancer";
 *
 * decodeMode("0x").maxTurns; // => 500
 * ```
 */
export function decodeMode(content: Hex): Mode {
  const bytes = sized(content, "mode", 0, Infinity);
  const { length } = bytes;
  if (length === 0) return CLASSIC;
  if (length !== MODE_BYTES) throw new ContractError("WrongLength", { length, min: MODE_BYTES, max: MODE_BYTES });
  const flags = readField(bytes, MODE.flags);
  if (flags > MAX_FLAGS) throw outOfBounds(MODE.flags, flags, MAX_FLAGS);
  const mode = {
    passable: toBigInt(sliceField(bytes, MODE.passable)),
    setup1: toBigInt(sliceField(bytes, MODE.setup1)),
    setup2: toBigInt(sliceField(bytes, MODE.setup2)),
    army: [...sliceField(bytes, MODE.army)],
    budget: readField(bytes, MODE.budget),
    ...readFlags(flags),
    maxTurns: readField(bytes, MODE.maxTurns),
  };
  checkMode(mode);
  return mode;
}

/**
 * Checks that a mode is playable.
 * @throws ContractError for a mode that the contract rejects.
 */
export function checkMode(mode: Mode): void {
  if (mode.maxTurns > MAX_TURNS) throw outOfBounds(MODE.maxTurns, mode.maxTurns, MAX_TURNS);
  if (mode.casual && mode.alwaysHidden) throw new ContractError("CasualHidesNothing");
  const slots = checkSetups(mode);
  checkArmy(mode, slots);
  const reached = regionOf(mode.passable);
  if (reached !== mode.passable) throw new ContractError("Disconnected", { reached, passable: mode.passable });
}

function outOfBounds({ at }: Field, value: number, max: number): ContractError {
  return new ContractError("ModeOutOfBounds", { offset: at, value, min: 0, max });
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

/** Returns the passable tiles that can be reached from the first tile. */
function regionOf(passable: bigint): bigint {
  const open = new Set(tilesOf(passable));
  const reached = new Set([...open].slice(0, 1));
  // Iterating over a set includes items added meanwhile.
  for (const tile of reached) for (const beside of NEIGHBOURS[tile]) if (open.has(beside)) reached.add(beside);
  return maskOf(reached);
}
