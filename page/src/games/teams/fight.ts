/** Place of a character: its player, and its slot. */
export interface Place {
  readonly player: number;
  readonly slot: number;
}

/** Attack, in the form common to both games of teams. */
export interface Attack {
  readonly attacker: Place;
  readonly defender: Place;
  readonly damage: number;
  readonly dodge: boolean;
  readonly death: boolean;
}

/** Step of a fight, in the form common to both games of teams. */
export interface FightFrame {
  readonly hp: readonly (readonly number[])[];
  readonly attack: Attack | null;
}

/** Round of a fight up to a step. */
export interface Round {
  /** Number of the round, from 1; 0 before the first attack. */
  readonly round: number;
  /** Attacks of the round so far. */
  readonly attacks: readonly Attack[];
}

/** Milliseconds after which an attack lands, as in the motion of the stage. */
const HIT = 360;

/** Returns the blow of a step; a dodged blow makes no sound. */
export function blowOf({ attack, teams }: FightFrame & { readonly teams: Teams }) {
  if (!attack) return undefined;
  if (attack.dodge) return { after: HIT };
  const { player, slot } = attack.defender;
  return { force: Math.min(1, attack.damage / teams[player - 1][slot].hp), after: HIT };
}

type Teams = readonly (readonly { readonly hp: number }[])[];

/** Returns whether two places are the same. */
export function isSame(one: Place | undefined, other: Place): boolean {
  return one?.player === other.player && one.slot === other.slot;
}

/**
 * Finds the round of a step, in which each character acts at most once.
 * @param order Places in the order in which they act.
 */
export function roundAt(frames: readonly FightFrame[], step: number, order: readonly Place[]): Round {
  const turnOf = ({ attacker }: Attack) => order.findIndex((place) => isSame(place, attacker));
  let [round, attacks, last]: [number, Attack[], number] = [0, [], Infinity];
  for (const { attack } of frames.slice(0, step + 1)) {
    if (!attack) continue;
    const turn = turnOf(attack);
    if (turn <= last) [round, attacks] = [round + 1, []];
    attacks.push(attack);
    last = turn;
  }
  return { round, attacks };
}

/** Returns the part of a side's hp that is left, from 0 to 1. */
export function partLeft(hp: readonly number[], full: readonly number[]): number {
  return total(hp) / total(full);
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
