import { getBytes, hexlify } from "ethers";
import { decodeMode, encodeMode, type Flags, type Mode } from "../../../sdk/games/warmancer/mode.js";
import { priceOf } from "../../../sdk/games/warmancer/army.js";
import { isMobile, RANKS, THRONE, TRAP } from "../../../sdk/games/warmancer/ranks.js";
import { maskOf, NEIGHBOURS } from "../../../sdk/games/warmancer/tiles.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { type Random } from "../../../sdk/laws/random.js";

const PLAIN = { casual: false, alwaysHidden: false, sequential: false };

/** Every possible combination of switches. */
export const SWITCHES: readonly Flags[] = [
  PLAIN,
  { ...PLAIN, alwaysHidden: true },
  { ...PLAIN, sequential: true },
  { ...PLAIN, alwaysHidden: true, sequential: true },
  { ...PLAIN, casual: true },
  { ...PLAIN, casual: true, sequential: true },
];

const MAX_BOUGHT = 8;
const MAX_PAWNS = 64;

/** Generates a mode on a connected board of any shape, up to 16 x 16, with setup tiles anywhere. */
export function anyBoard(random: Random, switches: Flags & { maxTurns: number }, bought: boolean): Mode {
  const passable = region(random, 6 + random.below(random.pick([10, 60, 251])));
  const slots = 2 + random.below(Math.min(MAX_PAWNS, passable.length >> 1) - 1);
  const setups = random.shuffled(passable);
  const army = anyArmy(random, slots, bought ? MAX_BOUGHT : slots);
  const mode = {
    ...switches,
    passable: maskOf(passable),
    setup1: maskOf(setups.slice(0, slots)),
    setup2: maskOf(setups.slice(slots, 2 * slots)),
    army,
    budget: bought ? priceOf(army) + random.below(9) : 0,
  };
  return decodeMode(encodeMode(mode));
}

/** Returns the content of a mode, usually with a fault: changed bits, a wrong length, or a gap across the board. */
export function anyContent(random: Random): Hex {
  const maxTurns = random.below(2001);
  const mode = anyBoard(random, { ...random.pick(SWITCHES), maxTurns }, random.below(2) === 0);
  const fault = random.below(6);
  if (fault === 0) return encodeMode(mode);
  if (fault === 1) return encodeMode({ ...mode, passable: mode.setup1 | mode.setup2 | gapped(random) });
  const bytes = getBytes(encodeMode(mode));
  if (fault === 2) return hexlify(bytes.slice(random.below(20)));
  if (fault === 3) bytes[96 + random.below(12)] = random.below(70);
  for (let n = random.below(3); n >= 0; n--) bytes[random.below(bytes.length)] ^= 1 << random.below(8);
  return hexlify(bytes);
}

/** Returns all tiles except those of a column, and some at the start of the first row. */
function gapped(random: Random): bigint {
  const [column, gone] = [1 + random.below(14), random.below(16)];
  const free = (tile: number) => tile % 16 !== column && tile >= gone;
  return maskOf(Array.from({ length: 256 }, (_, tile) => tile).filter(free));
}

/** Returns a mode with 64 pawns per side that face each other, on all 256 tiles. */
export function biggestBoard(switches: Flags & { maxTurns: number }): Mode {
  const rows = (from: number) => maskOf(Array.from({ length: MAX_PAWNS }, (_, i) => from * 16 + i));
  const army = [1, 1, 14, 8, 8, 8, 6, 5, 3, 1, 1, 8];
  return { ...switches, passable: 2n ** 256n - 1n, setup1: rows(4), setup2: rows(8), army, budget: 0 };
}

/** Returns ranks by slot that a mode allows: its army in any order or, if pawns are bought, any within the budget. */
export function anyRanks({ army, budget }: Mode, random: Random): number[] {
  const ranks = random.shuffled(army.flatMap((count, rank) => Array<number>(count).fill(rank)));
  for (let n = 0; budget > 0 && n < ranks.length; n++) {
    const [slot, rank] = [random.below(ranks.length), 1 + random.below(TRAP)];
    const other = ranks.with(slot, rank);
    const counts = RANKS.map((_, each) => other.filter((one) => one === each).length);
    const max = rank === TRAP ? army[TRAP] : MAX_BOUGHT;
    const mobile = other.some(isMobile);
    if (ranks[slot] !== THRONE && mobile && counts[rank] <= max && priceOf(counts) <= budget) ranks[slot] = rank;
  }
  return ranks;
}

/** Returns random tiles that are connected. */
function region(random: Random, size: number): number[] {
  const tiles = new Set([random.below(256)]);
  while (tiles.size < size) tiles.add(random.pick(NEIGHBOURS[random.pick([...tiles])]));
  return [...tiles];
}

function anyArmy(random: Random, slots: number, max: number): number[] {
  const army = RANKS.map((_, rank) => Number(rank === THRONE));
  const ranks = [1 + random.below(TRAP - 1), ...Array.from({ length: slots - 2 }, () => 1 + random.below(TRAP))];
  for (const wanted of ranks) {
    let rank = wanted;
    while (rank !== TRAP && army[rank] === max) rank = (rank % TRAP) + 1;
    army[rank]++;
  }
  return army;
}
