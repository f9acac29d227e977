import { blades, pistols, type Fought } from "./engine.js";
import type { Duelist } from "./honour.js";
import { ALL_BLADES, MAX_PACES, type Blades, type Pair } from "./moves.js";
import { outcomesOf } from "./dice-tree.js";
import { solve, type Equilibrium, type Payoffs } from "../../bots/matrix-game.js";
import { pickWeighted, type Source } from "../../bots/source.js";
import type { Strategy } from "../../bots/strategy.js";

/** A duel before a move of either round. */
export interface DuelView {
  duelists: Pair<Duelist>;
  /** The seat to choose for, 1 or 2. */
  seat: number;
  /** What player 1 stakes, as a part of both stakes; a half if left out. It is what a draw is worth. */
  part?: number;
}

/** A duel before blades. */
export interface BladesView extends DuelView {
  /** What round 1 has left of both, 1..3. */
  health: Pair<number>;
}

/** A game of both players' moves, in what player 1 is to expect of the pot. */
export interface Round {
  payoffs: Payoffs;
  equilibrium: Equilibrium;
}

type Duel = Omit<DuelView, "seat">;

const HALF = 1 / 2;
/** Paces count only for honour once the pistols are empty. */
const ANY_PACES = [1, 1] as const;
const MAX_KNOWN = 1_000;

const known = new Map<string, Round>();

/** Paces by the equilibrium of the whole duel, in what each player is to expect of the pot before the house. */
export const pacesStrategy: Strategy<DuelView, number> = {
  choose: (view, source) => 1 + choose(pacesRound(view), view.seat, source),
};

/** Blades by the equilibrium of their round. */
export const bladesStrategy: Strategy<BladesView, Blades> = {
  choose: (view, source) => ALL_BLADES[choose(bladesRound(view), view.seat, source)],
};

/** How likely a duelist wins, a draw by half, where both play as well as they can. */
export function pacesChance({ duelists, seat }: DuelView): number {
  const { value } = pacesRound({ duelists }).equilibrium;
  return seat === 1 ? value : 1 - value;
}

/** Round 1: paces 1..10 of player 1 by those of player 2, with what the blades are worth where both live. */
export function pacesRound({ duelists, part = HALF }: Duel): Round {
  const paces = Array.from({ length: MAX_PACES }, (_, i) => i + 1);
  const getsAfter = (fought: Fought) => {
    if (fought.over) return potOf(fought, part);
    return bladesRound({ duelists, part, health: fought.health }).equilibrium.value;
  };
  return remember(`${keyOf(duelists, part)} paces`, () =>
    paces.map((one) => paces.map((two) => expected((dice) => pistols(duelists, [one, two], dice(0)), getsAfter))),
  );
}

/** Round 2: the thirteen moves in the order of `ALL_BLADES`, player 1's by player 2's. */
export function bladesRound({ duelists, part = HALF, health }: Omit<BladesView, "seat">): Round {
  const state = { duelists, health, paces: ANY_PACES };
  return remember(`${keyOf(duelists, part)} ${health.join(" ")}`, () =>
    ALL_BLADES.map((one) =>
      ALL_BLADES.map((two) =>
        expected(
          (dice) => blades(state, [one, two], dice),
          (fought) => potOf(fought, part),
        ),
      ),
    ),
  );
}

function choose({ equilibrium }: Round, seat: number, source: Source): number {
  return pickWeighted(seat === 1 ? equilibrium.rows : equilibrium.columns, source);
}

function expected(fight: Parameters<typeof outcomesOf>[0], gets: (fought: Fought) => number): number {
  return outcomesOf(fight).reduce((sum, { fought, chance }) => sum + chance * gets(fought), 0);
}

/** What player 1 gets of the pot at the end. */
function potOf({ pot }: Fought, part: number): number {
  return pot === 0 ? part : Number(pot === 1);
}

function keyOf(duelists: Pair<Duelist>, part: number): string {
  return [...duelists.flatMap(({ archetype, strength }) => [archetype, strength]), part].join(" ");
}

/** Rounds take long to compute and come again; the oldest are forgotten first. */
function remember(key: string, payoffsOf: () => Payoffs): Round {
  const old = known.get(key);
  if (old) return old;
  const payoffs = payoffsOf();
  const round = { payoffs, equilibrium: solve(payoffs) };
  known.set(key, round);
  if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!);
  return round;
}
