import { hexlify, toUtf8Bytes } from "ethers";
import { SeededRandom } from "../bots/seeded-random.js";
import { measured } from "./win-rates.js";
import type { WinRate, GameModule, Starts } from "./module.js";
import { keccak } from "../protocol/hash.js";

/** Number of matches by which the win rates of a game are measured, unless its module says otherwise. */
export const WIN_RATE_RUNS = 20_000;

/** Surplus of wins of a seat, as a part of all matches, up to which a mode counts as even. */
const NOTABLE = 0.02;

/** Matches whose win rate is measured. */
export interface Setup {
  /** Text from which the dice of each match are derived. */
  seed: string;
  input(random: SeededRandom): unknown;
}

/** Lists what is measured of a game, by name: its stock modes, and behind each its unequal starts. */
export function setupsOf(game: GameModule): Record<string, Setup> {
  const setups: Record<string, Setup> = {};
  for (const [name, { content, starts }] of Object.entries(game.modes)) {
    const seed = `${game.name} ${content}`;
    setups[name] = { seed, input: (random) => game.atRandom(content, random) };
    for (const [start, input] of Object.entries(starts?.inputs ?? {})) {
      setups[`${name}, ${start}`] = { seed: `${seed} ${start}`, input };
    }
  }
  return setups;
}

/** Measures a win rate by matches at random, which are the same each time. */
export async function measureWinRate(game: GameModule, { seed, input }: Setup): Promise<WinRate> {
  const ends = [0, 0, 0];
  for (let run = 0; run < (game.winRateRuns ?? WIN_RATE_RUNS); run++) {
    const random = new SeededRandom(hexlify(keccak(toUtf8Bytes(`${seed} ${run}`))));
    const { winner } = (await game.simulate(input(random))) as { winner: number };
    ends[winner]++;
  }
  return { player1: ends[1], player2: ends[2], draws: ends[0] };
}

/** Describes what players should know of a stock mode before they take a seat; undefined if there is nothing to tell. */
export function weaknessOf(game: GameModule, name: string): string | undefined {
  const { player1, player2, draws } = measured[game.name][name];
  const { weakness, starts } = game.modes[name];
  const runs = player1 + player2 + draws;
  // Three standard deviations of as many even matches are chance.
  const isEven = Math.abs(player1 - player2) < Math.max(NOTABLE * runs, 3 * Math.sqrt(runs));
  if (weakness === undefined && starts === undefined && isEven) return undefined;
  const counts = `Of ${runs} matches at random player 1 won ${player1}, player 2 ${player2}.`;
  return [weakness, counts, starts && startsText(game, name, starts)].filter(Boolean).join(" ");
}

function startsText(game: GameModule, name: string, { told, inputs }: Starts): string {
  const winRates = Object.keys(inputs).map((start) => [start, measured[game.name][`${name}, ${start}`]] as const);
  const counts = winRates.map(([start, { player1, player2 }]) => `${start} ${player1} and ${player2}`);
  return `${told}: ${counts.join(", ")}.`;
}
