/** Name of the event of a mint of a character, which its contract chooses. */
export type MintName = `${string}Minted`;

/** Fields of the event of a mint. The traits of the character, which never change, follow after these. */
export interface MintArgs {
  id: bigint;
  to: string;
}

/** Contract of characters: tokens that players own, with traits that never change after their mint. `T` is the traits. */
export interface CharacterContract<T extends object = object> {
  /** Name of the contract, and of its address in a deployment. */
  readonly contract: string;
  /** Name of one token, e.g. `fighter`; the plural ends in s, on the command line too. */
  readonly noun: string;
  /** All that it declares beyond `Characters`, as Solidity writes it: facts about a game take no contract. */
  readonly abi: readonly string[];
  /** Name of the event of a mint. Its fields are `id`, `to` and the traits, which `mint` takes in the same order. */
  readonly minted: MintName;
  /** Name of the custom error for a token that was never minted. */
  readonly unknown: string;
  /** Name of the view that gives the traits of a token, packed in a word. */
  readonly view: string;
  /** Least and greatest traits, as a list of numbers in the order of the event. */
  readonly bounds: readonly (readonly [number, number])[];
  /** Unpacks the word of the view into numbers. @throws Error for traits that no token can have */
  unpack(word: bigint, id: bigint): number[];
  /** Makes the traits of their numbers. */
  traitsOf(numbers: readonly number[]): T;
}

/** Declarations of contracts of characters, by the names of the events of their mints. */
export const mints = new Map<MintName, readonly string[]>();

/**
 * Describes a contract of characters, whose mints are among the events that are read from now on. A game calls this
 * with its facts, so that a program with a list of games reads the mints of all of them.
 * @throws Error if another contract has an event of this name.
 */
export function characterContract<T extends object>(description: CharacterContract<T>): CharacterContract<T> {
  const { minted, abi } = description;
  const known = mints.get(minted) ?? abi;
  if (String(known) !== String(abi)) throw new Error(`There is another event ${minted} already.`);
  mints.set(minted, abi);
  return description;
}
