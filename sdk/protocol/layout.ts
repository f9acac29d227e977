import { numberAt } from "./bytes.js";
import { InputError } from "./input.js";
import { hexWord } from "./word.js";

/** Start and width of a field. Bits count from the lowest of a word, bytes from the first. */
export interface Field {
  readonly at: number;
  readonly width: number;
}

/** Fields of packed data, by name. */
export type Layout<K extends string = string> = Readonly<Record<K, Field>>;

/** Values of the fields of a layout. */
export type Values<L extends Layout> = Record<keyof L, number>;

/** Bits of a limb, a part of a word that fits a plain number. */
const LIMB = 32;

/**
 * Declares a layout: `[start, width]` by field, in bits of a word or in bytes.
 * @throws RangeError for fields that overlap.
 */
export function layout<K extends string>(places: Readonly<Record<K, readonly [at: number, width: number]>>): Layout<K> {
  const entries = Object.entries<readonly [number, number]>(places);
  let end = 0;
  for (const [name, [at, width]] of entries.toSorted(([, [one]], [, [other]]) => one - other)) {
    if (at < end) throw new RangeError(`the field ${name} starts at ${at}, before the end of another at ${end}`);
    end = at + width;
  }
  return Object.fromEntries(entries.map(([name, [at, width]]) => [name, { at, width }])) as Layout<K>;
}

/** Packs fields into a word. Every value must fit its field; flags are 0 or 1. */
export function pack<L extends Layout>(fields: L, values: Values<L>): bigint {
  const limbs: number[] = [];
  let word = 0n;
  for (const name in fields) {
    const { at, width } = fields[name];
    const shift = at % LIMB;
    // Plain numbers are several times faster, and exact up to 53 bits.
    if (shift + width > 53) word += BigInt(values[name]) << BigInt(at);
    else limbs[(at - shift) / LIMB] = (limbs[(at - shift) / LIMB] ?? 0) + values[name] * 2 ** shift;
  }
  for (const [limb, part = 0] of limbs.entries()) word += BigInt(part) << BigInt(limb * LIMB);
  return word;
}

/** Unpacks the fields of a word. Numbers above 2^53 - 1 are rounded. */
export function unpack<L extends Layout>(fields: L, word: bigint): Values<L> {
  const values: Partial<Record<string, number>> = {};
  for (const name in fields) {
    const { at, width } = fields[name];
    values[name] = Number(BigInt.asUintN(width, word >> BigInt(at)));
  }
  return values as Values<L>;
}

/**
 * Unpacks a log entry, which must be exactly what `pack` makes of its fields.
 * @param isValid Tells if a game can have written an entry with these fields.
 * @throws InputError for any other entry.
 */
export function unpackEntry<L extends Layout>(
  fields: L,
  entry: bigint,
  isValid: (values: Values<L>) => boolean = () => true,
): Values<L> {
  const values = unpack(fields, entry);
  if (isValid(values) && pack(fields, values) === entry) return values;
  throw new InputError("log", `${hexWord(entry)} is no entry of it`);
}

/** Reads the unsigned big-endian number, of at most 6 bytes, in a field of bytes. */
export function readField(bytes: Uint8Array, { at, width }: Field): number {
  return numberAt(bytes, at, width);
}

/** Writes an unsigned big-endian number, of at most 6 bytes, into a field of bytes, in which it must fit. */
export function writeField(bytes: Uint8Array, { at, width }: Field, value: number): void {
  let rest = value;
  for (let i = at + width - 1; i >= at; i--) {
    bytes[i] = rest % 256;
    rest = Math.floor(rest / 256);
  }
}

/** Returns the bytes of a field, which share memory with all bytes. */
export function sliceField(bytes: Uint8Array, { at, width }: Field): Uint8Array {
  return bytes.subarray(at, at + width);
}
