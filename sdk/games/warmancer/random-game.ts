import type { SeededRandom } from "../../bots/seeded-random.js";
import { NO_STATE } from "../../protocol/commit-reveal.js";
import { BOARDS, decodeMode, type Mode } from "./mode.js";
import { resolve } from "./engine.js";
import { legalMoves, NONE, STUCK, tilesOfMove, type Move } from "./legal-moves.js";
import { startPosition } from "./position.js";
import type { Hex } from "../../protocol/hex.js";

/** Returns a mode's army in a random order, by slot. */
export function anySetup({ army }: Pick<Mode, "army">, below: (count: number) => number): number[] {
  const ranks = army.flatMap((count, rank) => Array<number>(count).fill(rank));
  for (let i = ranks.length - 1; i > 0; i--) {
    const j = below(i + 1);
    [ranks[i], ranks[j]] = [ranks[j], ranks[i]];
  }
  return ranks;
}

/** Plays a whole game between players who set up and move at random, and returns it as input of `simulate`. */
export function gameAtRandom(content: Hex, random: SeededRandom): object {
  const mode = decodeMode(content);
  const setups = [0, 1].map(() => anySetup(mode, (count) => random.below(count)));
  const known = setups.map((ranks) => Uint8Array.from(ranks, (rank) => rank + 1));
  const position = startPosition(mode, { roots: [NO_STATE, NO_STATE] });
  const turns: unknown[] = [];
  for (let over = false; !over; position.turn++) {
    const sides = mode.sequential ? [(position.turn - 1) % 2] : [0, 1];
    const moves: [Move, Move] = [NONE, NONE];
    for (const side of sides) {
      const legal = legalMoves(position, side, known[side]);
      moves[side] = legal.length === 0 ? STUCK : legal[random.below(legal.length)];
    }
    const entry = (move: Move) => (move === STUCK ? "stuck" : tilesOfMove(move));
    turns.push(mode.sequential ? entry(moves[sides[0]]) : moves.map(entry));
    over = moves.includes(STUCK) || resolve(position, moves, [known[0], known[1]]).over;
  }
  const { budget, alwaysHidden, sequential, maxTurns } = mode;
  return { board: boardOf(mode), mode: { budget, alwaysHidden, sequential, maxTurns }, setups, turns };
}

/** Returns the name of a built-in board, or the full description of another board. */
function boardOf({ passable, setup1, setup2, army }: Mode): unknown {
  const stock = Object.entries(BOARDS).find(([, board]) => board.passable === passable && board.setup1 === setup1);
  if (stock) return stock[0];
  const hex = (mask: bigint) => `0x${mask.toString(16).padStart(64, "0")}`;
  return { passable: hex(passable), setup1: hex(setup1), setup2: hex(setup2), army };
}
