import { InputError } from "../../sdk/protocol/input.js";
import { readDuration } from "../../sdk/protocol/arguments.js";
import { CommandContext, type Options } from "../shared/command/context.js";
import { print } from "../shared/command/output.js";
import { addAccount, addExamples, addRelays, exitCodeOf, programOf } from "../shared/command/program.js";
import { replaceText } from "../shared/files/files.js";
import { API_PORT, portOf } from "../shared/server/port.js";
import { ServerLog } from "../shared/server/server-log.js";
import { ApiServer, tokenScopeOf } from "./api-server.js";
import { lockPlayer } from "./player-lock.js";
import { signedToken } from "./token.js";

const DESCRIPTION = `Run the API of a player until it is stopped: a bot in any language plays matches in channels through HTTP on this machine.

Name the player as in npm run play: by --account N, --keystore FILE, or DUELLO_PRIVATE_KEY. Whoever has a token can play with all the money of this player.

It exits with 0 when stopped, 1 when it fails, 2 for a wrong command line.`;

/** Life of the token that the server writes at its start. */
const USUAL_LIFE = "1d";

/** Latest time that a token can name. */
const MAX_TIME = 2 ** 32 - 1;

/** Options of the command line. */
interface Flags extends Options {
  port: string;
  token?: string;
}

/** Runs an API server until the process receives SIGINT or SIGTERM. @returns the exit code. */
export async function api(args: readonly string[]): Promise<number> {
  const program = addRelays(addAccount(programOf("api", DESCRIPTION)))
    .option("--port <number>", "port of the server on this machine", String(API_PORT))
    .option("--token <time>", "print a token that is valid for a time such as 30d, and exit")
    .option("--yes", "accept warnings about moves")
    .option("--json", "log one JSON object per line")
    .action(async (flags: Flags) => {
      const port = portOf("--port", flags.port);
      const life = flags.token === undefined ? undefined : readLife(flags.token);
      const context = await CommandContext.open(flags);
      try {
        if (life === undefined) await serve(context, port, flags);
        else {
          const token = await newToken(context, life);
          print({ data: { token }, text: token }, flags.json);
        }
      } finally {
        context.close();
      }
    });
  addExamples(program, ["--account 4", "--keystore bot.json --port 8200", "--account 4 --token 30d"]);
  return exitCodeOf(program, args);
}

async function serve(context: CommandContext, port: number, { yes, json }: Flags): Promise<void> {
  const serverLog = new ServerLog(json);
  const { player, path, release } = await lockPlayer(context);
  try {
    const stopped = new Promise((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, resolve);
    });
    const onTrouble = (error: unknown) => serverLog.warn(context.tokens.explain(error));
    const server = await ApiServer.start(context, { port, acceptsWarnings: yes, onTrouble });
    const file = `${path}.token`;
    await replaceText(file, `${await newToken(context, readLife(USUAL_LIFE))}\n`);
    serverLog.greet(`The API of ${player} is at ${server.url} until you stop it with Ctrl-C.`);
    serverLog.greet(`A token for a day is in ${file}`);
    await stopped;
    await server.stop();
  } finally {
    release();
  }
}

/** Reads the life of a token in seconds. @throws InputError */
function readLife(text: string): number {
  const life = readDuration(text, "--token");
  if (Date.now() / 1000 + life > MAX_TIME) throw new InputError("--token", `${text} is too long`);
  return life;
}

async function newToken(context: CommandContext, life: number): Promise<string> {
  return signedToken(await context.signer(), await tokenScopeOf(context), Math.floor(Date.now() / 1000) + life);
}
