import { parseArgs } from "node:util";
import { gameNamed, games } from "../../sdk/games/index.js";
import type { GameModule } from "../../sdk/games/module.js";
import { InputError, oneLine } from "../../sdk/protocol/input.js";
import { readJson } from "../shared/json.js";
import { previewContract } from "../shared/preview.js";
import { isHelped } from "../shared/program.js";

const USAGE = "usage: npm run -s simulate -- GAME FILE.json [--engine evm|ts]";
const HELP = `${USAGE.replace("u", "U")}

Simulate the match in a file, whose format is on the game's page, and print the result as JSON.

Games: ${games.map(({ name }) => name).join(", ")}

Options:
  --engine <evm|ts>  the Solidity or the TypeScript engine (default: ts)
  -h, --help         display this help`;

/** Runs `npm run simulate`: simulates the content of a file, and prints the result as JSON. @returns the exit code. */
export async function simulate(args: string[]): Promise<number> {
  if (isHelped(args, HELP)) return 0;
  try {
    const { game, file, engine } = parse(args);
    const input = await readJson(file);
    const output = engine === "evm" ? await simulateOnChain(game, input) : await game.simulate(input);
    console.log(JSON.stringify(output));
    return 0;
  } catch (error) {
    console.error(oneLine(error instanceof Error ? error.message : String(error)));
    return 1;
  }
}

function parse(args: string[]): { game: GameModule; file: string; engine: string } {
  const options = { engine: { type: "string", default: "ts" } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (positionals.length !== 2) throw new InputError("arguments", `${positionals.length} instead of 2; ${USAGE}`);
  const { engine } = values;
  if (engine !== "evm" && engine !== "ts") throw new InputError("--engine", `${engine} is neither evm nor ts`);
  return { game: gameNamed(positionals[0]), file: positionals[1], engine };
}

async function simulateOnChain(game: GameModule, input: unknown): Promise<object> {
  // The engine checks the input first: a refused one needs no chain.
  await game.simulate(input);
  const { contract, close } = await previewContract(game);
  return game.simulate(input, contract).finally(close);
}
