import { Command, CommanderError } from "commander";
import manifest from "../../../sdk/package.json" with { type: "json" };
import { explain } from "../../../sdk/player/errors.js";
import { isKind } from "../../../sdk/protocol/error-kind.js";
import { InputError, oneLine } from "../../../sdk/protocol/input.js";
import { invocationOf } from "./invocation.js";
import { useFastCrypto } from "../fast-crypto.js";
import { jsonText } from "../files/json.js";
import { applyProfile, GAMES, IDENTITY, NODE, ProfileOption, RELAYS } from "./profile.js";
import { readProxies } from "../server/client-address.js";
import { readChannelRelays } from "../channels/relays.js";

/** Creates a commander program that prints nothing but its help, and never ends the process. */
export function programOf(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .version(manifest.version, "--version", "display the version")
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .addOption(
      new ProfileOption(
        NODE,
        "--rpc <url>",
        "a node of the chain, repeated for several; defaults to DUELLO_RPC_URL, the profile or the local chain",
      ).argParser(together),
    )
    .addOption(
      new ProfileOption(
        NODE,
        "--network <name>",
        "a chain of deployments/networks.json; its node answers if --rpc names none",
      ),
    )
    .addOption(
      new ProfileOption(
        GAMES,
        "--games <file>",
        "a module that exports games of your own list; defaults to DUELLO_GAMES or the profile",
      ),
    );
}

/** Adds examples to the help of a command. @param examples Arguments of the program, as typed. */
export function addExamples(command: Command, examples: readonly string[]): Command {
  const invocation = invocationOf(rootOf(command).name());
  return command.addHelpText(
    "after",
    ["\nExamples:", ...examples.map((each) => `  ${invocation} ${each}`.trimEnd())].join("\n"),
  );
}

function rootOf(command: Command): Command {
  return command.parent ? rootOf(command.parent) : command;
}

/** Adds the options for the caller's account. */
export function addAccount(program: Command): Command {
  return program
    .addOption(
      new ProfileOption(
        IDENTITY,
        "--account <name>",
        "an account that the profile names, or the number of one that the node holds",
      ),
    )
    .addOption(new ProfileOption(IDENTITY, "--keystore <file>", "an encrypted keystore"));
}

/** Adds the option that names relays, for programs that play in channels. */
export function addRelays(program: Command): Command {
  const option = new ProfileOption(
    RELAYS,
    "--relay <url>",
    "a relay for matches in channels, repeated for several; defaults to DUELLO_RELAY, the profile or that of the deployment",
  );
  return program.addOption(
    option.argParser((name: string, others?: string) => {
      const names = together(name, others);
      readChannelRelays(names, "--relay");
      return names;
    }),
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

/** Joins the values of a repeated option with commas. */
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
 * @param withoutCommand Function that is called without a command; defaults to an error.
 * @returns the exit code.
 */
export async function exitCodeOf(
  program: Command,
  args: readonly string[],
  withoutCommand?: () => Promise<number>,
): Promise<number> {
  void useFastCrypto();
  program.hook("preAction", (_, command) => applyProfile(program, command));
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
    // A request for help fails only if its command is unknown.
    const [word, name] = program.args;
    if (word === "help" && name !== undefined && codeOf(error) !== 0) return parsed(program, [name]);
    if (!isWithout || !withoutCommand) throw error;
    await applyProfile(program);
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
