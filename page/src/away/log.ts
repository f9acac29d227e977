import { entryText, LogConflict, parseEntry, type AwayEntry, type AwayLog } from "duello";
import { database } from "../store/database.ts";

/** Digits of a place, so that keys are in the order of their places. */
const DIGITS = 8;

/** Log of a seat in a match, which this browser keeps. */
export class KeptLog implements AwayLog {
  /** @param name Name of chain, match and player. */
  constructor(private readonly name: string) {}

  /** @throws Error where the browser keeps nothing. */
  async read(): Promise<AwayEntry[]> {
    const range = IDBKeyRange.bound(this.keyOf(0), `${this.name}/\uffff`);
    const lines = (await (await database()).getAll("away", range)) as string[];
    return lines.map((line, i) => parseEntry(line, `log:${i + 1}`));
  }

  async append(entry: AwayEntry, place: number): Promise<void> {
    const change = (await database()).transaction("away", "readwrite", { durability: "strict" });
    const isFree = (await change.store.getKey(this.keyOf(place))) === undefined;
    const isNext = place === 0 || (await change.store.getKey(this.keyOf(place - 1))) !== undefined;
    if (isFree && isNext) await change.store.add(entryText(entry), this.keyOf(place));
    await change.done;
    if (!isFree || !isNext) throw new LogConflict("This match is played in another tab of this browser: look there.");
  }

  private keyOf(place: number): string {
    return `${this.name}/${String(place).padStart(DIGITS, "0")}`;
  }
}
