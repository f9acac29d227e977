import fc, { type Arbitrary } from "fast-check";
import { bytesOf, hexOf } from "../../sdk/protocol/bytes.js";
import type { Hex } from "../../sdk/protocol/hex.js";

/** An edit of an input: its kind, its place, and its content. */
type Edit = readonly [kind: number, at: number, value: number];

const edits = fc.array(fc.tuple(fc.nat(7), fc.nat(), fc.nat()), { minLength: 1, maxLength: 3 });
const WORD = 32;
const MAX_TYPED = 500;
const MAX_WORD = 2n ** 256n - 1n;

/** A very long text. */
const HUGE = "9".repeat(100_000);
/** Texts that are easily mistaken for something else. */
const TEXTS = [
  "",
  " ",
  "0",
  "-1",
  "00",
  "1e9",
  "0x",
  "0X00",
  "0x0",
  "0xzz",
  "NaN",
  "Infinity",
  "null",
  "concede",
  "stuck",
  "__proto__",
  "constructor",
  "toString",
  "length",
  "default",
  "COIN",
  "FIGHT",
  "all",
  "--",
  "-1d",
  "999999999999d",
  "\u001b[2J\u001b[31m",
  "a\nb\r\u2028c",
  "\u202egnp",
  "\ud800",
  "é",
  "ß",
  "\0",
  "1".repeat(78),
  HUGE,
];

/** Nested lists, deeper than the call stack. */
const DEEP_TEXT = "[".repeat(20_000) + "]".repeat(20_000);
const DEEP: unknown = JSON.parse(DEEP_TEXT);
/** JSON values that no reader expects; lists and objects are created each time, since edits change them. */
const NUMBERS = [0, -0, -1, 1.5, 7, 256, 1e300, 2 ** 53, -(2 ** 53), Infinity, -Infinity];
const HOLDERS = [
  "[]",
  "{}",
  "[[]]",
  "[null,null]",
  `[${"0,".repeat(999)}0]`,
  '{"__proto__":{"chainId":1}}',
  '{"toString":1,"valueOf":2}',
  '{"length":-1}',
  '{"toJSON":1}',
];
const VALUES: (() => unknown)[] = [
  ...[null, true, false, DEEP, ...NUMBERS, ...TEXTS].map((value) => () => value),
  ...HOLDERS.map((json) => (): unknown => JSON.parse(json)),
];

/** Generates bytes like these with edits, arbitrary bytes, and texts that are not hex. */
export function hexNear(samples: readonly Hex[]): Arbitrary<Hex> {
  const any = fc.uint8Array({ maxLength: 200 }).map(hexOf);
  const near = fc
    .tuple(fc.constantFrom(...samples), edits)
    .map(([sample, list]) => hexOf(list.reduce(editedBytes, bytesOf(sample))));
  const wrong = fc.constantFrom("", "0x0", "0xzz", "zz", "0x\u001b[2J", `0x${HUGE}f`);
  return fc.oneof({ weight: 16, arbitrary: near }, { weight: 4, arbitrary: any }, { weight: 1, arbitrary: wrong });
}

/** Applies an edit to bytes. */
function editedBytes(bytes: Uint8Array, [kind, at, value]: Edit): Uint8Array {
  const place = at % (bytes.length + 1);
  const changed = bytes.slice();
  if (kind === 0 && place < bytes.length) changed[place] ^= 1 << (value & 7);
  if (kind === 1 && place < bytes.length) changed[place] = value;
  if (kind === 2) return bytes.slice(0, place);
  if (kind === 3) return new Uint8Array([...bytes, ...Array<number>(1 + (value % 40)).fill(value)]);
  if (kind === 4) return new Uint8Array([...bytes.slice(0, place), ...bytes.slice(place + 1 + (value % WORD))]);
  if (kind === 5) changed.fill(255, place, place + 1 + (value % WORD));
  if (kind === 6) changed.fill(0, place, place + 1 + (value % WORD));
  if (kind === 7) return new Uint8Array([...bytes.slice(place), ...bytes.slice(0, place)]);
  return changed;
}

/** Generates words of 256 bits like these, and arbitrary ones. */
export function wordsNear(samples: readonly bigint[]): Arbitrary<bigint> {
  const bit = fc.nat(255).map((at) => 1n << BigInt(at));
  const near = fc
    .tuple(fc.constantFrom(...samples), fc.array(bit, { maxLength: 4 }))
    .map(([word, bits]) => bits.reduce((changed, each) => changed ^ each, word));
  const any = fc.bigInt({ min: 0n, max: MAX_WORD });
  return fc.oneof({ weight: 3, arbitrary: near }, { weight: 1, arbitrary: any });
}

/** Generates texts like these, texts with a meaning elsewhere, and arbitrary ones. */
export function textsNear(samples: readonly string[]): Arbitrary<string> {
  const near = fc.tuple(fc.constantFrom(...samples), edits).map(([sample, list]) => list.reduce(editedText, sample));
  return fc.oneof(
    { weight: 4, arbitrary: near },
    { weight: 2, arbitrary: fc.constantFrom(...TEXTS) },
    { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
  );
}

/** Generates lists of such texts. */
export function listsNear(samples: readonly (readonly string[])[]): Arbitrary<string[]> {
  const words = [...new Set(samples.flat())];
  const near = fc.tuple(fc.constantFrom(...samples), fc.nat(), textsNear(words)).map(([sample, at, text]) => {
    const place = at % (sample.length + 1);
    return [...sample.slice(0, place), text, ...sample.slice(place + (at % 2))];
  });
  return fc.oneof(near, fc.array(textsNear(words), { maxLength: 8 }));
}

/**
 * Generates arguments like these. They are as short as typed ones, since Node takes seconds to parse a long group of
 * short options.
 */
export function argumentsNear(samples: readonly (readonly string[])[]): Arbitrary<string[]> {
  return listsNear(samples).filter((args) => args.every(({ length }) => length < MAX_TYPED));
}

function editedText(text: string, [kind, at, value]: Edit): string {
  const place = at % (text.length + 1);
  const [before, after] = [text.slice(0, place), text.slice(place)];
  if (kind < 2) return before + String.fromCharCode(value % (kind === 0 ? 128 : 65_536)) + after.slice(1);
  if (kind === 2) return before;
  if (kind === 3) return before + TEXTS[value % TEXTS.length] + after;
  if (kind === 4) return before + after.slice(1);
  if (kind === 5) return before + before + after;
  return kind === 6 ? text.toUpperCase() : text.toLowerCase();
}

/** JSON like these values, with fields and items changed, added, removed and moved; and arbitrary JSON. */
export function jsonNear(samples: readonly unknown[]): Arbitrary<unknown> {
  const texts = samples.map((sample) => JSON.stringify(sample));
  const near = fc
    .tuple(fc.constantFrom(...texts), edits)
    .map(([text, list]) => list.reduce<unknown>(editedJson, JSON.parse(text)));
  return fc.oneof(
    { weight: 8, arbitrary: near },
    { weight: 1, arbitrary: fc.jsonValue() },
    { weight: 1, arbitrary: fc.constantFrom(...VALUES).map((value) => value()) },
  );
}

/** Files of JSON like these values, and others whose text was changed. */
export function filesNear(samples: readonly unknown[]): Arbitrary<string> {
  const json = jsonNear(samples).map((value) => (isDeep(value) ? DEEP_TEXT : JSON.stringify(value)));
  return fc.oneof(
    { weight: 3, arbitrary: json },
    { weight: 1, arbitrary: textsNear(samples.map((each) => JSON.stringify(each))) },
  );
}

/** Returns true for a value that is too deep to be written. */
function isDeep(value: unknown): boolean {
  return value === DEEP || (typeof value === "object" && value !== null && Object.values(value).some(isDeep));
}

type Holder = Record<string, unknown>;

/** Applies an edit to a value in place. */
function editedJson(json: unknown, [kind, at, value]: Edit): unknown {
  const places = placesIn(json);
  const odd = VALUES[value % VALUES.length]();
  if (places.length === 0) return odd;
  const [holder, key] = places[at % places.length];
  const old = holder[key];
  if (kind < 3) put(holder, key, odd);
  else if (kind === 3) put(holder, key, typeof old === "number" ? old + (value % 5) - 2 : [old]);
  else if (kind === 4 && !Array.isArray(holder)) put(holder, TEXTS[value % TEXTS.length], old);
  else if (kind === 5) Array.isArray(holder) ? holder.splice(Number(key), 1) : Reflect.deleteProperty(holder, key);
  else if (kind === 6) Array.isArray(holder) ? holder.push(old) : put(holder, `${key}s`, old);
  else put(holder, key, typeof old === "string" ? editedText(old, [value % 8, value, at]) : odd);
  return json;
}

/** Sets a field as JSON.parse does: its name may be __proto__. */
function put(holder: Holder, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
}

/** All nested values, by their containers. */
function placesIn(json: unknown, depth = 0): [Holder, string][] {
  if (typeof json !== "object" || json === null || json === DEEP || depth > 8) return [];
  const holder = json as Holder;
  return Object.keys(holder)
    .slice(0, 50)
    .flatMap((key): [Holder, string][] => [[holder, key], ...placesIn(holder[key], depth + 1)]);
}
