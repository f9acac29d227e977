import { isError } from "ethers";
import type { Arena } from "../../typechain-types/index.js";
import { firstWhere } from "./bisect.js";
import { decodeEvent, isNamed, topicsAbout, type AnyEvent } from "./events.js";
import type { LogFilter, LogReader, ReadManner, Stretch } from "./logs.js";

/**
 * Number of requests backwards from the latest block after which bisecting the earlier blocks is worth its requests.
 */
export const QUESTIONS_BEFORE_BISECTION = 30;

/** Searches a chain for all events of a match. */
export class MatchSearch {
  private readonly filter: LogFilter;

  /** @param onStretch Called with all logs that were read. */
  constructor(
    private readonly arena: Arena,
    private readonly reader: LogReader,
    private readonly matchId: bigint,
    private readonly addresses: { Arena: string; game: string },
    private readonly onStretch: (stretch: Stretch) => void,
    manner: ReadManner = {},
  ) {
    this.filter = { ...manner, address: Object.values(addresses), topics: topicsAbout(matchId) };
  }

  /** Reads the events of some blocks, from the first block up to the match's end. @throws Outage or Refused */
  async forward(first: number, last: number): Promise<AnyEvent[]> {
    const found: AnyEvent[] = [];
    for await (const stretch of this.reader.forward(this.filter, first, last)) {
      found.push(...this.eventsIn(stretch));
      if (found.some(({ name }) => name === "Settled")) break;
    }
    return found;
  }

  /**
   * Reads the events of some blocks backwards, down to the match's creation, since most requested matches are recent.
   * @throws Outage or Refused
   */
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

  /** Finds the block in which the match was created; undefined if the node has forgotten the state of old blocks. */
  private async birth(first: number, last: number): Promise<number | undefined> {
    const wasCreated = async (block: number) => (await this.countAt(block)) >= this.matchId;
    const block = await firstWhere(first, last, wasCreated).catch(() => undefined);
    return block !== undefined && isBegun(await this.forward(block, block)) ? block : undefined;
  }

  /** Reads the number of matches at a block; 0 before the arena was deployed. */
  private async countAt(blockTag: number): Promise<bigint> {
    return this.arena.matchCount({ blockTag }).catch((error: unknown) => {
      if (isError(error, "BAD_DATA")) return 0n;
      throw error;
    });
  }

  private eventsIn(stretch: Stretch): AnyEvent[] {
    this.onStretch(stretch);
    // Any game may emit events with the arena's names; the arena emits no `Log`.
    const { Arena } = this.addresses;
    return stretch.logs.filter((log) => isNamed("Log", log) === (log.address !== Arena)).map(decodeEvent);
  }
}

/** Returns whether a match's events include its creation. */
export function isBegun(events: readonly AnyEvent[]): boolean {
  return events.some(({ name }) => name === "Created");
}
