import { isDeepStrictEqual } from "node:util";
import { expect } from "chai";
import { hexlify, Interface, type EventFragment, type Log, type ParamType, type Result } from "ethers";
import { Random } from "../../../scripts/soak/random.js";
import { EventCodec } from "../../../sdk/chain/event-codec.js";
import {
  decodeEvent,
  encodeEvent,
  eventNames,
  fieldsOf,
  interfaceOf,
  MalformedEvent,
  type AnyEvent,
  type EventName,
} from "../../../sdk/chain/events.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { recorded } from "../../support/recorded.js";

/** Number of changed logs. Ethers takes a hundred microseconds for each. */
const LOGS = process.env.THOROUGH ? 100_000 : 10_000;
/** Number of valid logs of each event. */
const VALID = 20;
const SEED = "events";

interface Encoded {
  topics: Hex[];
  data: Hex;
}

/** Offsets and lengths at limits of words, of 32-bit numbers, of JavaScript's integers, and of words of the EVM. */
const INDEXES = [0n, 1n, 31n, 32n, 33n, 64n, 96n, 2n ** 31n, 2n ** 32n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 64n]
  .concat([2n ** 160n, 2n ** 255n, 2n ** 256n - 32n, 2n ** 256n - 1n])
  .map(wordOf);

/** Starts of a word that turn a number, an address, a flag or a hash into another one, or into none. */
const DIRT = ["01", "80", "000000000000000000000001"];

function wordOf(number: bigint | number): string {
  return number.toString(16).padStart(64, "0");
}

/** Returns the values that ethers decodes, with tuples as objects; undefined if it refuses any. */
function byEthers(name: EventName, { topics, data }: Encoded): object | undefined {
  try {
    const values = interfaceOf(name).decodeEventLog(name, data, topics);
    return Object.fromEntries(fieldsOf(name).map((field, i) => [field.name, plain(field, values[i])]));
  } catch {
    return undefined;
  }
}

function plain({ baseType, components, arrayChildren }: ParamType, value: unknown): unknown {
  if (baseType === "array") return Array.from(value as Result, (item: unknown) => plain(arrayChildren!, item));
  if (baseType !== "tuple") return value;
  return Object.fromEntries(components!.map((each, i) => [each.name, plain(each, (value as Result)[i])]));
}

/** Returns the values that the codec decodes; undefined if it refuses the log. */
function byCodec(log: Encoded): object | undefined {
  try {
    return decodeEvent(log as unknown as Log).args;
  } catch (error) {
    if (error instanceof MalformedEvent) return undefined;
    throw error;
  }
}

/** The names of an object's fields in their order. */
function keysOf(fields: object | undefined): string {
  return String(Object.keys(fields ?? {}));
}

/** Writes logs of all events with random values, and changes them. */
class LogFuzzer {
  private readonly random = new Random(SEED);

  /** Returns a valid log, as ethers encodes it. */
  valid(name: EventName): Encoded {
    const values = fieldsOf(name).map((field) => this.value(field));
    return interfaceOf(name).encodeEventLog(name, values);
  }

  /** Returns one of some logs, with up to three changes. */
  changedOf(logs: readonly Encoded[]): Encoded {
    let log = this.random.pick(logs);
    for (let changes = this.random.below(4); changes > 0; changes--) log = this.change(log);
    return log;
  }

  private value({ type, baseType, components, arrayChildren, arrayLength }: ParamType): unknown {
    if (baseType === "array") {
      const length = arrayLength! < 0 ? this.random.below(4) : arrayLength!;
      return Array.from({ length }, () => this.value(arrayChildren!));
    }
    if (baseType === "tuple") return components!.map((each) => this.value(each));
    if (type === "bool") return this.random.likely(50);
    const width = Number(/\d+$/.exec(type) ?? 0);
    if (type.startsWith("uint")) return BigInt(`0x${this.digits(width / 8)}`);
    return `0x${this.digits(type === "address" ? 20 : width || this.random.below(70))}`;
  }

  /** Returns hex digits of bytes: five random ones, repeated. */
  private digits(length: number): string {
    return hexlify(this.random.bytes(5))
      .slice(2)
      .repeat(length)
      .slice(0, 2 * length);
  }

  private change({ topics, data }: Encoded): Encoded {
    const { random } = this;
    const at = 1 + random.below(3);
    if (random.likely(80) || at >= topics.length) return { topics, data: this.changed(data) };
    if (random.likely(70)) return { topics: topics.with(at, this.changed(topics[at])), data };
    if (random.likely(50)) return { topics: topics.toSpliced(at, 1), data };
    return { topics: topics.toSpliced(at, 0, `0x${random.pick(INDEXES)}`), data };
  }

  private changed(hex: Hex): Hex {
    const { random } = this;
    const length = (hex.length - 2) >> 1;
    const at = random.below(length + 1);
    const word = at - (at % 32);
    const put = (place: number, digits: string) => {
      const start = 2 + 2 * place;
      return hex.slice(0, start) + digits + hex.slice(start + digits.length);
    };
    switch (random.below(8)) {
      case 0:
        return put(at, this.digits(1));
      case 1:
        return hex.slice(0, 2 + 2 * at);
      case 2:
        return hex + this.digits(1 + random.below(70));
      case 3:
        return put(word, random.pick(DIRT));
      case 4:
        return random.pick([hex.toUpperCase(), hex.slice(0, -1), `${hex}0g`, hex.slice(2), `${hex}AB`]);
      case 5:
        return put(word, wordOf(random.below(length + 70)));
      case 6:
        return put(word, wordOf((length - word) >> 5));
      default:
        return put(word, random.pick(INDEXES));
    }
  }
}

describe("Codec of events", () => {
  it("encodes and decodes every recorded log like ethers", async () => {
    const { archive } = await recorded();
    for (const event of archive.all) {
      const { name, args } = event;
      const log = interfaceOf(name).encodeEventLog(name, Object.values(args));
      expect(encodeEvent(event)).to.deep.equal(log);
      expect(byCodec(log)).to.deep.equal(args);
      expect(byEthers(name, log)).to.deep.equal(args);
    }
  });

  it("encodes valid logs of all events like ethers, and decodes or refuses malformed ones like ethers", () => {
    const fuzzer = new LogFuzzer();
    const expectSame = (found: object | undefined, expected: object | undefined, log: Encoded) => {
      const isSame = isDeepStrictEqual(found, expected) && keysOf(found) === keysOf(expected);
      if (!isSame) expect(found, `seed ${SEED}: ${JSON.stringify(log)}`).to.deep.equal(expected);
    };
    for (const name of eventNames()) {
      const valid = Array.from({ length: VALID }, () => fuzzer.valid(name));
      for (const log of valid) expectSame(encodeEvent({ name, args: byCodec(log) } as AnyEvent), log, log);
      for (let n = 0; n < LOGS; n += eventNames().length) {
        const log = fuzzer.changedOf(valid);
        expectSame(byCodec(log), byEthers(name, log), log);
      }
    }
  });

  for (const field of [
    "int8 a",
    "string a",
    "bytes[] a",
    "tuple(bytes b) a",
    "bytes indexed a",
    "uint8[2] indexed a",
  ]) {
    it(`rejects the declaration of an event with the field ${field}`, () => {
      const [fragment] = new Interface([`event E(${field})`]).fragments;
      expect(() => new EventCodec(fragment as EventFragment)).to.throw(
        /^Field a.* of an event has the type .+, which is not supported\.$/,
      );
    });
  }

  for (const [type, value] of [
    ["uint8", 256n],
    ["uint8", -1n],
    ["address", "0x12"],
    ["bytes32", "0x123456789a"],
    ["bytes", "0x123"],
    ["uint8[2]", [1n]],
  ] as const) {
    it(`refuses to encode ${String(value)} as ${type}`, () => {
      const [fragment] = new Interface([`event E(${type} a)`]).fragments;
      expect(() => new EventCodec(fragment as EventFragment).encode({ a: value })).to.throw(RangeError, /^a: /);
    });
  }
});
