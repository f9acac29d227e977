import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { games } from "../../sdk/games/index.js";
import type { Archive } from "../../sdk/chain/archive.js";
import { measureProgram, type Measured } from "./measured-program.js";
import type { RecordedNode } from "./recorded-node.js";

/** Program that runs the commands. */
const PLAY = "cli/play/main.ts";

/**
 * Measures commands that read matches and players, each twice in a new home: the second run finds what the first has
 * kept on disk.
 * @param player Player whose statistics are shown.
 * @param index URL of an index for the commands to ask; without it, they read the chain, and `verify --all` is measured
 * too.
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
    const [{ name: game }] = games;
    const measured = [
      [PLAY, "list"],
      [PLAY, "list", "--of", player],
      [PLAY, "list", "--all"],
      [PLAY, "ranking", game],
      [PLAY, "ranking", game, "--by", "net"],
      [PLAY, "stats", player],
      [PLAY, "stats", player, "--against", archive.find(addresses.Arena, "Created", {})[0].args.opponent],
      ...(index === undefined ? [["cli/verify/main.ts", "--all"]] : []),
    ];
    const lines: string[] = [];
    for (const [program, ...args] of measured) {
      const name = [...(program === PLAY ? [] : ["verify"]), ...args].join(" ").replaceAll(/0x\w+/g, "PLAYER");
      for (const run of ["first", "second"]) {
        const result = await measureProgram(program, [...args, "--rpc", node.url], env);
        lines.push(
          `${name}, ${index === undefined ? "from the chain" : "from the index"}, ${run} run: ${textOf(result)}`,
        );
      }
    }
    return lines;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function textOf({ seconds, processorSeconds, megabytes, stderr }: Measured): string {
  const progress = / of \d/.test(stderr) ? ", with progress" : "";
  return `${seconds.toFixed(1)} s, ${processorSeconds.toFixed(1)} processor seconds, ${megabytes.toFixed(0)} MB${progress}`;
}
