import type { Command } from "commander";
import type { Flags, PlayCommand } from "./command.js";
import { print } from "./output.js";
import { addressedBy } from "./profile.js";
import { addAccount, addExamples } from "./program.js";
import { Session } from "./session.js";

/** Adds the options by which the caller names its account, and the form of the output. */
export function addIdentity(program: Command): Command {
  return addAccount(program).option("--json", "print JSON; amounts are in the token's smallest unit");
}

/** Adds a command, which runs in a session of its own, to a program. */
export function addCommand(program: Command, { usage, description, examples, options = [], run }: PlayCommand): void {
  const [names, args] = namesAndArguments(usage);
  const name = names.at(-1)!;
  const parent = names.length > 1 ? groupOf(program, names[0]) : program;
  const known = parent.commands.find((each) => each.name() === name);
  const command = known ?? parent.command([name, ...args].join(" "));
  command.description(description);
  addExamples(command, examples);
  for (const [flags, text, fallback] of options) command.option(flags, text, fallback);
  command.action(async () => {
    const { args: given, flags } = await addressedBy(command);
    await runInSession(run, given, flags);
  });
}

/** Runs a command in a session of its own, and prints its result. */
export async function runInSession(run: PlayCommand["run"], args: readonly string[], flags: Flags): Promise<void> {
  const session = await Session.open(flags);
  try {
    const result = await run(session, args, flags);
    if (result) print(result, flags.json);
    await session.markReported();
  } catch (error) {
    throw session.traced(session.tokens.explained(error));
  } finally {
    session.close();
  }
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
