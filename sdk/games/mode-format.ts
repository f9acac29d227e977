import { ZeroHash } from "ethers";
import type { History } from "../chain/history.js";
import type { Hex } from "../protocol/hex.js";
import { InputError, object, optional, type Reader } from "../protocol/input.js";
import type { Terms } from "../protocol/terms.js";

/** Format of a game's modes: as JSON values, as the content that the game registers, and in words. */
export interface ModeFormat {
  /**
   * Encodes a mode, given as a JSON value with the fields of the game's page. The content of the default mode is empty.
   * @throws InputError that names the field, its violated bound and the reason for that bound.
   */
  encode(value: unknown): Hex;
  /**
   * Decodes the content of a mode as a JSON value, which `encode` takes.
   * @throws Error for content that the game would not register.
   */
  decode(content: Hex): object;
  /**
   * Describes the content of a mode in a few lines of text.
   * @throws Error for content that the game would not register.
   */
  describe(content: Hex): string[];
}

/** Functions of a game that read and write its modes; `modeFormat` makes its format from them. */
export interface ModeCodec<M extends object> {
  /** The default mode; without it the game has no default. */
  usual?: M;
  /** Reads a mode from a JSON value; omitted fields get their defaults. @throws InputError */
  read(value: unknown, path: string): M;
  encode(mode: M): Hex;
  /** Decodes content that is not empty. */
  decode(content: Hex): M;
  /** Converts a mode to a JSON value; defaults to the mode itself, which must then be a JSON value. */
  toJson?(mode: M): object;
  describe(mode: M): string[];
  /** Reasons for the bounds, by field. */
  reasons: Readonly<Record<string, string>>;
}

/** Makes the format of a game's modes. */
export function modeFormat<M extends object>(codec: ModeCodec<M>): ModeFormat {
  const { usual, reasons, toJson = (mode: M): object => mode } = codec;
  const decode = (content: Hex) => modeBehind(codec, content);
  return {
    encode(value) {
      const content = codec.encode(withReason(reasons, () => codec.read(value, "")));
      return usual !== undefined && content === codec.encode(usual) ? "0x" : content;
    },
    decode: (content) => toJson(decode(content)),
    describe: (content) => codec.describe(decode(content)),
  };
}

/** Codec of a game that has only its default mode. */
const NO_MODES: ModeCodec<Readonly<Record<string, never>>> = {
  usual: {},
  read: object({}),
  encode: () => "0x",
  decode() {
    throw new InputError("mode", "the game has none but its default");
  },
  describe: () => [],
  reasons: {},
};

/** Modes in the rules of a game that is declared on a base. */
export interface ModeRules<M extends object> {
  /** Codec of modes; without it, the game has only the default mode. */
  readonly mode?: ModeCodec<M>;
  /**
   * Finds a mode by its hash, registered or not, for a game that has a fixed set of modes.
   * @throws Error for any other hash
   */
  modeOfHash?(hash: Hex): M;
}

/** Readers of one simulation's input; its mode determines the remaining fields. */
interface InputReaders<M> {
  /** Reads the mode, which may be omitted if the game has a default. */
  readonly readMode: Reader<M>;
  /** Makes the reader of a field that depends on the mode. */
  byMode<T>(reader: (mode: M) => Reader<T>): Reader<T>;
}

/** Modes of a game as its base needs them. */
export interface Modes<M extends object> {
  /** Undefined for a game that has only its default mode. */
  readonly format: ModeFormat | undefined;
  readonly modeOf: ModeFinder<M>;
  encode(mode: M): Hex;
  /** Decodes the content of a mode, which is empty for the default. */
  decode(content: Hex): M;
  /** Returns a mode as a JSON value. */
  toJson(mode: M): object;
  inputReaders(): InputReaders<M>;
}

/** Makes the modes of a game from its rules. */
export function modesOf<M extends object>(rules: ModeRules<M>): Modes<M> {
  // A game without modes never reads one.
  const codec = rules.mode ?? (NO_MODES as ModeCodec<object> as ModeCodec<M>);
  return {
    format: rules.mode && modeFormat(rules.mode),
    modeOf: modeFinder(codec, rules.modeOfHash),
    encode: (mode) => codec.encode(mode),
    decode: (content) => modeBehind(codec, content),
    toJson: (mode) => codec.toJson?.(mode) ?? mode,
    inputReaders: () => inputReaders(codec),
  };
}

/** Finds the mode of a match's terms, which contain its hash. */
export type ModeFinder<M> = (terms: Pick<Terms, "game" | "mode">, history: History) => Promise<M>;

/**
 * Makes the finder of a game's modes.
 * @param known Finds a mode by its hash alone, for a game that has a fixed set of modes; without it the history is
 * queried.
 */
export function modeFinder<M extends object>({ usual, decode }: ModeCodec<M>, known?: (hash: Hex) => M): ModeFinder<M> {
  return async ({ game, mode }, history) => {
    if (known) return known(mode);
    return mode === ZeroHash && usual !== undefined ? usual : decode(await history.mode(game, mode));
  };
}

/** Decodes the content of a mode, which is empty for the default. */
function modeBehind<M extends object>({ usual, decode }: ModeCodec<M>, content: Hex): M {
  return content === "0x" && usual !== undefined ? usual : decode(content);
}

/** Makes the readers of the input of one simulation. */
function inputReaders<M extends object>({ usual, read }: ModeCodec<M>): InputReaders<M> {
  let mode: M;
  const given: Reader<M> = (value, path) => read(value, path);
  const readMode = usual === undefined ? given : optional(given, usual);
  return {
    readMode: (value, path) => (mode = readMode(value, path)),
    byMode: (reader) => (value, path) => reader(mode)(value, path),
  };
}

/** Adds the reason for a field's bounds to the InputError about that field. */
function withReason<T>(reasons: Readonly<Record<string, string>>, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const field = /^\w*/.exec(error.path)![0];
    if (!Object.hasOwn(reasons, field)) throw error;
    const problem = error.message.slice(error.path.length + 2).replace(/\.$/, "");
    throw new InputError(error.path, `${problem}; ${reasons[field]}`);
  }
}
