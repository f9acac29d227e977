import { UNPRINTABLE } from "./text.js";

/**
 * Turns unknown data into a `T`. Missing fields are read as undefined.
 * @param path Name of the field in errors; empty for the whole input.
 * @throws InputError that names the field.
 */
export type Reader<T> = (value: unknown, path: string) => T;

/** Maximum characters of a line that quotes untrusted text. */
const LONGEST = 1000;

type Shape = Readonly<Record<string, Reader<unknown>>>;
type Read<S extends Shape> = { [K in keyof S]: S[K] extends Reader<infer T> ? T : never };

/**
 * Thrown for input that breaks a rule. The message is `path: problem`, e.g. `teams[1][2].luck: 1001 is above 1000`: one
 * line that can be printed, whatever it quotes.
 * @example
 * ```ts
 * import { InputError } from "duello";
 *
 * const error = new InputError("stake", "1001 is above 1000");
 * error.message; // => "stake: 1001 is above 1000"
 * ```
 */
export class InputError extends Error {
  override readonly name = "InputError";

  constructor(
    readonly path: string,
    readonly problem: string,
  ) {
    super(oneLine(clipped(`${path}: ${problem}`)));
  }
}

/**
 * Reads an object with exactly these fields; unknown fields are refused.
 * @throws InputError, from the reader, for any other value, and as the readers of the fields do.
 * @example
 * ```ts
 * import { integer, object, optional, text } from "duello";
 *
 * const readMode = object({ teamSize: integer(1, 5), name: optional(text, "unnamed") });
 * readMode({ teamSize: 3 }, "mode"); // => { teamSize: 3, name: "unnamed" }
 * ```
 */
export function object<S extends Shape>(shape: S): Reader<Read<S>> {
  return (value, path) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw notA(value, path, "an object");
    const fields = new Map(Object.entries(value));
    const read = Object.entries(shape).map(([key, reader]) => [key, reader(fields.get(key), join(path, key))]);
    // Checked last, so that a wrong field is reported before an unknown one.
    const unknown = [...fields.keys()].find((key) => !Object.hasOwn(shape, key));
    if (unknown !== undefined) throw new InputError(join(path, unknown), "unknown field");
    return Object.fromEntries(read) as Read<S>;
  };
}

/**
 * Reads a list of exactly `length` items.
 * @throws InputError, from the reader, for any other value, and as `item` does.
 * @example
 * ```ts
 * import { integer, list } from "duello";
 *
 * const readPair = list(integer(0, 9), 2);
 * readPair([3, 4], "moves"); // => [3, 4]
 * ```
 */
export function list<T>(item: Reader<T>, length: number): Reader<T[]> {
  return (value, path) => {
    if (!Array.isArray(value)) throw notA(value, path, "a list");
    if (value.length !== length) throw new InputError(path, `${value.length} items instead of ${length}`);
    return Array.from(value, (entry, i) => item(entry, `${path}[${i}]`));
  };
}

/**
 * Reads a list of at most `max` items.
 * @throws InputError, from the reader, for any other value, and as `item` does.
 * @example
 * ```ts
 * import { integer, listUpTo } from "duello";
 *
 * const readTeam = listUpTo(integer(1, 100), 5);
 * readTeam([7, 12, 30], "team"); // => [7, 12, 30]
 * ```
 */
export function listUpTo<T>(item: Reader<T>, max: number): Reader<T[]> {
  return (value, path) => {
    if (Array.isArray(value) && value.length > max) throw new InputError(path, `more than ${max} items`);
    return list(item, Array.isArray(value) ? value.length : 0)(value, path);
  };
}

/** Reads an object with arbitrary field names. @param item Reads one field. */
export function fields<T>(item: (value: unknown, path: string, name: string) => T): Reader<Map<string, T>> {
  return (value, path) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw notA(value, path, "an object");
    return new Map(Object.entries(value).map(([name, field]) => [name, item(field, join(path, name), name)]));
  };
}

/**
 * Reads one of the given words.
 * @throws InputError, from the reader, for any other value.
 * @example
 * ```ts
 * import { oneOf } from "duello";
 *
 * const readLevel = oneOf("easy", "hard");
 * readLevel("hard", "level"); // => "hard"
 * ```
 */
export function oneOf<W extends string>(...words: readonly W[]): Reader<W> {
  return (value, path) => {
    const word = words.find((each) => each === value);
    if (word === undefined) throw notA(value, path, `one of ${words.join(", ")}`);
    return word;
  };
}

/**
 * Reads a text.
 * @throws InputError for any other value.
 * @example
 * ```ts
 * import { text } from "duello";
 *
 * text("alice", "name"); // => "alice"
 * ```
 */
export const text: Reader<string> = (value, path) => {
  if (typeof value !== "string") throw notA(value, path, "a text");
  return value;
};

/**
 * Reads an optional field.
 * @param fallback Value of a missing field.
 * @throws InputError, from the reader, as `reader` does.
 * @example
 * ```ts
 * import { integer, optional } from "duello";
 *
 * const readPort = optional(integer(1, 65_535), 8545);
 * readPort(undefined, "port"); // => 8545
 * ```
 */
export function optional<T, D>(reader: Reader<T>, fallback: D): Reader<T | D> {
  return (value, path) => (value === undefined ? fallback : reader(value, path));
}

/** Reads a value that may be null, which is read as undefined. */
export function nullable<T>(reader: Reader<T>): Reader<T | undefined> {
  return (value, path) => (value === null ? undefined : reader(value, path));
}

/**
 * Reads a JSON integer from `min` to `max`, both included and at most 2^53 - 1.
 * @throws InputError, from the reader, for any other value.
 * @example
 * ```ts
 * import { integer } from "duello";
 *
 * const readTeamSize = integer(1, 5);
 * readTeamSize(3, "teamSize"); // => 3
 * ```
 */
export function integer(min: number, max: number): Reader<number> {
  return (value, path) => {
    if (!Number.isInteger(value)) throw notA(value, path, "an integer");
    const number = Number(value);
    if (number < min) throw new InputError(path, `${number} is below ${min}`);
    if (number > max) throw new InputError(path, `${number} is above ${max}`);
    // JSON can contain -0.
    return number === 0 ? 0 : number;
  };
}

/** Creates a reader of unsigned decimal integers with up to `bits` bits. */
export function decimal(bits: number): Reader<bigint> {
  return (value, path) => {
    const written = text(value, path);
    if (!/^(0|[1-9]\d{0,77})$/.test(written) || BigInt(written) >> BigInt(bits) !== 0n) {
      throw new InputError(path, `${JSON.stringify(written)} is no number of ${bits} bits`);
    }
    return BigInt(written);
  };
}

/**
 * Reads true or false.
 * @throws InputError for any other value.
 * @example
 * ```ts
 * import { boolean } from "duello";
 *
 * boolean(true, "rated"); // => true
 * ```
 */
export const boolean: Reader<boolean> = (value, path) => {
  if (typeof value !== "boolean") throw notA(value, path, "true or false");
  return value;
};

/**
 * Reads 32 bytes, written as 0x and 64 hex digits in any case; returns them in lowercase.
 * @throws InputError for any other value.
 * @example
 * ```ts
 * import { bytes32 } from "duello";
 *
 * bytes32(salt, "salt") === salt; // => true
 * ```
 */
export const bytes32: Reader<string> = (value, path) => {
  if (typeof value !== "string" || !/^0x[0-9a-fA-F]{64}$/.test(value)) {
    throw notA(value, path, "0x and 64 hex digits");
  }
  return value.toLowerCase();
};

/**
 * Turns any text into one line: characters that are invisible or move the cursor become a space, and a line that is too
 * long is cut.
 * @param longest Maximum characters of the line.
 * @example
 * ```ts
 * import { oneLine } from "duello";
 *
 * oneLine("first\nsecond"); // => "first second"
 * ```
 */
export function oneLine(text: string, longest = LONGEST): string {
  const some = text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
  return some.replace(UNPRINTABLE, " ");
}

/** Cuts the middle out of a text that is too long: the violated rule is named at its beginning or end. */
function clipped(text: string): string {
  const half = LONGEST / 2;
  return text.length <= LONGEST ? text : `${text.slice(0, half)}…${text.slice(1 - half)}`;
}

function notA(value: unknown, path: string, wanted: string): InputError {
  return new InputError(path || "input", value === undefined ? "left out" : `${show(value)} is not ${wanted}`);
}

function show(value: unknown): string {
  if (typeof value === "string" && value.length > 80) return `a text of ${value.length} characters`;
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "object" || value === null) return String(value);
  return Array.isArray(value) ? "a list" : "an object";
}

function join(path: string, key: string): string {
  if (!/^[\w$-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}
