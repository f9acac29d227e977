import { fight, shoot, type Fought } from "./engine.js";
import type { Duelist } from "./honour.js";
import { ALL_BLADES, MAX_PACES, type Blades, type Pair } from "./legal-moves.js";
import { outcomesOf } from "./dice-tree.js";
import { solve, type Equilibrium, type Payoffs } from "../../bots/matrix-game.js";
import { pickWeighted, type RandomSource } from "../../bots/source.js";
import type { Strategy } from "../../bots/strategy.js";
import type { Lanes } from "./strikes.js";

/** View of a duel before a move. */
export interface DuelView {
  duelists: Pair<Duelist>;
  /** Seat to choose for, 1 or 2. */
  seat: number;
  /** Player 1's stake as a fraction of both stakes, which is the value of a draw to player 1; defaults to a half. */
  part?: number;
}

/** View of a duel before blades. */
export interface BladesView extends DuelView {
  /** Health that both players have left after round 1, 1..3. */
  health: Pair<number>;
}

/** Matrix game of both players' moves; payoffs are player 1's expected part of the pot. */
export interface Round {
  payoffs: Payoffs;
  equilibrium: Equilibrium;
}

type Duel = Omit<DuelView, "seat">;

const HALF = 1 / 2;
/** Once the pistols are empty, paces count only for honour. */
const ANY_PACES = [1, 1] as const;
const MAX_KNOWN = 1_000;

const known = new Map<string, Round>();

/** Chooses paces from the equilibrium of the whole duel. */
export const pacesStrategy: Strategy<DuelView, number> = {
  choose: (view, source) => 1 + choose(pacesRound(view), view.seat, source),
};

/** Chooses blades from the equilibrium of their round. */
export const bladesStrategy: Strategy<BladesView, Blades> = {
  choose: (view, source) => ALL_BLADES[choose(bladesRound(view), view.seat, source)],
};

/** Returns the probability that a duelist wins if both duelists play their equilibrium; a draw counts half. */
export function pacesChance({ duelists, seat }: DuelView): number {
  const { value } = pacesRound({ duelists }).equilibrium;
  return seat === 1 ? value : 1 - value;
}

/**
 * Returns the matrix game of round 1: player 1's paces 1..10 by row, player 2's by column. If both duelists survive,
 * the value of the round is the value of the blades.
 */
export function pacesRound({ duelists, part = HALF }: Duel): Round {
  const paces = Array.from({ length: MAX_PACES }, (_, i) => i + 1);
  const getsAfter = (fought: Fought) => {
    if (fought.over) return potOf(fought, part);
    return bladesRound({ duelists, part, health: fought.health }).equilibrium.value;
  };
  return remember(`${keyOf(duelists, part)} paces`, () =>
    paces.map((one) => paces.map((two) => expected((dice) => shoot(duelists, [one, two], dice(0)), getsAfter))),
  );
}

/** Returns the matrix game of round 2: player 1's moves of `ALL_BLADES` by row, player 2's by column. */
export function bladesRound({ duelists, part = HALF, health }: Omit<BladesView, "seat">): Round {
  const state = { duelists, health, paces: ANY_PACES };
  return remember(`${keyOf(duelists, part)} ${health.join(" ")}`, () =>
    ALL_BLADES.map((one) =>
      ALL_BLADES.map((two) =>
        expected(
          (dice) => fight(state, [one, two], dice),
          (fought) => potOf(fought, part),
        ),
      ),
    ),
  );
}

/** Picks a move from the equilibrium of a seat, as its index. */
function choose({ equilibrium }: Round, seat: number, source: RandomSource): number {
  return pickWeighted(seat === 1 ? equilibrium.rows : equilibrium.columns, source);
}

/** Returns player 1's expected gain. */
function expected(fight: (dice: (n: number) => Lanes) => Fought, gets: (fought: Fought) => number): number {
  return outcomesOf(fight).reduce((sum, { fought, chance }) => sum + chance * gets(fought), 0);
}

/** Returns player 1's part of the pot at the end. */
function potOf({ pot }: Fought, part: number): number {
  return pot === 0 ? part : Number(pot === 1);
}

function keyOf(duelists: Pair<Duelist>, part: number): string {
  return [...duelists.flatMap(({ archetype, strength }) => [archetype, strength]), part].join(" ");
}

/** Returns a cached round, or computes it; the oldest rounds are evicted if there are too many. */
function remember(key: string, payoffsOf: () => Payoffs): Round {
  const old = known.get(key);
  if (old) return old;
  const payoffs = payoffsOf();
  const round = { payoffs, equilibrium: solve(payoffs) };
  known.set(key, round);
  if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!);
  return round;
}
