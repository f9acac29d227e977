import { oneLine } from "../../../sdk/protocol/input.js";
import { jsonText } from "../files/json.js";

/** Whether a line tells of the usual course of things, or of what somebody should look at. */
export type Level = "info" | "warn";

/** Formats a time for a line of a log: date and time of the day, in UTC. */
export function logTime(time: Date): string {
  return time.toISOString().slice(0, 19).replace("T", " ");
}

/** Log of a server on standard error: lines with date and level, or for programs an object of JSON per line. */
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

  /** Logs a line about the usual course of things. */
  readonly info = (text: string): void => this.log("info", text);

  /** Logs a line about what somebody should look at. */
  readonly warn = (text: string): void => this.log("warn", text);

  /** Prints a line to whoever has started the server; for programs it is one of the log. */
  readonly greet = (text: string): void => (this.json ? this.info(text.trim()) : console.log(text));

  private log(level: Level, line: string): void {
    const time = this.now();
    const text = oneLine(line);
    this.print(this.json ? jsonText({ time, level, text }) : `${logTime(time)}  ${level}  ${text}`);
  }
}
