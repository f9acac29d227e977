import { decodeMark, play } from "../games/tic-tac-toe.js";
import { pick, type Source } from "./source.js";
import type { Strategy } from "./strategy.js";

/** A game of tic-tac-toe before a mark. */
export interface TicTacToeView {
  /** The cells marked so far, X's first. */
  cells: readonly number[];
  /** As in the mode: 0 for X's, 1 for draws. */
  ties: number;
}

/** What a position is worth to who moves: between players who play well, and between ones who mark any cells. */
interface Worth {
  sure: number;
  hoped: number;
}

const CELLS = [0, 1, 2, 3, 4, 5, 6, 7, 8];
/** An early win is worth more, and a late loss less bad. */
const SOONER = 0.01;

/** What is marked by X and O makes a position, however it came about; by that and the rule for ties. */
const known = new Map<string, Worth>();

/** Never loses what can be held, wins what can be won, and else goes where an opponent who knows no better loses most. */
export const ticTacToeStrategy: Strategy<TicTacToeView, number> = {
  choose({ cells, ties }: TicTacToeView, source: Source): number {
    const moves = CELLS.filter((cell) => !cells.includes(cell));
    const worths = moves.map((cell) => opposite(worthOf([...cells, cell], ties)));
    const best = worths.reduce((one, other) => (betters(other, one) ? other : one));
    return pick(
      moves.filter((_, i) => !betters(best, worths[i])),
      source,
    );
  },
};

/** A position as who moves next in it sees it. */
function worthOf(cells: readonly number[], ties: number): Worth {
  const { side, x, o, winner, finished } = decodeMark(play(cells, ties).at(-1)!);
  if (finished) {
    const won = winner === 0 ? 0 : (1 - SOONER * cells.length) * (winner === side + 1 ? -1 : 1);
    return { sure: won, hoped: won };
  }
  const key = `${x} ${o} ${ties}`;
  const worth = known.get(key) ?? best(cells, ties);
  known.set(key, worth);
  return worth;
}

/** Players who play well pick the best move. */
function best(cells: readonly number[], ties: number): Worth {
  const moves = CELLS.filter((cell) => !cells.includes(cell));
  const worths = moves.map((cell) => opposite(worthOf([...cells, cell], ties)));
  return {
    sure: Math.max(...worths.map(({ sure }) => sure)),
    hoped: worths.reduce((sum, { hoped }) => sum + hoped, 0) / worths.length,
  };
}

function opposite({ sure, hoped }: Worth): Worth {
  return { sure: 0 - sure, hoped: 0 - hoped };
}

function betters(one: Worth, other: Worth): boolean {
  return one.sure > other.sure || (one.sure === other.sure && one.hoped > other.hoped);
}
