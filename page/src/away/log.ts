import { entryText, LogConflict, parseEntry, reasonOf, type AwayEntry, type AwayLog } from "duello";
import { database } from "../store/database.ts";

/** Digits of a place, so that keys are in the order of their places. */
const DIGITS = 8;

/** Log of a seat in a match, which this browser keeps. */
export class KeptLog implements AwayLog {
  /** @param name Name of chain, match and player. */
  constructor(private readonly name: string) {}

  /** @throws Error where the browser keeps nothing, or an entry that no program has written. */
  async read(): Promise<AwayEntry[]> {
    const range = IDBKeyRange.bound(this.keyOf(0), `${this.name}/\uffff`);
    const lines = (await (await database()).getAll("away", range)) as string[];
    return lines.map((line, i) => {
      try {
        return parseEntry(line, "entry");
      } catch (error) {
        throw this.damage(i, reasonOf(error));
      }
    });
  }

  async append(entry: AwayEntry, place: number): Promise<void> {
    const change = (await database()).transaction("away", "readwrite", { durability: "strict" });
    const isFree = (await change.store.getKey(this.keyOf(place))) === undefined;
    const isNext = place === 0 || (await change.store.getKey(this.keyOf(place - 1))) !== undefined;
    if (isFree && isNext) await change.store.add(entryText(entry), this.keyOf(place));
    await change.done;
    if (!isFree || !isNext) throw new LogConflict("This match is played in another tab of this browser: look there.");
  }

  damage(place: number, problem: string): Error {
    // The page shows the beginning of a long sentence.
    const wayOut = "Play this match in another browser, which takes your messages back from the relay";
    return new Error(`${wayOut}: entry ${place + 1} of what this one has kept is damaged: ${problem}`);
  }

  private keyOf(place: number): string {
    return `${this.name}/${String(place).padStart(DIGITS, "0")}`;
  }
}
