import { TRICKSTER, type Duelist } from "./honour.js";
import { encodeBlow, type Blow } from "./log.js";
import { BLOCK, FLEE, HEAVY, IDLE, SEPPUKU, STEAL, type Blades, type Pair, type State } from "./moves.js";
import { FULL_HEALTH, shot, stroke, type Fray, type Lanes, type Place, type Scene } from "./strikes.js";

/** What a round came to; winner and pot are 1, 2 or 0. */
export interface Fought {
  over: boolean;
  winner: number;
  pot: number;
  health: Pair<number>;
  /** What the duel is worth to both records if it ends here. */
  honour: Pair<number>;
  words: bigint[];
}

type Ending = Pick<Fought, "winner" | "pot">;

const SIDES = [0, 1] as const;

/** Round 1, on word 0 of its dice. */
export function pistols(duelists: Pair<Duelist>, paces: Pair<number>, dice: Lanes): Fought {
  const fray: Fray = { duelists, health: [FULL_HEALTH, FULL_HEALTH], words: [] };
  exchange(fray, dice, { round: 1, slot: 0 }, paces);
  const over = fray.health.includes(0);
  return { over, ...byDeath(fray), health: fray.health, honour: [10 * paces[0], 10 * paces[1]], words: fray.words };
}

/** Round 2, to the end; `dice` gives the words 1, 2 and 3. */
export function blades({ duelists, health, paces }: State, moves: Pair<Blades>, dice: (n: number) => Lanes): Fought {
  const fray: Fray = { duelists, health: [...health], words: [] };
  const runs = moves.map(([first]) => (first >= FLEE ? first : 0));
  const ending = settle(fray, moves, runs, dice);
  for (const side of SIDES) if (runs[side] === SEPPUKU) fray.health[side] = 0;
  const worth = (side: number) => (runs[side] ? (runs[side] === SEPPUKU ? 100 : 0) : 10 * paces[side]);
  return { over: true, ...ending, health: fray.health, honour: [worth(0), worth(1)], words: fray.words };
}

function settle(fray: Fray, moves: Pair<Blades>, runs: number[], dice: (n: number) => Lanes): Ending {
  if (runs[0] && runs[1]) return bothRun(fray, runs, dice(3));
  if (runs[0] || runs[1]) return oneRuns(fray, moves, runs[0] ? 0 : 1, dice(3));
  for (const slot of [1, 2]) {
    if (!fray.health.includes(0)) clash(fray, dice(slot), slot, [moves[0][slot - 1], moves[1][slot - 1]]);
  }
  return byDeath(fray);
}

function byDeath({ health }: Fray): Ending {
  const dead = health.map((points) => points === 0);
  const winner = dead[0] === dead[1] ? 0 : dead[0] ? 2 : 1;
  return { winner, pot: winner };
}

function bothRun(fray: Fray, runs: number[], dice: Lanes): Ending {
  if (runs[0] === STEAL && runs[1] === STEAL) {
    exchange(fray, dice, { round: 2, slot: 3 }, [1, 1]);
    return byDeath(fray);
  }
  return { winner: 0, pot: runs.indexOf(STEAL) + 1 };
}

function oneRuns(fray: Fray, moves: Pair<Blades>, runner: number, dice: Lanes): Ending {
  const other = 1 - runner;
  const winner = other + 1;
  const [run] = moves[runner];
  if (run === SEPPUKU) return { winner, pot: winner };
  const scene = { round: 2, slot: 3 };
  const attack =
    moves[other][1] === HEAVY
      ? stroke(fray, dice, scene, other, HEAVY, false)
      : shot(fray, dice, scene, other, run === FLEE ? 10 : 5, "none");
  land(fray, attack);
  if (fray.health[runner] === 0) return { winner, pot: winner };
  if (run === FLEE) return { winner, pot: 0 };
  return { winner, pot: attack.hit ? winner : runner + 1 };
}

/** A shot each, in the order that paces or one trickster give, or at once. */
function exchange(fray: Fray, dice: Lanes, scene: Scene, paces: Pair<number>): void {
  const eager = ({ archetype }: Duelist) => (archetype === TRICKSTER ? 0 : 1);
  const lead = paces[0] - paces[1] || eager(fray.duelists[0]) - eager(fray.duelists[1]);
  const fire = (side: number, place: Place) =>
    shot(fray, dice, scene, side, paces[side], scene.round === 1 ? place : "none");
  if (lead === 0) return land(fray, fire(0, "none"), fire(1, "none"));
  const first = lead < 0 ? 0 : 1;
  land(fray, fire(first, "first"));
  if (fray.health[1 - first] > 0) land(fray, fire(1 - first, "second"));
}

function clash(fray: Fray, dice: Lanes, slot: number, actions: Pair<number>): void {
  const scene = { round: 2, slot };
  const heavies = SIDES.filter((side) => actions[side] === HEAVY);
  const executions = heavies.map((side) => stroke(fray, dice, scene, side, HEAVY, false));
  if (executions.some(({ critical }) => critical)) return land(fray, ...executions);
  const active = SIDES.filter((side) => actions[side] !== IDLE);
  land(fray, ...active.map((side) => stroke(fray, dice, scene, side, actions[side], true)));
}

/** Lets blows count at once, and logs them. */
function land({ health, words }: Fray, ...blows: Blow[]): void {
  for (const side of SIDES) {
    const from = (player: number, blocks: boolean) =>
      blows.find((blow) => blow.player === player && (blow.action === BLOCK) === blocks)?.points ?? 0;
    const damage = Math.max(0, from(2 - side, false) - from(side + 1, true));
    health[side] = Math.max(0, health[side] - damage);
  }
  words.push(...blows.map((blow) => encodeBlow({ ...blow, health: [...health] })));
}
