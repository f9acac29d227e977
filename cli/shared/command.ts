import type { Result } from "./output.js";
import type { Options, Session } from "./session.js";

/** Everything that may stand behind a command; each command knows its own. */
export type Flags = Options & Readonly<Record<string, string | boolean | undefined>>;

/** One command of the command line. */
export interface PlayCommand {
  /** Its name and arguments as commander reads them; a name of two words belongs to the command of its first. */
  usage: string;
  description: string;
  /** Options: flags, what they mean, default. */
  options?: readonly (readonly [flags: string, description: string, fallback?: string])[];
  /**
   * Does it. @param words The arguments; those that may be many come last.
   * @returns what to print, unless it printed itself.
   */
  run(session: Session, args: readonly string[], flags: Flags): Promise<Result | undefined>;
}

/** What a flag with a value says. */
export function textOf(flags: Flags, name: string): string | undefined {
  const value = flags[name];
  return typeof value === "string" ? value : undefined;
}
