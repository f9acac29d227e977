import { concat, dataSlice, getBytes, hexlify, toBeHex, toBigInt } from "ethers";
import { NO_STATE, type Hex } from "../../seal.js";
import type { Levy } from "./army.js";
import { flagsOf, readFlags, type Flags, type Mode } from "./mode.js";
import { isMobile } from "./ranks.js";
import { maskOf, TILES, tilesOf } from "./tiles.js";

/** What is due. */
export const Phase = { Seal: 0, Round: 1, Prove: 2, Move: 3, Reply: 4, Won: 5, Drawn: 6, Drawn2: 7 } as const;

/** The part of a mode that counts once both armies stand. */
export interface Rules extends Levy, Flags {
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
  /** 1 or 2: the sealer; sequential, who moves; casual, who goes first; in a reply to Stuck, who declared it. */
  mover: number;
  /** Ranks and 1 that the mover has proved in this turn: of its moving pawn in the high nibble, of a staying one below. */
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

/** Both armies before turn 1; `ranks` by slot are for a casual match, in which they are known, `roots` for any other. */
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
    phase: casual || sequential ? Phase.Move : Phase.Seal,
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
export function encodePosition({ rules, turn, phase, mover, proved, moves, sides }: Position): Hex {
  return concat([
    toBeHex(rules.passable, 32),
    new Uint8Array(rules.army),
    toBeHex(rules.budget, 2),
    toBeHex(flagsOf(rules), 1),
    toBeHex(rules.maxTurns, 2),
    toBeHex(turn, 2),
    new Uint8Array([phase, mover, proved]),
    ...moves.map((move) => toBeHex(move, 2)),
    toBeHex(sides[0].tiles.length, 1),
    ...sides.map(encodeSide),
  ]);
}

/** Inverse of `encodePosition`, for bytes that are a position; what follows from the rest is not compared. */
export function decodePosition(data: Hex): Position {
  const bytes = getBytes(data);
  const number = (at: number) => bytes[at] * 256 + bytes[at + 1];
  const pawns = bytes[HEAD - 1];
  const sideLength = (positionLength(pawns) - HEAD) / 2;
  const side = (from: number) => decodeSide(bytes.subarray(from, from + sideLength), pawns);
  return laidOut({
    rules: {
      passable: toBigInt(dataSlice(data, 0, 32)),
      army: [...bytes.slice(32, 44)],
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

function encodeSide({ root, alive, moved, movedFar, tiles, ranks }: Side): Hex {
  const living = [...tiles].filter((_, slot) => alive[slot]);
  const still = [...tiles].filter((_, slot) => alive[slot] && ranks[slot] && !isMobile(ranks[slot] - 1));
  const nibbles = Array.from({ length: Math.ceil(ranks.length / 2) }, (_, i) => {
    return (ranks[2 * i] << 4) | (ranks[2 * i + 1] ?? 0);
  });
  const bySlot = [alive, moved, movedFar].map((flags) => toBeHex(maskOf(slotsOf(flags)), 8));
  const masks = [living, still].map((each) => toBeHex(maskOf(each), 32));
  return concat([root, ...masks, ...bySlot, tiles, new Uint8Array(nibbles)]);
}

function decodeSide(bytes: Uint8Array, pawns: number): Side {
  const flags = (at: number) => {
    const slots = new Uint8Array(pawns);
    for (const slot of tilesOf(toBigInt(bytes.slice(at, at + 8)))) if (slot < pawns) slots[slot] = 1;
    return slots;
  };
  const nibbles = bytes.subarray(SIDE_HEAD + pawns);
  return {
    root: hexlify(bytes.subarray(0, 32)),
    alive: flags(96),
    moved: flags(104),
    movedFar: flags(112),
    tiles: bytes.slice(SIDE_HEAD, SIDE_HEAD + pawns),
    ranks: Uint8Array.from({ length: pawns }, (_, slot) => (nibbles[slot >> 1] >> (slot % 2 ? 0 : 4)) & 15),
  };
}

function slotsOf(flags: Uint8Array): number[] {
  return [...flags.keys()].filter((slot) => flags[slot]);
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
