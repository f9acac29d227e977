import { keccak256, ZeroHash, type BaseContract } from "ethers";
import { Pistols__factory } from "../../../typechain-types/index.js";
import { Dice } from "../../protocol/dice.js";
import type { SeededRandom } from "../../bots/seeded-random.js";
import { InputError } from "../../protocol/input.js";
import { committedChooser, committedMoves, type CommittedMoves } from "../commit-reveal.js";
import { hexWord } from "../../protocol/word.js";
import { audit } from "./audit.js";
import { blades, pistols } from "./engine.js";
import { HONOURABLE, standingAfter, TRICKSTER, VILLAINOUS, type Duelist, type Standing } from "./honour.js";
import { readDuel, readHonours, type DuelInput } from "./input.js";
import { encodeResult, type Result } from "./log.js";
import { decodeLog, foresee, lengths, replay, stateOf } from "./match.js";
import { ACTIONS, ALL_BLADES, IDLE, MAX_PACES, type Pair } from "./moves.js";
import { story, view } from "./story.js";
import { chooseRound, weighPaces } from "./strategy.js";
import { anyRound, readRound } from "./turn.js";
import { defineGame } from "../module.js";

/** What a simulated duel prints; winner and pot are 1, 2 or 0, words are 0x hex. */
export interface PistolsSimulation extends Pick<Result, "winner" | "pot"> {
  rounds: number;
  health: Pair<number>;
  honour: Pair<number>;
  words: string[];
}

const committedRounds: CommittedMoves = {
  usage: ["PACES", "PACES"],
  later: `BLADES: one or two of ${ACTIONS.join(", ")}`,
  rounds: 2,
  lengths,
  read: readRound,
  suggest: anyRound,
  foresee(record, secret) {
    const { over, health } = foresee(record, secret);
    return { over, text: `round 1 leaves player 1 with ${health[0]} of 3 health, player 2 with ${health[1]}` };
  },
  state: stateOf,
};

/** Standing that a simulation of duel honours prints; `m` is the strength, as the rules call it. */
export interface StandingSimulation extends Pick<Standing, "honour" | "archetype" | "level"> {
  m: number;
}

/** Ten paces with pistols, then blades. */
export const pistolsGame = defineGame({
  name: "pistols",
  contract: "Pistols",
  abi: Pistols__factory.abi,
  modes: {
    default: {
      content: "0x",
      weakness: "Between newcomers one pace is the strongest choice.",
      starts: {
        told: "Duelists at full strength won and lost against newcomers",
        inputs: {
          villainous: (random) => atRandom(random, [{ archetype: VILLAINOUS, strength: 100 }, NEWCOMER]),
          trickster: (random) => atRandom(random, [{ archetype: TRICKSTER, strength: 100 }, NEWCOMER]),
          honourable: (random) => atRandom(random, [{ archetype: HONOURABLE, strength: 100 }, NEWCOMER]),
        },
      },
    },
  },
  errors: {
    PacesOutOfBounds: "{paces} paces are not between {min} and {max}.",
    NoSuchBlades: "{slot1} and {slot2} are none of the thirteen moves with blades.",
    WrongStanding:
      "The answer names the archetype {archetype} and the strength {strength}; those of {player} are {ownArchetype} and {ownStrength}.",
    OnlyTheDefaultMode: "The game has no mode but its default.",
  },
  moves: committedMoves(committedRounds),
  strategy: committedChooser(committedRounds, chooseRound),
  assess: weighPaces,
  atRandom(_mode: string, random: SeededRandom) {
    // With whatever past; who has none has no strength.
    const any = () => {
      const archetype = random.below(4);
      return { archetype, strength: archetype === 0 ? 0 : random.below(101) };
    };
    return atRandom(random, [any(), any()]);
  },
  replay,
  audit,
  decodeLog,
  view,
  story,
  async simulate(input: unknown, contract?: BaseContract): Promise<PistolsSimulation | StandingSimulation> {
    if (typeof input === "object" && input !== null && "honours" in input) {
      const { honours } = readHonours(input, "");
      const { honour, archetype, level, strength } = contract
        ? await previewStanding(contract, honours)
        : standingAfter(honours);
      return { honour, archetype, level, m: strength };
    }
    const duel = readDuel(input, "");
    const simulated = contract ? await previewDuel(contract, duel) : duelOf(duel);
    // The engines took no die of what was left out if the duel ended in round 1.
    if (simulated.rounds === 2 && !duel.blades) throw new InputError("blades", "left out, but both survive round 1");
    if (simulated.rounds === 2 && !duel.seeds[1])
      throw new InputError("seeds[1]", "left out, but both survive round 1");
    return simulated;
  },
});

/** A duel of any paces and any blades. */
function atRandom(random: SeededRandom, duelists: Pair<Duelist>): object {
  const paces = () => 1 + random.below(MAX_PACES);
  const moves = () => ALL_BLADES[random.below(ALL_BLADES.length)];
  return {
    seeds: [random.seed, keccak256(random.seed)],
    paces: [paces(), paces()],
    blades: [moves(), moves()],
    duelists: duelists.map(({ archetype, strength }) => ({ archetype, m: strength })),
  };
}

const NEWCOMER = { archetype: 0, strength: 0 };
const STAND_STILL = [IDLE, IDLE] as const;

function duelOf({ seeds, paces, blades: moves = [STAND_STILL, STAND_STILL], duelists }: DuelInput): PistolsSimulation {
  const first = pistols(duelists, paces, new Dice(seeds[0]).roll(0));
  const dice = new Dice(seeds[1] ?? ZeroHash);
  const second = first.over ? undefined : blades({ duelists, health: first.health, paces }, moves, (n) => dice.roll(n));
  const { winner, pot, health, honour } = second ?? first;
  const entries = [...first.entries, ...(second?.entries ?? []), encodeResult({ winner, pot, honour })];
  return { winner, pot, rounds: second ? 2 : 1, health, honour, words: entries.map(hexWord) };
}

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

async function previewStanding(contract: BaseContract, honours: number[]): Promise<Standing> {
  const standing = (await contract.getFunction("previewStanding").staticCall(honours)) as bigint[];
  const [honour, archetype, level, strength] = Array.from(standing, Number);
  return { honour, archetype, level, strength };
}
