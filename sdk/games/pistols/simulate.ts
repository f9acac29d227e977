import { keccak256, ZeroHash, type BaseContract } from "ethers";
import type { SeededRandom } from "../../bots/seeded-random.js";
import { Dice } from "../../protocol/dice.js";
import { bytes32, InputError, integer, list, object, optional, type Reader } from "../../protocol/input.js";
import { hexWord } from "../../protocol/word.js";
import { fight, shoot } from "./engine.js";
import { standingAfter, type Duelist, type Standing } from "./honour.js";
import { ALL_BLADES, areBlades, IDLE, MAX_PACES, SEPPUKU, type Blades, type Pair } from "./legal-moves.js";
import { encodeResult, type Result } from "./log.js";

/** Duel to simulate. Blades and the second seed are needed only if both duelists survive round 1. */
interface DuelInput {
  seeds: string[];
  paces: Pair<number>;
  blades: Pair<Blades> | undefined;
  duelists: Pair<Duelist>;
}

/** Output of a simulated duel; winner and pot are 1, 2 or 0, words are the log entries as 0x hex. */
export interface PistolsSimulation extends Pick<Result, "winner" | "pot"> {
  rounds: number;
  health: Pair<number>;
  honour: Pair<number>;
  words: string[];
}

/** Output of a simulated record of duel honours; `m` is the strength, as in the rules. */
interface StandingSimulation extends Pick<Standing, "honour" | "archetype" | "level"> {
  m: number;
}

const STAND_STILL = [IDLE, IDLE] as const;

/** Reads a pair of values, player 1's first. */
function pair<T>(item: Reader<T>): Reader<Pair<T>> {
  const read = list(item, 2);
  return (value, path) => read(value, path) as unknown as Pair<T>;
}

const seeds: Reader<string[]> = (value, path) => {
  if (Array.isArray(value) && (value.length < 1 || value.length > 2)) {
    throw new InputError(path, `${value.length} items instead of 1 or 2`);
  }
  return list(bytes32, Array.isArray(value) ? value.length : 2)(value, path);
};

const blades: Reader<Blades> = (value, path) => {
  const slots = pair(integer(0, SEPPUKU))(value, path);
  if (!areBlades(slots)) throw new InputError(path, `${slots.join(", ")} is none of the thirteen moves`);
  return slots;
};

const readStats = object({ archetype: integer(0, 3), m: integer(0, 100) });

/** Reads a duelist, whose strength the rules call m. */
const duelist: Reader<Duelist> = (value, path) => {
  const { archetype, m: strength } = readStats(value, path);
  return { archetype, strength };
};

const honours: Reader<number[]> = (value, path) =>
  list(integer(0, 100), Array.isArray(value) ? value.length : 0)(value, path);

/**
 * Reads a duel.
 * @throws InputError that names the field.
 */
export const readDuel: Reader<DuelInput> = object({
  seeds,
  paces: pair(integer(1, MAX_PACES)),
  blades: optional(pair(blades), undefined),
  duelists: pair(duelist),
});

/**
 * Reads the duel honours of a record, oldest first.
 * @throws InputError that names the field.
 */
export const readHonours: Reader<{ honours: number[] }> = object({ honours });

/**
 * Simulates a duel or, for an input with `honours`, a record of duels. Uses `preview` and `previewStanding` of a
 * deployed contract if there is one, otherwise the TypeScript engine.
 * @throws InputError that names the field.
 */
export async function simulatePistols(
  input: unknown,
  contract?: BaseContract,
): Promise<PistolsSimulation | StandingSimulation> {
  if (typeof input === "object" && input !== null && "honours" in input) {
    const { honours } = readHonours(input, "");
    const { honour, archetype, level, strength } = contract
      ? await previewStanding(contract, honours)
      : standingAfter(honours);
    return { honour, archetype, level, m: strength };
  }
  const duel = readDuel(input, "");
  const simulated = contract ? await previewDuel(contract, duel) : playDuel(duel);
  // If the duel ends in round 1, omitted inputs affect no die.
  if (simulated.rounds === 2 && !duel.blades) throw new InputError("blades", "left out, but both survive round 1");
  if (simulated.rounds === 2 && !duel.seeds[1]) throw new InputError("seeds[1]", "left out, but both survive round 1");
  return simulated;
}

/** Makes the input of a simulated duel with any paces and any blades. */
export function duelAtRandom(random: SeededRandom, duelists: Pair<Duelist>): object {
  const paces = () => 1 + random.below(MAX_PACES);
  const moves = () => ALL_BLADES[random.below(ALL_BLADES.length)];
  return {
    seeds: [random.seed, keccak256(random.seed)],
    paces: [paces(), paces()],
    blades: [moves(), moves()],
    duelists: duelists.map(({ archetype, strength }) => ({ archetype, m: strength })),
  };
}

/** Plays a duel with the TypeScript engine. */
function playDuel({
  seeds,
  paces,
  blades: moves = [STAND_STILL, STAND_STILL],
  duelists,
}: DuelInput): PistolsSimulation {
  const first = shoot(duelists, paces, new Dice(seeds[0]).roll(0));
  const dice = new Dice(seeds[1] ?? ZeroHash);
  const second = first.over ? undefined : fight({ duelists, health: first.health, paces }, moves, (n) => dice.roll(n));
  const { winner, pot, health, honour } = second ?? first;
  const entries = [...first.entries, ...(second?.entries ?? []), encodeResult({ winner, pot, honour })];
  return { winner, pot, rounds: second ? 2 : 1, health, honour, words: entries.map(hexWord) };
}

/** Plays a duel with the contract. */
async function previewDuel(contract: BaseContract, duel: DuelInput): Promise<PistolsSimulation> {
  const { seeds, paces, blades: moves = [STAND_STILL, STAND_STILL], duelists } = duel;
  type Preview = [winner: bigint, pot: bigint, rounds: bigint, health: bigint[], honour: bigint[], words: bigint[]];
  const [winner, pot, rounds, health, honour, entries] = (await contract.getFunction("preview").staticCall(
    [seeds[0], seeds[1] ?? ZeroHash],
    duelists.map(({ archetype }) => archetype),
    duelists.map(({ strength }) => strength),
    paces,
    moves,
  )) as Preview;
  const numbers = (of: bigint[]) => Array.from(of, Number) as unknown as Pair<number>;
  return {
    winner: Number(winner),
    pot: Number(pot),
    rounds: Number(rounds),
    health: numbers(health),
    honour: numbers(honour),
    words: Array.from(entries, hexWord),
  };
}

/** Asks the contract for the standing after duels of these honours. */
async function previewStanding(contract: BaseContract, honours: number[]): Promise<Standing> {
  const standing = (await contract.getFunction("previewStanding").staticCall(honours)) as bigint[];
  const [honour, archetype, level, strength] = Array.from(standing, Number);
  return { honour, archetype, level, strength };
}
