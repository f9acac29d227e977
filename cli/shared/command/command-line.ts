import type { Command } from "commander";
import type { Flags, PlayCommand } from "./command.js";
import { print } from "./output.js";
import { addAccount, addExamples } from "./program.js";
import { CommandContext } from "./context.js";

/** Adds the options for the caller's account and the format of the output. */
export function addIdentity(program: Command): Command {
  return addAccount(program).option("--json", "print JSON; amounts are in the token's smallest unit");
}

/** Adds a command to a program. */
export function addCommand(program: Command, { usage, description, examples, options = [], run }: PlayCommand): void {
  const [names, args] = namesAndArguments(usage);
  const name = names.at(-1)!;
  const parent = names.length > 1 ? groupOf(program, names[0]) : program;
  const known = parent.commands.find((each) => each.name() === name);
  const command = known ?? parent.command([name, ...args].join(" "));
  command.description(description);
  addExamples(command, examples);
  for (const [flags, text, fallback] of options) command.option(flags, text, fallback);
  command.action(() => runCommand(run, command.args, command.optsWithGlobals<Flags>()));
}

/** Runs a command with its own context, and prints its result. */
export async function runCommand(run: PlayCommand["run"], args: readonly string[], flags: Flags): Promise<void> {
  const context = await CommandContext.open(flags);
  try {
    const result = await run(context, args, flags);
    if (result) print(result, flags.json);
    await context.markReported();
  } catch (error) {
    throw context.traced(context.tokens.explained(error));
  } finally {
    context.close();
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
