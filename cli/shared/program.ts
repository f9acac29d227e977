import { Command, CommanderError } from "commander";
import { explain } from "../../sdk/player/errors.js";
import { isKind } from "../../sdk/protocol/error-kind.js";
import { InputError, oneLine } from "../../sdk/protocol/input.js";
import { jsonText } from "./json.js";
import { readProxies } from "./client-address.js";
import { readRelays } from "./relays.js";

/** Creates a commander program that prints nothing but its help, and never ends the process. */
export function programOf(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .option(
      "--rpc <url>",
      "a node of the chain, repeated for several; DUELLO_RPC_URL or the local chain by default",
      together,
    )
    .option("--network <name>", "a chain of deployments/networks.json; its node answers if --rpc names none")
    .option("--games <file>", "a module that exports games of your own list; DUELLO_GAMES by default");
}

/** Adds the option by which programs that play away from the chain are told of relays. */
export function addRelays(program: Command): Command {
  return program.option(
    "--relay <url>",
    "a relay for matches away from the chain, or a folder that both players can write to, repeated for several; DUELLO_RELAY or that of the deployment by default",
    (name: string, others?: string) => {
      const names = together(name, others);
      readRelays(names, "--relay");
      return names;
    },
  );
}

/** Adds the option that names proxies in front of a server. */
export function addProxies(program: Command): Command {
  return program.option(
    "--trust-proxy <addresses>",
    "proxies whose X-Forwarded-For names the client, e.g. 127.0.0.1,10.0.0.0/8; none by default",
    (written: string) => readProxies(written, "--trust-proxy"),
  );
}

/** Joins the values of a repeated option by commas. */
function together(url: string, others?: string): string {
  return others === undefined ? url : `${others},${url}`;
}

/** Prints the help of a script without commands if the arguments ask for it. @returns whether they do. */
export function isHelped(args: readonly string[], help: string): boolean {
  const isAsked = args.includes("--help") || args.includes("-h");
  if (isAsked) console.log(help);
  return isAsked;
}

/**
 * Runs a program. Prints any error in one line.
 * @param withoutCommand Function that is called where no command is given; that is an error if it is left out.
 * @returns the exit code.
 */
export async function exitCodeOf(
  program: Command,
  args: readonly string[],
  withoutCommand?: () => Promise<number>,
): Promise<number> {
  try {
    return await parsed(program, args, withoutCommand);
  } catch (error) {
    const code = codeOf(error);
    const message = oneLine(messageOf(error));
    if (code !== 0) console.error(args.includes("--json") ? jsonText({ error: message, code }) : message);
    return code;
  }
}

async function parsed(
  program: Command,
  args: readonly string[],
  withoutCommand?: () => Promise<number>,
): Promise<number> {
  try {
    await program.parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    const isWithout = error instanceof CommanderError && error.code === "commander.help" && program.args.length === 0;
    // What `help` does not know is a command that there is not.
    const [word, name] = program.args;
    if (word === "help" && name !== undefined && codeOf(error) !== 0) return parsed(program, [name]);
    if (!isWithout || !withoutCommand) throw error;
    return withoutCommand();
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof CommanderError)) return explain(error);
  return error.code === "commander.help" ? "No command is given; --help lists them." : error.message.replace("\n", " ");
}

function codeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  return isKind(error, InputError) ? 2 : 1;
}
