import { stderr, stdin } from "node:process";
import { styleText } from "node:util";
import { confirm, isCancel, password, text as ask } from "@clack/prompts";
import type { Paint } from "../../sdk/games/module.js";
import { oneLine } from "../../sdk/protocol/input.js";
import { jsonText } from "./json.js";

const ESCAPE = "\u001b";
/** What a line is split at: the colours that stories have. */
const COLOUR = new RegExp(`(${ESCAPE}\\[(?:[0-4]|22|3[1-79])m)`);
/** Longest line of a result. */
const LONGEST = 10_000;

/** What a command found or did: data for programs, text for people. */
export interface Result {
  data: unknown;
  text: string | string[];
}

/** Prints a result on standard output. */
export function print({ data, text }: Result, json = false): void {
  console.log(json ? jsonText(data) : [text].flat().map(screenLine).join("\n"));
}

/** A line as a screen may have it: printable, but for its colours. */
export function screenLine(line: string): string {
  const pieces = line.slice(0, LONGEST).split(COLOUR);
  return pieces.map((piece, i) => (i % 2 === 1 ? piece : oneLine(piece, LONGEST))).join("");
}

/** Colours what belongs to a player, where colours are wanted. */
export const paint: Paint = (text, player) => styleText(player === 1 ? "cyan" : "yellow", text);

/** What is going on, for people: on standard error. */
export function log(text: string): void {
  console.error(oneLine(text));
}

/** Returns a function that logs the first text it is given, and none after that. */
export function logOnce(): (text: string) => void {
  let isLogged = false;
  return (text) => {
    if (!isLogged) log(text);
    isLogged = true;
  };
}

/** Ends a text with a full stop unless it has one. */
export function withFullStop(text: string): string {
  return text.endsWith(".") ? text : `${text}.`;
}

/** Whether somebody is there to be asked. */
export function isAttended(): boolean {
  return stdin.isTTY && stderr.isTTY;
}

/**
 * Prints warnings, and goes on only if they are accepted: beforehand by `--yes`, or by whoever sits at the terminal.
 * @throws Error if they are not.
 */
export async function acceptWarnings(warnings: readonly string[], yes = false): Promise<void> {
  if (warnings.length === 0) return;
  for (const warning of warnings) {
    console.error(styleText("yellow", oneLine(`Warning: ${warning}`), { stream: stderr }));
  }
  if (yes) return;
  if (!isAttended()) throw new Error("Nothing was sent. Who accepts the warnings adds --yes.");
  const answer = await confirm({ message: "Go on?", initialValue: false, output: stderr });
  if (answer !== true) throw new Error("Nothing was sent.");
}

/** Asks for a move in words; those given stand there already. @returns undefined if there is to be none. */
export async function askMove(
  message: string,
  moveArgs: readonly string[],
  signal?: AbortSignal,
): Promise<string[] | undefined> {
  const answer = await ask({ message, initialValue: moveArgs.join(" "), output: stderr, signal });
  return isCancel(answer) ? undefined : answer.split(/\s+/).filter((word) => word !== "");
}

/** Asks for a password without showing it; undefined if nobody is there, or nothing was given. */
export async function askPassword(message: string): Promise<string | undefined> {
  if (!isAttended()) return undefined;
  const answer = await password({ message, output: stderr });
  return isCancel(answer) ? undefined : answer;
}

/** Tells how far a long read has come: rewriting one line on a terminal, else a line now and then. */
export class Progress {
  private next = 0;

  /** @param least How much effort it must be for anybody to be told. */
  constructor(
    private readonly what: string,
    private readonly min: number,
  ) {}

  /** Shows a count, if it is time to. */
  update(done: number, wanted: number, effort = wanted): void {
    if (effort < this.min || Date.now() < this.next) return;
    this.next = Date.now() + (stderr.isTTY ? 100 : 5000);
    stderr.write(`${stderr.isTTY ? "\r" : ""}${this.what}: ${done} of ${wanted}${stderr.isTTY ? "" : "\n"}`);
  }

  /** Ends the line, if there is one. */
  end(): void {
    if (this.next > 0 && stderr.isTTY) stderr.write("\n");
    this.next = 0;
  }
}
