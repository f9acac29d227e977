import type { Command } from "commander";
import { exitCodeOf, programOf } from "../shared/program.js";
import type { Flags, PlayCommand } from "../shared/command.js";
import { challenges } from "./challenge.js";
import { characters } from "./characters.js";
import { money } from "./money.js";
import { offers } from "./offers.js";
import { clock } from "./clock.js";
import { print } from "../shared/output.js";
import { reading } from "./reading.js";
import { reveals } from "./reveal-army.js";
import { secrets } from "../shared/secrets.js";
import { Session } from "../shared/session.js";
import { stats } from "./stats.js";
import { turns } from "./turns.js";

const DESCRIPTION = `Play at a deployment of Duello.

Name your account by --account N on a test chain, by --keystore FILE (its password is asked for, or read from DUELLO_PASSWORD), or by a key in DUELLO_PRIVATE_KEY.

It exits with 0 when done, 1 when refused or failed, 2 for a wrong command line, in which case nothing is sent.`;

/** Runs a command of `npm run play` without ending the process. @returns the exit code. */
export async function play(args: readonly string[]): Promise<number> {
  const program = programOf("play", DESCRIPTION)
    .option("--account <number>", "an account that the node holds")
    .option("--keystore <file>", "an encrypted keystore")
    .option("--json", "print JSON; amounts are in the token's smallest unit")
    .option("--yes", "accept warnings");
  const all = [money, characters, challenges, offers, turns, reading, stats, reveals, secrets, clock];
  for (const command of all.flat()) add(program, command);
  return exitCodeOf(program, args);
}

function add(program: Command, { usage, description, options = [], run }: PlayCommand): void {
  const [names, args] = namesAndArguments(usage);
  const name = names.at(-1)!;
  const parent = names.length > 1 ? groupOf(program, names[0]) : program;
  const known = parent.commands.find((each) => each.name() === name);
  const command = known ?? parent.command([name, ...args].join(" "));
  command.description(description);
  for (const [flags, text, fallback] of options) command.option(flags, text, fallback);
  command.action(async () => {
    const flags = command.optsWithGlobals<Flags>();
    const session = await Session.open(flags);
    try {
      const result = await run(session, command.args, flags);
      if (result) print(result, flags.json);
      await session.markReported();
    } catch (error) {
      throw session.traced(error);
    } finally {
      session.close();
    }
  });
}

/** Splits a usage such as "purse deposit <token> <amount>" into the command's names and its arguments. */
function namesAndArguments(usage: string): [names: string[], args: string[]] {
  const parts = usage.split(" ");
  const isArgument = (part: string) => part.startsWith("<") || part.startsWith("[");
  return [parts.filter((part) => !isArgument(part)), parts.filter(isArgument)];
}

/** Returns the parent of a subcommand. */
function groupOf(program: Command, name: string): Command {
  return program.commands.find((each) => each.name() === name) ?? program.command(name);
}
