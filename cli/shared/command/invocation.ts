import { basename } from "node:path";

/** Name of the command that runs all programs. */
export const DUELLO = "duello";

/** Returns the words that run a program of the command line in the same way as this process was run. */
export function invocationOf(program: string): string {
  if (basename(process.argv[1] ?? "", ".js") !== DUELLO) return `npm run -s ${program} --`;
  const words = process.env.npm_command === "exec" ? ["npx", DUELLO] : [DUELLO];
  // `duello` itself plays; the other programs are its commands.
  return [...words, ...(["play", DUELLO].includes(program) ? [] : [program])].join(" ");
}
