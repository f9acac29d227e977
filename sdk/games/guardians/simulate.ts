import type { BaseContract } from "ethers";
import type { SeededRandom } from "../../bots/seeded-random.js";
import { bytes32, integer, list, object, type Reader } from "../../protocol/input.js";
import { hexWord } from "../../protocol/word.js";
import { STATS } from "./cards.js";
import { battle, type Battle, type Teams } from "./engine.js";
import { decodeTurn, type Turn } from "./log.js";
import { checkMode, decodeMode, defaultMode, encodeMode, type Mode } from "./mode.js";

/** Output of a simulated battle. */
export interface Simulation {
  /** Player who has won, 1 or 2; 0 for a draw. */
  winner: number;
  /** Cards in the order in which they act, as side * 5 + slot. */
  order: number[];
  /** Final hp by side and slot. */
  hp: number[][];
  /** Log entries as 0x hex. */
  words: string[];
  /** Log entries, decoded. */
  turns: Turn[];
}

const readCard = object({ ...STATS, type: integer(0, 7) });

/** Bounds of the stats of random cards, in the order in which they are drawn. */
const RANDOM_STATS = {
  power: [100, 600],
  defense: [100, 600],
  hp: [500, 2000],
  speed: [1, 100],
  critical: [0, 400],
  luck: [0, 400],
  type: [0, 7],
} as const;

/**
 * Fights a battle without a match, in the TypeScript engine or the `preview` of a deployed contract. The page
 * docs/games/guardians.md describes input and output.
 * @throws InputError naming the field of the input that breaks a rule.
 */
export async function simulate(input: unknown, contract?: BaseContract): Promise<Simulation> {
  const { seed, mode, teams } = readInput(input);
  return simulationOf(contract ? await preview(contract, seed, mode, teams) : battle(seed, mode, teams));
}

/**
 * Draws the input of a simulation between teams of any cards.
 * @param content Bytes of the mode, `0x` for the default.
 */
export function atRandom(content: string, random: SeededRandom) {
  const mode = content === "0x" ? defaultMode : decodeMode(content);
  const drawn = (min: number, max: number) => min + random.below(max + 1 - min);
  const anyCard = () =>
    Object.fromEntries(Object.entries(RANDOM_STATS).map(([stat, [min, max]]) => [stat, drawn(min, max)]));
  const listOf = <T>(length: number, item: () => T) => Array.from({ length }, item);
  return { seed: random.seed, mode, teams: listOf(2, () => listOf(mode.teamSize, anyCard)) };
}

/**
 * Reads the input of a simulation.
 * @throws InputError naming the field that breaks a rule.
 */
export function readInput(input: unknown): { seed: string; mode: Mode; teams: Teams } {
  let mode = defaultMode;
  const readMode: Reader<Mode> = (value, path) => (mode = value === undefined ? defaultMode : checkMode(value, path));
  // The teams are read after the mode, which determines the size of a team.
  const readTeams: Reader<Teams> = (value, path) => list(list(readCard, mode.teamSize), 2)(value, path);
  return object({ seed: bytes32, mode: readMode, teams: readTeams })(input, "");
}

async function preview(contract: BaseContract, seed: string, mode: Mode, teams: Teams): Promise<Battle> {
  type Result = [winner: bigint, order: bigint[], hp: bigint[], logEntries: bigint[]];
  const [team1, team2] = teams.map((team) => team.map(({ type, ...stats }) => ({ ...stats, cardType: type })));
  const result: unknown = await contract.getFunction("preview").staticCall(seed, encodeMode(mode), team1, team2);
  const [winner, order, hp, entries] = result as Result;
  const numbers = Array.from(hp, Number);
  return {
    winner: Number(winner),
    order: Array.from(order, Number),
    hp: [numbers.slice(0, mode.teamSize), numbers.slice(mode.teamSize)],
    entries: Array.from(entries),
  };
}

function simulationOf({ winner, order, hp, entries }: Battle): Simulation {
  return { winner, order, hp, words: entries.map(hexWord), turns: entries.map(decodeTurn) };
}
