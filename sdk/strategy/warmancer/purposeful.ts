import { resolve } from "../../games/warmancer/engine.js";
import { NONE, STUCK, type Move } from "../../games/warmancer/moves.js";
import { copyOf, slotAt } from "../../games/warmancer/position.js";
import { pickWeighted, QuickSource, type Source } from "../source.js";
import { Belief } from "./belief.js";
import { backOf } from "./distance.js";
import { impulse } from "./impulse.js";
import { evaluate, WEIGHTS, type Weights } from "./evaluation.js";
import { Outlook, VALUES } from "./outlook.js";
import { movesIn, type WarmancerStrategy, type WarmancerView } from "./view.js";

/** A way in which the turn may be: all ranks, and what the other player does. */
interface Sample {
  world: readonly [Uint8Array, Uint8Array];
  reply: Move;
  seed: number;
}

/** A move that is considered, and what it came to in all samples so far. */
interface Candidate {
  move: Move;
  sum: number;
}

export const KNOBS = {
  series: 6,
  few: 5,
  temper: 0.15,
  wild: 4,
  tame: 0.5,
  depth: 6,
  noise: 0.5,
  back: 8,
  guard: 0,
  cover: 1.5,
  bold: 1,
  won: 60,
};

/** Weighs its moves in sampled worlds against sampled replies, and mixes those that are nearly as good as the best. */
export class PurposefulWarmancer implements WarmancerStrategy {
  constructor(
    private readonly weights: Weights = WEIGHTS,
    private readonly knobs = KNOBS,
  ) {}

  choose(view: WarmancerView, source: Source): Move {
    const legal = movesIn(view);
    if (legal.length < 2) return legal[0] ?? STUCK;
    const { knobs } = this;
    const thought = new Thought(view, new QuickSource(source), this.weights, knobs);
    let candidates = legal.map((move): Candidate => ({ move, sum: 0 }));
    const cover = (move: Move) => {
      const s = view.board.sides[view.side];
      const slot = slotAt(view.board.at[move >> 8], view.side);
      return !s.moved[slot] && !s.ranks[slot] ? knobs.cover : 0;
    };
    let samples = 0;
    for (;;) {
      for (const sample of thought.samples(knobs.series)) {
        for (const candidate of candidates)
          candidate.sum += thought.worthOf(candidate.move, sample) - cover(candidate.move);
      }
      samples += knobs.series;
      candidates.sort((one, other) => other.sum - one.sum);
      if (candidates.length <= knobs.few) break;
      candidates = candidates.slice(0, Math.max(knobs.few, Math.ceil(candidates.length / 2)));
    }
    const best = candidates[0].sum;
    const chances = candidates.map(({ sum }) => Math.exp((sum - best) / samples / knobs.temper));
    return candidates[pickWeighted(chances, source)].move;
  }
}

/** What a player thinks of in a turn. */
class Thought {
  private readonly belief: Belief;
  private readonly outlooks: readonly [Outlook, Outlook];

  constructor(
    private readonly view: WarmancerView,
    private readonly quick: QuickSource,
    private readonly weights: Weights,
    private readonly knobs: typeof KNOBS,
  ) {
    const { mode, board, side, known } = view;
    const back = backOf(mode, 1 - side);
    const prior = known[1 - side].map((_, slot) => (back.includes(slot) ? this.knobs.back : 1));
    this.belief = new Belief(
      board,
      1 - side,
      known[1 - side],
      prior,
      VALUES.map((v) => v ** this.knobs.bold),
    );
    const own = new Outlook(board, side, this.belief, known[side].indexOf(1), knobs.guard);
    const others = new Outlook(board, 1 - side, new Belief(board, side, board.sides[side].ranks));
    this.outlooks = side === 0 ? [own, others] : [others, own];
  }

  samples(count: number): Sample[] {
    const { side, known } = this.view;
    return this.belief.worlds(count, this.quick).map((others) => {
      const world = side === 0 ? ([known[0], others] as const) : ([others, known[1]] as const);
      return { world, reply: this.replyIn(others), seed: this.quick.below(2 ** 30) };
    });
  }

  worthOf(move: Move, { world, reply, seed }: Sample): number {
    const { board, side } = this.view;
    const { knobs, outlooks } = this;
    this.quick.restart(seed);
    const quick = this.quick;
    const position = copyOf(board);
    let moves: [Move, Move] = side === 0 ? [move, reply] : [reply, move];
    for (let left = knobs.depth; ; left--) {
      const { over, winner } = resolve(position, moves, world);
      if (over) return winner === 0 ? 0 : winner === side + 1 ? knobs.won : -knobs.won;
      if (left === 0) return evaluate(position, side, world, outlooks, this.weights);
      moves = [0, 1].map((each) => impulse(position, each, world[each], outlooks[each], knobs.noise, quick)) as [
        Move,
        Move,
      ];
      if (moves[0] === STUCK || moves[1] === STUCK) return evaluate(position, side, world, outlooks, this.weights);
    }
  }

  /** What the other may do: mostly what it gains most by. */
  private replyIn(world: Uint8Array): Move {
    const { view, quick, knobs } = this;
    const { board, side } = view;
    if (board.rules.sequential) return NONE;
    if (board.moves[1 - side] !== NONE) return board.moves[1 - side];
    const noise = quick.below(2) === 0 ? knobs.tame : knobs.wild;
    const move = impulse(board, 1 - side, world, this.outlooks[1 - side], noise, quick);
    return move === STUCK ? NONE : move;
  }
}
