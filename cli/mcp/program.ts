import { once } from "node:events";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { readAmount } from "../../sdk/protocol/arguments.js";
import { ApiPlayer } from "../api/api-player.js";
import { lockPlayer } from "../api/player-lock.js";
import { CommandContext, type Options } from "../shared/command/context.js";
import { log } from "../shared/command/output.js";
import { addAccount, addExamples, addRelays, exitCodeOf, programOf } from "../shared/command/program.js";
import { mcpServer } from "./server.js";
import { Tools } from "./tools.js";

const DESCRIPTION = `Let a language model play as an ordinary player: an MCP server on standard input and output, until its input ends.

Name the player as in npm run play: by --account N, --keystore FILE, or DUELLO_PRIVATE_KEY. Without --max-stake the model plays only without money, and it can never raise this limit.

It exits with 0 when stopped, 1 when it fails, 2 for a wrong command line.`;

/** Options of the command line. */
interface Flags extends Options {
  maxStake: string;
  token: string;
}

/** Runs an MCP server until its input ends, or the process receives SIGINT or SIGTERM. @returns the exit code. */
export async function mcp(args: readonly string[]): Promise<number> {
  const program = addRelays(addAccount(programOf("mcp", DESCRIPTION)))
    .option("--max-stake <amount>", "largest stake of a match, and largest amount to lock for it", "0")
    .option("--token <token>", "the only token that the model stakes: COIN, FIGHT or an address", "FIGHT")
    .action(async (flags: Flags) => {
      const context = await CommandContext.open(flags);
      try {
        const { release } = await lockPlayer(context);
        await serve(context, flags).finally(release);
      } finally {
        context.close();
      }
    });
  addExamples(program, ["--account 3", "--keystore bot.json --max-stake 5"]);
  return exitCodeOf(program, args);
}

async function serve(context: CommandContext, { maxStake, token: named }: Flags): Promise<void> {
  const { address: token, decimals } = await context.tokens.read(named);
  const amount = readAmount(maxStake, decimals, "--max-stake");
  const stopped = Promise.race(["SIGINT", "SIGTERM"].map((signal) => once(process, signal)));
  const ended = once(process.stdin, "end");
  const player = await ApiPlayer.start(context, { acceptsWarnings: false });
  try {
    const onTrouble = (error: unknown) => log(context.tokens.explain(error));
    const server = mcpServer(new Tools(player, context, { token, amount }), onTrouble);
    await server.connect(new StdioServerTransport());
    await Promise.race([stopped, ended]);
    await server.close();
  } finally {
    await player.stop();
  }
}
