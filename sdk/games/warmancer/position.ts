import { toBigInt, type BytesLike } from "ethers";
import { bytesOf, hexOf, numberAt, sized } from "../../protocol/bytes.js";
import type { Hex } from "../../protocol/hex.js";
import { NO_STATE } from "../../protocol/commit-reveal.js";
import type { ArmyRules } from "./army.js";
import { flagsOf, readFlags, type Flags, type Mode } from "./mode.js";
import { isMobile } from "./ranks.js";
import { TILES, tilesOf } from "./tiles.js";

/** What is due. */
export const Phase = { Commit: 0, Round: 1, Prove: 2, Move: 3, Reply: 4, Won: 5, Drawn: 6, Drawn2: 7 } as const;

/** The part of a mode that counts once both armies stand. */
export interface Rules extends ArmyRules, Flags {
  readonly passable: bigint;
  /** As in the mode: 0 means 2000. */
  readonly maxTurns: number;
}

/** One army; every list is by slot. */
export interface Side {
  /** Of the setup's tree; zero in casual matches. */
  root: Hex;
  /** 1 for a pawn that lives, as the next two for one that has moved, and that has moved more than one tile at once. */
  alive: Uint8Array;
  moved: Uint8Array;
  movedFar: Uint8Array;
  /** Where a pawn stands, or stood last. */
  tiles: Uint8Array;
  /** The recorded rank and 1; 0 where none is recorded. */
  ranks: Uint8Array;
}

/** Everything a match has come to: what its word commits to. */
export interface Position {
  readonly rules: Rules;
  /** From 1. */
  turn: number;
  phase: number;
  /** 1 or 2: the committer; sequential, who moves; casual, who goes first; in a reply to Stuck, who declared it. */
  mover: number;
  /**
   * Ranks and 1 that the mover has proved in this turn: of its moving pawn in the high nibble, of a staying one below.
   */
  proved: number;
  /** The moves of both players that are known and not carried out yet, as from * 256 + to; 0 for none. */
  moves: [number, number];
  readonly sides: readonly [Side, Side];
  /** Who stands on a tile, as `pawnAt` numbers pawns; 0 for nobody. */
  readonly at: Uint8Array;
  /** 1 for a tile that is passable. */
  readonly open: Uint8Array;
}

const HEAD = 59;
const SIDE_HEAD = 120;
const SLOTS = 64;

/** The number of a pawn on the board, never 0. */
export function pawnAt(side: number, slot: number): number {
  return 1 + side * SLOTS + slot;
}

/** Slot of a pawn by its number on the board if it is of that side, else -1. */
export function slotAt(pawn: number, side: number): number {
  const slot = pawn - 1 - side * SLOTS;
  return slot >= 0 && slot < SLOTS ? slot : -1;
}

/** The length of a position in bytes, by the pawns of a side. */
export function positionLength(pawns: number): number {
  return HEAD + 2 * (SIDE_HEAD + pawns + Math.ceil(pawns / 2));
}

/**
 * Both armies before turn 1; `ranks` by slot are for a casual match, in which they are known, `roots` for any other.
 */
export function startPosition(
  mode: Mode,
  known: { roots: readonly Hex[] } | { ranks: readonly ArrayLike<number>[] },
): Position {
  const { passable, army, budget, casual, alwaysHidden, sequential, maxTurns } = mode;
  const sideOf = (side: number, setup: bigint): Side => {
    const tiles = Uint8Array.from(tilesOf(setup));
    const none = () => new Uint8Array(tiles.length);
    const alive = none().fill(1);
    if ("roots" in known)
      return { root: known.roots[side], alive, moved: none(), movedFar: none(), tiles, ranks: none() };
    const ranks = Uint8Array.from(known.ranks[side], (rank) => rank + 1);
    return { root: NO_STATE, alive, moved: none(), movedFar: none(), tiles, ranks };
  };
  return laidOut({
    rules: { passable, army, budget, casual, alwaysHidden, sequential, maxTurns },
    turn: 1,
    phase: casual || sequential ? Phase.Move : Phase.Commit,
    mover: 1,
    proved: 0,
    moves: [0, 0],
    sides: [sideOf(0, mode.setup1), sideOf(1, mode.setup2)],
  });
}

/** A copy that shares nothing which changes. */
export function copyOf(position: Position): Position {
  const { moves, sides, at } = position;
  return { ...position, moves: [...moves], sides: [copyOfSide(sides[0]), copyOfSide(sides[1])], at: at.slice() };
}

function copyOfSide({ root, alive, moved, movedFar, tiles, ranks }: Side): Side {
  return {
    root,
    alive: alive.slice(),
    moved: moved.slice(),
    movedFar: movedFar.slice(),
    tiles: tiles.slice(),
    ranks: ranks.slice(),
  };
}

/** A position as the bytes that players bring and the word commits to. */
export function encodePosition(position: Position): Hex {
  return hexOf(positionBytes(position));
}

/** The same as bytes. */
export function positionBytes({ rules, turn, phase, mover, proved, moves, sides, open }: Position): Uint8Array {
  const pawns = sides[0].tiles.length;
  const bytes = new Uint8Array(positionLength(pawns));
  const put = (at: number, ...numbers: number[]) => {
    for (const [i, number] of numbers.entries()) bytes.set([number >> 8, number & 0xff], at + 2 * i);
  };
  putMask(bytes.subarray(0, 32), TILES, (tile) => open[tile]);
  bytes.set(rules.army, 32);
  put(44, rules.budget);
  bytes[46] = flagsOf(rules);
  put(47, rules.maxTurns, turn);
  bytes.set([phase, mover, proved], 51);
  put(54, ...moves);
  bytes[HEAD - 1] = pawns;
  const sideLength = (bytes.length - HEAD) / 2;
  for (const [i, side] of sides.entries()) putSide(bytes.subarray(HEAD + i * sideLength), side);
  return bytes;
}

/**
 * Inverse of `encodePosition`, for bytes that are a position; what follows from the rest is not compared.
 * @throws InputError for bytes of another length than a position of as many pawns has.
 */
export function decodePosition(data: BytesLike): Position {
  const pawns = sized(data, "position", HEAD, Infinity)[HEAD - 1];
  const bytes = sized(data, "position", positionLength(pawns));
  const number = (at: number) => numberAt(bytes, at, 2);
  const sideLength = (positionLength(pawns) - HEAD) / 2;
  const side = (from: number) => decodeSide(bytes.subarray(from, from + sideLength), pawns);
  return laidOut({
    rules: {
      passable: toBigInt(hexOf(bytes.subarray(0, 32))),
      army: [...bytes.subarray(32, 44)],
      budget: number(44),
      ...readFlags(bytes[46]),
      maxTurns: number(47),
    },
    turn: number(49),
    phase: bytes[51],
    mover: bytes[52],
    proved: bytes[53],
    moves: [number(54), number(56)],
    sides: [side(HEAD), side(HEAD + sideLength)],
  });
}

function putSide(bytes: Uint8Array, { root, alive, moved, movedFar, tiles, ranks }: Side): void {
  const pawns = tiles.length;
  bytes.set(bytesOf(root));
  for (let slot = 0; slot < pawns; slot++) {
    if (!alive[slot]) continue;
    setBit(bytes.subarray(32, 64), tiles[slot]);
    if (ranks[slot] && !isMobile(ranks[slot] - 1)) setBit(bytes.subarray(64, 96), tiles[slot]);
  }
  for (const [i, flags] of [alive, moved, movedFar].entries()) {
    putMask(bytes.subarray(96 + 8 * i, 104 + 8 * i), pawns, (slot) => flags[slot]);
  }
  bytes.set(tiles, SIDE_HEAD);
  for (let slot = 0; slot < pawns; slot++) {
    bytes[SIDE_HEAD + pawns + (slot >> 1)] |= ranks[slot] << (slot % 2 ? 0 : 4);
  }
}

function decodeSide(bytes: Uint8Array, pawns: number): Side {
  const flags = (at: number) => {
    const mask = bytes.subarray(at, at + 8);
    return Uint8Array.from({ length: pawns }, (_, slot) => (mask[7 - (slot >> 3)] >> (slot & 7)) & 1);
  };
  const nibbles = bytes.subarray(SIDE_HEAD + pawns);
  return {
    root: hexOf(bytes.subarray(0, 32)),
    alive: flags(96),
    moved: flags(104),
    movedFar: flags(112),
    tiles: bytes.slice(SIDE_HEAD, SIDE_HEAD + pawns),
    ranks: Uint8Array.from({ length: pawns }, (_, slot) => (nibbles[slot >> 1] >> (slot % 2 ? 0 : 4)) & 15),
  };
}

/** Sets the bits of a mask, of whatever number below `count` is in. */
function putMask(mask: Uint8Array, count: number, isIn: (number: number) => number): void {
  for (let number = 0; number < count; number++) if (isIn(number)) setBit(mask, number);
}

function setBit(mask: Uint8Array, number: number): void {
  mask[mask.length - 1 - (number >> 3)] |= 1 << (number & 7);
}

/** Adds what makes a position quick to ask. */
function laidOut(position: Omit<Position, "at" | "open">): Position {
  const at = new Uint8Array(TILES);
  for (const [side, { alive, tiles }] of position.sides.entries()) {
    for (const [slot, tile] of tiles.entries()) if (alive[slot]) at[tile] = pawnAt(side, slot);
  }
  const open = new Uint8Array(TILES);
  for (const tile of tilesOf(position.rules.passable)) open[tile] = 1;
  return { ...position, at, open };
}
