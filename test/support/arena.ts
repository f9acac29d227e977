import { expect } from "chai";
import { dataLength, type Addressable, type BaseContract, type ContractTransactionResponse } from "ethers";
import { fingerprintOf, offerHash } from "../../sdk/protocol/offer.js";
import { COIN, DAY, ethers, Seat, Status, step, termsFor, time, type Terms, type World } from "./index.js";

export type Sent = Promise<ContractTransactionResponse>;

/** A match of alice's, as everyone outside names it. */
export interface Played {
  id: bigint;
  hash: string;
  terms: Terms;
}

/** An offer by alice, soft, open and funded unless said otherwise; named means bob. Other fields change the terms. */
export interface Offer extends Partial<Terms> {
  named?: boolean;
  firm?: boolean;
  funded?: boolean;
}

const OPENING = "0x";

export const ACCEPTED = "accepted";

/** The offer, in status 1 or, not funded, 0. */
export async function offered(world: World, { named, firm, funded = true, ...changes }: Offer = {}): Promise<Played> {
  const { arena, alice, bob } = world;
  const terms = await termsFor(world, changes);
  const purse = funded ? 0n : await arena.purseOf(alice, terms.token);
  if (!funded) await arena.connect(alice).withdraw(terms.token, purse, alice);
  const firmUntil = firm ? (await now()) + DAY : 0n;
  await arena.connect(alice).create(terms, named ? bob : COIN, firmUntil, OPENING);
  if (!funded) await arena.connect(alice).deposit(terms.token, purse, alice);
  const hash = offerHash({ terms, player1: alice.address, fingerprint: fingerprintOf(OPENING) });
  return { id: await arena.matchCount(), hash, terms };
}

/** The offer funded by bob, in status 2. */
export async function taken(world: World, offer?: Offer): Promise<Played> {
  const match = await offered(world, offer);
  await world.arena.connect(world.bob).fund(match.id, match.hash);
  return match;
}

/** The offer joined by bob, in status 3 with this seat to act. */
export async function inPlay(world: World, turn: bigint = Seat.One, offer?: Offer): Promise<Played> {
  const match = await taken(world, offer);
  await world.arena.connect(world.bob).join(match.id, match.hash, step(turn));
  return match;
}

export async function now(): Promise<bigint> {
  return BigInt(await time.latest());
}

/** Gives the next transaction this timestamp. */
export async function at(timestamp: bigint): Promise<void> {
  await time.setNextBlockTimestamp(timestamp);
}

/** Storage and coin of every contract in a world: if they are equal before and after, nothing has changed. */
export async function stateOf(world: object): Promise<string> {
  const proofs = contractsOf(world).map(async (contract) => {
    const proof = await ethers.provider.send("eth_getProof", [await contract.getAddress(), [], "latest"]);
    return `${proof.storageHash} ${proof.balance}`;
  });
  return (await Promise.all(proofs)).join("\n");
}

/** `accepted`, or the refusal as `Name(value, ...)` in which addresses have their names in the world. */
export async function outcomeOf(world: object, sent: Promise<unknown>): Promise<string> {
  try {
    await sent;
    return ACCEPTED;
  } catch (error) {
    const { data } = error as { data?: string };
    if (typeof data !== "string") throw error;
    const known = dataLength(data) < 4 ? [] : contractsOf(world);
    const refusal = known.map((contract) => contract.interface.parseError(data)).find((parsed) => parsed !== null);
    return refusal ? `${refusal.name}${say(refusal.args, await namesIn(world))}` : `unnamed ${data}`;
  }
}

/** Sends what must be refused with exactly this error, and must leave the whole state as it was. */
export async function refused(world: object, send: () => Promise<unknown>, refusal: string): Promise<void> {
  const before = await stateOf(world);
  expect(await outcomeOf(world, send())).to.equal(refusal);
  expect(await stateOf(world), "state after a refusal").to.equal(before);
}

/** Checks that the arena owes exactly what it holds: all purses and all stakes in open matches. */
export async function expectSolvent(world: World, token: string): Promise<void> {
  const { arena, fight } = world;
  const players = [world.owner, world.treasury, world.alice, world.bob, world.carol, world.stranger];
  let owed = 0n;
  for (const player of players) owed += await arena.purseOf(player, token);
  for (let id = await arena.matchCount(); id > 0n; id--) {
    const { status, termsId } = await arena.matchOf(id);
    const terms = await arena.termsOf(termsId);
    if (terms.token !== token) continue;
    if (status >= Status.P1Deposited && status <= Status.AllJoined) owed += terms.stake1;
    if (status === Status.AllDeposited || status === Status.AllJoined) owed += terms.stake2;
  }
  const held = token === COIN ? ethers.provider.getBalance(arena) : fight.attach(token).getFunction("balanceOf")(arena);
  expect(await arena.totalOf(token), "total").to.equal(owed);
  expect(await held, "balance").to.equal(owed);
}

/**
 * Sends what ends an unrated match, and checks what is announced, stored and paid to player 1, player 2 and the house.
 * Their purses change by as much, unless said otherwise.
 */
export async function expectSettled(
  world: World,
  { id, terms }: Played,
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

/** The purses of alice, bob and the treasury. */
async function pursesOf({ arena, alice, bob, treasury }: World, token: string): Promise<bigint[]> {
  return Promise.all([alice, bob, treasury].map((player) => arena.purseOf(player, token)));
}

function contractsOf(world: object): BaseContract[] {
  return Object.values(world).filter((value) => "interface" in value);
}

async function namesIn(world: object): Promise<Map<string, string>> {
  const names = Object.entries(world).map(async ([name, value]): Promise<[string, string]> => {
    return [await (value as Addressable).getAddress(), name];
  });
  return new Map([...(await Promise.all(names)), [COIN, "zero"]]);
}

function say(value: unknown, names: Map<string, string>): string {
  if (Array.isArray(value)) return `(${value.map((one) => say(one, names)).join(", ")})`;
  return names.get(String(value)) ?? String(value);
}
