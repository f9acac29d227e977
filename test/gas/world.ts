import { id, MaxUint256, ZeroAddress, type ContractTransactionResponse } from "ethers";
import { COIN, type Terms } from "../../sdk/protocol/terms.js";
import { DAY, startChain, UNIT, type Chain, type Player } from "./chain.js";
import { create, join, reveal, planMatch, termsFor, tiersOf } from "./match.js";

const CHARACTERS = 12;

/** Gas, or bytes, by purpose. */
export type Costs = Record<string, number>;

/**
 * Transactions by their effect. Each starts from the same world; the transactions before the last one are not counted.
 */
export type Entries = Record<string, (world: World) => Promise<ContractTransactionResponse>>;

export type World = Awaited<ReturnType<typeof startWorld>>;

/**
 * Start of every measurement. Alice and Bob have played each other with their teams; Carol and Dave have full purses
 * and fighters but have never played; Eve has only a wallet. Nobody cools down.
 */
export async function startWorld() {
  const chain = await startChain();
  const { deployer, fighters, player } = chain;
  await fighters.setMinter(deployer, true);
  const [alice, bob, carol, dave] = [2, 3, 4, 5].map((account, i) => player(account, range(1 + 5 * i, 5)));
  const [eve, stranger] = [player(6, alice.team), player(7)];
  for (const each of [alice, bob, carol, dave, eve]) await giveTokens(chain, each);
  for (const each of [alice, bob, carol, dave]) {
    await each.arena.deposit(chain.fight, 1000n * UNIT, each.address);
    await mintFighters(chain, each.address, each.team);
  }
  for (const each of [alice, bob]) await each.arena.deposit(COIN, 100n * UNIT, each.address, { value: 100n * UNIT });

  const world = { ...chain, owner: player(0), alice, bob, carol, dave, eve, stranger };
  const first = await planMatch(world, alice, bob);
  for (const step of [create, join, reveal]) await step(first);
  await register(world, await termsFor(world, friendly));
  await chain.wait(2 * DAY);
  return { ...world, snapshot: await chain.takeSnapshot() };
}

/** No stakes, no rating. */
export const friendly = { stake1: 0n, stake2: 0n, rated: false };

/** Stores terms, by an offer that stays unfunded. */
export async function register({ stranger }: { stranger: Player }, terms: Terms): Promise<void> {
  await stranger.arena.create(terms, ZeroAddress, 0, id("a commitment"));
}

/** Mints fighters, whose ids must be the next ids. */
export async function mintFighters({ fighters }: Chain, owner: string, ids: readonly bigint[]): Promise<void> {
  for (const each of ids) await fighters.mint(owner, Number(each) % CHARACTERS, tiersOf(each), false);
}

/** Ids from `first` on. */
export function range(first: number, count: number): bigint[] {
  return Array.from({ length: count }, (_, i) => BigInt(first + i));
}

async function giveTokens({ fight, arena, deployer }: Chain, { address, fight: own }: Player): Promise<void> {
  await fight.connect(deployer).mint(address, 20_000n * UNIT);
  await own.approve(arena, MaxUint256);
}
