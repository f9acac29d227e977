import { characterContract } from "../../chain/character-contract.js";
import { layout, unpack } from "../../protocol/layout.js";

/** A fighter's traits, which never change after its mint. */
export interface FighterTraits {
  character: bigint;
  /** Tiers 1 to 3 in the order attack, defense, health, speed, range, combo. */
  tiers: number[];
  golden: boolean;
}

/** Layout of the traits, as the token packs them. */
export const TRAITS = layout({ tiers: [0, 12], golden: [12, 1], character: [16, 32] });

/** Layout of the tiers within the packed traits. */
const TIERS = layout({ attack: [0, 2], defense: [2, 2], health: [4, 2], speed: [6, 2], range: [8, 2], combo: [10, 2] });

const TIER = [1, 3] as const;

/** Contract of fighters, whose numbers are `character`, the tiers, and 1 for a golden fighter. */
export const fighterContract = characterContract<FighterTraits>({
  contract: "Fighters",
  noun: "fighter",
  abi: [
    "event FighterMinted(uint256 indexed id, address indexed to, uint32 character, uint8[6] tiers, bool golden)",
    "error UnknownFighter(uint256 id)",
    "error TierOutOfBounds(uint256 stat, uint256 tier)",
    "function traitsOf(uint256 id) view returns (uint256 traits)",
    "function mint(address to, uint32 character, uint8[6] tiers, bool golden) returns (uint256 id)",
  ],
  minted: "FighterMinted",
  unknown: "UnknownFighter",
  view: "traitsOf",
  bounds: [[0, 2 ** 32 - 1], TIER, TIER, TIER, TIER, TIER, TIER, [0, 1]],
  unpack(word, id) {
    const { tiers: packed, golden, character } = unpack(TRAITS, word);
    const { attack, defense, health, speed, range, combo } = unpack(TIERS, BigInt(packed));
    const tiers = [attack, defense, health, speed, range, combo];
    // The token never mints such a fighter, so the node's answer is wrong.
    if (tiers.includes(0)) throw new Error(`The fighter ${id} is said to have a tier of 0.`);
    return [character, ...tiers, golden];
  },
  traitsOf([character, ...rest]) {
    return { character: BigInt(character), tiers: rest.slice(0, -1), golden: rest.at(-1) === 1 };
  },
});
