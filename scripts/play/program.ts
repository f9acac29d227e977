import { Command, CommanderError } from "commander";
import { explain } from "../../sdk/errors.js";
import { InputError, oneLine } from "../../sdk/input.js";
import type { Flags, PlayCommand } from "./command.js";
import { challenges } from "./challenge.js";
import { characters } from "./characters.js";
import { money } from "./money.js";
import { offers } from "./offers.js";
import { print } from "./output.js";
import { reading } from "./reading.js";
import { secrets } from "./secrets.js";
import { Session } from "./session.js";
import { turns } from "./turns.js";

const DESCRIPTION = `Play at a deployment of Duello.

You are --account N on a test chain, whoever --keystore FILE is (its password is asked for, or stands in DUELLO_PASSWORD), or else the owner of the key in DUELLO_PRIVATE_KEY.

It exits with 0 when done, 1 when refused or failed, 2 for a wrong command line, of which nothing is sent.`;

/** Runs one command. It prints, asks and reads the environment, but ends nothing. @returns the exit code. */
export async function play(args: readonly string[]): Promise<number> {
  const program = new Command("play")
    .description(DESCRIPTION)
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({ writeErr: () => undefined })
    .option("--rpc <url>", "the chain's node; DUELLO_RPC_URL or the local chain if left out")
    .option("--account <number>", "an account that the node holds")
    .option("--keystore <file>", "an encrypted keystore")
    .option("--json", "print JSON; amounts are in the token's smallest unit")
    .option("--yes", "accept warnings");
  for (const command of [money, characters, challenges, offers, turns, reading, secrets].flat()) add(program, command);
  try {
    await program.parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    const code = exitCodeOf(error);
    if (code !== 0) console.error(oneLine(messageOf(error)));
    return code;
  }
}

function add(program: Command, { usage, description, options = [], run }: PlayCommand): void {
  const [, path, args] = /^([a-z ]+?)((?: [<[].*)?)$/.exec(usage)!;
  const words = path.split(" ");
  const parent = words.length > 1 ? groupOf(program, words[0]) : program;
  const known = parent.commands.find((each) => each.name() === words.at(-1));
  const command = known ?? parent.command(`${words.at(-1)}${args}`);
  command.description(description);
  for (const [flags, text, fallback] of options) command.option(flags, text, fallback);
  command.action(async () => {
    const flags = command.optsWithGlobals<Flags>();
    const session = await Session.open(flags);
    try {
      const result = await run(session, command.args, flags);
      if (result) print(result, flags.json);
    } finally {
      session.close();
    }
  });
}

/** The command that has commands of its own. */
function groupOf(program: Command, name: string): Command {
  return program.commands.find((each) => each.name() === name) ?? program.command(name);
}

function messageOf(error: unknown): string {
  if (!(error instanceof CommanderError)) return explain(error);
  return error.code === "commander.help" ? "No command is given; --help lists them." : error.message;
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  return error instanceof InputError ? 2 : 1;
}
