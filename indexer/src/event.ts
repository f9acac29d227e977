import { getAddress, type ParamType } from "ethers";
import { fieldsOf, type ChainEvent, type EventName } from "../../sdk/chain/events.js";

/** An event as Ponder passes it on. */
export interface PonderEvent {
  args: object;
  log: { address: string; logIndex: number };
  block: { number: bigint };
  transaction: { hash: string };
}

/** Converts an event to the SDK's form: with one type for all integers, and checksummed addresses. */
export function eventOf<N extends EventName>(name: N, { args, log, block, transaction }: PonderEvent): ChainEvent<N> {
  const fields = args as Record<string, unknown>;
  return {
    address: checksummed(log.address),
    name,
    args: Object.fromEntries(fieldsOf(name).map((field) => [field.name, valueOf(field, fields[field.name])])),
    block: Number(block.number),
    index: log.logIndex,
    transaction: transaction.hash,
  } as unknown as ChainEvent<N>;
}

function valueOf({ type, baseType, components, arrayChildren }: ParamType, value: unknown): unknown {
  if (baseType === "array") return (value as unknown[]).map((item) => valueOf(arrayChildren!, item));
  if (baseType === "tuple") {
    const items = value as Record<string, unknown>;
    return Object.fromEntries(components!.map((each) => [each.name, valueOf(each, items[each.name])]));
  }
  if (type === "address") return checksummed(value as string);
  return typeof value === "number" ? BigInt(value) : value;
}

/** Cache of checksummed addresses: each needs a hash, and occurs many times. */
const known = new Map<string, string>();
const MAX_KNOWN = 100_000;

function checksummed(address: string): string {
  const found = known.get(address) ?? getAddress(address);
  if (known.size < MAX_KNOWN) known.set(address, found);
  return found;
}
