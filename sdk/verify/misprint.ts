import { dataLength, type Log, type ParamType } from "ethers";
import type { Mismatch } from "../protocol/mismatch.js";
import { encodeEvent, fieldsOf, type AnyEvent } from "../chain/events.js";

/** In which field a log is not as its contract writes the event that was read from it; undefined if it is. */
export function misprint({ topics, data }: Log, event: AnyEvent): Mismatch | undefined {
  const written = encodeEvent(event);
  const differs = (what: string, expected: unknown, found: unknown): Mismatch => {
    return { what, expected: String(expected), found: String(found) };
  };
  if (topics.length !== written.topics.length) return differs("the topics", written.topics.length, topics.length);
  const fields = fieldsOf(event.name);
  const topic = topics.findIndex((each, i) => each !== written.topics[i]);
  const indexed = fields.filter((field) => field.indexed);
  if (topic >= 0) return differs(indexed[topic - 1].name, written.topics[topic], topics[topic]);
  if (data === written.data) return undefined;
  if (data.length !== written.data.length) {
    return differs("the bytes of the data", dataLength(written.data), dataLength(data));
  }
  const names = fields.filter((field) => !field.indexed).flatMap((field) => entriesOf(field, field.name));
  const [expected, found] = [written.data, data].map(entriesIn);
  const word = found.findIndex((each, i) => each !== expected[i]);
  // What has no length of its own is the last field, and its content stands behind all others.
  return differs(names[word] ?? names.at(-1), expected[word], found[word]);
}

/**
 * The names of the words that a value takes where it stands, e.g. `terms.game`; of what has no length of its own it is
 * one.
 */
function entriesOf({ baseType, components, arrayLength, arrayChildren }: ParamType, name: string): string[] {
  if (baseType === "tuple") return components!.flatMap((each) => entriesOf(each, `${name}.${each.name}`));
  if (baseType !== "array" || arrayLength === -1) return [name];
  return Array.from({ length: arrayLength! }, (_, i) => entriesOf(arrayChildren!, `${name}[${i}]`)).flat();
}

function entriesIn(data: string): string[] {
  return Array.from(data.slice(2).match(/.{64}/g) ?? [], (word) => `0x${word}`);
}
