import { isError } from "ethers";
import type { Arena } from "../../typechain-types/index.js";
import { decodeEvent, isNamed, topicsAbout, type AnyEvent } from "./events.js";
import type { LogFilter, LogReader, Stretch } from "./logs.js";

/** Behind so many questions, from the latest block back, it is worth asking when a match was created. */
export const QUESTIONS_BEFORE_BISECTION = 30;

/** Looks through a chain for all that was told of one match. */
export class MatchSearch {
  private readonly filter: LogFilter;

  /** @param onStretch Told what was looked through. */
  constructor(
    private readonly arena: Arena,
    private readonly reader: LogReader,
    private readonly matchId: bigint,
    private readonly addresses: { Arena: string; game: string },
    private readonly onStretch: (stretch: Stretch) => void,
  ) {
    this.filter = { address: Object.values(addresses), topics: topicsAbout(matchId) };
  }

  /** What was told in some blocks, up to the match's end. */
  async forward(first: number, last: number): Promise<AnyEvent[]> {
    const found: AnyEvent[] = [];
    for await (const stretch of this.reader.forward(this.filter, first, last)) {
      found.push(...this.eventsIn(stretch));
      if (found.some(({ name }) => name === "Settled")) break;
    }
    return found;
  }

  /** All that was told, from the match's beginning on: most matches that are asked for are young. */
  async backward(first: number, last: number): Promise<AnyEvent[]> {
    const found: AnyEvent[] = [];
    let questions = 0;
    for await (const stretch of this.reader.backward(this.filter, first, last)) {
      found.unshift(...this.eventsIn(stretch));
      if (isBegun(found)) break;
      const birth = ++questions === QUESTIONS_BEFORE_BISECTION ? await this.birth(first, stretch.from - 1) : undefined;
      if (birth !== undefined) return [...(await this.forward(birth, stretch.from - 1)), ...found];
    }
    return found;
  }

  /** The block in which the match was created, where the node knows what was at old blocks. */
  private async birth(first: number, last: number): Promise<number | undefined> {
    let [low, high] = [first, last];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const count = await this.countAt(middle);
      if (count === undefined) return undefined;
      if (count >= this.matchId) high = middle;
      else low = middle + 1;
    }
    return isBegun(await this.forward(low, low)) ? low : undefined;
  }

  /** How many matches there were at a block; none before there was an arena. */
  private async countAt(blockTag: number): Promise<bigint | undefined> {
    return this.arena.matchCount({ blockTag }).catch((error: unknown) => (isError(error, "BAD_DATA") ? 0n : undefined));
  }

  private eventsIn(stretch: Stretch): AnyEvent[] {
    this.onStretch(stretch);
    // The game may be anybody's, and pose as the arena.
    const { Arena } = this.addresses;
    return stretch.logs.filter((log) => isNamed("Log", log) === (log.address !== Arena)).map(decodeEvent);
  }
}

function isBegun(events: readonly AnyEvent[]): boolean {
  return events.some(({ name }) => name === "Created");
}
