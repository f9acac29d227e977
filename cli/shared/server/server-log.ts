import { oneLine } from "../../../sdk/protocol/input.js";
import { jsonText } from "../files/json.js";

/** Level of a line: a normal event, or one that needs attention. */
export type Level = "info" | "warn";

/** Formats a time for a line of a log: date and time of the day, in UTC. */
export function logTime(time: Date): string {
  return time.toISOString().slice(0, 19).replace("T", " ");
}

/** Log of a server on standard error: lines with date and level, or JSON lines for programs. */
export class ServerLog {
  /**
   * @param json True for JSON.
   * @param now Returns the time.
   */
  constructor(
    readonly json = false,
    private readonly print: (line: string) => void = console.error,
    private readonly now: () => Date = () => new Date(),
  ) {}

  /** Logs a line about a normal event. */
  readonly info = (text: string): void => this.log("info", text);

  /** Logs a line about an event that needs attention. */
  readonly warn = (text: string): void => this.log("warn", text);

  /** Prints a line for the user who started the server; for programs, prints it as a line of the log. */
  readonly greet = (text: string): void => (this.json ? this.info(text.trim()) : console.log(text));

  private log(level: Level, line: string): void {
    const time = this.now();
    const text = oneLine(line);
    this.print(this.json ? jsonText({ time, level, text }) : `${logTime(time)}  ${level}  ${text}`);
  }
}
