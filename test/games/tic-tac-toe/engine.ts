import { expect } from "chai";
import { toBeHex, ZeroAddress, ZeroHash, type BaseContract } from "ethers";
import { play } from "../../../sdk/games/tic-tac-toe/engine.js";
import { ticTacToe } from "../../../sdk/games/tic-tac-toe/index.js";
import { decodeMark, type Mark } from "../../../sdk/games/tic-tac-toe/log.js";
import type { History } from "../../../sdk/chain/history.js";
import type { MatchRecord } from "../../../sdk/chain/record.js";
import { ethers, Seat } from "../../support/index.js";
import { expectRefused } from "../../support/refusals.js";

/** No history, because the default mode needs none. */
const NO_HISTORY = undefined as unknown as History;
const ROWS = [
  [0, 1, 2],
  [3, 4, 5],
  [6, 7, 8],
  [0, 3, 6],
  [1, 4, 7],
  [2, 5, 8],
  [0, 4, 8],
  [2, 4, 6],
];

/** Counts the results of all games that continue from a board, by brute force: draws, wins of X, wins of O. */
function endsOf(board: string[], sign: string): number[] {
  const row = ROWS.find(([a, b, c]) => board[a] !== "." && board[a] === board[b] && board[b] === board[c]);
  if (row) return board[row[0]] === "X" ? [0, 1, 0] : [0, 0, 1];
  const free = board.flatMap((each, cell) => (each === "." ? [cell] : []));
  if (free.length === 0) return [1, 0, 0];
  return free
    .map((cell) => endsOf(board.with(cell, sign), sign === "X" ? "O" : "X"))
    .reduce((sum, ends) => sum.map((count, i) => count + ends[i]));
}

/** Visits all continuations after some cells with the engine, and continues only where `visit` returns true. */
function goOn(cells: readonly number[], visit: (cells: readonly number[], mark: Mark) => boolean): void {
  for (let cell = 0; cell < 9; cell++) {
    if (cells.includes(cell)) continue;
    const next = [...cells, cell];
    const mark = decodeMark(play(next, 1).at(-1)!);
    if (visit(next, mark) && !mark.finished) goOn(next, visit);
  }
}

describe("Tic-tac-toe: either engine", () => {
  let contract: BaseContract;
  const preview = (mode: string, cells: readonly number[]) => contract.getFunction("preview").staticCall(mode, cells);

  before(async () => (contract = await ethers.deployContract("TicTacToe", [ZeroAddress])));

  it("counts all 255,168 possible games: 131,184 won by X, 77,904 by O, 46,080 drawn", () => {
    const ends = [0, 0, 0];
    goOn([], (_, { winner, finished }) => {
      if (finished) ends[winner]++;
      return true;
    });
    expect(ends).to.deep.equal([46_080, 131_184, 77_904]);
    expect(endsOf(Array<string>(9).fill("."), "X")).to.deep.equal(ends);
  });

  it("agrees with the other engine in every position, in both modes", async () => {
    const reached = new Map<string, readonly number[]>();
    goOn([], (cells, { x, o }) => {
      const known = reached.has(`${x} ${o}`);
      reached.set(`${x} ${o}`, cells);
      return !known;
    });
    // All of the 5,478 positions except the empty board.
    expect(reached.size).to.equal(5477);
    for (const cells of reached.values()) {
      for (const ties of cells.length === 9 ? [0, 1] : [1]) {
        const words: unknown = await preview(toBeHex(ties, 1), cells);
        expect(Array.from(words as bigint[])).to.deep.equal(play(cells, ties));
      }
    }
  });

  it("rejects in a preview a move after the end, and invalid modes", async () => {
    await expectRefused({ contract }, () => preview("0x", [0, 3, 1, 4, 2, 5]), "GameIsOver(5)");
    await expectRefused({ contract }, () => preview("0x02", []), "UnknownTieRule(2)");
    await expectRefused({ contract }, () => preview("0x0101", []), "WrongLength(2, 1, 1)");
    expect(Array.from(await preview("0x", []))).to.deep.equal([]);
  });

  it("rejects an invalid game in the simulation, naming the move", async () => {
    const said = (input: unknown) => ticTacToe.simulate(input).then(String, String);
    expect(await said({ moves: [0, 0] })).to.equal("InputError: moves[1]: cell 0 is marked already");
    expect(await said({ moves: [0, 3, 1, 4, 2, 5] })).to.equal("InputError: moves[5]: the game is over");
    expect(await said({ moves: [9] })).to.equal("InputError: moves[0]: 9 is above 8");
    expect(await said({ moves: "0" })).to.equal('InputError: moves: "0" is not a list');
    expect(await said({ mode: { ties: 2 }, moves: [] })).to.equal("InputError: mode.ties: 2 is above 1");
    expect(await said({ moves: [], bogus: 1 })).to.equal("InputError: bogus: unknown field");
    expect(await ticTacToe.simulate({ moves: [] })).to.deep.equal({
      winner: null,
      finished: false,
      board: ".........",
      words: [],
    });
  });

  it("replays sent data, and reports data that cannot have been sent", async () => {
    const actions = [
      { seat: Seat.One, data: "0x0302" },
      { seat: Seat.Two, data: "0x0401" },
    ];
    const terms = { mode: ZeroHash, game: ZeroAddress };
    const honest = { matchId: 7n, createData: "0x04", joinData: "0x0400", actions, terms };
    const told = async (changes: object) => {
      const record = { ...honest, ...changes } as unknown as MatchRecord;
      return ticTacToe.replay(record, NO_HISTORY).then(({ logs }) => logs.flatMap(({ entries }) => entries), String);
    };
    expect(await told({})).to.deep.equal(play([4, 0, 2, 1], 1));
    expect(await told({ joinData: undefined, actions: [] })).to.deep.equal(play([4], 1));
    for (const [changes, why] of [
      [{ joinData: "0x0500" }, "RecordError: match 7: the answer is to another first mark"],
      [{ actions: [actions[1]] }, "RecordError: match 7: mark 3 was sent as mark 4"],
      [{ actions: [{ ...actions[0], seat: Seat.Two }] }, "RecordError: match 7: mark 3 out of turn"],
      [{ actions: [actions[0], { ...actions[1], seat: Seat.One }] }, "RecordError: match 7: mark 4 out of turn"],
      [{ actions: [{ ...actions[0], data: "0x0304" }] }, "InputError: match 7: mark[2]: cell 4 is marked already"],
    ] as const) {
      expect(await told(changes)).to.equal(why);
    }
  });
});
