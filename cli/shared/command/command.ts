import { readAddress } from "../../../sdk/protocol/arguments.js";
import type { Result } from "./output.js";
import type { Options, CommandContext } from "./context.js";

/** Options of the command line; each command defines its own. */
export type Flags = Options & Readonly<Record<string, string | readonly string[] | boolean | undefined>>;

/** A command of `npm run play` or `npm run mint`. */
export interface PlayCommand {
  /** Name and arguments in commander's notation. The name of a subcommand follows that of its parent. */
  usage: string;
  description: string;
  /** Arguments as typed, from the command's name on. */
  examples: readonly string[];
  /** Options of the command: flags, description, default. */
  options?: readonly (readonly [flags: string, description: string, fallback?: string])[];
  /**
   * Runs the command.
   * @param args Arguments in order; arguments that may repeat come last.
   * @returns the result to print; undefined if the command printed by itself.
   */
  run(context: CommandContext, args: readonly string[], flags: Flags): Promise<Result | undefined>;
}

/** Returns the value of an option; undefined if it is absent or a mere flag. */
export function textOf(flags: Flags, name: string): string | undefined {
  const value = flags[name];
  return typeof value === "string" ? value : undefined;
}

/** Returns the values of an option that may repeat. */
export function textsOf(flags: Flags, name: string): readonly string[] {
  const values = flags[name];
  return Array.isArray(values) ? (values as readonly string[]) : [];
}

/** Reads the address of an option; the caller's address if it is absent. @throws InputError */
export async function readPlayer(context: CommandContext, flags: Flags, name: string): Promise<string> {
  const text = textOf(flags, name);
  return text === undefined ? context.address() : readAddress(text, `--${name}`);
}
