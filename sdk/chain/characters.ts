import { Contract, type Interface, type Provider } from "ethers";
import {
  type Fighters,
  Fighters__factory,
  type GuardianCards,
  GuardianCards__factory,
} from "../../typechain-types/index.js";
import { revertData } from "./revert.js";
import { bits } from "../protocol/word.js";

// Made once: it takes longer than a question to the node.
const fightersAbi = Fighters__factory.createInterface();
const cardsAbi = GuardianCards__factory.createInterface();

/** A fighter as it was minted; tiers 1..3 in the order attack, defense, health, speed, range, combo. */
export interface FighterTraits {
  character: bigint;
  tiers: number[];
  golden: boolean;
}

/** A guardian's card as it was minted; `type` is 0..7 in the order of the wheel. */
export interface CardStats {
  power: number;
  defense: number;
  hp: number;
  speed: number;
  /** Of 1000. */
  critical: number;
  /** Of 1000. */
  luck: number;
  type: number;
}

/** There is no such character, and never was. */
export class NeverMinted extends Error {
  override readonly name = "NeverMinted";

  constructor(noun: string, id: bigint) {
    super(`The ${noun} ${id} was never minted.`);
  }
}

/** What a fighter was minted as. @throws NeverMinted. */
export async function readFighter(provider: Provider, fighters: string, id: bigint): Promise<FighterTraits> {
  const token = new Contract(fighters, fightersAbi, provider) as unknown as Fighters;
  const never = inPlaceOf("UnknownFighter", token.interface, new NeverMinted("fighter", id));
  const word = await token.traitsOf(id).catch(never);
  const tiers = Array.from({ length: 6 }, (_, stat) => Number((word >> BigInt(2 * stat)) & 3n));
  // No token of ours has it: a node says so.
  if (tiers.includes(0)) throw new Error(`The fighter ${id} is said to have a tier of 0.`);
  return { character: (word >> 16n) & 0xffffffffn, tiers, golden: ((word >> 12n) & 1n) === 1n };
}

/** What a guardian's card was minted as. @throws NeverMinted. */
export async function readCard(provider: Provider, cards: string, id: bigint): Promise<CardStats> {
  const token = new Contract(cards, cardsAbi, provider) as unknown as GuardianCards;
  const never = inPlaceOf("UnknownCard", token.interface, new NeverMinted("card", id));
  const word = await token.cardOf(id).catch(never);
  const [power, defense, hp, speed, critical] = [0, 16, 32, 48, 64].map((bit) => bits(word, bit, 16));
  return { power, defense, hp, speed, critical, luck: bits(word, 80, 10), type: bits(word, 93, 3) };
}

/** Throws an error in place of a contract's of a name, and whatever else as it is. */
export function inPlaceOf(name: string, declared: Interface, instead: Error): (error: unknown) => never {
  return (error) => {
    throw revertData(error)?.startsWith(declared.getError(name)!.selector) ? instead : error;
  };
}
