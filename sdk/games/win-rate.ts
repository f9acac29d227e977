import { hexlify, toUtf8Bytes } from "ethers";
import { SeededRandom } from "../bots/seeded-random.js";
import { measured } from "./win-rates.js";
import type { WinRate, GameModule, Starts } from "./module.js";
import { keccak } from "../protocol/hash.js";

/** Default number of matches for measuring the win rates of a game. */
export const WIN_RATE_RUNS = 20_000;

/** Maximum surplus of wins of a seat, as a fraction of all matches, at which a mode counts as even. */
const NOTABLE = 0.02;

/** Matches whose win rate is measured. */
export interface Setup {
  /** Text from which the dice of each match are derived. */
  seed: string;
  input(random: SeededRandom): unknown;
}

/** Lists what to measure for a game, by name: each stock mode, followed by its unequal starts. */
export function setupsOf({ name: game, modes, odds }: GameModule): Record<string, Setup> {
  const setups: Record<string, Setup> = {};
  if (!odds) return setups;
  for (const [name, { content }] of Object.entries(modes)) {
    const seed = `${game} ${content}`;
    setups[name] = { seed, input: (random) => odds.atRandom(content, random) };
    for (const [start, input] of Object.entries(odds.starts?.[name]?.inputs ?? {})) {
      setups[`${name}, ${start}`] = { seed: `${seed} ${start}`, input };
    }
  }
  return setups;
}

/** Measures a win rate with random matches. With the same seed, measurements start with the same matches. */
export async function measureWinRate(
  game: GameModule,
  { seed, input }: Setup,
  runs = game.odds?.winRateRuns ?? WIN_RATE_RUNS,
): Promise<WinRate> {
  const ends = [0, 0, 0];
  for (let run = 0; run < runs; run++) {
    const random = new SeededRandom(hexlify(keccak(toUtf8Bytes(`${seed} ${run}`))));
    const { winner } = (await game.simulate(input(random))) as { winner: number };
    ends[winner]++;
  }
  return { player1: ends[1], player2: ends[2], draws: ends[0] };
}

/**
 * Returns the measured win rate of a stock mode; undefined if there is no measurement.
 * @example
 * ```ts
 * import { winRateOf } from "duello";
 *
 * const rate = winRateOf("mini-games", "coin"); // e.g. { player1: 5037, player2: 4994, draws: 9969 }
 * winRateOf("chess", "default"); // => undefined
 * ```
 */
export function winRateOf(game: string, mode: string): WinRate | undefined {
  return measured[game]?.[mode];
}

/**
 * Describes the facts that players should know about a stock mode before they take a seat; undefined if there is
 * nothing to report. Missing measurements of win rates are omitted.
 * @example
 * ```ts
 * import { stockGame, weaknessOf } from "duello";
 *
 * weaknessOf(stockGame("tic-tac-toe"), "x-wins-ties"); // => "Player 1 wins whenever it plays well.…"
 * ```
 */
export function weaknessOf(game: GameModule, name: string): string | undefined {
  const { weakness } = game.modes[name];
  const starts = game.odds?.starts?.[name];
  const winRates = measured[game.name] ?? {};
  const all = winRates[name];
  if (all === undefined) return weakness;
  const { player1, player2, draws } = all;
  const runs = player1 + player2 + draws;
  // A difference of up to three standard deviations of that many even matches may be chance.
  const isEven = Math.abs(player1 - player2) < Math.max(NOTABLE * runs, 3 * Math.sqrt(runs));
  if (weakness === undefined && starts === undefined && isEven) return undefined;
  const counts = `Of ${runs} matches at random player 1 won ${player1}, player 2 ${player2}.`;
  return [weakness, counts, starts && startsText(winRates, name, starts)].filter(Boolean).join(" ");
}

function startsText(winRates: Readonly<Record<string, WinRate>>, name: string, { told, inputs }: Starts): string {
  const known = Object.keys(inputs).map((start) => [start, winRates[`${name}, ${start}`]] as const);
  const counts = known.map(([start, { player1, player2 }]) => `${start} ${player1} and ${player2}`);
  return `${told}: ${counts.join(", ")}.`;
}
