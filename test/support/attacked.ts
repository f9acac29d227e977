import {
  isAddressable,
  type BaseContract,
  type Contract,
  type ContractTransactionResponse,
  type FunctionFragment,
} from "ethers";
import type { Hex } from "../../sdk/protocol/hex.js";
import { IChannelArena__factory } from "../../typechain-types/index.js";
import {
  COIN,
  DAY,
  deployed,
  deployMock,
  ethers,
  HOUR,
  networkHelpers,
  Seat,
  step,
  time,
  ZERO_HASH,
  type Player,
  type World,
} from "./index.js";
import { offered, taken, type Sent } from "./matches.js";
import { FREE } from "./refusals.js";

export const MONTH = 30n * DAY;
/** Selector of the error with which a locked function reverts. */
export const LOCK = ethers.id("ReentrancyGuardReentrantCall()").slice(0, 10);
/** Step by which the scripted game ends with player 1 as winner. */
export const WIN = step(Seat.None, Seat.One);

/** Behaviours of a receiver of coins, as numbered in `Puppet`. */
export const RECEIVERS = { reverts: 1, "burns all gas": 2, "reverts with a huge blob": 3 };
/** Behaviours of a game that returns nothing, as numbered in `WildGame`. */
export const GAMES = { reverts: 1, "burns all gas": 2, "loops for ever": 3, "reverts with a huge blob": 4 };
/** Behaviour in which `WildGame` returns the bytes that it received. */
export const ANSWERS_RAW = 5;
/** Behaviours of a token, as numbered in `OddToken`. */
export const TOKENS = { fees: 1, nothing: 2, false: 3, falseAnyway: 4, reverts: 5, boasts: 6, hides: 7 };

/** Deploys a world with every hostile contract, in which gas is free. */
export async function attacked() {
  const world = await deployed();
  const puppet = await deployMock("Puppet");
  const wild = await deployMock("WildGame");
  const odd = await deployMock("OddToken");
  for (const player of [world.alice, world.bob, puppet, wild]) {
    await odd.mint(player, 1000n);
    await world.arena.deposit(COIN, 100n, player, { value: 100n });
  }
  for (const player of [world.alice, world.bob]) {
    await (odd.connect(player) as unknown as Contract).approve(world.arena, ethers.MaxUint256);
    await world.arena.connect(player).deposit(odd, 500n, player);
  }
  // From here on gas is free, so that coins change hands only for a reason.
  await networkHelpers.setNextBlockBaseFeePerGas(0);
  await networkHelpers.mine();
  return { ...world, puppet, wild, odd };
}

export type Attacked = Awaited<ReturnType<typeof attacked>>;

/** Sends coins to `to` by selfdestruct, a transfer that no contract can refuse. */
export async function forceCoins(from: { sendTransaction(tx: object): Promise<unknown> }, to: string, value: bigint) {
  await from.sendTransaction({ data: `0x73${to.slice(2)}ff`, value });
}

/** Returns a function that makes a puppet contract call the arena. */
export function as(contract: Contract, world: World) {
  return async (name: string, args: unknown[], value = 0n): Promise<ContractTransactionResponse> =>
    contract.run(world.arena, value, await encode(world, name, args), FREE);
}

/** Encodes a call of the arena. */
export async function encode(world: World, name: string, args: unknown[]): Promise<Hex> {
  const resolved = await Promise.all(args.map((arg) => (isAddressable(arg) ? arg.getAddress() : arg)));
  return world.arena.interface.encodeFunctionData(name as never, resolved as never);
}

/** Returns the functions of a contract that change its state, without those that only its channels may call. */
export function changing(contract: BaseContract): FunctionFragment[] {
  const hooks = IChannelArena__factory.createInterface();
  const found: FunctionFragment[] = [];
  contract.interface.forEachFunction((fragment) => {
    const changes = !["view", "pure"].includes(fragment.stateMutability);
    if (changes && !hooks.hasFunction(fragment.selector)) found.push(fragment);
  });
  return found;
}

/** Sends FIGHT into the arena as an ERC-1363 transfer with data. */
export function sendWithData({ fight, arena }: World, sender: Player, amount: bigint, data: Hex): Sent {
  return fight.connect(sender)["transferAndCall(address,uint256,bytes)"](arena, amount, data, FREE);
}

/**
 * Prepares a world in which only the lock keeps a contract from calling the functions that change the arena's state.
 * @returns the arguments of the calls, by function.
 */
export async function possibleCalls(w: Attacked, self: Contract): Promise<Record<string, unknown[]>> {
  const { alice, bob, carol, arena, odd } = w;
  const coin = { token: COIN, stake1: 1n, stake2: 1n, clock: MONTH };
  await arena.deposit(COIN, 100n, self, { value: 100n });
  await odd.mint(self, 10n);
  await self.run(odd, 0, odd.interface.encodeFunctionData("approve", [await arena.getAddress(), 10n]));
  const asSelf = as(self, w);
  const expired = await taken(w, { stake1: 0n, stake2: 0n, clock: 60n, by: carol });
  await time.increase(61);
  const open = await offered(w, coin);
  const firm = await offered(w, { ...coin, opponent: self, firmFor: HOUR });
  const own = open.id + 2n;
  await asSelf("create", [open.terms, COIN, 0, "0x"]);
  const declined = await offered(w, { ...coin, opponent: self, firmFor: HOUR });
  const played = await offered(w, { ...coin, opponent: self });
  await asSelf("fund", [played.id, played.hash]);
  await asSelf("join", [played.id, played.hash, step(Seat.Two)]);
  return {
    create: [open.terms, bob.address, 0, "0x"],
    fund: [open.id, open.hash],
    join: [firm.id, firm.hash, step(Seat.One)],
    act: [played.id, WIN],
    cancel: [own],
    decline: [declined.id],
    resign: [played.id],
    timeout: [expired.id],
    allow: [alice, 1],
    deposit: [odd, 1n, self],
    depositWithPermit: [odd, 1n, ethers.MaxUint256, 27, ZERO_HASH, ZERO_HASH],
    withdraw: [COIN, 1n, alice],
    onTransferReceived: [self, self, 0n, "0x"],
    setFeeBps: [0],
    setTreasury: [alice],
    transferOwnership: [alice],
    renounceOwnership: [],
    acceptOwnership: [],
  };
}
