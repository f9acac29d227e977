import { gameNamed } from "../../sdk/games/index.js";
import type { Archive } from "../../sdk/chain/archive.js";
import { verify } from "../../sdk/verify/verify.js";
import { locatedMismatchText } from "../../sdk/chain/mismatch.js";
import { MatchSynthesizer } from "./match-synthesizer.js";

/** Of one move a player, but tic-tac-toe. */
const SHORT = ["auto-battler", "guardians", "mini-games", "pistols", "tic-tac-toe"];
/** A Classic game of Warmancer is as long as so many of them. */
const LONG = 100;

/** Records matches at random, and tells how long it takes to verify them, once their events are there. */
export async function benchVerify(count: number): Promise<string[]> {
  const short = new MatchSynthesizer();
  for (let n = 0; n < count; n++) {
    const game = gameNamed(SHORT[n % SHORT.length]);
    const modes = Object.values(game.modes);
    await short.play(game, modes[n % modes.length].content);
  }
  const long = new MatchSynthesizer();
  const games = Math.ceil(count / LONG);
  const first = await long.play(gameNamed("warmancer"), "0x");
  for (let n = 1; n < games; n++) await long.repeat(first);
  const { actions } = await long.synthesizer.archive.match(first);
  return [
    `Verified ${count} recorded matches, a fifth of each short game: ${await secondsFor(short.synthesizer.done())} s`,
    `Verified ${games} recorded Classic games of Warmancer of ${actions.length} actions: ${await secondsFor(long.synthesizer.done())} s`,
  ];
}

async function secondsFor(archive: Archive): Promise<string> {
  const start = performance.now();
  const { mismatch } = await verify(archive);
  if (mismatch) throw new Error(locatedMismatchText(mismatch));
  return ((performance.now() - start) / 1000).toFixed(1);
}
