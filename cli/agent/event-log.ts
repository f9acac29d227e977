import { appendFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { stripVTControlCharacters, styleText } from "node:util";
import { oneLine } from "../../sdk/protocol/input.js";
import { fileProblem } from "../shared/files/file-problem.js";
import { jsonText } from "../shared/files/json.js";
import { logTime, type Level } from "../shared/server/server-log.js";
import { screenLine } from "../shared/command/output.js";

/** An event in the log of an agent. */
export interface LogEvent {
  /** Name of the event, one word, for programs to match. */
  event: string;
  matchId?: bigint;
  /** Id of the channel that the event is about. */
  channel?: string;
  /** A sentence, or several lines. */
  text: string | readonly string[];
  /** Further fields for programs. */
  data?: Readonly<Record<string, unknown>>;
}

/** Number of characters of a channel's id that are printed for people. */
const SHORT_ID = 6;

/** Events that need a person's attention. */
const WARNINGS: readonly string[] = ["exposed", "hurry", "trouble"];

/** Log of an agent: lines of text for people, or lines of JSON for programs. The JSON is always appended to a file. */
export class EventLog {
  /** Reported problems that are not over, by subject. */
  private readonly troubles = new Map<string | bigint, string>();
  /** Called with the name of each event. */
  onEvent: (event: string) => void = () => undefined;

  /**
   * @param file Path of the file with a JSON object per line.
   * @param json Whether to print the JSON in place of the text.
   */
  constructor(
    readonly file: string,
    private readonly json = false,
    private readonly print: (line: string) => void = console.log,
  ) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  }

  /**
   * Reports a problem when it begins or changes, and when it is over. @param text The problem; undefined if there is
   * none.
   */
  reportTrouble(about: string | bigint, text: string | undefined, matchId?: bigint, channel?: string): void {
    if (this.troubles.get(about) === text) return;
    if (text === undefined) this.troubles.delete(about);
    else this.troubles.set(about, text);
    this.report({
      event: text === undefined ? "well" : "trouble",
      matchId,
      channel,
      text: text ?? "All is well again.",
    });
  }

  /** Returns the current problem of a subject. */
  troubleWith(about: string): string | undefined {
    return this.troubles.get(about);
  }

  /** Reports an event: first in the file, then by printing it. @throws Error if the file cannot be written. */
  report({ event, matchId, channel, text, data }: LogEvent): void {
    this.onEvent(event);
    const time = new Date();
    const lines = [text].flat();
    const plain = lines.map((line) => oneLine(stripVTControlCharacters(line)));
    const level: Level = WARNINGS.includes(event) ? "warn" : "info";
    const entry = { time, level, event, match: matchId, channel, text: plain.join("\n"), ...data };
    const object = jsonText(entry);
    this.append(`${object}\n`);
    if (this.json) this.print(object);
    else
      lines.forEach((line, i) =>
        this.print(`${margin(i === 0 ? { time, level, matchId, channel } : {})}${screenLine(line)}`),
      );
  }

  private append(line: string): void {
    try {
      appendFileSync(this.file, line, { mode: 0o600 });
    } catch (error) {
      throw new Error(`The log ${this.file} cannot be written: ${fileProblem(error)}.`, { cause: error });
    }
  }
}

/** Returns the prefix of a line: blank for further lines of the same event. */
function margin({
  time,
  level = "",
  matchId,
  channel = "",
}: Pick<LogEvent, "matchId" | "channel"> & { time?: Date; level?: string }): string {
  const match = matchId === undefined ? channel.slice(0, SHORT_ID) : `#${matchId}`;
  const stamp = time === undefined ? "" : logTime(time);
  return `${styleText("dim", `${stamp.padEnd(19)}  ${level.padEnd(4)}`)}  ${match.padEnd(6)} `;
}
