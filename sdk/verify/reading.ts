import { isError, type Log, type Provider } from "ethers";
import type { Addresses } from "../chain/addresses.js";
import { decodeEvent, fieldsOf, MalformedEvent, type AnyEvent, type EventName } from "../chain/events.js";
import type { OnProgress } from "../chain/history.js";
import { MismatchError, type LocatedMismatch } from "../chain/mismatch.js";
import { hasBlock, latestBlock, logsOf, timesOf, type BlockId, type EventSource } from "../chain/source.js";
import type { Mismatch } from "../protocol/mismatch.js";
import { encodingMismatch } from "./encoding.js";

/** Place of a log in the chain. */
type Place = Pick<Log, "blockNumber" | "index">;

/**
 * The events of a deployment up to a block. They are read from the node during verification and dropped afterwards, so
 * that memory does not grow with the chain. Impossible logs are rejected.
 * @example
 * ```ts
 * import { Reading } from "duello";
 *
 * const reading = await Reading.open(provider, addresses, 1);
 * for await (const events of reading.parts()) console.log(events.length);
 * ```
 */
export class Reading implements EventSource {
  private times: ReadonlyMap<number, bigint> = new Map();

  private constructor(
    readonly provider: Provider,
    readonly addresses: Addresses,
    readonly chainId: bigint,
    readonly last: BlockId,
    private readonly fromBlock: number,
    private readonly onProgress?: OnProgress,
  ) {}

  /**
   * Opens the events up to the latest block.
   * @param fromBlock Block of the deployment, or an earlier one.
   * @param onProgress Called with the number of blocks read so far, and the number of all blocks to read.
   */
  static async open(
    provider: Provider,
    addresses: Addresses,
    fromBlock = 0,
    onProgress?: OnProgress,
  ): Promise<Reading> {
    const [{ chainId }, last] = await Promise.all([provider.getNetwork(), latestBlock(provider)]);
    return new Reading(provider, addresses, chainId, last, fromBlock, onProgress);
  }

  /**
   * Reads all events in the order of the chain, some at a time.
   * @throws MismatchError for a log that no contract can have written at that place, Outage or Refused if the node
   * stops answering.
   */
  async *parts(): AsyncGenerator<readonly AnyEvent[]> {
    const { fromBlock, last, onProgress } = this;
    let next = fromBlock;
    let before: Place = { blockNumber: fromBlock, index: -1 };
    try {
      for await (const { logs, to } of logsOf(this.provider, this.addresses, fromBlock, last.number, {
        unchecked: true,
      })) {
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
      // Ethers does not report which log of those blocks it rejects.
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

  /** Returns whether the chain still has the last block that was read. */
  async isCurrent(): Promise<boolean> {
    return hasBlock(this.provider, this.last);
  }
}

/**
 * Decodes a log.
 * @param before Place of the log before it.
 * @param last Last possible block of the log.
 * @throws MismatchError if no contract can have written the log at its place.
 */
function eventOf(log: Log, before: Place, last: number): AnyEvent {
  try {
    const event = decodeEvent(log);
    const mismatch = placeMismatch(log, before, last) ?? encodingMismatch(log, event);
    if (mismatch) throw new MalformedEvent(log, mismatch, event.name);
    return event;
  } catch (error) {
    throw error instanceof MalformedEvent ? new MismatchError(mismatchOf(error)) : error;
  }
}

/** Returns the mismatch of a log that does not follow the log before it, or is in a block after `last`. */
function placeMismatch({ blockNumber, index }: Log, before: Place, last: number): Mismatch | undefined {
  const what = "its place";
  const found = `log ${index} of block ${blockNumber}`;
  if (blockNumber > last) return { what, expected: `by block ${last}`, found };
  const isBehind = blockNumber > before.blockNumber || (blockNumber === before.blockNumber && index > before.index);
  return isBehind ? undefined : { what, expected: `behind log ${before.index} of block ${before.blockNumber}`, found };
}

function mismatchOf({ log, event, mismatch }: MalformedEvent): LocatedMismatch {
  const matchId = event && matchOf(log, event);
  const located = { at: event ?? "an event", block: log.blockNumber, ...mismatch };
  return matchId === undefined ? located : { matchId, ...located };
}

/** Returns the number of a log's match, if its topics contain it. */
function matchOf({ topics }: Log, event: EventName): bigint | undefined {
  const [first] = fieldsOf(event);
  return first.name === "matchId" && topics.length > 1 ? BigInt(topics[1]) : undefined;
}
