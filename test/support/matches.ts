import { expect } from "chai";
import { type Addressable, type ContractTransactionResponse } from "ethers";
import { fingerprintOf, offerHash } from "../../sdk/protocol/offer.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import {
  COIN,
  ethers,
  fieldsOf,
  now,
  Seat,
  Status,
  step,
  termsFor,
  wordsOf,
  type Player,
  type Terms,
  type World,
} from "./index.js";

export type Sent = Promise<ContractTransactionResponse>;

/** A match in the scripted game, with everything that identifies it. */
export interface Match {
  id: bigint;
  hash: string;
  terms: Terms;
}

/** An offer in the scripted game; all other fields change the terms. */
export interface Offer extends Partial<Terms> {
  /** The challenger; defaults to alice. */
  by?: Player;
  /** The opponent that the offer names; defaults to nobody. */
  opponent?: "bob" | Addressable;
  /** Seconds for which the offer is firm; defaults to soft. */
  firmFor?: bigint;
  /** False for an offer whose stake is not in the challenger's purse. */
  funded?: boolean;
  /** The challenger's data. */
  data?: Hex;
}

/** Creates an offer, which has status 1, or 0 if it is not funded. */
export async function offered(world: World, offer: Offer = {}): Promise<Match> {
  const { by = world.alice, opponent = COIN, firmFor, funded = true, data = "0x", ...changes } = offer;
  const { arena, bob } = world;
  const own = arena.connect(by);
  const terms = await termsFor(world, changes);
  const purse = funded ? 0n : await arena.purseOf(by, terms.token);
  if (!funded) await own.withdraw(terms.token, purse, by);
  const firmUntil = firmFor === undefined ? 0n : (await now()) + firmFor;
  await own.create(terms, opponent === "bob" ? bob : opponent, firmUntil, data);
  if (!funded) await own.deposit(terms.token, purse, by);
  const hash = offerHash({ terms, player1: by.address, fingerprint: fingerprintOf(data) });
  return { id: await arena.matchCount(), hash, terms };
}

/** Creates an offer that bob funds, which has status 2. */
export async function taken(world: World, offer?: Offer): Promise<Match> {
  const match = await offered(world, offer);
  await world.arena.connect(world.bob).fund(match.id, match.hash);
  return match;
}

/** Creates an offer that bob funds and joins, which has status 3 and this seat in turn. */
export async function inPlay(world: World, offer?: Offer, turn: bigint = Seat.One): Promise<Match> {
  const match = await taken(world, offer);
  await world.arena.connect(world.bob).join(match.id, match.hash, step(turn));
  return match;
}

/**
 * Expects the arena to owe exactly its balance: all purses and all stakes in unfinished matches.
 * @param inChannels Amount that it owes to channels, stakes in their matches included.
 */
export async function expectSolvent(world: World, token: string, inChannels = 0n): Promise<void> {
  const { arena, fight } = world;
  const players = [world.owner, world.treasury, world.alice, world.bob, world.carol, world.stranger];
  let owed = inChannels;
  for (const player of players) owed += (await wordsOf(arena, "purseOf", player.address, token))[0];
  for (let id = await arena.matchCount(); id > 0n; id--) {
    const { status, termsId } = await fieldsOf(arena, "matchOf", id);
    if (status > Status.AllJoined) continue;
    const terms = await fieldsOf(arena, "termsOf", termsId);
    if (terms.token !== BigInt(token)) continue;
    if (status >= Status.P1Deposited) owed += terms.stake1;
    if (status === Status.AllDeposited || status === Status.AllJoined) owed += terms.stake2;
  }
  const held = token === COIN ? ethers.provider.getBalance(arena) : fight.attach(token).getFunction("balanceOf")(arena);
  expect(await arena.totalOf(token), "total").to.equal(owed);
  expect(await held, "balance").to.equal(owed);
}

/**
 * Sends the call that ends an unrated match, and checks the events, the stored state and the payments to player 1,
 * player 2 and the house. By default their purses change by the same amounts.
 */
export async function expectSettled(
  world: World,
  { id, terms }: Match,
  send: () => Sent,
  status: bigint,
  paid: bigint[],
  changes: bigint[] = paid,
): Sent {
  const { arena } = world;
  const before = await pursesOf(world, terms.token);
  const sent = send();
  await expect(sent)
    .to.emit(arena, "Settled")
    .withArgs(id, status, ...paid, 0n, 0n);
  const after = await pursesOf(world, terms.token);
  expect(after.map((purse, i) => purse - before[i])).to.deep.equal(changes);
  const { status: stored, turn } = await arena.matchOf(id);
  expect([stored, turn]).to.deep.equal([status, Seat.None]);
  await expectSolvent(world, terms.token);
  return sent;
}

/** Returns the purses of alice, bob and the treasury. */
export async function pursesOf({ arena, alice, bob, treasury }: World, token: string | Addressable): Promise<bigint[]> {
  return Promise.all([alice, bob, treasury].map((player) => arena.purseOf(player, token)));
}
