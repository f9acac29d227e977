import type { Hex } from "../../protocol/hex.js";
import { boolean, fields, InputError, integer, listUpTo, object, optional, text } from "../../protocol/input.js";
import type { Reader } from "../../protocol/input.js";
import { modeFormat } from "../mode-format.js";
import { maxOf, priceOf } from "./army.js";
import { ContractError } from "./contract-error.js";
import { checkMode, CLASSIC, decodeMode, encodeMode, MAX_PAWNS, MAX_TURNS, type Board, type Mode } from "./mode.js";
import { RANK_LETTERS } from "./notation.js";
import { RANKS, THRONE, TRAP } from "./ranks.js";
import { tileName, tilesOf, WIDTH } from "./tiles.js";

/** Characters of a drawn board: setup tiles of both players, other passable tiles, and impassable tiles. */
const [SETUP_1, SETUP_2, FREE, BLOCKED] = ["1", "2", ".", "#"];
const MAX_BUDGET = 65_535;

/** Tiles of a board. */
type Tiles = Pick<Board, "passable" | "setup1" | "setup2">;

/** Reads a board drawn in rows, row 1 last. */
const readBoard: Reader<Tiles> = (value, path) => {
  const rows = listUpTo(text, WIDTH)(value, path);
  const tiles = { passable: 0n, setup1: 0n, setup2: 0n };
  for (const [i, row] of rows.entries()) {
    if (row.length > WIDTH) throw new InputError(`${path}[${i}]`, `${row.length} signs are more than ${WIDTH}`);
    if (row.length !== rows[0].length)
      throw new InputError(`${path}[${i}]`, `${row.length} signs instead of ${rows[0].length} as in the first row`);
    for (let x = 0; x < row.length; x++) {
      const sign = row[x];
      if (![SETUP_1, SETUP_2, FREE, BLOCKED].includes(sign))
        throw new InputError(`${path}[${i}]`, `${JSON.stringify(sign)} is none of the signs 1, 2, . and #`);
      const bit = 1n << BigInt((rows.length - 1 - i) * WIDTH + x);
      if (sign !== BLOCKED) tiles.passable |= bit;
      if (sign === SETUP_1) tiles.setup1 |= bit;
      if (sign === SETUP_2) tiles.setup2 |= bit;
    }
  }
  return tiles;
};

/** Draws a board as `readBoard` reads it. */
function drawBoard({ passable, setup1, setup2 }: Tiles): string[] {
  const [open, own, others] = [passable, setup1, setup2].map((mask) => new Set(tilesOf(mask)));
  const width = Math.max(...[...open].map((tile) => tile % WIDTH)) + 1;
  const height = Math.floor(Math.max(...open) / WIDTH) + 1;
  const sign = (tile: number) => {
    if (!open.has(tile)) return BLOCKED;
    return own.has(tile) ? SETUP_1 : others.has(tile) ? SETUP_2 : FREE;
  };
  const row = (y: number) => Array.from({ length: width }, (_, x) => sign(y * WIDTH + x)).join("");
  return Array.from({ length: height }, (_, i) => row(height - 1 - i));
}

/** Reads pawns by rank, given by name or letter. */
const readArmy: Reader<number[]> = (value, path) => {
  const army = RANKS.map(() => 0);
  const named = new Set<number>();
  fields((count, at, name) => {
    const rank = RANKS.findIndex((each, i) => [each.name, RANK_LETTERS[i]].includes(capitalized(name)));
    if (rank < 0)
      throw new InputError(at, `no rank has this name; they are ${RANKS.map((each) => each.name).join(", ")}`);
    if (named.has(rank)) throw new InputError(at, `${RANKS[rank].name} is there twice`);
    named.add(rank);
    army[rank] = integer(0, MAX_PAWNS)(count, at);
  })(value, path);
  return army;
};

const readFields: Reader<{ board: Tiles; army: number[] } & Omit<Mode, keyof Board>> = object({
  board: readBoard,
  army: readArmy,
  budget: optional(integer(0, MAX_BUDGET), 0),
  casual: optional(boolean, false),
  alwaysHidden: optional(boolean, false),
  sequential: optional(boolean, false),
  maxTurns: optional(integer(0, MAX_TURNS), 0),
});

/** Reads a playable mode. */
const readMode: Reader<Mode> = (value, path) => {
  const { board, ...rest } = readFields(value, path);
  const mode = { ...board, ...rest };
  try {
    checkMode(mode);
  } catch (error) {
    throw error instanceof ContractError ? inputError(error, mode) : error;
  }
  return mode;
};

/** Describes a rejected mode by its wrong field. */
function inputError({ error, message, values }: ContractError, { passable, army }: Mode): InputError {
  switch (error) {
    case "WrongArmy": {
      const { rank, count, min, max } = values;
      const why = rank === THRONE ? "it has one Throne" : `for a budget at most ${max} pawns of this rank are sold`;
      return new InputError(`army.${RANKS[Number(rank)].name}`, `${count} is not between ${min} and ${max}; ${why}`);
    }
    case "ArmySize":
    case "NoPawnMoves":
      return new InputError("army", message);
    case "OverBudget":
      return new InputError("budget", `${values.budget} is below ${priceOf(army)}, the price of the mode's own army`);
    case "CasualHidesNothing":
      return new InputError("alwaysHidden", "the mode is casual, and a casual match hides nothing");
    case "Disconnected": {
      const [first, apart] = [passable, passable & ~BigInt(values.reached)].map((mask) => tileName(tilesOf(mask)[0]));
      return new InputError("board", `${apart} cannot be reached from ${first}`);
    }
    default:
      return new InputError("board", message);
  }
}

/** Format of modes, with the fields of docs/games/warmancer.md. */
export const format = modeFormat<Mode>({
  usual: CLASSIC,
  read: readMode,
  encode: encodeMode,
  decode: (content: Hex) => decodeMode(content),
  toJson({ passable, setup1, setup2, army, ...rest }) {
    return { board: drawBoard({ passable, setup1, setup2 }), army: Object.fromEntries(counted(army)), ...rest };
  },
  describe: describeMode,
  reasons: {
    board: `up to ${WIDTH} rows of as many tiles, all connected, on which each player has 2 to ${MAX_PAWNS} tiles to set up on, as many as the other`,
    army: "an army has one Throne, at least one pawn that moves, and a pawn for each setup tile",
    budget: `it is 0 for exactly the army, or up to ${MAX_BUDGET}; the army itself must be for sale`,
    alwaysHidden: "ranks are open from the start there",
    maxTurns: `the game is a draw after so many turns, at most ${MAX_TURNS}; 0 means ${MAX_TURNS}`,
  },
});

function describeMode(mode: Mode): string[] {
  const { army, budget, casual, alwaysHidden, sequential, maxTurns } = mode;
  const rows = drawBoard(mode);
  const row = (signs: string, i: number) => `${String(rows.length - i).padStart(4)} ${signs}`;
  const letters = Array.from(rows[0], (_, x) => tileName(x)[0]).join("");
  return [
    `Board: player 1 sets up on ${SETUP_1}, player 2 on ${SETUP_2}; nobody enters ${BLOCKED}.`,
    ...rows.map(row),
    `     ${letters}`,
    `Army of ${tilesOf(mode.setup1).length}: ${listed(counted(army))}.`,
    ...(budget === 0 ? ["Both players have exactly this army."] : describeBudget(mode)),
    casual
      ? "Casual: ranks and moves are open, and matches are unrated."
      : alwaysHidden
        ? "Always hidden: who survives a battle is not recorded."
        : "Ranks are hidden until a battle shows them.",
    sequential ? "Sequential: the players move in turns, player 1 first." : "Both players move at once.",
    `After ${maxTurns || MAX_TURNS} turns the game is a draw.`,
  ];
}

function describeBudget(mode: Mode): string[] {
  const prices = RANKS.map(({ name, price }): [string, number] => [name, price]);
  const [traps, others] = [TRAP, THRONE + 1].map((rank) => maxOf(mode, rank));
  return [
    `Players buy their pawns for ${mode.budget} instead: one Throne, up to ${traps} Traps and ${others} of every other rank. This army costs ${priceOf(mode.army)}.`,
    `Prices: ${listed(prices)}.`,
  ];
}

/** Lists the ranks in an army, with their numbers. */
function counted(army: readonly number[]): [string, number][] {
  return RANKS.map(({ name }, rank): [string, number] => [name, army[rank]]).filter(([, count]) => count > 0);
}

function listed(entries: readonly (readonly [string, number])[]): string {
  return entries.map(([name, number]) => `${name} ${number}`).join(", ");
}

function capitalized(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1).toLowerCase()}`;
}
