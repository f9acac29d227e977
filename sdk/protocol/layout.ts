import { numberAt } from "./bytes.js";
import { InputError } from "./input.js";
import { hexWord } from "./word.js";

/** Start and width of a field. Bits are counted from the lowest bit of a word, bytes from the first byte. */
export interface Field {
  readonly at: number;
  readonly width: number;
}

/** Fields of packed data, by name. */
export type Layout<K extends string = string> = Readonly<Record<K, Field>>;

/** Values of the fields of a layout. */
export type Values<L extends Layout> = Record<keyof L, number>;

/** Neighbouring fields of a word that are processed as one plain number, which is several times faster. */
interface Chunk {
  /** Lowest bit of the first field. */
  readonly at: bigint;
  /** Fields with the factors that put their values in place. */
  readonly parts: readonly { name: string; factor: number }[];
}

/** Bits up to which plain numbers are exact. */
const EXACT = 53;

const chunksByLayout = new WeakMap<Layout, Chunk[]>();

/**
 * Declares a layout: `[start, width]` by field, in bits of a word or in bytes.
 * @throws RangeError for fields that overlap.
 * @example
 * ```ts
 * import { layout } from "duello";
 *
 * const MARK = layout({ cell: [0, 4], side: [4, 1] });
 * MARK.side; // => { at: 4, width: 1 }
 * ```
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

/**
 * Packs fields into a word. Every value must fit its field; flags are 0 or 1.
 * @example
 * ```ts
 * import { layout, pack } from "duello";
 *
 * const MARK = layout({ cell: [0, 4], side: [4, 1] });
 * pack(MARK, { cell: 8, side: 1 }); // => 24n
 * ```
 */
export function pack<L extends Layout>(fields: L, values: Values<L>): bigint {
  let word = 0n;
  for (const { at, parts } of chunksOf(fields)) {
    let chunk = 0;
    for (const { name, factor } of parts) chunk += values[name] * factor;
    word += BigInt(chunk) << at;
  }
  return word;
}

/**
 * Unpacks the fields of a word. Numbers above 2^53 - 1 are rounded.
 * @example
 * ```ts
 * import { layout, unpack } from "duello";
 *
 * const MARK = layout({ cell: [0, 4], side: [4, 1] });
 * unpack(MARK, 24n); // => { cell: 8, side: 1 }
 * ```
 */
export function unpack<L extends Layout>(fields: L, word: bigint): Values<L> {
  const values: Partial<Record<string, number>> = {};
  for (const name in fields) {
    const { at, width } = fields[name];
    values[name] = Number(BigInt.asUintN(width, word >> BigInt(at)));
  }
  return values as Values<L>;
}

/**
 * Unpacks a log entry, which must equal the `pack` of its fields.
 * @param isValid True if a game can have written an entry with these fields.
 * @throws InputError for any other entry.
 * @example
 * ```ts
 * import { layout, unpackEntry } from "duello";
 *
 * const MARK = layout({ cell: [0, 4], side: [4, 1] });
 * unpackEntry(MARK, 24n, ({ cell }) => cell < 9); // => { cell: 8, side: 1 }
 * unpackEntry(MARK, 32n); // throws InputError: log: 0x00…0020 is no entry of it
 * ```
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

/**
 * Reads the unsigned big-endian number, of at most 6 bytes, in a field of bytes.
 * @example
 * ```ts
 * import { readField } from "duello";
 *
 * readField(Uint8Array.of(9, 1, 2), { at: 1, width: 2 }); // => 258
 * ```
 */
export function readField(bytes: Uint8Array, { at, width }: Field): number {
  return numberAt(bytes, at, width);
}

/**
 * Writes an unsigned big-endian number, of at most 6 bytes, into a field of bytes. The number must fit the field.
 * @example
 * ```ts
 * import { writeField } from "duello";
 *
 * const bytes = new Uint8Array(3);
 * writeField(bytes, { at: 1, width: 2 }, 258);
 * bytes; // => Uint8Array.of(0, 1, 2)
 * ```
 */
export function writeField(bytes: Uint8Array, { at, width }: Field, value: number): void {
  let rest = value;
  for (let i = at + width - 1; i >= at; i--) {
    bytes[i] = rest % 256;
    rest = Math.floor(rest / 256);
  }
}

/** Returns the bytes of a field, as a view of the same memory. */
export function sliceField(bytes: Uint8Array, { at, width }: Field): Uint8Array {
  return bytes.subarray(at, at + width);
}

/** Splits a field into `count` equal fields, starting at the first byte or the lowest bit. */
export function partsOf({ at, width }: Field, count: number): Field[] {
  return Array.from({ length: count }, (_, i) => ({ at: at + (i * width) / count, width: width / count }));
}

/** Splits a word's fields into chunks, once for each layout. A field wider than a chunk gets its own chunk. */
function chunksOf(fields: Layout): readonly Chunk[] {
  const known = chunksByLayout.get(fields);
  if (known) return known;
  const chunks: { at: number; parts: { name: string; factor: number }[] }[] = [];
  for (const [name, { at, width }] of Object.entries(fields).sort(([, one], [, other]) => one.at - other.at)) {
    const last = chunks.at(-1);
    if (last && at + width - last.at <= EXACT) last.parts.push({ name, factor: 2 ** (at - last.at) });
    else chunks.push({ at, parts: [{ name, factor: 1 }] });
  }
  const found = chunks.map(({ at, parts }) => ({ at: BigInt(at), parts }));
  chunksByLayout.set(fields, found);
  return found;
}
