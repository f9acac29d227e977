import { setTimeout as pause } from "node:timers/promises";
import { Archive } from "../../sdk/chain/archive.js";
import { decodeEvent, type AnyEvent } from "../../sdk/chain/events.js";
import type { IndexClient } from "../../sdk/chain/index-client.js";
import { logsOf, type BlockId, type EventSource } from "../../sdk/chain/source.js";
import { games } from "../../sdk/games/index.js";
import { expectedRows } from "../../sdk/verify/expected-rows.js";
import { compareIndex, type CompareOptions, type IndexComparison } from "../../sdk/verify/index-comparison.js";

/**
 * Milliseconds between two requests to an index that lags, and milliseconds without progress after which to give up.
 */
const LOOK = 250;
const LONGEST_HALT = 60_000;
/** Maximum number of comparisons with an index that keeps indexing. */
const MAX_COMPARISONS = 5;

/** Source of events that records all events that pass through it. */
export class KeptEvents implements EventSource {
  private readonly events: AnyEvent[] = [];
  private readonly times = new Map<number, bigint>();

  constructor(private readonly source: EventSource) {}

  get provider() {
    return this.source.provider;
  }

  get addresses() {
    return this.source.addresses;
  }

  get chainId(): bigint {
    return this.source.chainId;
  }

  get last(): BlockId {
    return this.source.last;
  }

  async *parts(): AsyncGenerator<readonly AnyEvent[]> {
    for await (const events of this.source.parts()) {
      for (const event of events) this.events.push(event);
      yield events;
    }
  }

  async readTimes(blocks: Iterable<number>): Promise<void> {
    const wanted = [...blocks];
    await this.source.readTimes(wanted);
    for (const block of wanted) this.times.set(block, this.source.timeOf(block)!);
  }

  timeOf(block: number): bigint | undefined {
    return this.source.timeOf(block);
  }

  /** Makes an archive of all recorded events. */
  archive(): Archive {
    const { provider, addresses, chainId, last, events, times } = this;
    return new Archive(provider, addresses, { chainId, last, events, times });
  }
}

/**
 * Compares an index with the events of a deployment, once the index has reached an archive's last block. If the index
 * has advanced further, the newer events are compared too.
 * @throws IndexTrouble for an index that stops answering, Error for an index that does not reach that block or advances
 * too fast.
 */
export async function compareWithIndex(
  client: IndexClient,
  archive: Archive,
  options: CompareOptions & { onWait: (block: number, wanted: number) => void },
): Promise<IndexComparison> {
  await untilRead(client, archive.last.number, options.onWait);
  let read = archive;
  for (let i = 0; i < MAX_COMPARISONS; i++) {
    const comparison = await compareIndex(client, await expectedRows(read, games), options);
    if (!comparison.mismatch) return comparison;
    const later = await withNews(read, comparison.block);
    if (later.all.length === read.all.length) return comparison;
    read = later;
  }
  throw new Error(`The index at ${client.url} goes on faster than it can be compared: verify again.`);
}

/** Makes an archive that also has the newer events, up to a block. */
async function withNews(archive: Archive, until: number): Promise<Archive> {
  const { provider, addresses, chainId, all, last } = archive;
  if (until <= last.number) return archive;
  const events = [...all];
  for await (const { logs } of logsOf(provider, addresses, last.number + 1, until))
    events.push(...logs.map(decodeEvent));
  return new Archive(provider, addresses, { chainId, events, last: { number: until, hash: "" } });
}

/** Waits until an index has read a block. */
async function untilRead(
  client: IndexClient,
  wanted: number,
  onWait: (block: number, wanted: number) => void,
): Promise<void> {
  let [block, since] = [-1, Date.now()];
  for (;;) {
    const now = await client.block();
    if (now >= wanted) return;
    if (now !== block) [block, since] = [now, Date.now()];
    if (Date.now() - since > LONGEST_HALT) {
      const halt = `it has not gone on for ${LONGEST_HALT / 1000} s`;
      throw new Error(`The index at ${client.url} has read the chain up to block ${block}, not ${wanted}: ${halt}.`);
    }
    onWait(block, wanted);
    await pause(LOOK);
  }
}
