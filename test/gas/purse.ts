import { Signature, type ContractTransactionResponse } from "ethers";
import { PERMIT_TYPES } from "../support/permit.js";
import { COIN } from "../../sdk/protocol/terms.js";
import { DAY, UNIT, type Player } from "./chain.js";
import { create, createSoft, planMatch, STAKE, tiersOf, type Plan } from "./match.js";
import type { Entries, World } from "./world.js";
import { fundOrder } from "../support/orders.js";

/** Ways into and out of a purse. First-time: the purse was empty; returning: it was not. */
export const purse: Entries = {
  "deposit coin: first-time player": ({ eve }) => eve.arena.deposit(COIN, UNIT, eve.address, { value: UNIT }),
  "deposit coin: returning player": ({ bob }) => bob.arena.deposit(COIN, UNIT, bob.address, { value: UNIT }),
  "deposit FIGHT: first-time player": ({ eve, fight }) => eve.arena.deposit(fight, UNIT, eve.address),
  "deposit FIGHT: returning player": ({ bob, fight }) => bob.arena.deposit(fight, UNIT, bob.address),
  "deposit FIGHT with a permit: first-time player": (world) => depositWithPermit(world, world.eve),
  "deposit FIGHT with a permit: returning player": async (world) => {
    await depositWithPermit(world, world.bob);
    return depositWithPermit(world, world.bob);
  },
  "send FIGHT into the purse: first-time player": ({ eve, arena }) =>
    eve.fight["transferAndCall(address,uint256)"](arena, UNIT),
  "send FIGHT into the purse: returning player": ({ bob, arena }) =>
    bob.fight["transferAndCall(address,uint256)"](arena, UNIT),
  "send FIGHT into seat 1: first-time player": async (world) => {
    const match = await planMatch(world, world.eve, world.bob);
    await create(match);
    return send(world, match, world.eve);
  },
  "send FIGHT into seat 1: returning player": async (world) => {
    const match = await planMatch(world, world.alice, world.bob, { terms: { stake1: 2000n * UNIT } });
    await create(match);
    return send(world, match, world.alice, 2000n * UNIT);
  },
  "send FIGHT into seat 2: first-time player": async (world) => {
    const match = await planMatch(world, world.alice, world.eve);
    await createSoft(match);
    return send(world, match, world.eve);
  },
  "send FIGHT into seat 2: returning player": async (world) => {
    const match = await planMatch(world, world.alice, world.bob);
    await createSoft(match);
    return send(world, match, world.bob);
  },
  "withdraw coin: a part": ({ bob }) => bob.arena.withdraw(COIN, UNIT, bob.address),
  "withdraw coin: all": ({ bob }) => bob.arena.withdraw(COIN, 100n * UNIT, bob.address),
  "withdraw FIGHT: a part": ({ carol, fight }) => carol.arena.withdraw(fight, UNIT, carol.address),
  "withdraw FIGHT: all": ({ carol, fight }) => carol.arena.withdraw(fight, 1000n * UNIT, carol.address),
};

/** Transactions of the owner and the minters of the tokens. */
export const tokens: Entries = {
  "mint FIGHT: first-time holder": ({ owner, stranger }) => owner.fight.mint(stranger.address, UNIT),
  "mint FIGHT: returning holder": ({ owner, bob }) => owner.fight.mint(bob.address, UNIT),
  "name a minter of fighters": ({ fighters, stranger }) => fighters.setMinter(stranger.address, true),
  "mint a fighter: first-time owner": ({ fighters, stranger }) =>
    fighters.mint(stranger.address, 1, tiersOf(1n), false),
  "mint a fighter: returning owner": ({ fighters, bob }) => fighters.mint(bob.address, 1, tiersOf(1n), false),
};

async function depositWithPermit(world: World, player: Player): Promise<ContractTransactionResponse> {
  const { fight, chainId } = world;
  const [verifyingContract, spender] = [await fight.getAddress(), await world.arena.getAddress()];
  const deadline = (await world.now()) + DAY;
  const permit = { owner: player.address, spender, value: UNIT, nonce: await fight.nonces(player.address), deadline };
  const domain = { name: "Fight", version: "1", chainId, verifyingContract };
  const { v, r, s } = Signature.from(await player.signer.signTypedData(domain, PERMIT_TYPES, permit));
  return player.arena.depositWithPermit(fight, UNIT, deadline, v, r, s);
}

async function send(world: World, match: Plan, player: Player, amount = STAKE): Promise<ContractTransactionResponse> {
  const order = fundOrder(match.matchId, match.offerHash);
  return player.fight["transferAndCall(address,uint256,bytes)"](world.arena, amount, order);
}
