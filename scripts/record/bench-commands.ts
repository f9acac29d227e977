import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { games } from "../../sdk/games/index.js";
import type { Archive } from "../../sdk/chain/archive.js";
import { measureProgram, type Measured } from "./measured-program.js";
import type { RecordedNode } from "./recorded-node.js";

/** Programs that run the commands. */
const PLAY = "cli/play/main.ts";
const VERIFY = "cli/verify/main.ts";

/**
 * Measures commands that read matches and players. Without an index, `list` runs twice in a new home, since it keeps on
 * disk which matches are over, and `verify --all` runs too.
 * @param player Player whose statistics are shown.
 * @param index URL of an index for the commands to ask; without it, they read the chain.
 * @returns a line for each measurement.
 */
export async function benchCommands(
  node: RecordedNode,
  archive: Archive,
  player: string,
  index?: string,
): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "duello-"));
  try {
    const { addresses, chainId } = archive;
    await writeFile(join(folder, `${chainId}.json`), JSON.stringify({ chainId: Number(chainId), block: 0, addresses }));
    const env = { DUELLO_HOME: join(folder, "home"), DUELLO_DEPLOYMENTS: folder, DUELLO_INDEX: index ?? "" };
    const source = index === undefined ? "the chain" : "the index";
    const [{ name: game }] = games;
    const lines: string[] = [];
    const measure = async (name: string, program: string, ...args: string[]) => {
      const result = await measureProgram(program, [...args, "--rpc", node.url], env);
      lines.push(`${name} from ${source}: ${textOf(result)}`);
    };
    await measure("list", PLAY, "list");
    if (index === undefined) await measure("list again", PLAY, "list");
    await measure("ranking", PLAY, "ranking", game);
    await measure("stats", PLAY, "stats", player);
    if (index === undefined) await measure("verify --all", VERIFY, "--all");
    return lines;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function textOf({ seconds, processorSeconds, megabytes, stderr }: Measured): string {
  const progress = / of \d/.test(stderr) ? ", with progress" : "";
  return `${seconds.toFixed(1)} s, ${processorSeconds.toFixed(1)} processor seconds, ${megabytes.toFixed(0)} MB${progress}`;
}
