import { id } from "ethers";
import { SeededRandom } from "../sdk/bots/seeded-random.js";
import { markMoved } from "../sdk/games/warmancer/turn-resolution.js";
import { resolve } from "../sdk/games/warmancer/engine.js";
import { CLASSIC, SKIRMISH, type Mode } from "../sdk/games/warmancer/mode.js";
import { checkMove, legalMoves, NONE, STUCK, tilesOfMove, type Move } from "../sdk/games/warmancer/legal-moves.js";
import { copyOf, startPosition, type Position } from "../sdk/games/warmancer/position.js";
import { NO_STATE } from "../sdk/protocol/commit-reveal.js";
import type { Source } from "../sdk/bots/source.js";
import { greedyWarmancer } from "../sdk/games/warmancer/bot/greedy.js";
import { PurposefulWarmancer } from "../sdk/games/warmancer/bot/purposeful.js";
import { suggestSetup } from "../sdk/games/warmancer/bot/setup.js";
import { randomWarmancer, type WarmancerStrategy } from "../sdk/games/warmancer/bot/view.js";

/** How games of a player ended. */
export interface Score {
  won: number;
  drawn: number;
  lost: number;
}

const purposeful = new PurposefulWarmancer();

/**
 * Plays Warmancer's player against others, so many games each and one Classic game against itself; gives a line for
 * each.
 */
export function* benchOpponents(games: number): Generator<string> {
  const timed = new Timed(purposeful);
  for (const [name, rival] of Object.entries({ random: randomWarmancer, greedy: greedyWarmancer })) {
    const { won, drawn, lost } = playSeries(SKIRMISH, timed, rival, games, `bench ${name}`);
    yield `Warmancer, Skirmish, against a ${name} player: ${won} won, ${drawn} drawn, ${lost} lost; ${timed.told()}`;
  }
  const { turns } = duel(CLASSIC, [timed, timed], new SeededRandom(id("bench classic")));
  yield `Warmancer, Classic, against itself: over after ${turns} turns; ${timed.told()}`;
}

/** Plays games against a rival, the first one as player 1 and then in turn; the same ones for the same seed. */
export function playSeries(
  mode: Mode,
  player: WarmancerStrategy,
  rival: WarmancerStrategy,
  games: number,
  seed: string,
): Score {
  const ends = [0, 0, 0];
  for (let game = 0; game < games; game++) {
    const side = game % 2;
    const { winner } = duel(
      mode,
      side === 0 ? [player, rival] : [rival, player],
      new SeededRandom(id(`${seed} ${game}`)),
    );
    ends[winner === 0 ? 0 : winner === side + 1 ? 1 : 2]++;
  }
  return { won: ends[1], drawn: ends[0], lost: ends[2] };
}

/**
 * A game without a chain between players who both set up well, to its end; not a casual one.
 * @returns Who has won, 1 or 2, or 0 for a draw; and after how many turns.
 * @throws ContractError for an illegal move.
 */
export function duel(
  mode: Mode,
  players: readonly [WarmancerStrategy, WarmancerStrategy],
  source: Source,
): { winner: number; turns: number } {
  const [one, two] = [0, 1].map((side) => Uint8Array.from(suggestSetup(mode, side, source), (rank) => rank + 1));
  const known = [one, two] as const;
  const position = startPosition(mode, { roots: [NO_STATE, NO_STATE] });
  for (;;) {
    const operators = mode.sequential ? [(position.turn - 1) % 2] : [0, 1];
    const moves: [Move, Move] = [NONE, NONE];
    for (const side of operators) moves[side] = movedBy(players[side], mode, position, side, known[side], source);
    if (moves.includes(STUCK)) return { winner: winnerOf(position, moves, known), turns: position.turn };
    for (const side of operators) markMoved(position, side, moves[side]);
    const { over, winner } = resolve(position, moves, known);
    if (over) return { winner, turns: position.turn };
    position.turn++;
  }
}

/** The move of a player who sees its own ranks, and of the other's the recorded ones. */
function movedBy(
  player: WarmancerStrategy,
  mode: Mode,
  position: Position,
  side: number,
  own: Uint8Array,
  source: Source,
): Move {
  const board = copyOf(position);
  const others = board.sides[1 - side].ranks;
  const move = player.choose({ mode, board, side, known: side === 0 ? [own, others] : [others, own] }, source);
  if (move !== STUCK) checkMove(position, side, ...tilesOfMove(move), own);
  return move;
}

/** Who declares Stuck loses to a player who can move. */
function winnerOf(position: Position, moves: readonly Move[], known: readonly [Uint8Array, Uint8Array]): number {
  const stuck = moves.map((move, side) => move === STUCK || legalMoves(position, side, known[side]).length === 0);
  return stuck[0] && stuck[1] ? 0 : stuck[0] ? 2 : 1;
}

/** A strategy, and how long it takes. */
class Timed implements WarmancerStrategy {
  private moves = 0;
  private spent = 0;

  constructor(private readonly strategy: WarmancerStrategy) {}

  choose: WarmancerStrategy["choose"] = (view, source) => {
    const start = performance.now();
    const move = this.strategy.choose(view, source);
    this.spent += performance.now() - start;
    this.moves++;
    return move;
  };

  /** The time a move took since this was asked last, on average. */
  told(): string {
    const average = this.spent / this.moves;
    [this.moves, this.spent] = [0, 0];
    return `${average.toFixed(1)} ms a move`;
  }
}
