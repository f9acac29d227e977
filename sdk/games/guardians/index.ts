import type { BaseContract } from "ethers";
import { Guardians__factory } from "../../../typechain-types/index.js";
import type { SeededRandom } from "../../bots/seeded-random.js";
import { bytes32, integer, list, object, type Reader } from "../../protocol/input.js";
import { committedChooser, committedMoves, type CommittedMoves } from "../commit-reveal.js";
import { hexWord } from "../../protocol/word.js";
import { audit } from "./audit.js";
import { cards } from "./characters.js";
import { moveChecks } from "./move-checks.js";
import { battle, type Battle, type Teams } from "./engine.js";
import { decodeTurn, type Turn } from "./log.js";
import { ID_BYTES, replay, story, turnsOf } from "./match.js";
import { checkMode, decodeMode, defaultMode, encodeMode, type Mode } from "./mode.js";
import { anyTeam, readTeam } from "./team.js";
import { chooseCards, weighCards } from "./strategy.js";
import { defineGame, type ModeDefinition } from "../module.js";

/** What a simulated battle prints: the winner is 1, 2 or 0 for a draw, hp is by side and slot, words are 0x hex. */
export interface Simulation {
  winner: number;
  /** The cards in the order in which they act, as side * 5 + slot. */
  order: number[];
  hp: number[][];
  words: string[];
  turns: Turn[];
}

const MAX = 65_535;
const card = object({
  power: integer(1, MAX),
  defense: integer(0, MAX),
  hp: integer(1, MAX),
  speed: integer(1, MAX),
  critical: integer(0, 1000),
  luck: integer(0, 1000),
  type: integer(0, 7),
});

const committedRounds: CommittedMoves = {
  usage: ["CARD CARD CARD", "CARD CARD CARD"],
  rounds: 1,
  lengths: () => [defaultMode.teamSize * ID_BYTES, defaultMode.teamSize * ID_BYTES],
  read: readTeam,
  suggest: anyTeam,
};

/** Two teams of cards with types, critical hits and dodges fight on their own. */
export const guardians = defineGame({
  name: "guardians",
  contract: "Guardians",
  abi: Guardians__factory.abi,
  characters: cards,
  modes: {
    default: { content: "0x" },
    "1v1": teamsOf(1),
    "5v5": teamsOf(5),
  },
  errors: {
    CardNotOwned: "Card {cardId} belongs to {owner}, not to {player}.",
    SameCardTwice: "Card {cardId} is in the team twice.",
    WrongTeamSize: "A team of {size} cards is not one of {expected}.",
  },
  moves: committedMoves(committedRounds),
  strategy: committedChooser(committedRounds, chooseCards),
  assess: weighCards,
  moveChecks,
  atRandom(content: string, random: SeededRandom) {
    const mode = content === "0x" ? defaultMode : decodeMode(content);
    const from = (min: number, max: number) => min + random.below(max + 1 - min);
    const stats = {
      power: [100, 600],
      defense: [100, 600],
      hp: [500, 2000],
      speed: [1, 100],
      critical: [0, 400],
    } as const;
    const anyCard = () => ({
      ...Object.fromEntries(Object.entries(stats).map(([stat, [min, max]]) => [stat, from(min, max)])),
      luck: from(0, 400),
      type: from(0, 7),
    });
    const list = <T>(length: number, item: () => T) => Array.from({ length }, item);
    return { seed: random.seed, mode, teams: list(2, () => list(mode.teamSize, anyCard)) };
  },
  replay,
  audit,
  decodeLog: turnsOf,
  story,
  async simulate(input: unknown, contract?: BaseContract): Promise<Simulation> {
    const { seed, mode, teams } = readInput(input);
    return simulationOf(contract ? await preview(contract, seed, mode, teams) : battle(seed, mode, teams));
  },
});

/** As by default, but with teams of another size. */
function teamsOf(teamSize: number): ModeDefinition {
  return { content: encodeMode({ ...defaultMode, teamSize }) };
}

function readInput(input: unknown): { seed: string; mode: Mode; teams: Teams } {
  let mode = defaultMode;
  const readMode: Reader<Mode> = (value, path) => (mode = value === undefined ? defaultMode : checkMode(value, path));
  // Read behind the mode, which says how large a team is.
  const teams: Reader<Teams> = (value, path) => list(list(card, mode.teamSize), 2)(value, path);
  return object({ seed: bytes32, mode: readMode, teams })(input, "");
}

async function preview(contract: BaseContract, seed: string, mode: Mode, teams: Teams): Promise<Battle> {
  type Result = [winner: bigint, order: bigint[], hp: bigint[], words: bigint[]];
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
