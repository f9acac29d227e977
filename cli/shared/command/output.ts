import { stderr, stdin } from "node:process";
import { styleText } from "node:util";
import { confirm, isCancel, password, text as ask } from "@clack/prompts";
import type { Paint } from "../../../sdk/games/module.js";
import { oneLine } from "../../../sdk/protocol/input.js";
import { jsonText } from "../files/json.js";

const ESCAPE = "\u001b";
/** Colour codes of stories; lines are split at these. */
const COLOUR = new RegExp(`(${ESCAPE}\\[(?:[0-4]|22|3[1-79])m)`);
/** Maximum length of a line of a result, in characters. */
const LONGEST = 10_000;

/** Result of a command: data for programs, text for people. */
export interface Result {
  data: unknown;
  text: string | string[];
}

/** Prints a result on standard output. */
export function print({ data, text }: Result, json = false): void {
  console.log(json ? jsonText(data) : [text].flat().map(screenLine).join("\n"));
}

/** Replaces the unprintable characters of a line, except for colour codes. */
export function screenLine(line: string): string {
  const pieces = line.slice(0, LONGEST).split(COLOUR);
  return pieces.map((piece, i) => (i % 2 === 1 ? piece : oneLine(piece, LONGEST))).join("");
}

/** Colours a text that belongs to a player, if colours are enabled. */
export const paint: Paint = (text, player) => styleText(player === 1 ? "cyan" : "yellow", text);

/** Logs a line for people, on standard error. */
export function log(text: string): void {
  console.error(oneLine(text));
}

/** Returns a function that logs only the first text that it receives. */
export function logOnce(): (text: string) => void {
  let isLogged = false;
  return (text) => {
    if (!isLogged) log(text);
    isLogged = true;
  };
}

/** Returns whether there is a person at a terminal to ask. */
export function isAttended(): boolean {
  return stdin.isTTY && stderr.isTTY;
}

/** Prints warnings, and requires --yes or a confirmation at the terminal. @throws Error if they are not accepted. */
export async function acceptWarnings(warnings: readonly string[], yes = false): Promise<void> {
  if (warnings.length === 0) return;
  for (const warning of warnings) {
    console.error(styleText("yellow", oneLine(`Warning: ${warning}`), { stream: stderr }));
  }
  if (!yes) await requireConsent("Go on?", "Add --yes to accept the warnings.");
}

/** Asks a question at the terminal. @throws Error if the answer is no, or, with advice, if nobody can be asked. */
export async function requireConsent(message: string, advice: string): Promise<void> {
  if (!isAttended()) throw new Error(`Nothing was sent. ${advice}`);
  const answer = await confirm({ message, initialValue: false, output: stderr });
  if (answer !== true) throw new Error("Nothing was sent.");
}

/** Asks a question with the answers yes and no. @returns undefined if the question is cancelled. */
export async function askYes(message: string, signal?: AbortSignal): Promise<boolean | undefined> {
  const answer = await confirm({ message: oneLine(message), output: stderr, signal });
  return isCancel(answer) ? undefined : answer;
}

/**
 * Asks for a move as it is written on the command line.
 * @param moveArgs Suggested move, which can be edited.
 * @returns undefined if the question is cancelled.
 */
export async function askMove(
  message: string,
  moveArgs: readonly string[],
  signal?: AbortSignal,
): Promise<string[] | undefined> {
  const answer = await ask({ message, initialValue: moveArgs.join(" "), output: stderr, signal });
  return isCancel(answer) ? undefined : answer.split(/\s+/).filter((arg) => arg !== "");
}

/** Asks for a password without showing it. @returns undefined without a terminal, or if the question is cancelled. */
export async function askPassword(message: string): Promise<string | undefined> {
  if (!isAttended()) return undefined;
  const answer = await password({ message, output: stderr });
  return isCancel(answer) ? undefined : answer;
}

/**
 * Returns a function to call after each part of a task: it estimates the number of all parts, from how much of the task
 * is done.
 */
export function partsOf(): (done: number, wanted: number) => number {
  let parts = 0;
  return (done, wanted) => (done > 0 ? (++parts * wanted) / done : 0);
}

/** Shows the progress of a long read: rewrites one line on a terminal, otherwise prints an occasional line. */
export class Progress {
  private next = 0;

  /** @param min Smallest effort for which progress is shown. */
  constructor(
    private readonly what: string,
    private readonly min: number,
  ) {}

  /** Shows a count, unless a count was shown just before. */
  update(done: number, wanted: number, effort = wanted): void {
    if (effort < this.min || Date.now() < this.next) return;
    this.next = Date.now() + (stderr.isTTY ? 100 : 5000);
    stderr.write(`${stderr.isTTY ? "\r" : ""}${this.what}: ${done} of ${wanted}${stderr.isTTY ? "" : "\n"}`);
  }

  /** Ends the line that shows the progress. */
  end(): void {
    if (this.next > 0 && stderr.isTTY) stderr.write("\n");
    this.next = 0;
  }
}
