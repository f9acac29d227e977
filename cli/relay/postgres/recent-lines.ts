import type { Hex } from "../../../sdk/protocol/hex.js";

/** Maximum bytes of all lines, and number of lines of one channel. */
const MAX_BYTES = 64 * 2 ** 20;
const MAX_LINES = 64;

/** Last messages of channels, as lines, so that readers who wait for them need no query. */
export class RecentLines {
  /** The least recently written channel comes first. */
  private readonly byChannel = new Map<Hex, { from: number; lines: string[] }>();
  private bytes = 0;

  /** Adds the message at a place. */
  add(id: Hex, at: number, line: string): void {
    const known = this.byChannel.get(id);
    if (known && known.from + known.lines.length !== at) this.remove(id);
    const channel = this.byChannel.get(id) ?? { from: at, lines: [] };
    channel.lines.push(line);
    this.bytes += line.length;
    if (channel.lines.length > MAX_LINES) {
      this.bytes -= channel.lines.shift()!.length;
      channel.from++;
    }
    this.byChannel.delete(id);
    this.byChannel.set(id, channel);
    for (const oldest of this.byChannel.keys()) {
      if (this.bytes <= MAX_BYTES) return;
      this.remove(oldest);
    }
  }

  /** Returns the messages of a channel, starting at a place; undefined if they are not all here. */
  after(id: Hex, place: number): string[] | undefined {
    const channel = this.byChannel.get(id);
    if (!channel) return undefined;
    const { from, lines } = channel;
    return place >= from && place <= from + lines.length ? lines.slice(place - from) : undefined;
  }

  clear(): void {
    this.byChannel.clear();
    this.bytes = 0;
  }

  /** Forgets the messages of a channel. */
  remove(id: Hex): void {
    for (const line of this.byChannel.get(id)?.lines ?? []) this.bytes -= line.length;
    this.byChannel.delete(id);
  }
}
