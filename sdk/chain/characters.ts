import { Contract, type Interface, type Provider } from "ethers";
import {
  type Fighters,
  Fighters__factory,
  type GuardianCards,
  GuardianCards__factory,
} from "../../typechain-types/index.js";
import { layout, unpack } from "../protocol/layout.js";
import { revertData } from "./revert.js";

// Made once: parsing an ABI takes longer than a request to a local node.
export const fightersAbi = Fighters__factory.createInterface();
export const cardsAbi = GuardianCards__factory.createInterface();

/** A fighter's traits, which never change after its mint. */
export interface FighterTraits {
  character: bigint;
  /** Tiers 1 to 3 in the order attack, defense, health, speed, range, combo. */
  tiers: number[];
  golden: boolean;
}

/** Stats of a guardian's card, which never change after its mint. */
export interface CardStats {
  power: number;
  defense: number;
  hp: number;
  speed: number;
  /** Chance of 1000. */
  critical: number;
  /** Chance of 1000. */
  luck: number;
  /** 0 to 7, in the order of the wheel of types. */
  type: number;
}

/** Thrown for a character that does not exist, and never did. */
export class NeverMinted extends Error {
  override readonly name = "NeverMinted";

  constructor(noun: string, id: bigint) {
    super(`The ${noun} ${id} was never minted.`);
  }
}

/** Traits as the token packs them. */
export const TRAITS = layout({ tiers: [0, 12], golden: [12, 1], character: [16, 32] });

/** Tiers as the token packs them among the traits. */
const TIERS = layout({ attack: [0, 2], defense: [2, 2], health: [4, 2], speed: [6, 2], range: [8, 2], combo: [10, 2] });

/** Stats as the token packs them. */
export const STATS = layout({
  power: [0, 16],
  defense: [16, 16],
  hp: [32, 16],
  speed: [48, 16],
  critical: [64, 16],
  luck: [80, 10],
  type: [93, 3],
});

/** Reads a fighter's traits. @throws NeverMinted; Error for traits that no fighter can have. */
export async function readFighter(provider: Provider, fighters: string, id: bigint): Promise<FighterTraits> {
  const token = new Contract(fighters, fightersAbi, provider) as unknown as Fighters;
  const never = inPlaceOf("UnknownFighter", token.interface, new NeverMinted("fighter", id));
  const { tiers: packed, golden, character } = unpack(TRAITS, await token.traitsOf(id).catch(never));
  const { attack, defense, health, speed, range, combo } = unpack(TIERS, BigInt(packed));
  const tiers = [attack, defense, health, speed, range, combo];
  // The token mints none of these: it is the node that says so.
  if (tiers.includes(0)) throw new Error(`The fighter ${id} is said to have a tier of 0.`);
  return { character: BigInt(character), tiers, golden: golden === 1 };
}

/** Reads the stats of a guardian's card. @throws NeverMinted */
export async function readCard(provider: Provider, cards: string, id: bigint): Promise<CardStats> {
  const token = new Contract(cards, cardsAbi, provider) as unknown as GuardianCards;
  const never = inPlaceOf("UnknownCard", token.interface, new NeverMinted("card", id));
  return unpack(STATS, await token.cardOf(id).catch(never));
}

/**
 * Makes a handler of errors that throws one of them otherwise.
 * @param name Name of the contract's custom error in whose place `instead` is thrown; all others are thrown as they
 * are.
 */
export function inPlaceOf(name: string, declared: Interface, instead: Error): (error: unknown) => never {
  return (error) => {
    throw revertData(error)?.startsWith(declared.getError(name)!.selector) ? instead : error;
  };
}
