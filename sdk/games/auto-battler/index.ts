import type { BaseContract } from "ethers";
import { AutoBattler__factory } from "../../../typechain-types/index.js";
import type { SeededRandom } from "../../bots/seeded-random.js";
import { bytes32, integer, list, object, optional } from "../../protocol/input.js";
import { hexWord } from "../../protocol/word.js";
import { audit } from "./audit.js";
import { fighters } from "./characters.js";
import { moveChecks } from "./move-checks.js";
import { battle, type Battle, type Teams } from "./engine.js";
import { decodeTurn, type Turn } from "./log.js";
import { replay, story, TEAM_BYTES, TEAM_SIZE, turnsOf } from "./match.js";
import { checkMode, decodeMode, defaultMode, encodeMode } from "./mode.js";
import { committedChooser, committedMoves, type CommittedMoves } from "../commit-reveal.js";
import { readTeam, restedTeam } from "./team.js";
import { chooseFighters, weighFighters } from "./strategy.js";
import { defineGame } from "../module.js";

/** What a simulated battle prints: sides and winner are 1 or 2, hp is by side and slot, words are 0x hex. */
export interface Simulation {
  first: number;
  winner: number;
  rounds: number;
  hp: number[][];
  words: string[];
  turns: Turn[];
}

const TEAM = "FIGHTER FIGHTER FIGHTER FIGHTER FIGHTER";

const tiers = list(integer(1, 3), 6);
const readInput = object({
  seed: bytes32,
  mode: optional(checkMode, undefined),
  teams: list(list(tiers, 5), 2),
});

const committedRounds: CommittedMoves = {
  usage: [TEAM, TEAM],
  rounds: 1,
  lengths: () => [TEAM_BYTES, TEAM_BYTES],
  read: readTeam,
  suggest: restedTeam,
};

/** Two teams of five fighters fight on their own. */
export const autoBattler = defineGame({
  name: "auto-battler",
  contract: "AutoBattler",
  abi: AutoBattler__factory.abi,
  characters: fighters,
  modes: { default: { content: "0x" } },
  errors: {
    NotOwned: "Fighter {fighterId} belongs to {owner}, not to {player}.",
    Busy: "Fighter {fighterId} is in match {matchId}, which is not over.",
    CoolingDown: "Fighter {fighterId} cools down until {until}; it is {time}.",
    SameFighterTwice: "Fighter {fighterId} is in the team twice.",
  },
  moves: committedMoves(committedRounds),
  strategy: committedChooser(committedRounds, chooseFighters),
  assess: weighFighters,
  moveChecks,
  replay,
  audit,
  decodeLog: turnsOf,
  story,
  atRandom(content: string, random: SeededRandom) {
    const list = <T>(length: number, item: () => T) => Array.from({ length }, item);
    const tier = () => 1 + random.below(3);
    const mode = content === "0x" ? {} : decodeMode(content);
    return { seed: random.seed, mode, teams: list(2, () => list(TEAM_SIZE, () => list(6, tier))) };
  },
  async simulate(input: unknown, contract?: BaseContract): Promise<Simulation> {
    const { seed, mode, teams } = readInput(input, "");
    if (!contract) return simulationOf(battle(seed, mode ?? defaultMode, teams));
    return simulationOf(await preview(contract, seed, mode ? encodeMode(mode) : "0x", teams));
  },
});

async function preview(contract: BaseContract, seed: string, mode: string, teams: Teams): Promise<Battle> {
  type Result = [winner: bigint, hp: bigint[], words: bigint[]];
  const result: unknown = await contract.getFunction("preview").staticCall(seed, mode, teams[0], teams[1]);
  const [winner, hp, entries] = result as Result;
  const numbers = Array.from(hp, Number);
  return { winner: Number(winner), hp: [numbers.slice(0, 5), numbers.slice(5)], entries: Array.from(entries) };
}

function simulationOf({ winner, hp, entries }: Battle): Simulation {
  const turns = entries.map(decodeTurn);
  // Nobody is dead before the first attack, so it shows which side goes first.
  return {
    first: turns[0].attacker,
    winner,
    rounds: turns[turns.length - 1].round,
    hp,
    words: entries.map(hexWord),
    turns,
  };
}
