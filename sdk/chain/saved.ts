import type { ParamType } from "ethers";
import { checksumAddress } from "../protocol/address.js";
import {
  boolean,
  bytes32,
  decimal,
  InputError,
  integer,
  list,
  listUpTo,
  object,
  oneOf,
  text,
  type Reader,
} from "../protocol/input.js";
import type { Hex } from "../protocol/hex.js";
import { readVersioned, versioned } from "../protocol/version.js";
import type { Addresses } from "./addresses.js";
import type { Content } from "./content.js";
import { eventNames, fieldsOf, isDecisive, type AnyEvent, type EventName, type Events } from "./events.js";
import { emittersOf, type BlockId } from "./source.js";

/** Maximum numbers of events, blocks, items and bytes that are read. */
const MAX_ITEMS = 10_000_000;

/** A saved event: name, number of its contract among the emitters, place, transaction, and fields. */
export type SavedEvent = [name: string, emitter: number, index: number, transaction: string, args: unknown[]];

/** An archive as JSON data; integers of the chain are decimal text. */
export interface SavedArchive {
  version: number;
  chainId: string;
  /** Hash of the chain's first block. */
  genesis: string;
  arena: string;
  /** Addresses of all contracts whose events are saved. */
  emitters: string[];
  fromBlock: number;
  last: BlockId;
  /** Blocks that have events, in the order of the chain. */
  blocks: (BlockId & { events: SavedEvent[] })[];
  /** Known times of blocks. */
  times: [block: number, time: string][];
}

/** Converts an archive's content to saved form. @throws Error unless all its blocks are known */
export function savedContent(content: Content, addresses: Addresses): SavedArchive {
  const { chainId, genesis, fromBlock = 0, last, events, times = [] } = content;
  const blocks = (content.blocks ?? []).map((block) => ({ ...block, events: [] as SavedEvent[] }));
  const byNumber = new Map(blocks.map((block) => [block.number, block]));
  if (genesis === undefined || last.hash === "" || events.some(({ block }) => !byNumber.has(block))) {
    throw new Error("Only an archive that was read from a chain can be saved.");
  }
  const emitters = emittersOf(addresses).sort();
  for (const { name, address, block, index, transaction, args } of events) {
    const values = Object.values(args) as unknown[];
    const saved = fieldsOf(name).map((field, i) => plainOf(field, values[i]));
    byNumber.get(block)!.events.push([name, emitters.indexOf(address), index, transaction, saved]);
  }
  const known = Array.from(times, ([block, time]): [number, string] => [block, String(time)]);
  const about = { chainId: String(chainId), genesis, arena: addresses.Arena };
  return versioned("a saved archive", { ...about, emitters, fromBlock, last, blocks, times: known });
}

/**
 * Reads the content of an archive from saved data.
 * @param addresses Deployment of the archive.
 * @throws InputError for other data
 */
export function readContent(saved: unknown, addresses: Addresses): Content {
  const emitters = emittersOf(addresses).sort();
  const reader = object({
    chainId: decimal(256),
    genesis: bytes32,
    arena: same(addresses.Arena, "the arena of the deployment"),
    emitters: (value, path) =>
      list(text, emitters.length)(value, path).map((each, i) =>
        same(emitters[i], "a contract of the deployment")(each, `${path}[${i}]`),
      ),
    fromBlock: blockNumber,
    last: object({ number: blockNumber, hash: bytes32 }),
    blocks: listUpTo(
      object({ number: blockNumber, hash: bytes32, events: listUpTo(readerOfEvents(emitters), MAX_ITEMS) }),
      MAX_ITEMS,
    ),
    times: listUpTo(timeOf, MAX_ITEMS),
  });
  const read = readVersioned("a saved archive", reader)(saved, "archive");
  const { chainId, genesis, fromBlock, last, blocks, times } = read;
  const events: AnyEvent[] = [];
  let before = fromBlock - 1;
  for (const [i, block] of blocks.entries()) {
    const path = `archive.blocks[${i}]`;
    if (block.number <= before || block.number > last.number) {
      throw new InputError(`${path}.number`, `${block.number} is not between ${before} and ${last.number + 1}`);
    }
    before = block.number;
    for (const [k, event] of block.events.entries()) {
      if (k > 0 && event.index <= block.events[k - 1].index) {
        throw new InputError(`${path}.events[${k}][2]`, `${event.index} is not above ${block.events[k - 1].index}`);
      }
      events.push({ ...event, block: block.number } as AnyEvent);
    }
  }
  return {
    chainId,
    genesis,
    fromBlock,
    events,
    blocks: blocks.map(({ number, hash }) => ({ number, hash })),
    last,
    times,
  };
}

/** Returns the fields of an event by name as JSON data, for `readFields`. */
export function plainFields({ name, args }: { name: EventName; args: object }): Record<string, unknown> {
  const values = Object.values(args) as unknown[];
  return Object.fromEntries(fieldsOf(name).map((field, i) => [field.name, plainOf(field, values[i])]));
}

/** Reads the fields of an event from the result of `plainFields`. @throws InputError for other data */
export function readFields<N extends EventName>(name: N, value: unknown, path: string): Events[N] {
  const fields = fieldsOf(name);
  const read = object(
    Object.fromEntries(fields.map((field): [string, Reader<unknown>] => [field.name, fieldReader(field)])),
  );
  return read(value, path) as Events[N];
}

function fieldReader(field: ParamType): Reader<unknown> {
  return (value, path) => valueOf(field, value, path);
}

const nameOf: Reader<EventName> = (value, path) => oneOf(...eventNames().filter(isDecisive))(value, path);
const blockNumber = integer(0, Number.MAX_SAFE_INTEGER);

function same(expected: string, what: string): Reader<string> {
  return (value, path) => {
    if (text(value, path) !== expected)
      throw new InputError(path, `${JSON.stringify(value)} is not ${what}, ${expected}`);
    return expected;
  };
}

const timeOf: Reader<readonly [number, bigint]> = (value, path) => {
  const [block, time] = list((item) => item, 2)(value, path);
  return [blockNumber(block, `${path}[0]`), decimal(64)(time, `${path}[1]`)];
};

/** Creates a reader of events, except for their block numbers. */
function readerOfEvents(emitters: readonly string[]): Reader<Omit<AnyEvent, "block">> {
  return (value, path) => {
    const [named, emitter, index, transaction, args] = list((item) => item, 5)(value, path);
    const name = nameOf(named, `${path}[0]`);
    const fields = fieldsOf(name);
    const values = list((item) => item, fields.length)(args, `${path}[4]`);
    return {
      address: emitters[integer(0, emitters.length - 1)(emitter, `${path}[1]`)],
      name,
      args: Object.fromEntries(fields.map((field, i) => [field.name, valueOf(field, values[i], `${path}[4][${i}]`)])),
      index: integer(0, Number.MAX_SAFE_INTEGER)(index, `${path}[2]`),
      transaction: bytes32(transaction, `${path}[3]`),
    } as unknown as Omit<AnyEvent, "block">;
  };
}

function plainOf({ baseType, components, arrayChildren }: ParamType, value: unknown): unknown {
  if (baseType === "array") return (value as unknown[]).map((item) => plainOf(arrayChildren!, item));
  if (baseType !== "tuple") return typeof value === "bigint" ? String(value) : value;
  const items = Object.values(value as object) as unknown[];
  return components!.map((each, i) => plainOf(each, items[i]));
}

function valueOf(
  { type, baseType, components, arrayChildren, arrayLength }: ParamType,
  value: unknown,
  path: string,
): unknown {
  if (baseType === "array") {
    const item: Reader<unknown> = (each, at) => valueOf(arrayChildren!, each, at);
    return arrayLength! >= 0 ? list(item, arrayLength!)(value, path) : listUpTo(item, MAX_ITEMS)(value, path);
  }
  if (baseType === "tuple") {
    const items = list((item) => item, components!.length)(value, path);
    return Object.fromEntries(components!.map((each, i) => [each.name, valueOf(each, items[i], `${path}[${i}]`)]));
  }
  if (type === "bool") return boolean(value, path);
  if (type === "address") return checksummed(value, path);
  if (type.startsWith("uint")) return decimal(Number(type.slice("uint".length)))(value, path);
  return bytesFor(type, value, path);
}

/** Reads an address that is written with its checksum. */
export const checksummed: Reader<string> = (value, path) => {
  const written = text(value, path);
  if (!/^0x[0-9a-fA-F]{40}$/.test(written) || checksumAddress(written.slice(2).toLowerCase()) !== written) {
    throw new InputError(path, `${JSON.stringify(written)} is no address with its checksum`);
  }
  return written;
};

function bytesFor(type: string, value: unknown, path: string): Hex {
  const written = text(value, path);
  const length = Number(type.slice("bytes".length)) || undefined;
  const isHex = /^0x([0-9a-f]{2})*$/.test(written);
  if (!isHex || (length !== undefined && written.length !== 2 + 2 * length)) {
    throw new InputError(path, `not 0x and the hex digits of ${type}`);
  }
  return written;
}
