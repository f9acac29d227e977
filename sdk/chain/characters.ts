import { Contract, type Interface, type ParamType, type Provider } from "ethers";
import type { Hex } from "../protocol/hex.js";
import { InputError, integer } from "../protocol/input.js";
import type { CharacterContract, MintArgs, MintName } from "./character-contract.js";
import { interfaceOf, fieldsOf } from "./events.js";
import { revertData } from "./revert.js";

/**
 * Thrown for a character that never existed.
 * @example
 * ```ts
 * import { NeverMinted } from "duello";
 *
 * const isMissing = (error: unknown) => error instanceof NeverMinted;
 * isMissing(new NeverMinted("fighter", 42n)); // => true
 * ```
 */
export class NeverMinted extends Error {
  override readonly name = "NeverMinted";

  constructor(noun: string, id: bigint) {
    super(`The ${noun} ${id} was never minted.`);
  }
}

/**
 * Reads the traits of a character as numbers.
 * @throws NeverMinted; Error for traits that no character can have.
 * @example
 * ```ts
 * import { readCharacter, stockGame } from "duello";
 *
 * const { characters } = stockGame("auto-battler");
 * const numbers = await readCharacter(provider, addresses.Fighters, characters!, 42n); // e.g. [3, 1, 2, 2, 1, 3]
 * ```
 */
export async function readCharacter(
  provider: Provider,
  address: string,
  { minted, noun, unknown, view, unpack }: CharacterContract,
  id: bigint,
): Promise<number[]> {
  const declared = interfaceOf(minted);
  const token = new Contract(address, declared, provider);
  const never = inPlaceOf(unknown, declared, new NeverMinted(noun, id));
  const word = (await token.getFunction(view).staticCall(id).catch(never)) as bigint;
  return unpack(word, id);
}

/** Lists the traits of the character that a call of `mint` creates. */
export function numbersIn({ minted }: CharacterContract, call: Hex): number[] {
  const [, ...traits] = interfaceOf(minted).decodeFunctionData("mint", call).toArray(true) as unknown[];
  return numbersOf(traits);
}

/** Lists the traits in a mint event as numbers. */
export function mintedNumbers({ minted }: CharacterContract, args: MintArgs): number[] {
  return numbersOf(traitFields(minted).map(({ name }) => args[name as keyof MintArgs]));
}

/**
 * Builds the fields of a mint event from traits as numbers.
 * @throws InputError for traits that no character of the contract can have.
 */
export function mintArgs(
  { minted, bounds }: CharacterContract,
  id: bigint,
  to: string,
  traits: readonly number[],
): MintArgs {
  if (traits.length !== bounds.length) {
    throw new InputError("character", `${traits.length} traits instead of ${bounds.length}`);
  }
  const values = traits.map((trait, i) => BigInt(integer(...bounds[i])(trait, `character[${i}]`)));
  return { id, to, ...fieldsFrom(traitFields(minted), values) };
}

/** Returns the fields of a mint event that are traits. */
function traitFields(minted: MintName): readonly ParamType[] {
  return fieldsOf(minted).slice(2);
}

/** Takes the values of fields from the front of a list of numbers. */
function fieldsFrom(fields: readonly ParamType[], values: bigint[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field.name, valueOf(field, values)]));
}

/** Takes the value of a field from the front of a list of numbers. */
function valueOf({ baseType, type, arrayLength, components }: ParamType, values: bigint[]): unknown {
  if (baseType === "array") return values.splice(0, arrayLength!);
  if (baseType !== "tuple") return type === "bool" ? values.shift() === 1n : values.shift();
  return fieldsFrom(components!, values);
}

/** Lists all numbers and flags in nested values. */
function numbersOf(values: readonly unknown[]): number[] {
  return values.flatMap((value) =>
    typeof value === "object" ? numbersOf(Object.values(value as object) as unknown[]) : Number(value),
  );
}

/**
 * Creates an error handler that replaces one custom error.
 * @param name Name of the contract's custom error that `instead` replaces; all other errors are rethrown unchanged.
 */
export function inPlaceOf(name: string, declared: Interface, instead: Error): (error: unknown) => never {
  return (error) => {
    throw revertData(error)?.startsWith(declared.getError(name)!.selector) ? instead : error;
  };
}
