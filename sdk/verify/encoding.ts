import { dataLength, dataSlice, type Log, type ParamType } from "ethers";
import { WORD_BYTES } from "../protocol/bytes.js";
import type { Hex } from "../protocol/hex.js";
import { differs, type Mismatch } from "../protocol/mismatch.js";
import { encodeEvent, fieldsOf, type AnyEvent } from "../chain/events.js";

/**
 * Compares a log with the log that its contract would write for the decoded event.
 * @returns The mismatch of the first field with a different encoding.
 */
export function encodingMismatch({ topics, data }: Log, event: AnyEvent): Mismatch | undefined {
  const written = encodeEvent(event);
  if (topics.length !== written.topics.length) return differs("the topics", written.topics.length, topics.length);
  const fields = fieldsOf(event.name);
  const topic = topics.findIndex((each, i) => each !== written.topics[i]);
  const indexed = fields.filter((field) => field.indexed);
  if (topic >= 0) return differs(indexed[topic - 1].name, written.topics[topic], topics[topic]);
  if (data === written.data) return undefined;
  if (data.length !== written.data.length) {
    return differs("the bytes of the data", dataLength(written.data), dataLength(data));
  }
  const names = fields.filter((field) => !field.indexed).flatMap((field) => wordNames(field, field.name));
  const [expected, found] = [written.data, data].map(wordsIn);
  const place = found.findIndex((word, i) => word !== expected[i]);
  // Only the last field may have a dynamic length, and its content follows all other fields.
  return differs(names[place] ?? names.at(-1), expected[place], found[place]);
}

/** Returns the names of the words of a value, e.g. `terms.game`; a value of dynamic length has a single word. */
function wordNames({ baseType, components, arrayLength, arrayChildren }: ParamType, name: string): string[] {
  if (baseType === "tuple") return components!.flatMap((each) => wordNames(each, `${name}.${each.name}`));
  if (baseType !== "array" || arrayLength === -1) return [name];
  return Array.from({ length: arrayLength! }, (_, i) => wordNames(arrayChildren!, `${name}[${i}]`)).flat();
}

function wordsIn(data: Hex): Hex[] {
  const words: Hex[] = [];
  for (let at = 0; at + WORD_BYTES <= dataLength(data); at += WORD_BYTES) {
    words.push(dataSlice(data, at, at + WORD_BYTES));
  }
  return words;
}
