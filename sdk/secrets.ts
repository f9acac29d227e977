import {
  concat,
  dataLength,
  dataSlice,
  getBytes,
  hexlify,
  keccak256,
  randomBytes,
  toUtf8Bytes,
  type Signer,
} from "ethers";
import type { Commit, Keeper } from "./moves.js";
import { decodeSealed, encodeSealed, sealOf, type Hex } from "./seal.js";
import type { Sealer, Secret } from "./sealed.js";

const NONCE_BYTES = 16;
const KEY_TYPES = { SecretKey: [{ name: "purpose", type: "string" }] };
const KEY_VALUE = { purpose: "Derive the key that keeps my sealed moves. Sign this for Duello only." };
const NOTE_LABEL = hexlify(toUtf8Bytes("Duello note"));

/** The wallet signs the same thing differently each time, so no key can be derived from it: use `randomKey` and back it up. */
export class UnsteadyWallet extends Error {
  override readonly name = "UnsteadyWallet";
}

/**
 * A player's secret key of 32 bytes at one arena, from a wallet signature under its own type; the same whenever it is asked.
 * @throws UnsteadyWallet if two signatures differ.
 */
export async function walletKey(signer: Signer, chainId: bigint | number, arena: string): Promise<Hex> {
  const domain = { name: "Duello", version: "1", chainId, verifyingContract: arena };
  const first = await signer.signTypedData(domain, KEY_TYPES, KEY_VALUE);
  const second = await signer.signTypedData(domain, KEY_TYPES, KEY_VALUE);
  if (first !== second) throw new UnsteadyWallet("The wallet's signatures differ: use a random key and keep a backup.");
  return keccak256(first);
}

/** A fresh secret key for a wallet that is not steady. Whoever loses it cannot open what it sealed. */
export function randomKey(): Hex {
  return hexlify(randomBytes(32));
}

/**
 * Seals a move so that its player can open it with the key alone: the salt is keccak256(key, nonce) of a fresh nonce, and the
 * note behind the seal is nonce 16 || the move, encrypted. Moves of a game have one length, so notes tell nothing.
 */
export async function sealWithKey(
  by: Sealer,
  move: Hex,
  key: Hex,
  commit: Commit = sealBy(by),
): Promise<{ secret: Secret; sealed: Hex }> {
  const nonce = hexlify(randomBytes(NONCE_BYTES));
  const secret = { move, salt: saltOf(key, nonce) };
  const seal = commit(secret);
  const note = concat([nonce, await crypt(key, nonce, move)]);
  return { secret, sealed: encodeSealed({ seal, note }) };
}

/** Keeps a player's secrets with its key alone. */
export function keeperWith(key: Hex, by: Sealer): Keeper {
  return {
    seal: async (move, commit) => (await sealWithKey(by, move, key, commit)).sealed,
    open: (sealed, commit) => recoverSecret(by, sealed, key, commit),
  };
}

/** The secret behind a seal, from its note and the key. @throws Error if the note is not one that this key made for it. */
export async function recoverSecret(by: Sealer, sealed: Hex, key: Hex, commit: Commit = sealBy(by)): Promise<Secret> {
  const { seal, note } = decodeSealed(sealed);
  if (dataLength(note) <= NONCE_BYTES) throw new Error("There is no note behind this seal to recover it from.");
  const nonce = dataSlice(note, 0, NONCE_BYTES);
  const secret = { move: await crypt(key, nonce, dataSlice(note, NONCE_BYTES)), salt: saltOf(key, nonce) };
  // The cipher does not authenticate; the seal does.
  if (commit(secret) !== seal) {
    throw new Error("This seal was made with another key, or for another player, game or chain.");
  }
  return secret;
}

/** The seal of a move, as a player makes it. */
export function sealBy({ chainId, game, player }: Sealer): Commit {
  return ({ move, salt }) => sealOf(chainId, game, player, move, salt);
}

function saltOf(key: Hex, nonce: Hex): Hex {
  return keccak256(concat([key, nonce]));
}

/** AES-256-CTR under a key of its own; its own inverse. */
async function crypt(key: Hex, nonce: Hex, data: Hex): Promise<Hex> {
  const raw = getBytes(keccak256(concat([key, NOTE_LABEL])));
  const algorithm = { name: "AES-CTR", counter: new Uint8Array(getBytes(nonce)), length: 64 };
  const cipher = await crypto.subtle.importKey("raw", new Uint8Array(raw), algorithm.name, false, ["encrypt"]);
  return hexlify(new Uint8Array(await crypto.subtle.encrypt(algorithm, cipher, new Uint8Array(getBytes(data)))));
}
