import { amountText, decodeEvent, MalformedEvent, ownToken, statusText, type Addresses } from "duello";
import type { Interface, Log, ParamType } from "ethers";
import { spanText } from "../parts/text.ts";

/** Value of a call, of an event or of a log entry, as text. */
export interface Field {
  readonly name: string;
  readonly text: string;
}

/** Event of a transaction. */
export interface ToldEvent {
  /** Name of the contract that emitted it. */
  readonly by: string;
  readonly name: string;
  readonly fields: readonly Field[];
}

/** Entry of a game's log: a word, and what it says. */
export interface ToldWord {
  readonly word: string;
  readonly fields: readonly Field[];
}

/** Call of a contract's function. */
export interface ToldCall {
  readonly to: string;
  readonly name: string;
  readonly fields: readonly Field[];
}

/** A contract that was deployed. */
export interface ToldContract {
  readonly name: string;
  readonly gas: bigint;
}

/** Something that happened on the playground's chain. */
export interface Entry {
  readonly id: number;
  /** Player who sent it; undefined for anybody. */
  readonly by?: 1 | 2;
  readonly title: string;
  /** Says in a sentence what it means. */
  readonly note: string;
  /** Block of the transaction; undefined if it was refused. */
  readonly block?: number;
  readonly gas?: bigint;
  readonly call?: ToldCall;
  readonly events?: readonly ToldEvent[];
  readonly words?: readonly ToldWord[];
  /** Parts of the secret that the player keeps: its move and its salt. */
  readonly secret?: readonly Field[];
  /** Lines of a program that do the same with the SDK. */
  readonly code?: readonly string[];
  readonly contracts?: readonly ToldContract[];
  /** Error of the contract that refused it. */
  readonly error?: string;
}

/** Names of accounts and contracts by their addresses. */
export type Names = ReadonlyMap<string, string>;

/** Longest data that is shown whole, in characters. */
const MAX_DATA = 66;

const AMOUNTS = ["stake1", "stake2", "paid1", "paid2", "house", "amount", "value", "balance"];
const TIMES = ["deadline", "firmUntil", "until", "time"];

/** Writes a value of a call or an event for people. */
export function textOf(name: string, value: unknown, names: Names): string {
  if (typeof value === "bigint" && AMOUNTS.includes(name)) return coinText(value);
  if (typeof value === "bigint" && TIMES.includes(name)) return value === 0n ? "0" : timeText(value);
  if (typeof value === "bigint" && name === "clock") return spanText(Number(value));
  if (typeof value === "bigint" && name === "status") return `${value}: ${statusText[String(value)]}`;
  if (typeof value === "string") return names.get(value) ?? shortened(value);
  if (Array.isArray(value)) return value.map((each) => textOf(name, each, names)).join(", ");
  if (value === null) return "none";
  if (typeof value !== "object") return (value as bigint | boolean | number).toString();
  return fieldsIn(value, names)
    .map((field) => `${field.name} ${field.text}`)
    .join(", ");
}

/** Lists the values of an object for people. */
export function fieldsIn(values: object, names: Names): Field[] {
  return Object.entries(values).map(([name, value]) => ({ name, text: textOf(name, value, names) }));
}

/** Formats an amount of the coin. */
export function coinText(amount: bigint): string {
  return amountText(amount, ownToken({}, `0x${"0".repeat(40)}`)!);
}

/** Decodes a call; the fields of structs are listed one by one. */
export function callIn(
  abi: Interface,
  to: string,
  { data, value }: { data: string; value: bigint },
  names: Names,
): ToldCall {
  const { name, args, fragment } = abi.parseTransaction({ data })!;
  const fields = fragment.inputs.flatMap((input, i) => fieldsOf(input, args[i], names));
  const paid = value > 0n ? [{ name: "value", text: coinText(value) }] : [];
  return { to, name, fields: [...fields, ...paid] };
}

function fieldsOf({ name, components }: ParamType, value: unknown, names: Names): Field[] {
  if (!components) return [{ name, text: textOf(name, value, names) }];
  return components.flatMap((each, i) => fieldsOf(each, (value as readonly unknown[])[i], names));
}

/** Decodes the events of a transaction. */
export function eventsIn(logs: readonly Log[], addresses: Addresses, names: Names): ToldEvent[] {
  return logs.map((log) => {
    const by = Object.entries(addresses).find(([, address]) => address === log.address)?.[0] ?? "another contract";
    try {
      const { name, args } = decodeEvent(log);
      return { by, name, fields: fieldsIn(args, names) };
    } catch (error) {
      if (!(error instanceof MalformedEvent)) throw error;
      return { by, name: "Unknown event", fields: [{ name: "topic", text: log.topics[0] }] };
    }
  });
}

/** Lists the words that a game has logged in a transaction. */
export function wordsIn(logs: readonly Log[]): bigint[] {
  return logs.flatMap((log) => {
    try {
      const event = decodeEvent(log);
      return event.name === "Log" ? [...event.args.logEntries] : [];
    } catch {
      return [];
    }
  });
}

function timeText(seconds: bigint): string {
  return new Date(Number(seconds) * 1000).toISOString().replace("T", " ").replace(".000Z", " UTC");
}

function shortened(data: string): string {
  if (data.length <= MAX_DATA) return data;
  return `${data.slice(0, MAX_DATA)}… (${(data.length - 2) / 2} bytes)`;
}
