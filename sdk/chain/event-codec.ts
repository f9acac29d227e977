import type { EventFragment, ParamType } from "ethers";
import { checksumAddress } from "../protocol/address.js";
import { ADDRESS_BYTES, WORD_BYTES } from "../protocol/bytes.js";
import type { Hex } from "../protocol/hex.js";
import type { Mismatch } from "../protocol/mismatch.js";

/** Hex digits of a word. All sizes and places in this file count digits. */
const WORD = 2 * WORD_BYTES;
const ZERO = "0".repeat(WORD);
/** Zeros before an address in its word. */
const PADDING = "0".repeat(WORD - 2 * ADDRESS_BYTES);
const HEX = /^0x(?:[0-9a-f]{2})*$/i;

type Field = Pick<ParamType, "name" | "type">;
type Values = Record<string, unknown>;

/** Decoder and encoder of a type. Data is lowercase hex digits without 0x. */
interface Codec {
  /** True if the head of the data contains only the offset of the value. */
  isDynamic: boolean;
  /** Size in the head of the data. */
  size: number;
  /** Decodes the value at a place. @throws Undecodable */
  read(digits: string, at: number): unknown;
  /** Encodes a value. @throws RangeError for a value that is not of the type */
  write(value: unknown): string;
}

/** Thrown for data that cannot be decoded. */
export class Undecodable extends Error {
  readonly mismatch: Mismatch;

  constructor({ name, type }: Field, reason: string) {
    super(reason);
    this.mismatch = { what: name, expected: type, found: `none: ${reason}` };
  }
}

/**
 * Decoder and encoder of an event, built once from its declaration. Decodes exactly the logs that ethers decodes, and
 * to the same values, but tuples to objects. Like ethers, it ignores padding, surplus data and the order of dynamic
 * values. Supports the types of our events: unsigned integers, addresses, flags, `bytes32` and `bytes`, and tuples and
 * arrays of static values.
 */
export class EventCodec {
  readonly topic: Hex;
  private readonly fields: readonly (Codec & Field & { isIndexed: boolean; at: number })[];
  private readonly headSize: number;

  /** @throws Error for a field of another type */
  constructor({ inputs, topicHash }: EventFragment) {
    this.topic = topicHash;
    const sizes = { topics: 0, data: 0 };
    this.fields = inputs.map((input) => {
      const { name, type } = input;
      const codec = codecOf(input, name);
      const isIndexed = Boolean(input.indexed);
      // A topic contains only the hash of any other value.
      if (isIndexed && (codec.isDynamic || input.isArray() || input.isTuple())) throw unsupported(input);
      const part = isIndexed ? "topics" : "data";
      sizes[part] += codec.size;
      return { ...codec, name, type, isIndexed, at: sizes[part] - codec.size };
    });
    this.headSize = sizes.data;
  }

  /** Decodes the fields of a log. @throws Undecodable */
  decode([, ...topics]: readonly Hex[], data: Hex): Values {
    const indexed = topics.map((topic) => digitsOf(topic, "the topics")).join("");
    const others = digitsOf(data, "the data");
    const values: Values = {};
    for (const field of this.fields) {
      const digits = field.isIndexed ? indexed : others;
      values[field.name] = field.read(digits, field.isDynamic ? indexAt(digits, field.at, field) : field.at);
    }
    return values;
  }

  /** Encodes the fields exactly as a contract does. @throws RangeError for a value that is not of its field's type */
  encode(values: Values): { topics: Hex[]; data: Hex } {
    const topics = [this.topic];
    let [heads, tails] = ["", ""];
    for (const field of this.fields) {
      const written = field.write(values[field.name]);
      if (field.isIndexed) topics.push(`0x${written}`);
      else if (!field.isDynamic) heads += written;
      else {
        heads += wordOf(BigInt((this.headSize + tails.length) / 2), field);
        tails += written;
      }
    }
    return { topics, data: `0x${heads}${tails}` };
  }
}

function unsupported({ name, type }: Field): Error {
  return new Error(`Field ${name} of an event has the type ${type}, which is not supported.`);
}

/** Returns the digits of hex bytes. */
function digitsOf(hex: Hex, name: string): string {
  if (!HEX.test(hex)) throw new Undecodable({ name, type: "hex bytes" }, "not 0x and hex digits");
  return hex.slice(2).toLowerCase();
}

function takeAt(digits: string, at: number, size: number, field: Field): string {
  const taken = digits.slice(at, at + size);
  if (taken.length < size) throw new Undecodable(field, `${digits.length / 2} bytes are too few`);
  return taken;
}

/** Reads an offset or a length in bytes, and returns it in digits. */
function indexAt(digits: string, at: number, field: Field): number {
  return 2 * Number(`0x${takeAt(digits, at, WORD, field)}`);
}

/** @param name Path of the value, e.g. `terms.game`. */
function codecOf({ type, baseType, components, arrayChildren, arrayLength }: ParamType, name: string): Codec {
  const field = { name, type };
  if (type === "bytes") return bytesCodec(field);
  if (baseType === "array") return arrayCodec(field, codecOf(arrayChildren!, `${name}[]`), arrayLength!);
  if (baseType !== "tuple") return { isDynamic: false, size: WORD, ...wordCodec(field) };
  return tupleCodec(
    field,
    components!.map((each) => [each.name, codecOf(each, `${name}.${each.name}`)]),
  );
}

function wordCodec(field: Field): Pick<Codec, "read" | "write"> {
  const [, kind, bits] = /^(uint|bytes32|address|bool)(\d*)$/.exec(field.type) ?? [];
  const wordAt = (digits: string, at: number) => takeAt(digits, at, WORD, field);
  switch (kind) {
    case "uint":
      return {
        read: (digits, at) => BigInt(`0x${wordAt(digits, at).slice(-Number(bits) / 4)}`),
        write: (value) => wordOf(value as bigint, field, Number(bits)),
      };
    case "bytes32":
      return {
        read: (digits, at) => `0x${wordAt(digits, at)}`,
        write: (value) => hexIn(value, field, WORD),
      };
    case "address":
      return {
        read(digits, at) {
          const word = wordAt(digits, at);
          if (!word.startsWith(PADDING)) throw new Undecodable(field, "value exceeds width (20 bytes)");
          return checksumAddress(word.slice(PADDING.length));
        },
        write: (value) => PADDING + hexIn(value, field, 2 * ADDRESS_BYTES),
      };
    case "bool":
      return {
        read: (digits, at) => wordAt(digits, at) !== ZERO,
        write: (value) => wordOf(value ? 1n : 0n, field),
      };
    default:
      throw unsupported(field);
  }
}

function bytesCodec(field: Field): Codec {
  return {
    isDynamic: true,
    size: WORD,
    read: (digits, at) => `0x${takeAt(digits, at + WORD, indexAt(digits, at, field), field)}`,
    write(value) {
      const hex = hexIn(value, field);
      return wordOf(BigInt(hex.length / 2), field) + hex.padEnd(Math.ceil(hex.length / WORD) * WORD, "0");
    },
  };
}

/** @param length Number of items; -1 if it precedes them in the data. */
function arrayCodec(field: Field, item: Codec, length: number): Codec {
  if (item.isDynamic) throw unsupported(field);
  const isDynamic = length < 0;
  return {
    isDynamic,
    size: isDynamic ? WORD : length * item.size,
    read(digits, at) {
      const count = isDynamic ? indexAt(digits, at, field) / 2 : length;
      const first = isDynamic ? at + WORD : at;
      // Checked first, or the length of a hostile log would fill the memory.
      takeAt(digits, first, count * item.size, field);
      return Array.from({ length: count }, (_, i) => item.read(digits, first + i * item.size));
    },
    write(value) {
      const items = value as unknown[];
      const count = items.length;
      if (!isDynamic && count !== length) throw new RangeError(`${field.name}: ${count} items instead of ${length}`);
      return [isDynamic ? wordOf(BigInt(count), field) : "", ...items.map((each) => item.write(each))].join("");
    },
  };
}

function tupleCodec(field: Field, parts: readonly (readonly [name: string, codec: Codec])[]): Codec {
  if (parts.some(([, { isDynamic }]) => isDynamic)) throw unsupported(field);
  return {
    isDynamic: false,
    size: parts.reduce((sum, [, { size }]) => sum + size, 0),
    read(digits, at) {
      const values: Values = {};
      let place = at;
      for (const [name, { size, read }] of parts) {
        values[name] = read(digits, place);
        place += size;
      }
      return values;
    },
    write: (value) => parts.map(([name, { write }]) => write((value as Values)[name])).join(""),
  };
}

/** Encodes an unsigned number of at most `bits` bits, a multiple of 4. */
function wordOf(number: bigint, { name, type }: Field, bits = 256): string {
  const digits = number.toString(16);
  if (number < 0n || digits.length > bits / 4) throw new RangeError(`${name}: ${number} is not of type ${type}`);
  return digits.padStart(WORD, "0");
}

/** Returns the digits of hex bytes, `size` of them if given. */
function hexIn(value: unknown, { name, type }: Field, size?: number): string {
  const hex = value as Hex;
  if (HEX.test(hex) && hex.length - 2 === (size ?? hex.length - 2)) return hex.slice(2).toLowerCase();
  throw new RangeError(`${name}: ${hex} is not of type ${type}`);
}
