import { hexlify, randomBytes } from "ethers";
import { SeededRandom } from "../sdk/bots/seeded-random.js";
import type { GameModule } from "../sdk/games/module.js";
import { previewContract } from "../cli/shared/match/preview.js";

/** Matches in parallel, so that the chain stays busy while TypeScript computes. */
const BATCH = 20;
const REPORT = 1000;

/**
 * Plays random matches in a game's stock modes on both engines, and compares the results.
 * @throws Error with the input for which the engines differ.
 */
export async function checkParity(game: GameModule, runs: number): Promise<void> {
  const { odds } = game;
  if (!odds) return;
  const modes = Object.values(game.modes);
  const { contract, close } = await previewContract(game);
  const compare = async (run: number) => {
    const input = odds.atRandom(modes[run % modes.length].content, new SeededRandom(hexlify(randomBytes(32))));
    const outputs = await Promise.all([game.simulate(input, contract), game.simulate(input)]);
    const [chain, engine] = outputs.map((output) => JSON.stringify(output));
    if (chain !== engine) throw new Error(`The engines of ${game.name} differ: ${JSON.stringify(input)}`);
  };
  for (let first = 0; first < runs; first += BATCH) {
    const count = Math.min(BATCH, runs - first);
    await Promise.all(Array.from({ length: count }, (_, i) => compare(first + i)));
    if (first % REPORT === 0 && first > 0) console.error(`${game.name}: ${first} of ${runs} matches are the same`);
  }
  await close();
}
