import { toBeHex, toBigInt } from "ethers";
import { BattleKind, decodeEntry, type Operation } from "../../../sdk/games/warmancer/log.js";
import { RANKS, SCOUT, THRONE, TRAP } from "../../../sdk/games/warmancer/ranks.js";
import type { WarmancerSimulation } from "../../../sdk/games/warmancer/simulate.js";
import { maskOf, tileName, tileOf } from "../../../sdk/games/warmancer/tiles.js";

/**
 * A match in a form that players can read: a title, the board before, the mode if it is not the plain one, the moves,
 * the board after, and the events as sentences. Moves are one line per turn or, if sequential, one per move. In a
 * drawing, capitals are player 1's pawns, small letters are player 2's, a dot is an empty tile, and # is no tile:
 *
 *     T Throne   A Assassin   S Scout    E Seer       G Grunt     K Knight
 *     W Wraith   R Reaver     H Herald   C Champion   L Warlord   X Trap
 */
export interface Scenario {
  title: string;
  /** Input of a simulation, which resolves moves with the drawn ranks. */
  input: { board: object; mode: object; setups: number[][]; turns: unknown[] };
  told: Told;
}

/** The outcome of a scenario. */
export interface Told {
  after: string[];
  log: string[];
}

/** A pawn in a drawing. */
interface Pawn {
  side: number;
  rank: number;
  tile: number;
}

const LETTERS = "TASEGKWRHCLX";
const MIN_SLOTS = 2;
const PRICELESS = 65_535;

/** Reads a scenario. @throws Error for an invalid one. */
export function readScenario(text: string): Scenario {
  const [title, ...blocks] = text.trim().split("\n\n");
  const sections = new Map(
    blocks.map((block) => {
      const [name, ...lines] = block.split("\n").map((line) => line.trim());
      return [name, lines];
    }),
  );
  const section = (name: string) => sections.get(name) ?? [];
  const unknown = [...sections.keys()].find((name) => !["before", "mode", "moves", "after", "log"].includes(name));
  if (unknown !== undefined) throw new Error(`${title}: ${unknown}?`);
  const sides = pawnsOf(section("before"));
  const mode = modeOf(section("mode"));
  return {
    title: title.replaceAll("\n", " "),
    input: {
      board: boardOf(section("before"), sides),
      mode,
      setups: sides.map((pawns) => pawns.map(({ rank }) => rank)),
      turns: section("moves").map((line) => turnOf(line, mode.sequential)),
    },
    told: { after: section("after"), log: section("log") },
  };
}

/** Writes the result of a simulation in the form of the scenario. */
export function tell({ input, told }: Scenario, { pawns, words }: WarmancerSimulation): Told {
  const start = input.setups.map((ranks, side) => ranks.map((rank, slot) => ({ side, slot, rank })));
  const signs = new Map<number, string>();
  for (const { side, slot, rank } of start.flat()) {
    const tile = pawns[side][slot];
    if (tile !== null) signs.set(tile, side === 0 ? LETTERS[rank] : LETTERS[rank].toLowerCase());
  }
  const after = told.after.map((line) => {
    const [row, ...drawn] = line.split(" ");
    const signAt = (x: number) => signs.get((Number(row) - 1) * 16 + x) ?? (drawn[x] === "#" ? "#" : ".");
    return Number(row) ? [row, ...drawn.map((_, x) => signAt(x))].join(" ") : line;
  });
  return { after, log: words.map((word) => sentence(decodeEntry(toBigInt(word)), input)) };
}

/** Yields the tiles of a drawing, each with its sign. */
function* tilesIn(lines: readonly string[]): Generator<{ tile: number; sign: string }> {
  for (const line of lines) {
    const [row, ...signs] = line.split(" ");
    if (Number(row)) for (const [x, sign] of signs.entries()) yield { tile: (Number(row) - 1) * 16 + x, sign };
  }
}

/** Returns the pawns of both sides, in the order of their slots. */
function pawnsOf(lines: readonly string[]): [Pawn[], Pawn[]] {
  const pawns = [...tilesIn(lines)].flatMap(({ tile, sign }): Pawn[] => {
    if (sign === "." || sign === "#") return [];
    const rank = LETTERS.indexOf(sign.toUpperCase());
    if (rank < 0) throw new Error(`${sign}: no pawn`);
    return [{ side: sign === LETTERS[rank] ? 0 : 1, rank, tile }];
  });
  const of = (side: number) => pawns.filter((pawn) => pawn.side === side).sort((a, b) => a.tile - b.tile);
  return [of(0), of(1)];
}

/** Returns the board, with an army that both sides could have bought. */
function boardOf(lines: readonly string[], sides: readonly Pawn[][]): object {
  const mask = (tiles: number[]) => toBeHex(maskOf(tiles), 32);
  const tilesOf = (pawns: readonly Pawn[]) => mask(pawns.map(({ tile }) => tile));
  const army = RANKS.map(() => 0);
  army[THRONE] = 1;
  army[TRAP] = Math.max(...sides.map((pawns) => pawns.filter(({ rank }) => rank === TRAP).length));
  army[SCOUT] = Math.max(sides[0].length, MIN_SLOTS) - army[THRONE] - army[TRAP];
  const passable = mask([...tilesIn(lines)].filter(({ sign }) => sign !== "#").map(({ tile }) => tile));
  return { passable, setup1: tilesOf(sides[0]), setup2: tilesOf(sides[1]), army };
}

function modeOf(lines: readonly string[]) {
  const mode = { budget: PRICELESS, alwaysHidden: false, sequential: false, maxTurns: 0 };
  for (const line of lines) {
    const turns = /^(\d+) turns?$/.exec(line);
    if (line === "always hidden") mode.alwaysHidden = true;
    else if (line === "sequential") mode.sequential = true;
    else if (turns) mode.maxTurns = Number(turns[1]);
    else throw new Error(`${line}: no mode`);
  }
  return mode;
}

/** Parses a line such as `a1 a2, stuck` into the entries of a simulation. */
function turnOf(line: string, sequential: boolean): unknown {
  const entries = line.split(", ").map((words) => (words === "stuck" ? words : words.split(" ").map(tileIn)));
  return sequential ? entries[0] : entries;
}

function tileIn(name: string): number {
  const tile = tileOf(name);
  if (tile === undefined) throw new Error(`${name}: no tile`);
  return tile;
}

/** Returns an operation of the log in words. Pawns are named by the tiles of their setup. */
function sentence(operation: Operation, { setups, board }: Scenario["input"]): string {
  const who = (side: number, slot: number) => {
    const { setup1, setup2 } = board as Record<"setup1" | "setup2", string>;
    const tiles = [...slots(toBigInt(side === 0 ? setup1 : setup2))];
    return `player ${side + 1}'s ${RANKS[setups[side][slot]].name} of ${tileName(tiles[slot])}`;
  };
  const text = entriesOf(operation, who);
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}

function entriesOf(operation: Operation, who: (side: number, slot: number) => string): string {
  if (operation.op === "result") return operation.winner === 0 ? "it is a draw" : `player ${operation.winner} wins`;
  const { side, slot } = operation;
  const pawn = who(side, slot);
  if (operation.op === "move") return `${pawn} moves from ${tileName(operation.from)} to ${tileName(operation.to)}`;
  const place = tileName(operation.tile);
  if (operation.op === "kill") return `${pawn} dies on ${place}`;
  if (operation.op === "reveal") return `${pawn} on ${place} is revealed as rank ${operation.rank}`;
  const other = who(1 - side, operation.defender);
  const result = operation.winner === 0 ? "both die" : `player ${operation.winner} wins`;
  if (operation.kind === BattleKind.SameTile) return `${pawn} and ${other} meet on ${place}: ${result}`;
  if (operation.kind === BattleKind.Swap) return `${pawn} and ${other} meet on the way to ${place}: ${result}`;
  return `${pawn} attacks ${other} on ${place}: ${result}`;
}

function* slots(mask: bigint): Generator<number> {
  for (let tile = 0; tile < 256; tile++) if ((mask >> BigInt(tile)) & 1n) yield tile;
}
