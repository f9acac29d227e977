import { characterContract } from "../../chain/character-contract.js";
import { integer } from "../../protocol/input.js";
import { layout, unpack } from "../../protocol/layout.js";

/** Stats of a guardian's card, which never change after its mint. */
export interface CardStats {
  power: number;
  defense: number;
  hp: number;
  speed: number;
  /** Chance out of 1000. */
  critical: number;
  /** Chance out of 1000. */
  luck: number;
  /** Type of the card, 0 to 7, in the order of the wheel. */
  type: number;
}

/** Layout of the stats, as the token packs them. */
export const CARD = layout({
  power: [0, 16],
  defense: [16, 16],
  hp: [32, 16],
  speed: [48, 16],
  critical: [64, 16],
  luck: [80, 10],
  type: [93, 3],
});

const MAX = 65_535;
const CHANCES = 1000;

/** Minimum and maximum stats of a card that its contract mints. */
const BOUNDS = {
  power: [1, MAX],
  defense: [0, MAX],
  hp: [1, MAX],
  speed: [1, MAX],
  critical: [0, CHANCES],
  luck: [0, CHANCES],
  type: [0, 7],
} as const;

/** Readers of all stats of a card except its type: people name types, simulations number them. */
export const STATS = {
  power: integer(...BOUNDS.power),
  defense: integer(...BOUNDS.defense),
  hp: integer(...BOUNDS.hp),
  speed: integer(...BOUNDS.speed),
  critical: integer(...BOUNDS.critical),
  luck: integer(...BOUNDS.luck),
};

/** Stats as the contract declares them. */
const FIELDS =
  "(uint16 power, uint16 defense, uint16 hp, uint16 speed, uint16 critical, uint16 luck, uint8 cardType) stats";

/** Contract of cards. A card's numbers are its stats. */
export const cardContract = characterContract<CardStats>({
  contract: "GuardianCards",
  noun: "card",
  abi: [
    `event CardMinted(uint256 indexed id, address indexed to, ${FIELDS})`,
    "error UnknownCard(uint256 id)",
    "error StatOutOfBounds(uint256 stat, uint256 value, uint256 min, uint256 max)",
    "function cardOf(uint256 id) view returns (uint256 card)",
    `function mint(address to, ${FIELDS}) returns (uint256 id)`,
  ],
  minted: "CardMinted",
  unknown: "UnknownCard",
  view: "cardOf",
  bounds: Object.values(BOUNDS),
  unpack: (word) => Object.values(unpack(CARD, word)),
  traitsOf([power, defense, hp, speed, critical, luck, type]) {
    return { power, defense, hp, speed, critical, luck, type };
  },
});
