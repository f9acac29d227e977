import { TRICKSTER, type Duelist } from "./honour.js";
import { encodeBlow, type Blow } from "./log.js";
import { BLOCK, FLEE, HEAVY, IDLE, SEPPUKU, STEAL, type Blades, type Pair, type State } from "./moves.js";
import { FULL_HEALTH, shot, stroke, type DuelState, type Lanes, type ShotOrder, type RoundSlot } from "./strikes.js";

/** What a round came to; winner and pot are 1, 2 or 0. */
export interface Fought {
  over: boolean;
  winner: number;
  pot: number;
  health: Pair<number>;
  /** What the duel is worth to both records if it ends here. */
  honour: Pair<number>;
  entries: bigint[];
}

type Ending = Pick<Fought, "winner" | "pot">;

const SIDES = [0, 1] as const;

/** Round 1, on word 0 of its dice. */
export function pistols(duelists: Pair<Duelist>, paces: Pair<number>, dice: Lanes): Fought {
  const duelState: DuelState = { duelists, health: [FULL_HEALTH, FULL_HEALTH], entries: [] };
  exchange(duelState, dice, { round: 1, slot: 0 }, paces);
  const over = duelState.health.includes(0);
  return {
    over,
    ...byDeath(duelState),
    health: duelState.health,
    honour: [10 * paces[0], 10 * paces[1]],
    entries: duelState.entries,
  };
}

/** Round 2, to the end; `dice` gives the words 1, 2 and 3. */
export function blades({ duelists, health, paces }: State, moves: Pair<Blades>, dice: (n: number) => Lanes): Fought {
  const duelState: DuelState = { duelists, health: [...health], entries: [] };
  const runs = moves.map(([first]) => (first >= FLEE ? first : 0));
  const ending = settle(duelState, moves, runs, dice);
  for (const side of SIDES) if (runs[side] === SEPPUKU) duelState.health[side] = 0;
  const worth = (side: number) => (runs[side] ? (runs[side] === SEPPUKU ? 100 : 0) : 10 * paces[side]);
  return { over: true, ...ending, health: duelState.health, honour: [worth(0), worth(1)], entries: duelState.entries };
}

function settle(duelState: DuelState, moves: Pair<Blades>, runs: number[], dice: (n: number) => Lanes): Ending {
  if (runs[0] && runs[1]) return bothRun(duelState, runs, dice(3));
  if (runs[0] || runs[1]) return oneRuns(duelState, moves, runs[0] ? 0 : 1, dice(3));
  for (const slot of [1, 2]) {
    if (!duelState.health.includes(0)) clash(duelState, dice(slot), slot, [moves[0][slot - 1], moves[1][slot - 1]]);
  }
  return byDeath(duelState);
}

function byDeath({ health }: DuelState): Ending {
  const dead = health.map((points) => points === 0);
  const winner = dead[0] === dead[1] ? 0 : dead[0] ? 2 : 1;
  return { winner, pot: winner };
}

function bothRun(duelState: DuelState, runs: number[], dice: Lanes): Ending {
  if (runs[0] === STEAL && runs[1] === STEAL) {
    exchange(duelState, dice, { round: 2, slot: 3 }, [1, 1]);
    return byDeath(duelState);
  }
  return { winner: 0, pot: runs.indexOf(STEAL) + 1 };
}

function oneRuns(duelState: DuelState, moves: Pair<Blades>, runner: number, dice: Lanes): Ending {
  const other = 1 - runner;
  const winner = other + 1;
  const [run] = moves[runner];
  if (run === SEPPUKU) return { winner, pot: winner };
  const roundSlot = { round: 2, slot: 3 };
  const attack =
    moves[other][1] === HEAVY
      ? stroke(duelState, dice, roundSlot, other, HEAVY, false)
      : shot(duelState, dice, roundSlot, other, run === FLEE ? 10 : 5, "none");
  land(duelState, attack);
  if (duelState.health[runner] === 0) return { winner, pot: winner };
  if (run === FLEE) return { winner, pot: 0 };
  return { winner, pot: attack.hit ? winner : runner + 1 };
}

/** A shot each, in the order that paces or one trickster give, or at once. */
function exchange(duelState: DuelState, dice: Lanes, roundSlot: RoundSlot, paces: Pair<number>): void {
  const eager = ({ archetype }: Duelist) => (archetype === TRICKSTER ? 0 : 1);
  const lead = paces[0] - paces[1] || eager(duelState.duelists[0]) - eager(duelState.duelists[1]);
  const fire = (side: number, place: ShotOrder) =>
    shot(duelState, dice, roundSlot, side, paces[side], roundSlot.round === 1 ? place : "none");
  if (lead === 0) return land(duelState, fire(0, "none"), fire(1, "none"));
  const first = lead < 0 ? 0 : 1;
  land(duelState, fire(first, "first"));
  if (duelState.health[1 - first] > 0) land(duelState, fire(1 - first, "second"));
}

function clash(duelState: DuelState, dice: Lanes, slot: number, actions: Pair<number>): void {
  const roundSlot = { round: 2, slot };
  const heavies = SIDES.filter((side) => actions[side] === HEAVY);
  const executions = heavies.map((side) => stroke(duelState, dice, roundSlot, side, HEAVY, false));
  if (executions.some(({ critical }) => critical)) return land(duelState, ...executions);
  const active = SIDES.filter((side) => actions[side] !== IDLE);
  land(duelState, ...active.map((side) => stroke(duelState, dice, roundSlot, side, actions[side], true)));
}

/** Lets blows count at once, and logs them. */
function land({ health, entries }: DuelState, ...blows: Blow[]): void {
  for (const side of SIDES) {
    const from = (player: number, blocks: boolean) =>
      blows.find((blow) => blow.player === player && (blow.action === BLOCK) === blocks)?.points ?? 0;
    const damage = Math.max(0, from(2 - side, false) - from(side + 1, true));
    health[side] = Math.max(0, health[side] - damage);
  }
  entries.push(...blows.map((blow) => encodeBlow({ ...blow, health: [...health] })));
}
