import { concat, toBeHex } from "ethers";
import { play } from "../../../sdk/games/tic-tac-toe/engine.js";
import { ticTacToe } from "../../../sdk/games/tic-tac-toe/index.js";
import { decodeMark } from "../../../sdk/games/tic-tac-toe/log.js";
import { ethers, Seat } from "../index.js";
import type { LawGame, Piece, Script } from "../../../sdk/laws/game.js";
import type { Random } from "../../../sdk/laws/random.js";

const TIES = { "0x": 1, "0x00": 0, "0x01": 1 };

/** Tic-tac-toe: open turns of one mark each. */
export const ticTacToeLaws: LawGame = {
  name: ticTacToe.name,
  module: ticTacToe,
  async deploy({ arena }) {
    const game = await ethers.deployContract("TicTacToe", [arena]);
    return {
      game,
      modes: Object.keys(TIES),
      badModes: { empty: "0x", "two bytes": "0x0101", "ties of 2": "0x02", "ties of 255": "0xff" },
      script: async ({ mode }, random) => write(mode as keyof typeof TIES, random),
    };
  },
};

/** Writes random marks until somebody has three in a row or the board is full. */
function write(mode: keyof typeof TIES, random: Random): Script {
  const free = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const cells: number[] = [];
  const pieces: Piece[] = [];
  do {
    const [cell] = free.splice(random.below(free.length), 1);
    pieces.push(piece(cells, cell));
    cells.push(cell);
  } while (!decodeMark(play(cells, TIES[mode]).at(-1)!).finished);
  return { pieces, player1Acts: [], player2Acts: [] };
}

/** Returns the next mark, with data that must be rejected in its place. */
function piece(cells: readonly number[], cell: number): Piece {
  const number = cells.length + 1;
  const seat = number % 2 === 1 ? Seat.One : Seat.Two;
  const head = number === 2 ? cells[0] : number;
  const send = (first: number, own: number) => concat([...(number === 1 ? [] : [toBeHex(first, 1)]), toBeHex(own, 1)]);
  const wrong = {
    "cell 9": send(head, 9),
    "cell 255": send(head, 255),
    ...Object.fromEntries(cells.map((taken) => [`cell ${taken}, which has a mark`, send(head, taken)])),
  };
  if (number === 1) return { seat, data: send(head, cell), wrong };
  return { seat, data: send(head, cell), wrong: { ...wrong, "another position": send((head + 1) % 9, cell) } };
}
