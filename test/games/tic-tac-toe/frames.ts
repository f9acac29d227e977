import { expect } from "chai";
import { winningCells } from "../../../sdk/games/tic-tac-toe/engine.js";
import { ticTacToe, type TicTacToeFrame } from "../../../sdk/games/tic-tac-toe/index.js";
import { recorded } from "../../support/recorded.js";

const plain = (text: string) => text;
const bits = (cells: readonly number[]) => cells.reduce((all, cell) => all | (1 << cell), 0);

describe("Tic-tac-toe: the animation of a match", () => {
  it("shows the board after each mark, as the view of the match draws it", async () => {
    const { archive, matches } = await recorded();
    const own = matches.filter(({ game }) => game === ticTacToe);
    for (const { record } of own) {
      const frames = (await ticTacToe.frames!(record, archive)) as TicTacToeFrame[];
      for (const [i, { board, cell, move, text }] of frames.entries()) {
        const logs = record.logs.slice(0, i + 1);
        const [, ...rows] = await ticTacToe.view!({ ...record, logs }, archive, plain);
        const drawn = board.map((sign, at) => sign ?? String(at));
        const starts = [0, 3, 6];
        expect(rows).to.deep.equal(starts.map((start) => `  ${drawn.slice(start, start + 3).join(" ")}`));
        expect(board[cell]).to.equal(i % 2 === 0 ? "X" : "O");
        expect(move).to.deep.equal({ player: 1 + (i % 2), text: String(cell) });
        expect(text).to.equal(`Player ${1 + (i % 2)} marks cell ${cell}`);
      }
      const { row, result } = frames.at(-1)!;
      if (result!.winner === 2) expect(row).to.have.length(3);
      expect(frames.slice(0, -1).flatMap((frame) => frame.row)).to.deep.equal([]);
    }
  });

  it("names the cells of the winning row, or of two winning rows", () => {
    expect(winningCells({ x: bits([0, 1, 2, 4]), o: bits([3, 5]), side: 0 })).to.deep.equal([0, 1, 2]);
    expect(winningCells({ x: bits([0, 1, 2, 3, 6]), o: bits([4, 5, 7]), side: 0 })).to.deep.equal([0, 1, 2, 3, 6]);
    expect(winningCells({ x: bits([0, 1, 3]), o: bits([2, 4, 6]), side: 1 })).to.deep.equal([2, 4, 6]);
    expect(winningCells({ x: bits([0, 1]), o: bits([4]), side: 0 })).to.deep.equal([]);
  });
});
