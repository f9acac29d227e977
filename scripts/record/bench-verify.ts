import { strategyOf } from "../../sdk/games/assessment.js";
import { games } from "../../sdk/games/index.js";
import type { Archive } from "../../sdk/chain/archive.js";
import type { GameModule } from "../../sdk/games/module.js";
import { verify } from "../../sdk/verify/verify.js";
import { locatedMismatchText } from "../../sdk/chain/mismatch.js";
import { MatchSynthesizer } from "./match-synthesizer.js";

/** Short matches that take about as long to verify as one match of a long game. */
const SHORT_PER_LONG = 100;

/** Synthesizes matches and measures how long verifying their events takes. @returns a line for each measurement. */
export async function benchVerify(count: number): Promise<string[]> {
  const isLong = ({ demo }: GameModule) => demo !== undefined;
  const lines = [
    await verifyShort(
      games.filter((game) => !isLong(game)),
      count,
    ),
  ];
  for (const game of games.filter(isLong)) lines.push(await verifyLong(game, Math.ceil(count / SHORT_PER_LONG)));
  return lines;
}

async function verifyShort(games: readonly GameModule[], count: number): Promise<string> {
  const matches = new MatchSynthesizer();
  await matches.playEach(games, count);
  const seconds = await secondsFor(matches.done());
  return `Verified ${count} recorded matches, as many of each of ${games.length} short games: ${seconds} s`;
}

async function verifyLong(game: GameModule, count: number): Promise<string> {
  const matches = new MatchSynthesizer();
  const [usual] = Object.values(game.modes);
  const first = await matches.play(game, usual.content, strategyOf(game));
  for (let n = 1; n < count; n++) await matches.repeat(first);
  const { actions } = await matches.archive.match(first);
  const seconds = await secondsFor(matches.done());
  return `Verified ${count} recorded matches of ${game.title} with ${actions.length} actions each: ${seconds} s`;
}

async function secondsFor(archive: Archive): Promise<string> {
  const start = performance.now();
  const { mismatch } = await verify(archive, games);
  if (mismatch) throw new Error(locatedMismatchText(mismatch));
  return ((performance.now() - start) / 1000).toFixed(1);
}
