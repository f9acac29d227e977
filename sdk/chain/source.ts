import type { Provider } from "ethers";
import type { Addresses } from "./addresses.js";
import { channelsOf } from "./channels.js";
import { allTopics, type AnyEvent } from "./events.js";
import { LogReader, type LogFilter, type Stretch } from "./logs.js";
import { LaggingNode } from "./trouble.js";

/** Approximate number of events or logs in memory at once, however long a chain is. */
export const BATCH = 2_000;
/** Number of concurrent requests. */
export const AT_ONCE = 100;

/** A block, by its number and its hash. */
export interface BlockId {
  number: number;
  hash: string;
}

/** The events of a deployment up to a block, wherever they are stored. */
export interface EventSource {
  readonly provider: Provider;
  readonly addresses: Addresses;
  readonly chainId: bigint;
  /** The last block to read. */
  readonly last: BlockId;
  /** Reads all events in the order of the chain, some at a time. */
  parts(): AsyncIterable<readonly AnyEvent[]>;
  /** Reads the times of blocks, for `timeOf`. */
  readTimes(blocks: Iterable<number>): Promise<void>;
  /** Returns the time of a block, in seconds since 1970; undefined if it was not read. */
  timeOf(block: number): bigint | undefined;
}

/** Reads the latest block. @throws Error if the node has none. */
export async function latestBlock(provider: Provider): Promise<BlockId> {
  const block = await provider.getBlock("latest");
  if (!block) throw new Error("The node has no latest block.");
  return { number: block.number, hash: block.hash! };
}

/** Reads the hash of a block. @throws LaggingNode if the node does not have it. */
export async function hashOf(provider: Provider, number: number): Promise<string> {
  const block = await provider.getBlock(number);
  if (!block) throw new LaggingNode(number - 1, number);
  return block.hash!;
}

/** Returns whether the chain still has a block that was read before. */
export async function hasBlock(provider: Provider, { number, hash }: BlockId): Promise<boolean> {
  return (await provider.getBlock(number))?.hash === hash;
}

/** Lists the addresses of the contracts whose events make up a deployment's history. */
export function emittersOf(addresses: Addresses): string[] {
  // Events of the FIGHT token are not needed: the arena's events about purses suffice.
  const { FightToken: _, ...emitters } = addresses;
  return [...Object.values<string>(emitters), channelsOf(addresses.Arena)];
}

/**
 * Reads the logs of a deployment's contracts in the order of the chain, some blocks at a time.
 * @throws Outage or Refused if the node stops answering.
 */
export function logsOf(
  provider: Provider,
  addresses: Addresses,
  fromBlock: number,
  last: number,
  options: Pick<LogFilter, "unchecked" | "signal" | "onTrouble"> = {},
): AsyncGenerator<Stretch> {
  const filter = { ...options, address: emittersOf(addresses), topics: [allTopics()] };
  return LogReader.of(provider).forward(filter, fromBlock, last, BATCH);
}

/** Reads the times of blocks, in seconds since 1970. @throws Error for a block that the node does not have. */
export async function timesOf(provider: Provider, blocks: readonly number[]): Promise<Map<number, bigint>> {
  const times = new Map<number, bigint>();
  for (let i = 0; i < blocks.length; i += AT_ONCE) {
    const some = blocks.slice(i, i + AT_ONCE);
    const read = await Promise.all(some.map((block) => provider.getBlock(block)));
    for (const [k, block] of some.entries()) {
      if (!read[k]) throw new Error(`The node has no block ${block}.`);
      times.set(block, BigInt(read[k].timestamp));
    }
  }
  return times;
}
