import { Wallet, id, type Signer } from "ethers";
import {
  agreementRequest,
  appointmentRequest,
  NEVER,
  type Agreement,
  type SigningRequest,
} from "../../sdk/protocol/away/signatures.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { ethers, Seat, termsHash, type World } from "./index.js";
import type { Match, Sent } from "./matches.js";

/** Keys that belong to no player. */
export const keys = [new Wallet(id("key 1")), new Wallet(id("key 2"))] as const;

/** Signs typed data. */
export function signedBy(signer: Signer, { domain, types, value }: SigningRequest): Promise<Hex> {
  return signer.signTypedData(domain, types, value);
}

/** Returns the number of the chain. */
export async function chainId(): Promise<bigint> {
  return (await ethers.provider.getNetwork()).chainId;
}

/** Returns an agreement to end a match; by default player 1 has won, and it never expires. */
export function agreementOn({ id: matchId, terms }: Match, changes: Partial<Agreement> = {}): Agreement {
  const record = id("a record");
  return { matchId, termsHash: termsHash(terms), winner: Seat.One, until: NEVER, record, ...changes };
}

/** Returns the signed fields of an agreement in the arena of a world. */
export async function agreementIn({ arena }: Pick<World, "arena">, agreement: Agreement): Promise<SigningRequest> {
  return agreementRequest(await chainId(), await arena.getAddress(), agreement);
}

/** Signs by a session key, which `player` appoints for a match. */
export async function signedBySession(
  { arena }: Pick<World, "arena">,
  { matchId, player, key }: { matchId: bigint; player: Signer; key: Wallet },
  request: SigningRequest,
): Promise<Hex> {
  const appointment = appointmentRequest(await chainId(), await arena.getAddress(), matchId, key.address);
  return (await signedBy(key, request)) + (await signedBy(player, appointment)).slice(2);
}

/** Signs an agreement by alice, who is player 1, and bob. */
export async function bothSign(world: World, agreement: Agreement): Promise<[Hex, Hex]> {
  const request = await agreementIn(world, agreement);
  return [await signedBy(world.alice, request), await signedBy(world.bob, request)];
}

/** Settles a match by an agreement. @param by Sender; defaults to a stranger. */
export function settle(
  { arena, stranger }: Pick<World, "arena" | "stranger">,
  { matchId, termsHash: hash, winner, until, record }: Agreement,
  signatures: readonly [Hex, Hex],
  by: Signer = stranger,
): Sent {
  return arena.connect(by).settle(matchId, hash, winner, until, record, ...signatures);
}
