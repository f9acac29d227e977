import { isError, type Log, type Provider } from "ethers";
import type { Addresses } from "../chain/addresses.js";
import { latest, logsOf, timesOf, type Source } from "../chain/archive.js";
import { decodeEvent, fieldsOf, MalformedEvent, type AnyEvent, type EventName } from "../chain/events.js";
import type { OnProgress } from "../chain/history.js";
import { MismatchError, type LocatedMismatch } from "../chain/mismatch.js";
import { misprint } from "./misprint.js";

/** Where a log stands. */
type Place = Pick<Log, "blockNumber" | "index">;

/**
 * The events of a deployment up to a block, read as they are looked at and kept no longer: what they take of memory
 * does not grow with the chain. What a node says of them is believed only where a chain could have it.
 */
export class Reading implements Source {
  private times: ReadonlyMap<number, bigint> = new Map();

  private constructor(
    readonly provider: Provider,
    readonly addresses: Addresses,
    readonly chainId: bigint,
    readonly last: Source["last"],
    private readonly fromBlock: number,
    private readonly onProgress?: OnProgress,
  ) {}

  /**
   * Up to the latest block.
   * @param fromBlock The block of the deployment, or an earlier one.
   * @param onProgress Told how many of the blocks have been read.
   */
  static async open(
    provider: Provider,
    addresses: Addresses,
    fromBlock = 0,
    onProgress?: OnProgress,
  ): Promise<Reading> {
    const [{ chainId }, last] = await Promise.all([provider.getNetwork(), latest(provider)]);
    return new Reading(provider, addresses, chainId, last, fromBlock, onProgress);
  }

  /** @throws MismatchError for what no contract has written there. */
  async *parts(): AsyncGenerator<readonly AnyEvent[]> {
    const { fromBlock, last, onProgress } = this;
    let next = fromBlock;
    let before: Place = { blockNumber: fromBlock, index: -1 };
    try {
      for await (const { logs, to } of logsOf(this.provider, this.addresses, fromBlock, last.number, true)) {
        const events: AnyEvent[] = [];
        for (const log of logs) {
          events.push(eventOf(log, before, to));
          before = log;
        }
        yield events;
        next = to + 1;
        before = { blockNumber: next, index: -1 };
        onProgress?.(next - fromBlock, last.number + 1 - fromBlock);
      }
    } catch (error) {
      // Nobody can tell which of them.
      if (!isError(error, "BAD_DATA")) throw error;
      throw new MismatchError({ at: "an event", block: next, what: error.shortMessage });
    }
  }

  async readTimes(blocks: Iterable<number>): Promise<void> {
    this.times = await timesOf(this.provider, [...new Set(blocks)]);
  }

  timeOf(block: number): bigint | undefined {
    return this.times.get(block);
  }

  /** Whether the chain still has the last block that was read. */
  async isCurrent(): Promise<boolean> {
    return (await this.provider.getBlock(this.last.number))?.hash === this.last.hash;
  }
}

/** What a log says. @throws MismatchError if no contract could have written it, behind another and by a block. */
function eventOf(log: Log, before: Place, last: number): AnyEvent {
  try {
    const event = decodeEvent(log);
    const mismatch = misplaced(log, before, last) ?? misprint(log, event);
    if (mismatch) throw new MalformedEvent(log, mismatch, event.name);
    return event;
  } catch (error) {
    throw error instanceof MalformedEvent ? new MismatchError(mismatchOf(error)) : error;
  }
}

function misplaced({ blockNumber, index }: Log, before: Place, last: number) {
  const what = "its place";
  const found = `log ${index} of block ${blockNumber}`;
  if (blockNumber > last) return { what, expected: `by block ${last}`, found };
  const isBehind = blockNumber > before.blockNumber || (blockNumber === before.blockNumber && index > before.index);
  return isBehind ? undefined : { what, expected: `behind log ${before.index} of block ${before.blockNumber}`, found };
}

function mismatchOf({ log, event, mismatch }: MalformedEvent): LocatedMismatch {
  const matchId = event && matchOf(log, event);
  return {
    ...(matchId !== undefined && { matchId }),
    ...{ at: event ?? "an event", block: log.blockNumber, ...mismatch },
  };
}

/** The match that a log is of, as far as its topics tell. */
function matchOf({ topics }: Log, event: EventName): bigint | undefined {
  const [first] = fieldsOf(event);
  return first.name === "matchId" && topics.length > 1 ? BigInt(topics[1]) : undefined;
}
