import { channelEntryText, LogConflict, parseChannelEntry, type ChannelEntry, type ChannelLog } from "duello";
import { database } from "../store/database.ts";

/** Number of digits of a place, so that keys sort by their places. */
const DIGITS = 8;

/** Log of a player in a channel, stored in this browser. */
export class KeptChannelLog implements ChannelLog {
  /** @param name Name of the channel and the player. */
  constructor(private readonly name: string) {}

  /** @throws InputError for a damaged entry; Error if the browser stores nothing. */
  async read(): Promise<ChannelEntry[]> {
    const range = IDBKeyRange.bound(this.keyOf(0), `${this.name}/\uffff`);
    const lines = (await (await database()).getAll("channels", range)) as string[];
    return lines.map((line, i) => parseChannelEntry(line, `entry ${i + 1} of this browser's log`));
  }

  async append(entry: ChannelEntry, place: number): Promise<void> {
    const change = (await database()).transaction("channels", "readwrite", { durability: "strict" });
    const isFree = (await change.store.getKey(this.keyOf(place))) === undefined;
    const isNext = place === 0 || (await change.store.getKey(this.keyOf(place - 1))) !== undefined;
    if (isFree && isNext) await change.store.add(channelEntryText(entry), this.keyOf(place));
    await change.done;
    if (!isFree || !isNext) throw new LogConflict("This channel is open in another tab of this browser: look there.");
  }

  private keyOf(place: number): string {
    return `${this.name}/${String(place).padStart(DIGITS, "0")}`;
  }
}
