import { otherSide, playerOf } from "../../protocol/sides.js";
import { TRICKSTER, type Duelist } from "./honour.js";
import { BLOCK, FLEE, HEAVY, IDLE, SEPPUKU, STEAL, type Blades, type Pair } from "./legal-moves.js";
import { encodeBlow, type Blow } from "./log.js";
import type { State } from "./state.js";
import { FULL_HEALTH, shot, stroke, type DuelState, type Lanes, type RoundSlot, type ShotOrder } from "./strikes.js";

/** Outcome of a round. */
export interface Fought {
  /** True if the round ends the duel. */
  over: boolean;
  /** Winner of the duel: 1, 2 or 0 for a draw; 0 while it is not over. */
  winner: number;
  /** Taker of the pot: 1, 2 or 0 if each player gets its own stake back. */
  pot: number;
  health: Pair<number>;
  /** Duel honours that both records get if the duel ends here. */
  honour: Pair<number>;
  /** Log entries of the round, without a result. */
  entries: bigint[];
}

type Ending = Pick<Fought, "winner" | "pot">;

const SIDES = [0, 1] as const;
const SEPPUKU_HONOUR = 100;

/**
 * Plays round 1.
 * @param dice Word 0 of the round's seed.
 */
export function shoot(duelists: Pair<Duelist>, paces: Pair<number>, dice: Lanes): Fought {
  const duelState: DuelState = { duelists, health: [FULL_HEALTH, FULL_HEALTH], entries: [] };
  exchange(duelState, dice, { round: 1, slot: 0 }, paces);
  return {
    over: duelState.health.includes(0),
    ...endingByDeath(duelState),
    health: duelState.health,
    honour: [10 * paces[0], 10 * paces[1]],
    entries: duelState.entries,
  };
}

/**
 * Plays round 2, to the end of the duel.
 * @param dice Returns words 1, 2 and 3 of the round's seed.
 */
export function fight({ duelists, health, paces }: State, moves: Pair<Blades>, dice: (n: number) => Lanes): Fought {
  const duelState: DuelState = { duelists, health: [...health], entries: [] };
  const ending = settle(duelState, moves, dice);
  for (const side of SIDES) if (moves[side][0] === SEPPUKU) duelState.health[side] = 0;
  const honour = [honourOf(moves[0], paces[0]), honourOf(moves[1], paces[1])] as const;
  return { over: true, ...ending, health: duelState.health, honour, entries: duelState.entries };
}

/**
 * Returns the duel honour of a player with these blades and paces.
 * @example
 * ```ts
 * import { honourOf } from "duello/games/pistols";
 *
 * honourOf([1, 1], 7); // => 70
 * honourOf([4, 0], 7); // => 0
 * ```
 */
export function honourOf(blades: Blades, paces: number): number {
  if (!runs(blades)) return 10 * paces;
  return blades[0] === SEPPUKU ? SEPPUKU_HONOUR : 0;
}

/** Returns whether a duelist runs. */
function runs([first]: Blades): boolean {
  return first >= FLEE;
}

function settle(duelState: DuelState, moves: Pair<Blades>, dice: (n: number) => Lanes): Ending {
  const [runs1, runs2] = moves.map(runs);
  if (runs1 && runs2) return scatter(duelState, moves, dice(3));
  if (runs1) return chase(duelState, moves, 0, dice(3));
  if (runs2) return chase(duelState, moves, 1, dice(3));
  for (const slot of [1, 2]) {
    if (!duelState.health.includes(0)) clash(duelState, dice(slot), slot, [moves[0][slot - 1], moves[1][slot - 1]]);
  }
  return endingByDeath(duelState);
}

/** Ends a duel: a duelist wins duel and pot if it lives and its opponent is dead. */
function endingByDeath({ health }: DuelState): Ending {
  const [dead1, dead2] = health.map((points) => points === 0);
  const winner = dead1 === dead2 ? 0 : dead1 ? 2 : 1;
  return { winner, pot: winner };
}

/** Ends a duel in which both duelists run: two thieves shoot at each other; a single thief takes the pot. */
function scatter(duelState: DuelState, moves: Pair<Blades>, dice: Lanes): Ending {
  const [steals1, steals2] = moves.map(([first]) => first === STEAL);
  if (steals1 && steals2) {
    exchange(duelState, dice, { round: 2, slot: 3 }, [1, 1]);
    return endingByDeath(duelState);
  }
  return { winner: 0, pot: steals1 ? 1 : steals2 ? 2 : 0 };
}

/** Ends a duel in which one runs: the opponent's blades become one attack on the runner, unless it commits Seppuku. */
function chase(duelState: DuelState, moves: Pair<Blades>, runner: number, dice: Lanes): Ending {
  const side = otherSide(runner);
  const winner = playerOf(side);
  const [run] = moves[runner];
  if (run === SEPPUKU) return { winner, pot: winner };
  const roundSlot = { round: 2, slot: 3 };
  const attack =
    moves[side][1] === HEAVY
      ? stroke(duelState, dice, roundSlot, side, HEAVY, false)
      : shot(duelState, dice, roundSlot, side, run === FLEE ? 10 : 5, "unordered");
  land(duelState, attack);
  if (duelState.health[runner] === 0) return { winner, pot: winner };
  if (run === FLEE) return { winner, pot: 0 };
  return { winner, pot: attack.points > 0 ? winner : playerOf(runner) };
}

/** Lets both shoot at each other: one after the other if the rules set an order, otherwise at the same time. */
function exchange(duelState: DuelState, dice: Lanes, roundSlot: RoundSlot, paces: Pair<number>): void {
  // The order changes chances in round 1 only.
  const fire = (side: number, order: ShotOrder) =>
    shot(duelState, dice, roundSlot, side, paces[side], roundSlot.round === 1 ? order : "unordered");
  const first = firstToShoot(duelState.duelists, paces);
  if (first === undefined) return land(duelState, fire(0, "unordered"), fire(1, "unordered"));
  const second = otherSide(first);
  land(duelState, fire(first, "first"));
  if (duelState.health[second] > 0) land(duelState, fire(second, "second"));
}

/** Returns the side that shoots first, with fewer paces or as the only trickster; undefined if both shoot at once. */
function firstToShoot(duelists: Pair<Duelist>, paces: Pair<number>): number | undefined {
  if (paces[0] !== paces[1]) return paces[0] < paces[1] ? 0 : 1;
  const [trickster1, trickster2] = duelists.map(({ archetype }) => archetype === TRICKSTER);
  if (trickster1 === trickster2) return undefined;
  return trickster1 ? 0 : 1;
}

/** Plays one slot of blades: executions by a Heavy or, if there are none, all actions at the same time. */
function clash(duelState: DuelState, dice: Lanes, slot: number, actions: Pair<number>): void {
  const roundSlot = { round: 2, slot };
  const heavies = SIDES.filter((side) => actions[side] === HEAVY);
  const executions = heavies.map((side) => stroke(duelState, dice, roundSlot, side, HEAVY, false));
  if (executions.some(({ critical }) => critical)) return land(duelState, ...executions);
  const active = SIDES.filter((side) => actions[side] !== IDLE);
  land(duelState, ...active.map((side) => stroke(duelState, dice, roundSlot, side, actions[side], true)));
}

/** Applies simultaneous blows, and logs them. */
function land({ health, entries }: DuelState, ...blows: Blow[]): void {
  const pointsOf = (side: number, blocks: boolean) =>
    blows.find(({ player, action }) => player === playerOf(side) && (action === BLOCK) === blocks)?.points ?? 0;
  for (const side of SIDES) {
    const damage = Math.max(0, pointsOf(otherSide(side), false) - pointsOf(side, true));
    health[side] = Math.max(0, health[side] - damage);
  }
  for (const blow of blows) entries.push(encodeBlow({ ...blow, health: [...health] }));
}
