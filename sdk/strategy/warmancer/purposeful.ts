import { resolve } from "../../games/warmancer/engine.js";
import { NONE, STUCK, tilesOfMove, type Move } from "../../games/warmancer/moves.js";
import { copyOf, slotAt, type Position } from "../../games/warmancer/position.js";
import { pickWeighted, QuickSource, type Source } from "../source.js";
import { Belief } from "./belief.js";
import { backOf } from "./distance.js";
import { evaluate, WON, type Pair } from "./evaluation.js";
import { impulse } from "./impulse.js";
import { Outlook, VALUES } from "./outlook.js";
import { movesIn, type WarmancerStrategy, type WarmancerView } from "./view.js";

/** Samples in which all moves are weighed before the worse half of them is dropped. */
const SERIES = 32;
/** Of so few moves none is dropped. */
const FEW = 5;
/** How much worse than the best a move may be on average, in worth, to be chosen about a third as often. */
const TEMPER = 0.15;
/** Turns that are played on after the one that is weighed. */
const DEPTH = 3;
/** The moods of players in those turns; and of the other in the first one, half the time each: it is hard to foresee. */
const NOISE = 0.5;
const MOODS = [0.5, 0.5, 4, 100];
const SOONER = 2;
/** What is lost by moving a hidden pawn for the first time: it could have been a Throne or a Trap. */
const COVER = 1.5;
/** How much likelier a slot at the back has the Throne than another. */
const BACK = 4;
/** How much a pawn's worth says of whether it is among those that have moved: its power. */
const BOLD = 1.5;

const BOLDNESS = VALUES.map((value) => value ** BOLD);
const WORD = 2 ** 32;

/** A way in which the turn may be: all ranks, and what the other player does. */
interface Sample {
  world: Pair<Uint8Array>;
  reply: Move;
  /** The other's mood, and that of both */
  seed: number;
  noise: number;
}

/** Weighs its moves in sampled worlds against sampled replies, and mixes those that are nearly as good as the best. */
export class PurposefulWarmancer implements WarmancerStrategy {
  /** @param series Samples between two selections. */
  constructor(private readonly series = SERIES) {}

  choose(view: WarmancerView, source: Source): Move {
    const legal = movesIn(view);
    if (legal.length < 2) return legal[0] ?? STUCK;
    const thought = new Thought(view, new QuickSource(source));
    let candidates = legal.map((move) => ({ move, sum: 0 }));
    for (let samples = this.series; ; samples += this.series) {
      for (const sample of thought.samples(this.series)) {
        for (const candidate of candidates) candidate.sum += thought.worthOf(candidate.move, sample);
      }
      candidates.sort((one, other) => other.sum - one.sum);
      if (candidates.length <= FEW) {
        const chances = candidates.map(({ sum }) => Math.exp((sum - candidates[0].sum) / samples / TEMPER));
        return candidates[pickWeighted(chances, source)].move;
      }
      candidates = candidates.slice(0, Math.max(FEW, Math.ceil(candidates.length / 2)));
    }
  }
}

/** What a player thinks of in a turn. */
class Thought {
  private readonly belief: Belief;
  private readonly outlooks: Pair<Outlook>;
  /** Where moves are tried. */
  private readonly trial: Position;

  constructor(
    private readonly view: WarmancerView,
    private readonly quick: QuickSource,
  ) {
    const { mode, board, side, known } = view;
    this.trial = copyOf(board);
    const back = backOf(mode, 1 - side);
    const throne = known[1 - side].map((_, slot) => (back.includes(slot) ? BACK : 1));
    this.belief = new Belief(board, 1 - side, known[1 - side], { throne, moves: BOLDNESS });
    // The other counts from what is recorded.
    const seen = new Belief(board, side, board.sides[side].ranks);
    this.outlooks = inOrder(
      side,
      new Outlook(board, side, known[side], this.belief),
      new Outlook(board, 1 - side, known[1 - side], seen),
    );
  }

  samples(count: number): Sample[] {
    const { side, known } = this.view;
    return this.belief.worlds(count, this.quick).map((others, i) => {
      const noise = MOODS[i % MOODS.length];
      const seed = this.quick.below(WORD);
      return { world: inOrder(side, known[side], others), reply: this.replyIn(others, seed, noise), seed, noise };
    });
  }

  /** What a move comes to in a sample. */
  worthOf(move: Move, { world, reply, seed, noise }: Sample): number {
    const { view, trial, outlooks } = this;
    const { board, side } = view;
    reset(trial, board);
    let moves = inOrder(side, move, reply);
    for (let depth = 0; ; depth++) {
      const { over, winner } = resolve(trial, moves, world);
      if (over) return (winner === 0 ? 0 : winner === side + 1 ? 1 : -1) * (WON - SOONER * depth) - this.costOf(move);
      if (depth === DEPTH) return evaluate(trial, side, world, outlooks) - this.costOf(move);
      trial.turn++;
      moves = this.next(world, seed + depth, noise);
      if (moves.includes(STUCK)) return evaluate(trial, side, world, outlooks) - this.costOf(move);
    }
  }

  private costOf(move: Move): number {
    const { board, side } = this.view;
    const { moved, ranks } = board.sides[side];
    const slot = slotAt(board.at[tilesOfMove(move)[0]], side);
    return moved[slot] || ranks[slot] ? 0 : COVER;
  }

  /** What both may do in a turn that is played on; sequential, one of them. */
  private next(world: Pair<Uint8Array>, seed: number, noise: number): Pair<Move> {
    const { trial, outlooks, view } = this;
    const { rules, turn } = view.board;
    const mover = (view.side + trial.turn - turn) % 2;
    const moveOf = (side: number) =>
      rules.sequential && side !== mover
        ? NONE
        : impulse(trial, side, world[side], outlooks[side], {
            seed: seed + (WORD / 2) * side,
            noise: side === view.side ? NOISE : noise,
          });
    return [moveOf(0), moveOf(1)];
  }

  /** What the other may do: mostly what it gains most by. */
  private replyIn(world: Uint8Array, seed: number, noise: number): Move {
    const { view, outlooks } = this;
    const { board, side } = view;
    if (board.rules.sequential) return NONE;
    // Casual: the other has moved already.
    if (board.moves[1 - side] !== NONE) return board.moves[1 - side];
    const move = impulse(board, 1 - side, world, outlooks[1 - side], { seed: seed - 1, noise });
    return move === STUCK ? NONE : move;
  }
}

function inOrder<T>(side: number, own: T, others: T): Pair<T> {
  return side === 0 ? [own, others] : [others, own];
}

/** Takes back what was tried on a copy of a board, quicker than another copy would be. */
function reset(trial: Position, board: Position): void {
  trial.turn = board.turn;
  trial.at.set(board.at);
  for (const side of [0, 1]) {
    const { alive, tiles, ranks } = board.sides[side];
    trial.sides[side].alive.set(alive);
    trial.sides[side].tiles.set(tiles);
    trial.sides[side].ranks.set(ranks);
  }
}
