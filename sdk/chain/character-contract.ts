/** Name of a contract's event for the mint of a character. */
export type MintName = `${string}Minted`;

/** First fields of a mint event. The character's traits, which never change, follow them. */
export interface MintArgs {
  id: bigint;
  to: string;
}

/** Contract of characters: tokens that players own, with traits that never change after the mint. `T` is their type. */
export interface CharacterContract<T extends object = object> {
  /** Name of the contract, and of its address in a deployment. */
  readonly contract: string;
  /** Name of one token, e.g. `fighter`; the plural ends in s, also on the command line. */
  readonly noun: string;
  /** Declarations that the contract adds to `Characters`, in Solidity syntax, so that games need not compile it. */
  readonly abi: readonly string[];
  /** Name of the mint event. Its fields are `id`, `to` and the traits, in the order of the parameters of `mint`. */
  readonly minted: MintName;
  /** Name of the custom error for a token that was never minted. */
  readonly unknown: string;
  /** Name of the view that returns a token's traits, packed in a word. */
  readonly view: string;
  /** Minimum and maximum of each trait, in the order of the event. */
  readonly bounds: readonly (readonly [number, number])[];
  /** Unpacks the word of the view into numbers. @throws Error for traits that no token can have */
  unpack(word: bigint, id: bigint): number[];
  /** Builds the traits from their numbers. */
  traitsOf(numbers: readonly number[]): T;
}

/** Declarations of character contracts, by the names of their mint events. */
export const mints = new Map<MintName, readonly string[]>();

/**
 * Registers a contract of characters, so that its mint events are read from now on. A game calls this for its own
 * contract, so that a program reads the mints of all games that it loads.
 * @throws Error if another contract has an event of this name.
 * @example
 * ```ts
 * import { characterContract } from "duello";
 *
 * const abi = ["event KnightMinted(uint256 indexed id, address indexed to, uint8 strength)"];
 * const names = { contract: "Knights", noun: "knight", minted: "KnightMinted", unknown: "UnknownKnight" } as const;
 * const traits = { bounds: [[1, 100]], traitsOf: ([strength]: readonly number[]) => ({ strength }) } as const;
 * const view = { view: "strengthOf", unpack: (word: bigint) => [Number(word)] };
 * const knights = characterContract({ abi, ...names, ...traits, ...view });
 * ```
 */
export function characterContract<T extends object>(description: CharacterContract<T>): CharacterContract<T> {
  const { minted, abi } = description;
  const known = mints.get(minted) ?? abi;
  if (String(known) !== String(abi)) throw new Error(`There is another event ${minted} already.`);
  mints.set(minted, abi);
  return description;
}
