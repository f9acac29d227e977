import { appendFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { stripVTControlCharacters, styleText } from "node:util";
import { oneLine } from "../../sdk/protocol/input.js";
import { jsonText } from "../shared/json.js";
import { screenLine } from "../shared/output.js";

/** Something an agent has to tell. */
export interface LogEvent {
  /** One word that programs can look for. */
  event: string;
  matchId?: bigint;
  /** A sentence, or several lines. */
  text: string | readonly string[];
  /** What else programs may want to know. */
  data?: Readonly<Record<string, unknown>>;
}

/**
 * What an agent tells: people in lines, programs in JSON, an object per line; the latter goes to a file in any case.
 */
export class EventLog {
  /** What was told, by what it is about. */
  private readonly troubles = new Map<string | bigint, string>();

  /**
   * @param file Where the objects go.
   * @param json Whether they are also what is printed.
   */
  constructor(
    readonly file: string,
    private readonly json = false,
    private readonly print: (line: string) => void = console.log,
  ) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  }

  /** Tells of trouble when it begins and changes, and when it is over. */
  reportTrouble(about: string | bigint, text: string | undefined, matchId?: bigint): void {
    if (this.troubles.get(about) === text) return;
    if (text === undefined) this.troubles.delete(about);
    else this.troubles.set(about, text);
    this.report({ event: text === undefined ? "well" : "trouble", matchId, text: text ?? "All is well again." });
  }

  /** Tells it, in the file first. */
  report({ event, matchId, text, data }: LogEvent): void {
    const time = new Date();
    const lines = [text].flat();
    const plain = lines.map((line) => oneLine(stripVTControlCharacters(line)));
    const entry = { time, event, match: matchId, text: plain.join("\n"), ...data };
    const object = jsonText(entry);
    appendFileSync(this.file, `${object}\n`, { mode: 0o600 });
    if (this.json) this.print(object);
    else
      lines.forEach((line, i) => this.print(`${this.margin(i === 0 ? time : undefined, matchId)}${screenLine(line)}`));
  }

  private margin(time?: Date, matchId?: bigint): string {
    const clock = time ? time.toISOString().slice(11, 19) : " ".repeat(8);
    const match = time && matchId !== undefined ? `#${matchId}` : "";
    return `${styleText("dim", clock)}  ${match.padEnd(6)} `;
  }
}
