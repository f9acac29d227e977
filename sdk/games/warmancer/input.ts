import { boolean, bytes32, InputError, integer, list, object, optional, type Reader } from "../../protocol/input.js";
import { checkRanks } from "./army.js";
import { BOARDS, checkMode, MAX_TURNS, type Board, type Mode } from "./mode.js";
import { ContractError } from "./contract-error.js";
import { RANKS } from "./ranks.js";
import { tilesOf } from "./tiles.js";

/** What a player does in a turn: a move by its two tiles, which may be any integers, or to declare to be stuck. */
export type Entry = readonly [from: number, to: number] | "stuck";

/** A game to simulate, of a mode that can be played and armies that fit it. */
export interface Game {
  mode: Mode;
  /** Ranks by slot. */
  setups: number[][];
  /** An entry of each player; sequential, of the one who is to move or to reply. */
  turns: Entry[][];
}

/** What a game says of its mode beside the board. */
type Switches = Omit<Mode, keyof Board | "casual">;

const PLAIN: Switches = { budget: 0, alwaysHidden: false, sequential: false, maxTurns: 0 };

/** Which field of the input breaks a rule of modes. */
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

/** A list of any length. */
function listOf<T>(item: Reader<T>): Reader<T[]> {
  return (value, path) => list(item, Array.isArray(value) ? value.length : 0)(value, path);
}

/** A game. @throws InputError naming what is wrong. */
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
      `player ${side + 1}: `,
    );
  }
  return { mode, setups, turns };
}

function fieldOf({ error }: ContractError, { passable, setup1 }: Mode): string {
  const size = tilesOf(setup1).length;
  if (error === "SetupOutsideBoard") return (setup1 & ~passable) === 0n ? "board.setup2" : "board.setup1";
  if (error === "UnequalSetups") return size < 2 || size > 64 ? "board.setup1" : "board.setup2";
  return FIELDS[error] ?? "board.setup2";
}

/** Tells a refusal as one of the input. */
function refusedAt(path: (refusal: ContractError) => string, check: () => void, whose = ""): void {
  try {
    check();
  } catch (error) {
    throw error instanceof ContractError ? new InputError(path(error), `${whose}${error.message}`) : error;
  }
}
