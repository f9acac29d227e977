import { parseArgs } from "node:util";
import { hexlify, randomBytes, type BaseContract } from "ethers";
import { measureOdds } from "../../sdk/games/calculator.js";
import { gameNamed } from "../../sdk/games/list.js";
import { games as stock } from "../../sdk/games/index.js";
import type { GameModule } from "../../sdk/games/module.js";
import { InputError, oneLine } from "../../sdk/protocol/input.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { readHash, readNumber } from "../../sdk/protocol/arguments.js";
import { loadGames } from "../shared/command/games.js";
import { invocationOf } from "../shared/command/invocation.js";
import { jsonText, readJson } from "../shared/files/json.js";
import { previewContract } from "../shared/match/preview.js";
import { isHelped } from "../shared/command/program.js";
import { oddsText } from "./odds-text.js";

const USAGE = `usage: ${invocationOf("simulate")} GAME FILE.json [--engine evm|ts] [--odds N]`;
const MAX_RUNS = 1_000_000n;

interface Options {
  game: GameModule;
  file: string;
  engine: "evm" | "ts";
  /** Number of runs whose odds are measured; undefined for a single run that is shown. */
  runs?: number;
  seed: Hex;
  isJson: boolean;
}
const HELP = `${USAGE.replace("u", "U")}

Simulate the match in a file, whose format is on the game's page, and print the result as JSON.

Games: ${stock.map(({ name }) => name).join(", ")}

With --odds simulate it N times, with fresh seeds in the place of its own, and print how often each player wins and what
a match comes to on average; in games with a formula for it, also what each attack can be expected to do.

Options:
  --engine <evm|ts>  the Solidity or the TypeScript engine (default: ts)
  --odds <count>     number of simulations, up to 1,000,000
  --seed <hex>       32 bytes from which the seeds of --odds are made, to repeat a result
  --games <file>     a module that exports games of your own list (default: DUELLO_GAMES)
  --json             print the odds as JSON
  -h, --help         display this help

Examples:
  ${invocationOf("simulate")} dice roll.json
  ${invocationOf("simulate")} auto-battler fight.json --odds 10000`;

/** Runs `npm run simulate`: simulates the content of a file, and prints the result. @returns the exit code. */
export async function simulate(args: readonly string[]): Promise<number> {
  if (isHelped(args, HELP)) return 0;
  try {
    const options = await parse(args);
    const input = await readJson(options.file);
    const { runs } = options;
    if (runs === undefined) {
      const { game } = options;
      console.log(JSON.stringify(await onEngine(options, (contract) => game.simulate(input, contract))));
      return 0;
    }
    const { game, seed, isJson } = options;
    const odds = await onEngine(options, (contract, isCheck) =>
      measureOdds(game, input, isCheck === true ? 1 : runs, seed, contract),
    );
    console.log(isJson ? jsonText(odds) : oddsText(odds).join("\n"));
    return 0;
  } catch (error) {
    console.error(oneLine(error instanceof Error ? error.message : String(error)));
    return 1;
  }
}

async function parse(args: readonly string[]): Promise<Options> {
  const options = {
    engine: { type: "string", default: "ts" },
    odds: { type: "string" },
    seed: { type: "string" },
    games: { type: "string" },
    json: { type: "boolean", default: false },
  } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  if (positionals.length !== 2) throw new InputError("arguments", `${positionals.length} instead of 2; ${USAGE}`);
  const { engine, odds, seed, json, games } = values;
  if (engine !== "evm" && engine !== "ts") throw new InputError("--engine", `${engine} is neither evm nor ts`);
  if (odds === undefined && seed !== undefined) throw new InputError("--seed", "only the runs of --odds have it");
  return {
    game: gameNamed(positionals[0], await loadGames(games)),
    file: positionals[1],
    engine,
    runs: odds === undefined ? undefined : Number(readNumber(odds, "--odds", 1n, MAX_RUNS)),
    seed: seed === undefined ? hexlify(randomBytes(32)) : readHash(seed, "--seed"),
    isJson: json,
  };
}

/** Runs a simulation on the requested engine. */
async function onEngine<T>(
  { engine, game }: Options,
  run: (contract?: BaseContract, isCheck?: true) => Promise<T>,
): Promise<T> {
  if (engine === "ts") return run();
  // The TypeScript engine checks the input first, so that no chain is started for invalid input.
  await run(undefined, true);
  const { contract, close } = await previewContract(game);
  try {
    return await run(contract);
  } finally {
    await close();
  }
}
