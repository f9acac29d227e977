import { InputError, integer } from "../protocol/input.js";
import type { Hex } from "../protocol/hex.js";
import { cardsAbi, fightersAbi, type CardStats, type FighterTraits } from "./characters.js";
import type { Events } from "./events.js";

/** Names of the contracts of characters. */
export type CharacterContract = "Fighters" | "GuardianCards";

/** Event of a mint of a character, by its name. */
export type Mint = { [N in "FighterMinted" | "CardMinted"]: { name: N; args: Events[N] } }[
  "FighterMinted" | "CardMinted"];

const MAX = 65_535;
const CHANCES = 1000;
const TIER = [1, 3] as const;

/** Least and greatest stats of a card, as its contract mints it. */
export const CARD_BOUNDS = {
  power: [1, MAX],
  defense: [0, MAX],
  hp: [1, MAX],
  speed: [1, MAX],
  critical: [0, CHANCES],
  luck: [0, CHANCES],
  cardType: [0, 7],
} as const;

/** Least and greatest traits of a character, as a list of numbers: of a fighter `character`, the tiers and `golden`. */
const BOUNDS: Readonly<Record<CharacterContract, readonly (readonly [number, number])[]>> = {
  Fighters: [[0, 2 ** 32 - 1], TIER, TIER, TIER, TIER, TIER, TIER, [0, 1]],
  GuardianCards: Object.values(CARD_BOUNDS),
};

/** Lists the traits of a fighter as numbers. */
export function fighterNumbers({ character, tiers, golden }: FighterTraits): number[] {
  return [Number(character), ...tiers, Number(golden)];
}

/** Lists the stats of a card as numbers. */
export function cardNumbers({ power, defense, hp, speed, critical, luck, type }: CardStats): number[] {
  return [power, defense, hp, speed, critical, luck, type];
}

/** Lists the traits of the character that a call of `mint` makes. */
export function numbersIn(contract: CharacterContract, call: Hex): number[] {
  if (contract === "GuardianCards") {
    const [, stats] = cardsAbi.decodeFunctionData("mint", call) as unknown as [string, bigint[]];
    return Array.from(stats, Number);
  }
  const decoded = fightersAbi.decodeFunctionData("mint", call) as unknown as [string, bigint, bigint[], boolean];
  const [, character, tiers, golden] = decoded;
  return fighterNumbers({ character, tiers: Array.from(tiers, Number), golden });
}

/**
 * Makes the event of a mint out of traits as numbers.
 * @throws InputError for traits that no character of the contract can have.
 */
export function mintOf(contract: CharacterContract, id: bigint, to: string, traits: readonly number[]): Mint {
  const bounds = BOUNDS[contract];
  if (traits.length !== bounds.length) {
    throw new InputError("character", `${traits.length} traits instead of ${bounds.length}`);
  }
  const values = traits.map((trait, i) => BigInt(integer(...bounds[i])(trait, `character[${i}]`)));
  if (contract === "GuardianCards") {
    const stats = Object.fromEntries(Object.keys(CARD_BOUNDS).map((name, i) => [name, values[i]]));
    return { name: "CardMinted", args: { id, to, stats } };
  }
  const [character, ...rest] = values;
  return { name: "FighterMinted", args: { id, to, character, tiers: rest.slice(0, -1), golden: rest.at(-1) === 1n } };
}
