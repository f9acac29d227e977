import { basename } from "node:path";

/** Name of the command that runs all programs. */
export const DUELLO = "duello";

/** Returns the words that start a program of the command line in the way this process was started. */
export function invocationOf(program: string): string {
  if (basename(process.argv[1] ?? "", ".js") !== DUELLO) return `npm run -s ${program} --`;
  const words = process.env.npm_command === "exec" ? ["npx", DUELLO] : [DUELLO];
  // `duello` itself is `play`; the other programs are its subcommands.
  return [...words, ...(["play", DUELLO].includes(program) ? [] : [program])].join(" ");
}
