import { getBytes, keccak256 } from "ethers";

/** First words of names. */
const FIRST = (
  "Amber Ancient Bold Brave Bright Brisk Bronze Calm Candid Clever Copper Coral Crisp Daring Deft Distant " +
  "Eager Early Fair Fleet Gallant Gentle Glad Grand Hardy Honest Humble Indigo Iron Ivory Jade Jolly " +
  "Keen Kind Late Lively Loyal Lucky Merry Mild Misty Modest Noble Olive Patient Plain Proud Quick " +
  "Quiet Rapid Regal Royal Ruby Rustic Silent Silver Smart Solar Steady Stout Sunny Swift Velvet Wise"
).split(" ");

/** Second words: four for each charge, so that a crest shows a thing that the name mentions. */
const SECOND = (
  "Heron Falcon Raven Wren Oak Alder Willow Cedar Comet Vega Rigel Altair Dusk Tide Night Eclipse " +
  "Dawn Noon Blaze Summer Pike Trout Perch Salmon Anchor Harbor Sailor Voyage Warden Keeper Gate Vault " +
  "Tower Keep Bastion Castle Saber Rapier Foil Dagger Regent Crown Court Realm Rose Lily Poppy Clover " +
  "Bell Chime Echo Carol Bolt Storm Thunder Spark Fern Laurel Thyme Sage Chalice Goblet Flagon Toast"
).split(" ");

const WORDS_OF_A_CHARGE = 4;
const DIVISIONS = 8;
const EDGES = 4;
const TINCTURES = 8;

/** Name and crest of an address, which never change. They identify nobody, because other addresses can share them. */
export interface Likeness {
  /** Two words, e.g. `Iron Willow`. */
  readonly name: string;
  /** Numbers of the crest's parts, as `Crest` draws them. */
  readonly charge: number;
  readonly division: number;
  readonly edge: number;
  /** Two different tinctures of the shield. */
  readonly tinctures: readonly [number, number];
}

const known = new Map<string, Likeness>();

/** Makes the name and the crest of an address, from the hash of its 20 bytes. */
export function likenessOf(address: string): Likeness {
  const before = known.get(address);
  if (before) return before;
  const [first, second, shield, colours] = getBytes(keccak256(address));
  const word = second % SECOND.length;
  const tincture = colours % TINCTURES;
  // The step is never zero, so the second tincture differs from the first.
  const step = 1 + (Math.floor(colours / TINCTURES) % (TINCTURES - 1));
  const likeness: Likeness = {
    name: `${FIRST[first % FIRST.length]} ${SECOND[word]}`,
    charge: Math.floor(word / WORDS_OF_A_CHARGE),
    division: shield % DIVISIONS,
    edge: Math.floor(shield / DIVISIONS) % EDGES,
    tinctures: [tincture, (tincture + step) % TINCTURES],
  };
  known.set(address, likeness);
  return likeness;
}
