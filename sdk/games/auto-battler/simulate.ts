import type { BaseContract } from "ethers";
import type { SeededRandom } from "../../bots/seeded-random.js";
import { bytes32, integer, list, object, optional } from "../../protocol/input.js";
import { hexWord } from "../../protocol/word.js";
import { battle, TEAM_SIZE, type Battle, type Teams } from "./engine.js";
import { decodeTurn, type Turn } from "./log.js";
import { checkMode, decodeMode, defaultMode, encodeMode } from "./mode.js";

/** Output of a simulated battle. */
export interface Simulation {
  /** Player who attacks first in every round, 1 or 2. */
  first: number;
  /** Player who has won, 1 or 2. */
  winner: number;
  /** Round of the last attack. */
  rounds: number;
  /** Final hp by side and slot. */
  hp: number[][];
  /** Log entries as 0x hex. */
  words: string[];
  /** Log entries, decoded. */
  turns: Turn[];
}

const STATS = 6;
const HIGHEST_TIER = 3;
const readTiers = list(integer(1, HIGHEST_TIER), STATS);
const readInput = object({
  seed: bytes32,
  mode: optional(checkMode, undefined),
  teams: list(list(readTiers, TEAM_SIZE), 2),
});

/**
 * Fights a battle without a match, in the TypeScript engine or the `preview` of a deployed contract. The page
 * docs/games/auto-battler.md describes input and output.
 * @throws InputError naming the field of the input that breaks a rule.
 */
export async function simulate(input: unknown, contract?: BaseContract): Promise<Simulation> {
  const { seed, mode, teams } = readInput(input, "");
  if (!contract) return simulationOf(battle(seed, mode ?? defaultMode, teams));
  return simulationOf(await preview(contract, seed, mode ? encodeMode(mode) : "0x", teams));
}

/**
 * Draws the input of a simulation between teams of any tiers.
 * @param content Bytes of the mode, `0x` for the default.
 */
export function atRandom(content: string, random: SeededRandom) {
  const listOf = <T>(length: number, item: () => T) => Array.from({ length }, item);
  const tier = () => 1 + random.below(HIGHEST_TIER);
  const mode = content === "0x" ? {} : decodeMode(content);
  return { seed: random.seed, mode, teams: listOf(2, () => listOf(TEAM_SIZE, () => listOf(STATS, tier))) };
}

async function preview(contract: BaseContract, seed: string, mode: string, teams: Teams): Promise<Battle> {
  type Result = [winner: bigint, hp: bigint[], logEntries: bigint[]];
  const result: unknown = await contract.getFunction("preview").staticCall(seed, mode, teams[0], teams[1]);
  const [winner, hp, entries] = result as Result;
  const numbers = Array.from(hp, Number);
  return {
    winner: Number(winner),
    hp: [numbers.slice(0, TEAM_SIZE), numbers.slice(TEAM_SIZE)],
    entries: Array.from(entries),
  };
}

function simulationOf({ winner, hp, entries }: Battle): Simulation {
  const turns = entries.map(decodeTurn);
  // Nobody is dead before the first attack, so this attack shows which side goes first.
  return {
    first: turns[0].attacker,
    winner,
    rounds: turns[turns.length - 1].round,
    hp,
    words: entries.map(hexWord),
    turns,
  };
}
