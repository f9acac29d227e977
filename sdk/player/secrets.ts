import {
  concat,
  dataLength,
  dataSlice,
  getBytes,
  hexlify,
  keccak256,
  N,
  randomBytes,
  toBeHex,
  toUtf8Bytes,
  type Signer,
} from "ethers";
import type { SecretStore } from "../games/moves.js";
import type { Hex } from "../protocol/hex.js";
import { decodeCommitment, encodeCommitment } from "../protocol/commit-reveal.js";
import { commitmentBy, type Commit, type Committer, type Secret } from "../protocol/commitment.js";

const NONCE_BYTES = 16;
const KEY_TYPES = { SecretKey: [{ name: "purpose", type: "string" }] };
const KEY_VALUE = { purpose: "Derive the key that keeps my committed moves. Sign this for Duello only." };
/** Of a signature with a whole byte for the parity. */
const SIGNATURE_BYTES = 65;
/** Where a signature of 64 bytes keeps it. */
const PARITY_BIT = 2n ** 255n;
const NOTE_LABEL = hexlify(toUtf8Bytes("Duello note"));

/** Keys of 32 bytes: one, or several of which the first commitments and each opens what it has committed to. */
export type Keys = Hex | readonly [Hex, ...Hex[]];

/**
 * The wallet gives no signature that a key can be derived from, or each time another: use `randomKey` and back it up.
 */
export class UnsteadyWallet extends Error {
  override readonly name = "UnsteadyWallet";
}

/**
 * A player's secret key at one arena, from a wallet signature under its own type; the same whenever it is asked,
 * however the wallet writes its signatures. Behind it those that earlier versions derived, which depended on that.
 * @throws UnsteadyWallet if two signatures give different keys, or none.
 */
export async function walletKeys(
  signer: Signer,
  chainId: bigint | number,
  arena: string,
): Promise<readonly [Hex, ...Hex[]]> {
  const domain = { name: "Duello", version: "1", chainId, verifyingContract: arena };
  const first = keysFrom(await signer.signTypedData(domain, KEY_TYPES, KEY_VALUE));
  const second = keysFrom(await signer.signTypedData(domain, KEY_TYPES, KEY_VALUE));
  if (first[0] === second[0]) return first;
  throw new UnsteadyWallet("The wallet's signatures differ: use a random key and keep a backup.");
}

/**
 * The key of a signature by its numbers r and s, of a longer one by all of it; then that of each way to write it down.
 */
function keysFrom(signature: Hex): readonly [Hex, ...Hex[]] {
  // Of a contract that is a wallet; what it means is known to that contract alone.
  if (dataLength(signature) > SIGNATURE_BYTES) return [keccak256(signature)];
  const { r, s, parity } = numbersIn(signature);
  const key = keccak256(concat([r, s]));
  const compact = toBeHex(BigInt(s) + BigInt(parity) * PARITY_BIT, 32);
  const written = [concat([r, s, toBeHex(27 + parity, 1)]), concat([r, s, toBeHex(parity, 1)]), concat([r, compact])];
  return [key, ...new Set([signature, ...written].map((each) => keccak256(each)))];
}

/**
 * The numbers of a signature of 65 bytes, r || s || v, or 64, where the parity is a bit of s. Of s and -s it is the
 * lower.
 */
function numbersIn(signature: Hex): { r: Hex; s: Hex; parity: number } {
  const isCompact = dataLength(signature) === SIGNATURE_BYTES - 1;
  if (!isCompact && dataLength(signature) !== SIGNATURE_BYTES) throw noSignature();
  const r = dataSlice(signature, 0, 32);
  const word = BigInt(dataSlice(signature, 32, 64));
  const s = isCompact ? word % PARITY_BIT : word;
  const v = isCompact ? Number(word / PARITY_BIT) : Number(dataSlice(signature, 64));
  if (BigInt(r) === 0n || BigInt(r) >= N || s === 0n || s >= N) throw noSignature();
  const isHigh = s > N / 2n;
  // 0 and 1, or 27 and 28; turned around with the sign of s.
  const parity = (v < 27 ? v : v - 27) % 2;
  return { r, s: toBeHex(isHigh ? N - s : s, 32), parity: isHigh ? 1 - parity : parity };
}

function noSignature(): UnsteadyWallet {
  return new UnsteadyWallet("The wallet gives no signature of its own: use a random key and keep a backup.");
}

/** A fresh secret key for a wallet that is not steady. Whoever loses it cannot open what it committed. */
export function randomKey(): Hex {
  return hexlify(randomBytes(32));
}

/**
 * Commitments a move so that its player can open it with the key alone: the salt is keccak256(key, nonce) of a fresh
 * nonce, and the note behind the commitment is nonce 16 || the move, encrypted. Moves of a game have one length, so
 * notes tell nothing.
 */
export async function commitWithKey(
  by: Committer,
  move: Hex,
  key: Hex,
  commit: Commit = commitmentBy(by),
): Promise<{ secret: Secret; committed: Hex }> {
  const nonce = hexlify(randomBytes(NONCE_BYTES));
  const secret = { move, salt: saltOf(key, nonce) };
  const commitment = commit(secret);
  const note = concat([nonce, await crypt(key, nonce, move)]);
  return { secret, committed: encodeCommitment({ commitment, note }) };
}

/** Keeps a player's secrets with its keys alone. */
export function secretStoreWith(keys: Keys, by: Committer): SecretStore {
  const [key] = [keys].flat();
  return {
    commit: async (move, commit) => (await commitWithKey(by, move, key, commit)).committed,
    reveal: (committed, commit) => recoverSecret(by, committed, keys, commit),
  };
}

/**
 * The secret behind a commitment, from its note and the keys. @throws Error if the note is not one that any of these
 * made for it.
 */
export async function recoverSecret(
  by: Committer,
  committed: Hex,
  keys: Keys,
  commit: Commit = commitmentBy(by),
): Promise<Secret> {
  const { commitment, note } = decodeCommitment(committed);
  if (dataLength(note) <= NONCE_BYTES) throw new Error("There is no note behind this commitment to recover it from.");
  const nonce = dataSlice(note, 0, NONCE_BYTES);
  for (const key of [keys].flat()) {
    const secret = { move: await crypt(key, nonce, dataSlice(note, NONCE_BYTES)), salt: saltOf(key, nonce) };
    // The cipher does not authenticate; the commitment does.
    if (commit(secret) === commitment) return secret;
  }
  throw new Error("This commitment was made with another key, or for another player, game or chain.");
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
