import { expect } from "chai";
import {
  type Addressable,
  type BaseContract,
  type Contract,
  type ContractTransactionResponse,
  resolveAddress,
} from "ethers";
import {
  COIN,
  deployed,
  deployMock,
  ethers,
  networkHelpers,
  Seat,
  step,
  termsFor,
  time,
  type Terms,
  type World,
  offerHashOf,
} from "./index.js";

export const MONTH = 30n * 24n * 3600n;

/** Sent without an estimate and without a fee: a refused transaction is mined too, and costs its sender no coin. */
export const FREE = { gasLimit: 10_000_000n, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };

/** Everything there is to change, label by label: each contract's storage as its root hash, everybody's coins. */
export type State = Record<string, string>;

/** Whose and what to look at, by name. */
export interface Watch {
  world: World;
  contracts: Record<string, string>;
  accounts: Record<string, string>;
}

/** A world with every hostile contract in it. */
export async function attacked() {
  const world = await deployed();
  const puppet = await deployMock("Puppet");
  const wild = await deployMock("WildGame");
  const odd = await deployMock("OddToken");
  const watch = await watchOf(world, { puppet, wild, odd });
  for (const player of [world.alice, world.bob, puppet, wild]) {
    await odd.mint(player, 1000n);
    await world.arena.deposit(COIN, 100n, player, { value: 100n });
  }
  for (const player of [world.alice, world.bob]) {
    await (odd.connect(player) as unknown as Contract).approve(world.arena, ethers.MaxUint256);
    await world.arena.connect(player).deposit(odd, 500n, player);
  }
  // The fee stays at nothing from here on, so that coins change hands only for a reason.
  await networkHelpers.setNextBlockBaseFeePerGas(0);
  await networkHelpers.mine();
  return { ...world, world, watch, puppet, wild, odd };
}

export type Attacked = Awaited<ReturnType<typeof attacked>>;

/** The world's own contracts and people, and the hostile ones given. */
export async function watchOf(world: World, hostile: Record<string, Contract> = {}): Promise<Watch> {
  const { owner, treasury, alice, bob, carol, stranger } = world;
  const { arena, fight, fighters, autoBattler, cards, guardians, scripted } = world;
  const addresses = async (named: Record<string, Addressable>) => {
    const entries = Object.entries(named).map(async ([name, one]) => [name, await one.getAddress()] as const);
    return Object.fromEntries(await Promise.all(entries));
  };
  return {
    world,
    contracts: await addresses({ arena, fight, fighters, autoBattler, cards, guardians, scripted, ...hostile }),
    accounts: await addresses({ owner, treasury, alice, bob, carol, stranger }),
  };
}

/**
 * The whole state: a root hash covers every slot of a contract: matches, terms, purses, totals, records, words,
 * fighters, operators, fee, treasury, owner, token balances and whatever else there may ever be.
 */
export async function stateOf({ contracts, accounts }: Watch): Promise<State> {
  const state: State = {};
  const proofOf = (address: string) => ethers.provider.send("eth_getProof", [address, [], "latest"]);
  for (const [name, address] of Object.entries(contracts)) {
    const { storageHash, balance } = await proofOf(address);
    state[`storage of ${name}`] = storageHash;
    state[`coins of ${name}`] = balance;
  }
  for (const [name, address] of Object.entries(accounts)) state[`coins of ${name}`] = (await proofOf(address)).balance;
  return state;
}

/** What differs between two states. */
export function changes(before: State, after: State): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (label) => before[label] !== after[label],
  );
}

/** Sends, wants the named refusal, and wants everything to be as it was. */
export async function refused(
  watch: Watch,
  send: () => Promise<unknown>,
  error: string,
  args?: unknown[],
  contract: BaseContract | Contract = watch.world.arena,
): Promise<void> {
  await withoutEffect(watch, async () => {
    const refusal = expect(send()).to.be.revertedWithCustomError(contract, error);
    await (args === undefined ? refusal : refusal.withArgs(...args));
  });
}

/** As `refused`, whatever the reason. */
export async function fails(watch: Watch, send: () => Promise<unknown>): Promise<void> {
  await withoutEffect(watch, async () => {
    await expect(send()).to.be.revert(ethers);
  });
}

/** Wants everything to be as it was after whatever happens. */
export async function withoutEffect(watch: Watch, happen: () => Promise<unknown>): Promise<void> {
  const before = await stateOf(watch);
  await happen();
  expect(changes(before, await stateOf(watch))).to.deep.equal([]);
}

/** Coins that nobody sent: what selfdestruct leaves to `to`. */
export async function forceCoins(from: { sendTransaction(tx: object): Promise<unknown> }, to: string, value: bigint) {
  await from.sendTransaction({ data: `0x73${to.slice(2)}ff`, value });
}

/** A match of the challenger, as far as the status named. */
export interface Match {
  id: bigint;
  terms: Terms;
  hash: string;
}

/** A player of `offered` and the others: a signer, or a contract that acts through `by`. */
export type Player = World["alice"];

export interface Offer {
  changes?: Partial<Terms>;
  by?: Player;
  opponent?: string | Addressable;
  firmFor?: bigint;
  data?: string;
}

/** Alice's offer in the scripted game, open and soft unless said otherwise. */
export async function offered(world: World, offer: Offer = {}): Promise<Match> {
  const { changes = {}, by = world.alice, opponent = COIN, firmFor, data = "0x" } = offer;
  const terms = await termsFor(world, changes);
  const firmUntil = firmFor === undefined ? 0n : BigInt(await time.latest()) + firmFor;
  await world.arena.connect(by).create(terms, opponent, firmUntil, data);
  const id = await world.arena.matchCount();
  return { id, terms, hash: await offerHashOf(world.arena, id) };
}

/** Alice against Bob, both funded. */
export async function taken(world: World, offer: Offer = {}): Promise<Match> {
  const match = await offered(world, offer);
  await world.arena.connect(world.bob).fund(match.id, match.hash);
  return match;
}

/** Alice against Bob, in play, `turn` to act. */
export async function inPlay(world: World, offer: Offer = {}, turn: bigint = Seat.One): Promise<Match> {
  const match = await taken(world, offer);
  await world.arena.connect(world.bob).join(match.id, match.hash, step(turn));
  return match;
}

/** Calls the arena as a contract that runs what it is told. */
export function as(contract: Contract, world: World, sender: Player = world.owner) {
  return async (name: string, args: unknown[], value = 0n): Promise<ContractTransactionResponse> =>
    (contract.connect(sender) as unknown as Contract).run(world.arena, value, await encode(world, name, args), FREE);
}

/** An arena call as bytes. */
export async function encode(world: World, name: string, args: unknown[]): Promise<string> {
  const resolved = await Promise.all(
    args.map((arg) =>
      typeof arg === "object" && arg !== null && "getAddress" in arg ? resolveAddress(arg as Addressable) : arg,
    ),
  );
  return world.arena.interface.encodeFunctionData(name as never, resolved as never);
}
