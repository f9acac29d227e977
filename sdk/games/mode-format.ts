import type { Hex } from "../protocol/hex.js";
import { InputError } from "../protocol/input.js";

/** Format of a game's modes: as JSON values, as the content that the game registers, and in words. */
export interface ModeFormat {
  /**
   * Encodes a mode, given as a JSON value with the fields of the game's page. The content of the default mode is empty.
   * @throws InputError that names the field, the bound it breaks and the reason for that bound.
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

/** Functions of a game that make up its format. */
interface Codec<M extends object> {
  /** The default mode; left out: the game has none. */
  usual?: M;
  /** Reads a mode from a JSON value; fields that are left out have a default. @throws InputError */
  read(value: unknown, path: string): M;
  encode(mode: M): Hex;
  /** Decodes content that is not empty. */
  decode(content: Hex): M;
  /** Returns a mode as a JSON value; left out: it is one. */
  toJson?(mode: M): object;
  describe(mode: M): string[];
  /** Reasons for the bounds, by field. */
  reasons: Readonly<Record<string, string>>;
}

/** Makes the format of a game's modes. */
export function modeFormat<M extends object>(codec: Codec<M>): ModeFormat {
  const { usual, reasons, toJson = (mode: M): object => mode } = codec;
  const decode = (content: Hex) => (content === "0x" && usual !== undefined ? usual : codec.decode(content));
  return {
    encode(value) {
      const content = codec.encode(withReason(reasons, () => codec.read(value, "")));
      return usual !== undefined && content === codec.encode(usual) ? "0x" : content;
    },
    decode: (content) => toJson(decode(content)),
    describe: (content) => codec.describe(decode(content)),
  };
}

/** Adds to an InputError the reason for the bounds of its field. */
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
