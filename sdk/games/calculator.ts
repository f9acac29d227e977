import { concat, keccak256, toBeHex, type BaseContract } from "ethers";
import { InputError } from "../protocol/input.js";
import type { Hex } from "../protocol/hex.js";

/** Parts of a game of dice needed to simulate one input many times. */
export interface Calculator {
  /**
   * Returns the input of a simulation with its seeds replaced.
   * @param seed 32 bytes, from which all seeds of the input are made.
   * @throws InputError for an input without dice.
   */
  reseed(input: object, seed: Hex): object;
  /** Measures a simulated match by name, e.g. `damage1` for player 1's: booleans are counted, numbers averaged. */
  measure(output: object): Readonly<Record<string, number | boolean>>;
  /** Computes expected results from an input without dice; defaults to none. */
  expectations?(input: unknown): Expectation[];
}

/** Expected result of one character's attack on another, computed without simulation. Sides are 0 and 1. */
export interface Expectation {
  side: number;
  attackerSlot: number;
  defenderSlot: number;
  /** Average damage of an attack that is not dodged. */
  damagePerHit: number;
  /** Chance that the defender dodges, from 0 to 1. */
  dodgeChance: number;
  /** Average damage of an attack, including dodged attacks. */
  damagePerAttack: number;
  /** Number of average attacks that defeat the defender, maybe fractional; null if every attack is dodged. */
  attacksToDefeat: number | null;
}

/**
 * Measures the sides of a battle between teams: the damage that each player dealt, and its survivors.
 * @param hp Final hp by side and slot.
 */
export function measureSides(
  hp: readonly (readonly number[])[],
  attacks: readonly { attacker: number; damageDealt: number }[],
): Record<"damage1" | "damage2" | "survivors1" | "survivors2", number> {
  const damage = (player: number) =>
    attacks.reduce((sum, { attacker, damageDealt }) => sum + (attacker === player ? damageDealt : 0), 0);
  const survivors = (side: number) => hp[side].filter((each) => each > 0).length;
  return { damage1: damage(1), damage2: damage(2), survivors1: survivors(0), survivors2: survivors(1) };
}

/** Share of runs, from 0 to 1, with its confidence interval. */
export interface Share {
  share: number;
  low: number;
  high: number;
}

/** Average over runs, with its confidence interval, and the observed minimum and maximum. */
export interface Average {
  mean: number;
  low: number;
  high: number;
  min: number;
  max: number;
}

/** Results of an input that was simulated many times. */
export interface Odds {
  runs: number;
  /** Seed from which the seeds of the runs are derived: the same seed gives the same result. */
  seed: Hex;
  confidence: number;
  wins: { player1: Share; player2: Share; draw: Share };
  measured: Record<string, Share | Average>;
  expectations?: Expectation[];
}

/** Parts of a game that are simulated. */
interface Simulated {
  readonly name: string;
  readonly odds?: { readonly calculator?: Calculator };
  simulate(input: unknown, contract?: BaseContract): Promise<object>;
}

const CONFIDENCE = 0.95;
/** Two-sided quantile of the normal distribution for `CONFIDENCE`. */
const Z = 1.959964;

/**
 * Simulates an input many times, each time with other seeds.
 * @param seed 32 bytes, from which the seeds of all runs are made.
 * @param contract As for `simulate`.
 * @throws InputError for a game or an input without dice, and as `simulate` does.
 * @example
 * ```ts
 * import { measureOdds, stockGame } from "duello";
 *
 * const teams = [1, 2].map(() => Array.from({ length: 5 }, () => [1, 2, 3, 1, 2, 3]));
 * const { runs, wins } = await measureOdds(stockGame("auto-battler"), { seed: salt, teams }, 20, salt);
 * runs; // => 20
 * ```
 */
export async function measureOdds(
  game: Simulated,
  input: unknown,
  runs: number,
  seed: Hex,
  contract?: BaseContract,
): Promise<Odds> {
  const calculator = game.odds?.calculator;
  if (!calculator) throw new InputError("--odds", `${game.name} has no dice: a file always ends in the same way`);
  const winners: number[] = [];
  const samples = new Map<string, (number | boolean)[]>();
  for (let run = 0; run < runs; run++) {
    // The simulation rejects an input that is not an object, and names what is wrong.
    const seeded = isObject(input) ? calculator.reseed(input, keccak256(concat([seed, toBeHex(run, 32)]))) : input;
    const output = (await game.simulate(seeded, contract)) as { winner: number };
    winners.push(output.winner);
    for (const [name, value] of Object.entries(calculator.measure(output))) {
      const sample = samples.get(name);
      if (sample) sample.push(value);
      else samples.set(name, [value]);
    }
  }
  const wins = (winner: number) => shareOf(winners.filter((each) => each === winner).length, runs);
  return {
    runs,
    seed,
    confidence: CONFIDENCE,
    wins: { player1: wins(1), player2: wins(2), draw: wins(0) },
    measured: Object.fromEntries([...samples].map(([name, sample]) => [name, summaryOf(sample)])),
    ...(calculator.expectations && { expectations: calculator.expectations(input) }),
  };
}

function isObject(input: unknown): input is object {
  return typeof input === "object" && input !== null && !Array.isArray(input);
}

function summaryOf(sample: readonly (number | boolean)[]): Share | Average {
  if (typeof sample[0] === "boolean") return shareOf(sample.filter(Boolean).length, sample.length);
  return averageOf(sample.map(Number));
}

/** Returns a share with its Wilson score interval, which also holds for shares near 0 and 1. */
export function shareOf(count: number, runs: number): Share {
  const share = count / runs;
  const squared = Z ** 2 / runs;
  const centre = (share + squared / 2) / (1 + squared);
  const radius = (Z * Math.sqrt((share * (1 - share)) / runs + squared / (4 * runs))) / (1 + squared);
  return { share, low: Math.max(0, centre - radius), high: Math.min(1, centre + radius) };
}

/** Returns an average with the interval of the normal distribution; for a single number, the interval is the number. */
export function averageOf(numbers: readonly number[]): Average {
  const mean = numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
  const squares = numbers.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  const radius = numbers.length > 1 ? Z * Math.sqrt(squares / (numbers.length - 1) / numbers.length) : 0;
  const [min, max] = numbers.reduce(([low, high], each) => [Math.min(low, each), Math.max(high, each)], [mean, mean]);
  return { mean, low: mean - radius, high: mean + radius, min, max };
}
