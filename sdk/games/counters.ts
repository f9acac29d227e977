import { pairOf } from "../protocol/sides.js";
import { separated } from "../protocol/text.js";
import { RecordError } from "./revealed-rounds.js";

/** Counters of a character, named in camel case by what they count, e.g. `damageDealt`. */
export type Counters = Readonly<Record<string, bigint>>;

/** Numbers that are added to counters; true counts as one. */
export type Counts<C extends Counters = Counters> = Partial<Record<keyof C, bigint | number | boolean>>;

/** Character that fought in a match, and its counters in that match. */
export interface Fought {
  id: bigint;
  counters: Counters;
}

/** Numbers that an attack adds to the counters of its two characters. */
export interface AttackCounts<C extends Counters> {
  attacker: Counts<C>;
  defender: Counts<C>;
}

type Attack = Parameters<typeof pairOf>[0];

/** Adds to counters. */
export function added<C extends Counters>(counters: C, counts: Counts<C>): C {
  const sums = Object.entries(counts).map(([name, by]) => [name, counters[name] + BigInt(by!)]);
  return { ...counters, ...Object.fromEntries(sums) } as C;
}

/**
 * Counts each character's actions in a battle.
 * @param teams Ids by side and slot.
 * @param fresh Counters of a character that did nothing.
 * @returns The characters by side and slot.
 * @throws RecordError for an attack by or on a character of neither team.
 */
export function tally<C extends Counters, A extends Attack>(
  teams: readonly (readonly bigint[])[],
  attacks: readonly A[],
  fresh: C,
  countsOf: (attack: A) => AttackCounts<C>,
): { id: bigint; counters: C }[][] {
  const sides = teams.map((team) => team.map((id) => ({ id, counters: fresh })));
  for (const attack of attacks) {
    const { attacker, defender } = pairOf(attack, sides);
    if (!attacker || !defender) throw new RecordError("an attack is of a character that no team has");
    const counts = countsOf(attack);
    attacker.counters = added(attacker.counters, counts.attacker);
    defender.counters = added(defender.counters, counts.defender);
  }
  return sides;
}

/**
 * Describes counters in words, e.g. `2 kills, 1 death, 310 damage dealt`.
 * @param names Counters to describe.
 * @example
 * ```ts
 * import { countersText } from "duello";
 *
 * countersText({ kills: 2n, deaths: 1n, damageDealt: 310n }); // => "2 kills, 1 death, 310 damage dealt"
 * ```
 */
export function countersText(counters: Counters, names: readonly string[] = Object.keys(counters)): string {
  return names.map((name) => `${counters[name]} ${wordsOf(name, counters[name])}`).join(", ");
}

/** Splits a camel-case name into words, in the singular for one. */
function wordsOf(name: string, count: bigint): string {
  const words = separated(name);
  return count === 1n ? words.replace(/s$/, "") : words;
}
