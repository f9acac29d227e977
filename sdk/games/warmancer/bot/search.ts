import { resolve } from "../engine.js";
import { NONE, STUCK, tilesOfMove, type Move } from "../legal-moves.js";
import { copyOf, slotAt, type Position } from "../position.js";
import type { QuickSource } from "../../../bots/source.js";
import { otherSide, playerOf } from "../../../protocol/sides.js";
import { Belief } from "./belief.js";
import { backOf } from "./depth.js";
import { evaluate, WON, type Pair } from "./evaluation.js";
import { rolloutMove, type RolloutNoise } from "./rollout-policy.js";
import { Heuristic, VALUES } from "./heuristic.js";
import type { WarmancerView } from "./view.js";

/** Number of turns that are played out after the evaluated turn. */
const DEPTH = 3;
/** Noise of a player in the turns that are played out. */
const NOISE = 0.5;
/** Noises of the other player, equally likely: the player's own noise, a higher noise, and that of random moves. */
const OTHER_NOISES = [NOISE, NOISE, 4, 100];
/** Value that is deducted from a win or a loss for each turn until the game ends. */
const LATER = 2;
/** Value lost by moving a hidden pawn for the first time: it could have been a Throne or a Trap. */
const COVER = 1.5;
/** Weight of each slot at the back as the place of the Throne; other slots have weight 1. */
const BACK = 4;
/** Weights of pawns among those that have moved, by rank: more valuable pawns are likelier to have moved. */
const BOLDNESS = VALUES.map((value) => value ** 1.5);

const WORD = 2 ** 32;

/** Sample of the next turns. */
export interface Sample {
  /** Codes of all ranks (rank + 1), by side and slot. */
  world: Pair<Uint8Array>;
  /** Move of the other player in the evaluated turn. */
  reply: Move;
  /** Noises of both sides in the later turns. */
  rolloutNoises: Pair<RolloutNoise>;
}

/** Search of a player in a turn: it samples the ranks that it does not know, and evaluates its moves in the samples. */
export class Search {
  private readonly belief: Belief;
  private readonly heuristics: Pair<Heuristic>;
  /** Position on which moves are tried. */
  private readonly trial: Position;

  constructor(
    private readonly view: WarmancerView,
    private readonly quick: QuickSource,
  ) {
    const { mode, board, side, known } = view;
    const other = otherSide(side);
    const back = backOf(mode, other);
    const throne = known[other].map((_, slot) => (back.includes(slot) ? BACK : 1));
    this.belief = new Belief(board, other, known[other], { throne, moves: BOLDNESS });
    // The other player knows only the recorded ranks.
    const others = new Belief(board, side, board.sides[side].ranks);
    this.heuristics = inOrder(
      side,
      new Heuristic(board, side, known[side], this.belief),
      new Heuristic(board, other, known[other], others),
    );
    this.trial = copyOf(board);
  }

  /** Samples the next turns. */
  samples(count: number): Sample[] {
    const { belief, quick } = this;
    const { side, known } = this.view;
    return belief.worlds(count, quick).map((others, i) => {
      const rolloutNoise = (noise: number) => ({ seed: quick.below(WORD), noise });
      const noise = OTHER_NOISES[i % OTHER_NOISES.length];
      return {
        world: inOrder(side, known[side], others),
        reply: this.replyIn(others, rolloutNoise(noise)),
        rolloutNoises: inOrder(side, rolloutNoise(NOISE), rolloutNoise(noise)),
      };
    });
  }

  /** Returns the value of a move in a sample. */
  worthOf(move: Move, { world, reply, rolloutNoises }: Sample): number {
    const { trial, heuristics } = this;
    const { board, side } = this.view;
    reset(trial, board);
    let moves = inOrder(side, move, reply);
    for (let later = 0; ; later++) {
      const { over, winner } = resolve(trial, moves, world);
      if (over) return (WON - LATER * later) * signOf(winner, side) - this.costOf(move);
      if (later === DEPTH) break;
      trial.turn++;
      moves = this.next(world, rolloutNoises);
      if (moves[0] === STUCK || moves[1] === STUCK) break;
    }
    return evaluate(trial, side, world, heuristics) - this.costOf(move);
  }

  private costOf(move: Move): number {
    const { board, side } = this.view;
    const { moved, ranks } = board.sides[side];
    const slot = slotAt(board.at[tilesOfMove(move)[0]], side);
    return moved[slot] || ranks[slot] ? 0 : COVER;
  }

  /** Returns the moves of both sides in a later turn; in a sequential game, only the mover's move. */
  private next(world: Pair<Uint8Array>, rolloutNoises: Pair<RolloutNoise>): Pair<Move> {
    const { rules, turn } = this.view.board;
    if (!rules.sequential)
      return [this.byRolloutPolicy(0, world, rolloutNoises), this.byRolloutPolicy(1, world, rolloutNoises)];
    const mover = (this.view.side + this.trial.turn - turn) % 2;
    const move = this.byRolloutPolicy(mover, world, rolloutNoises);
    return mover === 0 ? [move, NONE] : [NONE, move];
  }

  private byRolloutPolicy(side: number, world: Pair<Uint8Array>, rolloutNoises: Pair<RolloutNoise>): Move {
    return rolloutMove(this.trial, side, world[side], this.heuristics[side], rolloutNoises[side]);
  }

  /** Returns a possible move of the other player in the evaluated turn. */
  private replyIn(world: Uint8Array, rolloutNoise: RolloutNoise): Move {
    const { board, side } = this.view;
    const other = otherSide(side);
    if (board.rules.sequential) return NONE;
    // In a casual game, the other player may have moved already.
    if (board.moves[other] !== NONE) return board.moves[other];
    const move = rolloutMove(board, other, world, this.heuristics[other], rolloutNoise);
    return move === STUCK ? NONE : move;
  }
}

/** Returns 1 if a side has won, -1 if its opponent has, 0 for a draw. */
function signOf(winner: number, side: number): number {
  return winner === 0 ? 0 : winner === playerOf(side) ? 1 : -1;
}

function inOrder<T>(side: number, own: T, others: T): Pair<T> {
  return side === 0 ? [own, others] : [others, own];
}

/** Resets a copy of a board to the board, which is faster than making another copy. */
function reset(trial: Position, board: Position): void {
  trial.turn = board.turn;
  trial.at.set(board.at);
  for (let side = 0; side < 2; side++) {
    const { alive, tiles, ranks } = board.sides[side];
    trial.sides[side].alive.set(alive);
    trial.sides[side].tiles.set(tiles);
    trial.sides[side].ranks.set(ranks);
  }
}
