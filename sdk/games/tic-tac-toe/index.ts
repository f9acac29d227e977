import { concat, randomBytes, toBeHex, ZeroHash, type BaseContract } from "ethers";
import { TicTacToe__factory } from "../../../typechain-types/index.js";
import { sized } from "../../protocol/bytes.js";
import type { SeededRandom } from "../../bots/seeded-random.js";
import type { History } from "../../chain/history.js";
import { InputError, integer, list, object, optional } from "../../protocol/input.js";
import type { Moves, Turn } from "../moves.js";
import type { MatchRecord, Replayed } from "../../chain/record.js";
import { RecordError, takingTurns } from "../revealed-rounds.js";
import type { Hex } from "../../protocol/hex.js";
import { Seat } from "../../protocol/status.js";
import type { Assessment } from "../assessment.js";
import { PerfectStrategy } from "../../bots/perfect.js";
import { cryptoSource } from "../../bots/source.js";
import { bits, exactly, hexWord } from "../../protocol/word.js";
import { defineGame, type Paint } from "../module.js";

const CELLS = 9;
const ROWS = [0x007, 0x038, 0x1c0, 0x049, 0x092, 0x124, 0x111, 0x054];
const ALL = 0x1ff;

/** A mark as the log has it; cells of both sides as bitmaps, winner 0 for nobody. */
export interface Mark {
  cell: number;
  side: number;
  x: number;
  o: number;
  winner: number;
  finished: boolean;
}

/** The log of a game, a word per mark. @throws InputError for a cell that cannot be marked, naming it as `path[i]`. */
export function play(cells: readonly number[], ties: number, path = "moves"): bigint[] {
  const sides = [0, 0];
  let finished = false;
  return cells.map((cell, i) => {
    const at = `${path}[${i}]`;
    if (cell >= CELLS) throw new InputError(at, `there is no cell ${cell}`);
    if (finished) throw new InputError(at, "the game is over");
    if (((sides[0] | sides[1]) >> cell) & 1) throw new InputError(at, `cell ${cell} is marked already`);
    const side = i % 2;
    sides[side] |= 1 << cell;
    const won = ROWS.some((row) => (sides[side] & row) === row);
    finished = won || (sides[0] | sides[1]) === ALL;
    const winner = won ? side + 1 : Number(finished && ties === 0);
    return encodeMark({ cell, side, x: sides[0], o: sides[1], winner, finished });
  });
}

/** A mark as its entry of the log. */
export function encodeMark({ cell, side, x, o, winner, finished }: Mark): bigint {
  return BigInt(cell | (side << 4) | (x << 8) | (o << 17) | (winner << 26) | (Number(finished) << 28));
}

/** A mark of the log. @throws InputError for a word that is none. */
export function decodeMark(entry: bigint): Mark {
  const [cell, side, x, o] = [bits(entry, 0, 4), bits(entry, 4, 1), bits(entry, 8, 9), bits(entry, 17, 9)];
  const mark = { cell, side, x, o, winner: bits(entry, 26, 2), finished: bits(entry, 28, 1) === 1 };
  return exactly(entry, cell < CELLS && mark.winner <= 2 ? mark : undefined, encodeMark);
}

/** The board as nine characters, row by row. */
function boardOf({ x, o }: Pick<Mark, "x" | "o"> = { x: 0, o: 0 }): string {
  const sign = (cell: number) => ((x >> cell) & 1 ? "X" : (o >> cell) & 1 ? "O" : ".");
  return Array.from({ length: CELLS }, (_, cell) => sign(cell)).join("");
}

/** The board as lines of text, with something for each free cell. */
function rowsOf(mark: Mark | undefined, paint: Paint, free: (cell: number) => string): string[] {
  const signs = Array.from(boardOf(mark), (sign, cell) =>
    sign === "." ? free(cell) : paint(sign, sign === "X" ? 1 : 2),
  );
  return [0, 3, 6].map((first) => `  ${signs.slice(first, first + 3).join(" ")}`);
}

/** The cells that are left. */
function freeIn(cells: readonly number[]): number[] {
  return [0, 1, 2, 3, 4, 5, 6, 7, 8].filter((cell) => !cells.includes(cell));
}

const readTies = integer(0, 1);
const readInput = object({
  mode: optional(object({ ties: optional(readTies, 1) }), { ties: 1 }),
  moves: (value, path) => list(integer(0, CELLS - 1), Array.isArray(value) ? value.length : 0)(value, path),
});

async function simulate(input: unknown, contract?: BaseContract): Promise<object> {
  const { mode, moves } = readInput(input, "");
  const engine = play(moves, mode.ties);
  const chain: unknown = contract && (await contract.getFunction("preview").staticCall(toBeHex(mode.ties, 1), moves));
  const entries = chain === undefined ? engine : Array.from(chain as bigint[]);
  const marks = entries.map(decodeMark);
  const { winner, finished } = marks.at(-1) ?? { winner: 0, finished: false };
  return { winner: finished ? winner : null, finished, board: boardOf(marks.at(-1)), words: entries.map(hexWord) };
}

function atRandom(mode: string, random: SeededRandom): object {
  const ties = mode === "0x" ? 1 : decodeTies(mode);
  const free = freeIn([]);
  const cells: number[] = [];
  do cells.push(...free.splice(random.below(free.length), 1));
  while (!decodeMark(play(cells, ties).at(-1)!).finished);
  return { mode: { ties }, moves: cells };
}

/** The cells of a match, each checked against the position its sender named. */
function cellsOf({ matchId, createData, joinData, actions }: MatchRecord): number[] {
  const [first] = sized(createData, "createData", 1);
  if (joinData === undefined) return [first];
  const [named, second] = sized(joinData, "joinData", 2);
  if (named !== first) throw new RecordError("the answer is to another first mark", { matchId });
  const later = actions.map(({ seat, data }, i) => {
    const [number, cell] = sized(data, "data", 2);
    if (number !== i + 3) throw new RecordError(`mark ${i + 3} was sent as mark ${number}`, { matchId });
    if (seat !== (i % 2 === 0 ? Seat.One : Seat.Two)) throw new RecordError(`mark ${number} out of turn`, { matchId });
    return cell;
  });
  return [first, second, ...later];
}

/** The rule for ties in the bytes of a mode. @throws InputError for bytes that are none. */
export function decodeTies(content: Hex): number {
  const [ties] = sized(content, "mode", 1);
  return readTies(ties, "mode");
}

/** The rule for ties of a registered mode. */
async function tiesIn(mode: Hex, history: History): Promise<number> {
  return mode === ZeroHash ? 1 : decodeTies(await history.mode(history.addresses.TicTacToe, mode));
}

async function replay(record: MatchRecord, history: History): Promise<Replayed> {
  const ties = await tiesIn(record.terms.mode, history);
  const entries = play(cellsOf(record), ties, `match ${record.matchId}: mark`);
  const logs = entries.map((entry, i) => ({ round: BigInt(i + 1), entries: [entry] }));
  const { winner, finished, x, o } = decodeMark(entries.at(-1)!);
  return {
    logs,
    result: finished ? { winner: BigInt(winner), taker: BigInt(winner) } : undefined,
    turns: takingTurns(record, finished),
    expectedAnswer: { view: "positionOf", args: [record.matchId], answer: [BigInt(x | (o << CELLS))] },
  };
}

async function decodeLog({ logs }: MatchRecord): Promise<Mark[]> {
  return logs.flatMap(({ entries }) => entries.map(decodeMark));
}

const moves: Moves = {
  usage: ["CELL", "CELL"],
  async read([word, ...more]) {
    if (more.length > 0 || !/^[0-8]$/.test(word ?? ""))
      throw new InputError("cell", "a move is one number from 0 to 8");
    return toBeHex(word, 1);
  },
  async suggest({ record }) {
    const free = freeIn(record ? cellsOf(record) : []);
    return [String(free[randomBytes(1)[0] % free.length])];
  },
  create: async (move) => move,
  join: async (move, { record: { createData } }) => concat([createData, move]),
  act: async (move, { record }) => concat([toBeHex(record.actions.length + 3, 1), move]),
};

/** By the rule for ties: who knows what every mark leads to. */
export const perfectPlayers = [0, 1].map((ties) => {
  const after = (cells: readonly number[]) => {
    const mark = play(cells, ties).map(decodeMark).at(-1);
    const moves = mark?.finished ? [] : freeIn(cells);
    return { key: boardOf(mark), moves, winner: mark?.winner ?? 0 };
  };
  return new PerfectStrategy({ after });
});

/** A perfect mark, and what comes of it. */
async function assessment({ record, mode, history }: Turn): Promise<Assessment> {
  const player = perfectPlayers[await tiesIn(mode, history)];
  const cells = record ? cellsOf(record) : [];
  return { moveArgs: [String(player.choose(cells, cryptoSource))], winProbability: player.chance(cells) };
}

/** Three in a row, in open turns. */
export const ticTacToe = defineGame({
  name: "tic-tac-toe",
  contract: "TicTacToe",
  abi: TicTacToe__factory.abi,
  modes: {
    default: {
      content: "0x",
      weakness: "Who plays well cannot be beaten: between two such players every game is a draw.",
    },
    "x-wins-ties": {
      content: "0x00",
      ties: "challenger",
      weakness: "Player 1 wins whenever it plays well.",
    },
  },
  errors: {
    UnknownCell: "There is no cell {cell}; they are 0 to 8.",
    OccupiedCell: "Cell {cell} is marked already.",
    NotTheNextMark: "This was mark {number}; mark {next} is due in match {matchId}.",
    NotTheFirstCell: "Player 1's first mark in match {matchId} is not in cell {cell}.",
    IsOver: "The game is over before mark {number}.",
    UnknownTies: "Ties are 0 or 1, not {ties}.",
  },
  moves,
  strategy: async (turn) => (await assessment(turn)).moveArgs,
  assess: assessment,
  atRandom,
  simulate,
  replay,
  decodeLog,
  async view(record, _history, paint) {
    const mark = (await decodeLog(record)).at(-1);
    return ["X is player 1, O is player 2; free cells have their numbers", ...rowsOf(mark, paint, String)];
  },
  async story(record, _history, paint) {
    return (await decodeLog(record)).flatMap((mark) => [
      "",
      `Player ${mark.side + 1} marks cell ${mark.cell}`,
      ...rowsOf(mark, paint, () => "."),
    ]);
  },
});
