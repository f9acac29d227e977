import {
  appoint,
  appointmentRequest,
  awayKey,
  digestOf,
  isSignedBy,
  pledgedSigner,
  sessionSigner,
  type AwaySigner,
  type Hex,
  type MatchRecord,
} from "duello";
import { computeAddress } from "ethers";
import type { Player } from "../player/player.ts";
import { database, databaseIfKept } from "../store/database.ts";

/** Thrown for a wallet whose signature the arena would not take. */
export class NoOrdinaryWallet extends Error {
  override readonly name = "NoOrdinaryWallet";
}

/** Key that signs for a player in one match. */
interface MatchKey {
  /** The private key. */
  readonly key: Hex;
  readonly address: string;
}

/**
 * Returns the name of a match and a player, under which the browser keeps what is of both.
 * @throws Error if the node does not have the first block of the chain.
 */
export async function nameOf({ chain, address }: Player, matchId: bigint): Promise<string> {
  const { chainId, addresses } = chain.deployment;
  // Each start of a local chain begins a new chain under the same number.
  const first = await chain.provider.getBlock(0);
  if (!first) throw new Error("The node does not have the first block of the chain.");
  return `${chainId}/${first.hash}/${addresses.Arena}/${address}/${matchId}`;
}

/** Finds the signer of a player in a match; undefined if its wallet has to be asked. */
export async function knownSigner(you: Player, record: MatchRecord): Promise<AwaySigner | undefined> {
  const keys = await you.keyring.find();
  if (!keys) return undefined;
  const { key, address } = keyOf(keys, you, record.matchId);
  const seat = record.player1 === you.address ? 1n : 2n;
  if (record.keys.some((pledge) => pledge.seat === seat && pledge.key === address)) return pledgedSigner(key);
  const kept = await databaseIfKept();
  const appointment = (await kept?.get("away", await appointmentName(you, record.matchId))) as Hex | undefined;
  return appointment !== undefined && isAppointed(you, record.matchId, address, appointment)
    ? sessionSigner(key, appointment)
    : undefined;
}

/**
 * Has the wallet appoint the key of a match, by one signature; the wallet is asked for the player's secret key first if this
 * browser does not have it.
 * @throws NoOrdinaryWallet
 */
export async function appointKey(you: Player, matchId: bigint): Promise<void> {
  const { key, address } = keyOf(await you.keyring.keys(), you, matchId);
  const appointment = await appoint(you.signer, placeOf(you, matchId), key).catch((error: unknown) => {
    throw isForeign(error) ? error : new NoOrdinaryWallet((error as Error).message, { cause: error });
  });
  if (!isAppointed(you, matchId, address, appointment)) {
    throw new NoOrdinaryWallet("The wallet does not sign as an ordinary account: pledge a key by a transaction.");
  }
  await (await database()).put("away", appointment, await appointmentName(you, matchId));
}

/** Returns the address of the key that signs for a player in a match. */
export async function matchKeyAddress(you: Player, matchId: bigint): Promise<string> {
  return keyOf(await you.keyring.keys(), you, matchId).address;
}

function keyOf(keys: Parameters<typeof awayKey>[0], you: Player, matchId: bigint): MatchKey {
  const key = awayKey(keys, placeOf(you, matchId));
  return { key, address: computeAddress(key) };
}

function placeOf({ chain: { deployment } }: Player, matchId: bigint) {
  return { chainId: BigInt(deployment.chainId), arena: deployment.addresses.Arena, matchId };
}

/** Returns whether a player has signed the appointment of a key. */
function isAppointed(you: Player, matchId: bigint, key: string, appointment: Hex): boolean {
  const { chainId, arena } = placeOf(you, matchId);
  const digest = digestOf(appointmentRequest(chainId, arena, matchId, key));
  return isSignedBy(digest, appointment, { player: you.address, keyDigestOf: () => digest });
}

async function appointmentName(you: Player, matchId: bigint): Promise<string> {
  return `appointment/${await nameOf(you, matchId)}`;
}

/** Returns whether an error is the wallet's own, e.g. as the person has refused. */
function isForeign(error: unknown): boolean {
  return (error as { code?: unknown }).code !== undefined || (error as Error).name === "WrongNetwork";
}
