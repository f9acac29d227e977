import {
  ContractFactory,
  type Addressable,
  type ContractTransactionReceipt,
  type ContractTransactionResponse,
  type InterfaceAbi,
  type Provider,
  type Signer,
} from "ethers";
import {
  Fighters__factory,
  FightToken__factory,
  GuardianCards__factory,
  type Arena,
  type Fighters,
  type FightToken,
  type GuardianCards,
} from "../../typechain-types/index.js";
import type { Addresses } from "../chain/addresses.js";
import { arenaAt } from "../chain/arena.js";
import { offerHash } from "../protocol/offer.js";
import { DAY, type Terms } from "../protocol/terms.js";
import type { Hex } from "../protocol/hex.js";

/** One FIGHT in its smallest unit. */
export const UNIT = 10n ** 18n;
/** Amount that every player has in the purse, and the same in the wallet. */
const PURSE = 1000n * UNIT;
const MAX_ALLOWANCE = 2n ** 256n - 1n;

/** Account of the chain, which signs and sends transactions. */
export type Account = Signer & { readonly address: string };

/**
 * Connection to a chain in memory, as returned by `await hre.network.create()` of Hardhat 3 with the plugins for ethers
 * and network helpers.
 */
export interface Connection {
  readonly ethers: {
    readonly provider: Provider & { send(method: string, params: unknown[]): Promise<unknown> };
    getSigners(): Promise<Account[]>;
    getImpersonatedSigner(address: string): Promise<Account>;
  };
  readonly networkHelpers: {
    readonly time: { latest(): Promise<number>; increaseTo(timestamp: bigint): Promise<void> };
    loadFixture<T>(fixture: () => Promise<T>): Promise<T>;
    takeSnapshot(): Promise<{ restore(): Promise<void> }>;
    mine(blocks: number, options: { interval: number }): Promise<void>;
    setBalance(address: string, balance: bigint): Promise<void>;
    setPrevRandao(value: number): Promise<void>;
    setCoinbase(address: string): Promise<void>;
    setNextBlockBaseFeePerGas(fee: bigint): Promise<void>;
  };
}

/** Compiled contracts by name, e.g. `hre.artifacts`. */
export interface Artifacts {
  readArtifact(name: string): Promise<{ readonly abi: InterfaceAbi; readonly bytecode: string }>;
}

/** A fresh deployment without games. Alice, bob and carol have 1000 FIGHT each, both in their purse and wallet. */
export interface World {
  readonly connection: Connection;
  readonly arena: Arena;
  readonly fight: FightToken;
  readonly fighters: Fighters;
  readonly cards: GuardianCards;
  /** Owner of the arena, and minter of all tokens. */
  readonly owner: Account;
  readonly treasury: Account;
  readonly alice: Account;
  readonly bob: Account;
  readonly carol: Account;
  /** Account without FIGHT. */
  readonly stranger: Account;
}

/** Artifacts of the package with the contracts. */
const packaged: Artifacts = {
  async readArtifact(name) {
    const file = `duello-contracts/artifacts/${name}.json`;
    const module = (await import(file, { with: { type: "json" } })) as {
      default: { abi: InterfaceAbi; bytecode: string };
    };
    return module.default;
  },
};

/**
 * Deploys the core contracts and creates the accounts of a world, for tests or for a local chain to play on.
 * @param artifacts Artifacts of the contracts; defaults to those of the package `duello-contracts`.
 * @throws like the provider.
 * @example
 * ```ts
 * import { openWorld } from "duello/laws";
 *
 * const { arena, alice } = await openWorld(connection);
 * await arena.purseOf(alice, addresses.FightToken); // 1000 FIGHT, as in every purse
 * ```
 */
export async function openWorld(connection: Connection, artifacts = packaged): Promise<World> {
  const [owner, treasury, alice, bob, carol, stranger] = await connection.ethers.getSigners();
  const deploy = async (name: string, ...args: unknown[]) => {
    const { abi, bytecode } = await artifacts.readArtifact(name);
    const contract = await new ContractFactory(abi, bytecode, owner).deploy(...args);
    return (await contract.waitForDeployment()).getAddress();
  };
  const arena = arenaAt(await deploy("Arena", owner.address, treasury.address), owner);
  const fight = FightToken__factory.connect(await deploy("FightToken", owner.address), owner);
  const fighters = Fighters__factory.connect(await deploy("Fighters", owner.address), owner);
  const cards = GuardianCards__factory.connect(await deploy("GuardianCards", owner.address), owner);
  for (const token of [fighters, cards]) await receiptOf(token.setMinter(owner, true));
  for (const player of [alice, bob, carol]) {
    await receiptOf(fight.mint(player, 2n * PURSE));
    await receiptOf(fight.connect(player).approve(arena, MAX_ALLOWANCE));
    await receiptOf(arena.connect(player).deposit(fight, PURSE, player));
  }
  return { connection, arena, fight, fighters, cards, owner, treasury, alice, bob, carol, stranger };
}

/**
 * Returns the addresses of a world's deployment.
 * @throws like the provider.
 * @example
 * ```ts
 * import { addressesIn, openWorld } from "duello/laws";
 *
 * const { Arena } = await addressesIn(await openWorld(connection));
 * ```
 */
export async function addressesIn({ arena, fight, fighters, cards }: World): Promise<Addresses> {
  const contracts = { Arena: arena, FightToken: fight, Fighters: fighters, GuardianCards: cards };
  return (await addressesOf(contracts)) as Addresses;
}

/** Returns the addresses of contracts by their names. */
export async function addressesOf(contracts: Record<string, Addressable>): Promise<Record<string, string>> {
  const pairs = Object.entries(contracts).map(async ([name, contract]) => [name, await contract.getAddress()]);
  return Object.fromEntries(await Promise.all(pairs)) as Record<string, string>;
}

/**
 * Returns terms of a rated match for 10 against 10 FIGHT with a clock of 30 days.
 * @throws like the provider.
 * @example
 * ```ts
 * import { ZeroHash } from "ethers";
 * import { termsOf } from "duello/laws";
 *
 * const terms = await termsOf(world, { game: addresses.TicTacToe, mode: ZeroHash, clock: 3600n });
 * ```
 */
export async function termsOf(
  { fight }: World,
  changes: Pick<Terms, "game" | "mode"> & Partial<Terms>,
): Promise<Terms> {
  const token = await fight.getAddress();
  return { stake1: 10n * UNIT, token, stake2: 10n * UNIT, clock: 30n * DAY, feeBps: 2000n, rated: true, ...changes };
}

/** Returns the hash that `join` takes for a match in its current state. */
export async function offerHashOf(arena: Arena, matchId: bigint): Promise<Hex> {
  const { player1, fingerprint, termsId } = await arena.matchOf(matchId);
  return offerHash({ terms: await arena.termsOf(termsId), player1, fingerprint });
}

/** Waits for a transaction. @returns its receipt, once it is in a block. */
export async function receiptOf(sent: Promise<ContractTransactionResponse>): Promise<ContractTransactionReceipt> {
  return (await (await sent).wait())!;
}
