import { id } from "ethers";
import { SeededRandom } from "../sdk/bots/seeded-random.js";
import { markMoved } from "../sdk/games/warmancer/turn-resolution.js";
import { resolve } from "../sdk/games/warmancer/engine.js";
import { CLASSIC, SKIRMISH, type Mode } from "../sdk/games/warmancer/mode.js";
import { checkMove, legalMoves, NONE, STUCK, tilesOfMove, type Move } from "../sdk/games/warmancer/legal-moves.js";
import { copyOf, startPosition, type Position } from "../sdk/games/warmancer/position.js";
import { NO_STATE } from "../sdk/protocol/commit-reveal.js";
import { otherSide, playerOf } from "../sdk/protocol/sides.js";
import type { RandomSource } from "../sdk/bots/source.js";
import { greedyWarmancer } from "../sdk/games/warmancer/bot/greedy.js";
import { PurposefulWarmancer } from "../sdk/games/warmancer/bot/purposeful.js";
import { suggestSetup } from "../sdk/games/warmancer/bot/setup.js";
import { randomWarmancer, type WarmancerStrategy } from "../sdk/games/warmancer/bot/view.js";

/** Results of a player's games. */
export interface Score {
  won: number;
  drawn: number;
  lost: number;
}

const purposeful = new PurposefulWarmancer();

/**
 * Plays Warmancer's computer player against others, and one Classic game against itself.
 * @param games Games against each opponent.
 * @returns a line for each series.
 */
export function* benchOpponents(games: number): Generator<string> {
  const timed = new Timed(purposeful);
  for (const [name, rival] of Object.entries({ random: randomWarmancer, greedy: greedyWarmancer })) {
    const { won, drawn, lost } = playSeries(SKIRMISH, timed, rival, games, `bench ${name}`);
    yield `Warmancer, Skirmish, against a ${name} player: ${won} won, ${drawn} drawn, ${lost} lost; ${timed.averageText()}`;
  }
  const { turns } = duel(CLASSIC, [timed, timed], new SeededRandom(id("bench classic")));
  yield `Warmancer, Classic, against itself: over after ${turns} turns; ${timed.averageText()}`;
}

/**
 * Plays games against a rival, with the sides swapped after each game. Equal seeds give equal games.
 * @param games Maximum number of games.
 * @param isDecided Returns true for a score that ends the series; defaults to playing all games.
 */
export function playSeries(
  mode: Mode,
  player: WarmancerStrategy,
  rival: WarmancerStrategy,
  games: number,
  seed: string,
  isDecided: (score: Score) => boolean = () => false,
): Score {
  const score: Score = { won: 0, drawn: 0, lost: 0 };
  for (let game = 0; game < games && !isDecided(score); game++) {
    const side = game % 2;
    const players = side === 0 ? ([player, rival] as const) : ([rival, player] as const);
    const { winner } = duel(mode, players, new SeededRandom(id(`${seed} ${game}`)));
    if (winner === 0) score.drawn++;
    else if (winner === playerOf(side)) score.won++;
    else score.lost++;
  }
  return score;
}

/**
 * Plays a game to its end without a chain, between players who both choose their setups as the computer player does.
 * Casual modes are not supported.
 * @returns the winner, 1 or 2, or 0 for a draw; and the number of turns.
 * @throws ContractError for an illegal move.
 */
export function duel(
  mode: Mode,
  players: readonly [WarmancerStrategy, WarmancerStrategy],
  source: RandomSource,
): { winner: number; turns: number } {
  const [one, two] = [0, 1].map((side) => Uint8Array.from(suggestSetup(mode, side, source), (rank) => rank + 1));
  const known = [one, two] as const;
  const position = startPosition(mode, { roots: [NO_STATE, NO_STATE] });
  for (;;) {
    const movers = mode.sequential ? [(position.turn - 1) % 2] : [0, 1];
    const moves: [Move, Move] = [NONE, NONE];
    for (const side of movers) moves[side] = movedBy(players[side], mode, position, side, known[side], source);
    if (moves.includes(STUCK)) return { winner: winnerOf(position, moves, known), turns: position.turn };
    for (const side of movers) markMoved(position, side, moves[side]);
    const { over, winner } = resolve(position, moves, known);
    if (over) return { winner, turns: position.turn };
    position.turn++;
  }
}

/** Returns the move of a player who knows its own ranks, and the ranks that the opponent has proved. */
function movedBy(
  player: WarmancerStrategy,
  mode: Mode,
  position: Position,
  side: number,
  own: Uint8Array,
  source: RandomSource,
): Move {
  const board = copyOf(position);
  const others = board.sides[otherSide(side)].ranks;
  const move = player.choose({ mode, board, side, known: side === 0 ? [own, others] : [others, own] }, source);
  if (move !== STUCK) checkMove(position, side, ...tilesOfMove(move), own);
  return move;
}

/** Returns the winner after at least one player declared Stuck: a player who can still move wins. */
function winnerOf(position: Position, moves: readonly Move[], known: readonly [Uint8Array, Uint8Array]): number {
  const [one, two] = moves.map((move, side) => move === STUCK || legalMoves(position, side, known[side]).length === 0);
  if (one && two) return 0;
  return one ? playerOf(1) : playerOf(0);
}

/** Wraps a strategy to measure the time of its moves. */
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

  /** Returns the average time of a move since the last call, as text. */
  averageText(): string {
    const average = this.spent / this.moves;
    this.moves = 0;
    this.spent = 0;
    return `${average.toFixed(1)} ms a move`;
  }
}
