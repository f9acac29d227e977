import { type Addressable, type BaseContract, type Contract, type FunctionFragment } from "ethers";
import { as, type Attacked, FREE, MONTH, offered, taken } from "./attacked.js";
import { COIN, ethers, HOUR, Seat, step, time, ZERO_HASH } from "./index.js";

export const LOCK = ethers.id("ReentrancyGuardReentrantCall()").slice(0, 10);
export const WIN = step(Seat.None, Seat.One);
export const ORDER = (id: bigint, hash: string) =>
  ethers.AbiCoder.defaultAbiCoder().encode(["uint256", "bytes32"], [id, hash]);

/** How a receiver of coins may behave; the contract's numbers. */
export const RECEIVERS = { reverts: 1, "burns all gas": 2, "reverts with a huge blob": 3 };
/** How a game may answer. */
export const GAME = { reverts: 1, "burns all gas": 2, "loops for ever": 3, "reverts with a huge blob": 4 };
export const ANSWERS_RAW = 5;
/** The habits of a token. */
export const TOKEN = { fees: 1, nothing: 2, false: 3, falseAnyway: 4, reverts: 5, boasts: 6, hides: 7 };

export function changing(contract: BaseContract): FunctionFragment[] {
  const found: FunctionFragment[] = [];
  contract.interface.forEachFunction((fragment) => {
    if (!["view", "pure"].includes(fragment.stateMutability)) found.push(fragment);
  });
  return found;
}

/** An ERC-1363 transfer with a fund order behind it. */
export const sendWith = (token: Attacked["fight"], ...[to, amount, data]: [Addressable, bigint, string, object]) =>
  token["transferAndCall(address,uint256,bytes)"](to, amount, data, FREE);

/** A call of every state-changing function of the arena that `self` could make, were it not for the lock. */
export async function plausible(w: Attacked, self: Contract): Promise<Record<string, unknown[]>> {
  const { alice, bob, carol, arena, odd } = w;
  const coin = { token: COIN, stake1: 1n, stake2: 1n, clock: MONTH };
  await arena.deposit(COIN, 100n, self, { value: 100n });
  await odd.mint(self, 10n);
  await self.run(odd, 0, odd.interface.encodeFunctionData("approve", [await arena.getAddress(), 10n]));
  const asSelf = as(self, w.world);
  const expired = await taken(w.world, { changes: { stake1: 0n, stake2: 0n, clock: 60n }, by: carol });
  await time.increase(61);
  const open = await offered(w.world, { changes: coin });
  const firm = await offered(w.world, { changes: coin, opponent: self, firmFor: HOUR });
  const own = open.id + 2n;
  await asSelf("create", [open.terms, COIN, 0, "0x"]);
  const played = await offered(w.world, { changes: coin, opponent: self });
  await asSelf("fund", [played.id, played.hash]);
  await asSelf("join", [played.id, played.hash, step(Seat.Two)]);
  return {
    create: [open.terms, bob.address, 0, "0x"],
    fund: [open.id, open.hash],
    join: [firm.id, firm.hash, step(Seat.One)],
    act: [played.id, WIN],
    cancel: [own],
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
