import fc, { type Arbitrary, type IAsyncProperty } from "fast-check";
import { IndexTrouble } from "../../sdk/chain/index-client.js";
import { MalformedEvent } from "../../sdk/chain/events.js";
import { InputError } from "../../sdk/protocol/input.js";
import { RecordError } from "../../sdk/games/revealed-rounds.js";
import { ContractError } from "../../sdk/games/warmancer/contract-error.js";
import { MismatchError } from "../../sdk/chain/mismatch.js";

/** Decoder of foreign data into values. */
export interface Decoder {
  name: string;
  /** The functions that this decoder fuzzes, as `file: name`. */
  covers: readonly string[];
  /** Factor by which it is slower than other decoders. */
  cost: number;
  /** The property of each input: it is decoded to an equivalent value, or rejected by a rule. */
  property: IAsyncProperty<[unknown]>;
}

interface Spec<I, O> {
  covers?: readonly string[];
  cost?: number;
  inputs: Arbitrary<I>;
  decode: (input: I) => O | Promise<O>;
  /** Encodes the value as an input; undefined if there is no encoder. */
  encode?: (value: O) => unknown;
  /** Returns the part of an input that the value must represent; defaults to the whole input. */
  meant?: (input: I) => unknown;
}

/** A synchronous decoder. */
export function decoder<I, O>(name: string, { covers = [], cost = 1, inputs, decode, ...back }: Spec<I, O>): Decoder {
  const { encode, meant = (input: I): unknown => input } = back;
  const property = fc.asyncProperty(inputs, async (input) => {
    let value: O;
    try {
      const decoded = decode(input);
      value = decoded instanceof Promise ? await decoded : decoded;
    } catch (error) {
      return expectNamed(error);
    }
    if (encode && encode(value) !== meant(input)) throw new Error(`It comes back as ${String(encode(value))}.`);
  });
  return { name, covers, cost, property };
}

const OURS = [InputError, IndexTrouble, RecordError, ContractError, MismatchError, MalformedEvent];
/** Longer messages contain quotes that nobody wants to read. */
const MAX = 1100;

/** Expects an error of ours, with one printable line. @throws the error itself if it is not. */
export function expectNamed(error: unknown): void {
  if (isOfArguments(error)) return;
  const isOurs = OURS.some((kind) => error instanceof kind) || isSentence(error);
  if (!isOurs) throw error;
  expectPrintable((error as Error).message);
}

/** Expects a text to be one printable line. @throws Error if it is not. */
export function expectPrintable(text: string): void {
  if (text.length > MAX) throw new Error(`A message of ${text.length} characters: ${text.slice(0, 100)}`);
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(text)) throw new Error(`Not to be printed: ${JSON.stringify(text)}`);
}

/** Returns true for an error with which Node rejects arguments; commands turn it into one line. */
function isOfArguments(error: unknown): boolean {
  return error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS_");
}

/** A plain error of ours is a sentence; those of libraries have codes, or are of other kinds. */
function isSentence(error: unknown): boolean {
  return (
    Object.getPrototypeOf(error) === Error.prototype &&
    !("code" in (error as Error)) &&
    /^[A-Z\d].*\.$/s.test((error as Error).message)
  );
}
