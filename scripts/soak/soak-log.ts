import { checkPlace, entryText, parseEntry, type AwayEntry, type AwayLog } from "../../sdk/player/away/log.js";
import type { Random } from "./random.js";

/** Percentages of writes before which, and after which, a seat's program ends. */
const KILLED = 2;

/** Thrown where a seat's program ends at once. */
export class Killed extends Error {
  override readonly name = "Killed";
}

/** Log of a seat whose program sometimes ends right before or right after a write. */
export class SoakLog implements AwayLog {
  private readonly lines: string[] = [];

  constructor(private readonly random: Random) {}

  /** Number of entries. */
  get length(): number {
    return this.lines.length;
  }

  async read(): Promise<AwayEntry[]> {
    return this.lines.map((line, i) => parseEntry(line, `log:${i + 1}`));
  }

  async append(entry: AwayEntry, place: number): Promise<void> {
    if (this.random.likely(KILLED)) throw new Killed();
    checkPlace(this.lines.length, place);
    this.lines.push(entryText(entry));
    if (this.random.likely(KILLED)) throw new Killed();
  }

  damage(place: number, problem: string): Error {
    return new Error(`Entry ${place + 1} of the log is damaged: ${problem}`);
  }
}
