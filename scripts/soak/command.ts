import { hexlify, randomBytes } from "ethers";
import { parseArgs } from "node:util";
import { games } from "../../sdk/games/index.js";
import { gameNamed } from "../../sdk/games/list.js";
import type { GameModule } from "../../sdk/games/module.js";
import { InputError, oneLine } from "../../sdk/protocol/input.js";
import { isHelped } from "../../cli/shared/command/program.js";
import { Chain, phraseOf } from "./chain.js";
import { figuresOf, linesOf } from "./figures.js";
import { Random } from "./random.js";
import { soak, type Options } from "./run.js";

const SEED_BYTES = 4;
const HELP = `Usage: npm run -s soak -- [options]

Let scripted players play random matches of all games, with faults, and count everything in the end.

Options:
  --matches <count>  how many in the arena (default: 300)
  --channels <count> how many channels, with several matches each (default: one for 20 matches)
  --seed <word>      the same again for the same word; defaults to a random one
  --games <names>    names of games, with commas between; defaults to all of them
  --json             print figures only
  -h, --help         display this help`;

/** Runs `npm run soak`. @returns the exit code. */
export async function runSoak(args: string[], prepare?: Options["prepare"]): Promise<number> {
  if (isHelped(args, HELP)) return 0;
  try {
    const { matches, channels, seed, played, json } = readOptions(args);
    const only = played ? ` --games ${played.map(({ name }) => name).join(",")}` : "";
    const again = `npm run -s soak -- --matches ${matches}${args.includes("--channels") ? ` --channels ${channels}` : ""} --seed ${seed}${only}`;
    if (!json) console.log(`Seed ${seed}; again: ${again}`);
    await run(seed, json, { matches, channels, games: played, prepare }).catch((error: unknown) => {
      throw new Error(`${error instanceof Error ? error.message : String(error)}; again: ${again}`, { cause: error });
    });
    return 0;
  } catch (error) {
    console.error(oneLine(error instanceof Error ? error.message : String(error)));
    return 1;
  }
}

async function run(seed: string, json: boolean, options: Options): Promise<void> {
  const random = new Random(seed);
  const start = performance.now();
  const chain = await Chain.inProcess(phraseOf(seed), random);
  try {
    const soaked = await soak(chain, random, options);
    const figures = figuresOf(seed, chain, soaked, (performance.now() - start) / 1000);
    console.log(json ? JSON.stringify(figures) : linesOf(figures).join("\n"));
  } finally {
    await chain.close();
  }
}

/** @throws InputError */
function readOptions(args: string[]): {
  matches: number;
  channels: number;
  seed: string;
  played?: GameModule[];
  json: boolean;
} {
  const text = { type: "string" } as const;
  const options = {
    matches: { ...text, default: "300" },
    channels: text,
    seed: text,
    games: text,
    json: { type: "boolean", default: false },
  } as const;
  const { values } = parseArgs({ args, options });
  const {
    matches,
    channels = String(Math.ceil(Number(matches) / 20)),
    seed = hexlify(randomBytes(SEED_BYTES)).slice(2),
    games: names,
    json,
  } = values;
  if (!/^[1-9]\d{0,5}$/.test(matches)) throw new InputError("--matches", `${matches} is not a number of matches`);
  if (!/^[\w-]{1,40}$/.test(seed)) throw new InputError("--seed", `${seed} is not a word of letters and digits`);
  if (!/^\d{1,4}$/.test(channels)) throw new InputError("--channels", `${channels} is not a number of channels`);
  return {
    matches: Number(matches),
    channels: Number(channels),
    seed,
    played: names?.split(",").map((name) => gameNamed(name, games)),
    json,
  };
}
