import { toBigInt, type BytesLike } from "ethers";
import { bytesOf, hexOf, sized } from "../../protocol/bytes.js";
import type { Hex } from "../../protocol/hex.js";
import { layout, readField, sliceField, writeField, type Field } from "../../protocol/layout.js";
import { NO_STATE } from "../../protocol/commit-reveal.js";
import type { ArmyRules } from "./army.js";
import { flagsOf, readFlags, type Flags, type Mode } from "./mode.js";
import { isMobile } from "./ranks.js";
import { TILES, tilesOf } from "./tiles.js";

/** Phases of a position, named after the next action. */
export const Phase = { Commit: 0, Round: 1, Prove: 2, Move: 3, Reply: 4, Won: 5, Drawn: 6, Drawn2: 7 } as const;

/** Part of a mode that matters once both armies are set up. */
export interface Rules extends ArmyRules, Flags {
  readonly passable: bigint;
  /** Maximum number of turns; 0 means 2000, as in the mode. */
  readonly maxTurns: number;
}

/** Army in a position; every list is by slot. */
export interface Side {
  /** Root of the setup's tree; zero in casual matches. */
  root: Hex;
  /** 1 for a pawn that is alive. */
  alive: Uint8Array;
  /** 1 for a pawn that has moved. */
  moved: Uint8Array;
  /** 1 for a pawn that has moved more than one tile in one move. */
  movedFar: Uint8Array;
  /** Tile of a pawn; the last tile of a dead pawn. */
  tiles: Uint8Array;
  /** Code of a recorded rank, rank + 1; 0 if none is recorded. */
  ranks: Uint8Array;
}

/** Position of a match: everything that its state hash commits to. */
export interface Position {
  readonly rules: Rules;
  /** Number of the turn, from 1. */
  turn: number;
  phase: number;
  /** Player, 1 or 2, who commits, moves (sequential), moves first (casual), or is stuck (in a reply to Stuck). */
  mover: number;
  /**
   * Codes of ranks (rank + 1) that the mover has proved in this turn: the code of the moving pawn in the high nibble,
   * the code of a staying pawn in the low nibble.
   */
  proved: number;
  /** Moves by side that are known but not carried out yet, as from * 256 + to; 0 for none. */
  moves: [number, number];
  readonly sides: readonly [Side, Side];
  /** Pawn on each tile, numbered as by `pawnAt`; 0 for an empty tile. */
  readonly at: Uint8Array;
  /** 1 for a tile that is passable. */
  readonly open: Uint8Array;
}

/** Fields of the head of a position, in bytes. Those from `army` to `maxTurns` are as in the mode. */
export const POSITION = layout({
  passable: [0, 32],
  army: [32, 12],
  budget: [44, 2],
  flags: [46, 1],
  maxTurns: [47, 2],
  turn: [49, 2],
  phase: [51, 1],
  mover: [52, 1],
  proved: [53, 1],
  move1: [54, 2],
  move2: [56, 2],
  pawns: [58, 1],
});
const HEAD_BYTES = 59;

/** Fields of a side in a position, in bytes. The tiles of its pawns and nibbles of recorded ranks follow them. */
export const SIDE = layout({
  root: [0, 32],
  occupied: [32, 32],
  still: [64, 32],
  alive: [96, 8],
  moved: [104, 8],
  movedFar: [112, 8],
});
const SIDE_HEAD_BYTES = 120;
const SLOTS = 64;

/** Returns the number of a pawn on the board, never 0. */
export function pawnAt(side: number, slot: number): number {
  return 1 + side * SLOTS + slot;
}

/**
 * Returns the slot of a pawn, given its number on the board, if it is on that side; otherwise -1.
 * @example
 * ```ts
 * import { slotAt } from "duello/games/warmancer";
 *
 * slotAt(1, 0); // => 0
 * slotAt(1, 1); // => -1
 * ```
 */
export function slotAt(pawn: number, side: number): number {
  const slot = pawn - 1 - side * SLOTS;
  return slot >= 0 && slot < SLOTS ? slot : -1;
}

/** Returns the length of a position in bytes, given the number of pawns of a side. */
export function positionLength(pawns: number): number {
  return HEAD_BYTES + 2 * sideLength(pawns);
}

/** Returns the length of the position at the start of bytes; for fewer bytes than the head's, the head's length. */
export function positionLengthIn(bytes: Uint8Array): number {
  return bytes.length < HEAD_BYTES ? HEAD_BYTES : positionLength(readField(bytes, POSITION.pawns));
}

function sideLength(pawns: number): number {
  return SIDE_HEAD_BYTES + pawns + Math.ceil(pawns / 2);
}

/**
 * Returns the position before turn 1.
 * @param known Ranks by side and slot for a casual match, roots by side for any other.
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

/** Copies a position; the copy shares no data that changes. */
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

/** Encodes a position as the bytes that players send. */
export function encodePosition(position: Position): Hex {
  return hexOf(positionBytes(position));
}

/** Encodes a position as bytes, whose hash is part of the state hash. */
export function positionBytes({ rules, turn, phase, mover, proved, moves, sides, open }: Position): Uint8Array {
  const pawns = sides[0].tiles.length;
  const bytes = new Uint8Array(positionLength(pawns));
  putMask(sliceField(bytes, POSITION.passable), TILES, (tile) => open[tile]);
  sliceField(bytes, POSITION.army).set(rules.army);
  writeField(bytes, POSITION.budget, rules.budget);
  writeField(bytes, POSITION.flags, flagsOf(rules));
  writeField(bytes, POSITION.maxTurns, rules.maxTurns);
  writeField(bytes, POSITION.turn, turn);
  writeField(bytes, POSITION.phase, phase);
  writeField(bytes, POSITION.mover, mover);
  writeField(bytes, POSITION.proved, proved);
  writeField(bytes, POSITION.move1, moves[0]);
  writeField(bytes, POSITION.move2, moves[1]);
  writeField(bytes, POSITION.pawns, pawns);
  for (const [i, side] of sides.entries()) putSide(bytes.subarray(HEAD_BYTES + i * sideLength(pawns)), side);
  return bytes;
}

/**
 * Inverse of `encodePosition`, for valid encodings. Derived fields are not checked.
 * @throws InputError if the length does not fit the number of pawns.
 */
export function decodePosition(data: BytesLike): Position {
  const pawns = readField(sized(data, "position", HEAD_BYTES, Infinity), POSITION.pawns);
  const bytes = sized(data, "position", positionLength(pawns));
  const side = (i: number) => decodeSide(bytes.subarray(HEAD_BYTES + i * sideLength(pawns)), pawns);
  return laidOut({
    rules: {
      passable: toBigInt(hexOf(sliceField(bytes, POSITION.passable))),
      army: [...sliceField(bytes, POSITION.army)],
      budget: readField(bytes, POSITION.budget),
      ...readFlags(readField(bytes, POSITION.flags)),
      maxTurns: readField(bytes, POSITION.maxTurns),
    },
    turn: readField(bytes, POSITION.turn),
    phase: readField(bytes, POSITION.phase),
    mover: readField(bytes, POSITION.mover),
    proved: readField(bytes, POSITION.proved),
    moves: [readField(bytes, POSITION.move1), readField(bytes, POSITION.move2)],
    sides: [side(0), side(1)],
  });
}

/** Writes a side to the start of bytes. */
function putSide(bytes: Uint8Array, { root, alive, moved, movedFar, tiles, ranks }: Side): void {
  const pawns = tiles.length;
  sliceField(bytes, SIDE.root).set(bytesOf(root));
  for (let slot = 0; slot < pawns; slot++) {
    if (!alive[slot]) continue;
    setBit(sliceField(bytes, SIDE.occupied), tiles[slot]);
    if (ranks[slot] && !isMobile(ranks[slot] - 1)) setBit(sliceField(bytes, SIDE.still), tiles[slot]);
  }
  putMask(sliceField(bytes, SIDE.alive), pawns, (slot) => alive[slot]);
  putMask(sliceField(bytes, SIDE.moved), pawns, (slot) => moved[slot]);
  putMask(sliceField(bytes, SIDE.movedFar), pawns, (slot) => movedFar[slot]);
  bytes.set(tiles, SIDE_HEAD_BYTES);
  for (let slot = 0; slot < pawns; slot++) {
    bytes[SIDE_HEAD_BYTES + pawns + (slot >> 1)] |= ranks[slot] << nibbleShift(slot);
  }
}

/** Reads a side from the start of bytes. */
function decodeSide(bytes: Uint8Array, pawns: number): Side {
  const flags = (field: Field) => {
    const mask = sliceField(bytes, field);
    return Uint8Array.from({ length: pawns }, (_, slot) => (mask[7 - (slot >> 3)] >> (slot & 7)) & 1);
  };
  const nibbles = bytes.subarray(SIDE_HEAD_BYTES + pawns);
  return {
    root: hexOf(sliceField(bytes, SIDE.root)),
    alive: flags(SIDE.alive),
    moved: flags(SIDE.moved),
    movedFar: flags(SIDE.movedFar),
    tiles: bytes.slice(SIDE_HEAD_BYTES, SIDE_HEAD_BYTES + pawns),
    ranks: Uint8Array.from({ length: pawns }, (_, slot) => (nibbles[slot >> 1] >> nibbleShift(slot)) & 15),
  };
}

/** Returns the shift of a slot's nibble in its byte: an even slot has the high nibble. */
function nibbleShift(slot: number): number {
  return slot % 2 === 0 ? 4 : 0;
}

/** Sets the bits of a mask for all numbers below `count` for which `isIn` is not 0. */
function putMask(mask: Uint8Array, count: number, isIn: (number: number) => number): void {
  for (let number = 0; number < count; number++) if (isIn(number)) setBit(mask, number);
}

function setBit(mask: Uint8Array, number: number): void {
  mask[mask.length - 1 - (number >> 3)] |= 1 << (number & 7);
}

/** Adds lookup tables by tile to a position. */
function laidOut(position: Omit<Position, "at" | "open">): Position {
  const at = new Uint8Array(TILES);
  for (const [side, { alive, tiles }] of position.sides.entries()) {
    for (const [slot, tile] of tiles.entries()) if (alive[slot]) at[tile] = pawnAt(side, slot);
  }
  const open = new Uint8Array(TILES);
  for (const tile of tilesOf(position.rules.passable)) open[tile] = 1;
  return { ...position, at, open };
}
