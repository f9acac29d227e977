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
  type TypedDataDomain,
  type TypedDataField,
} from "ethers";
import type { SecretStore } from "../games/moves.js";
import type { Hex } from "../protocol/hex.js";
import { decodeCommitment, encodeCommitment } from "../protocol/commit-reveal.js";
import type { Client } from "./client.js";
import { commitmentBy, type CommitmentScheme, type Committer, type Secret } from "../protocol/commitment.js";

const NONCE_BYTES = 16;
const KEY_TYPES = { SecretKey: [{ name: "purpose", type: "string" }] };
const KEY_VALUE = { purpose: "Derive the key that keeps my committed moves. Sign this for Duello only." };
/** Bytes of a signature that has a whole byte for the parity. */
const SIGNATURE_BYTES = 65;
/** Bit of the number s that holds the parity in a signature of 64 bytes. */
const PARITY_BIT = 2n ** 255n;
const NOTE_LABEL = hexlify(toUtf8Bytes("Duello note"));
const SESSION_LABEL = hexlify(toUtf8Bytes("Duello session"));

/**
 * One or several keys of 32 bytes. The first makes new commitments. Each key recovers the secrets of the commitments
 * that it made.
 */
export type Keys = Hex | readonly [Hex, ...Hex[]];

/**
 * Thrown if a wallet gives no usable signature to derive a key from, or a different signature each time. Use
 * `randomKey` and back up the key.
 * @example
 * ```ts
 * import { randomKey, UnsteadyWallet, walletKeys } from "duello";
 *
 * const keys = await walletKeys(signer, chainId, addresses.Arena).catch((error: unknown) => {
 *   if (error instanceof UnsteadyWallet) return randomKey(); // the player must back it up
 *   throw error;
 * });
 * ```
 */
export class UnsteadyWallet extends Error {
  override readonly name = "UnsteadyWallet";
}

/** Typed data of EIP-712, in the format of a signer's `signTypedData`. */
export interface KeyRequest {
  domain: TypedDataDomain;
  types: Record<string, TypedDataField[]>;
  value: Record<string, unknown>;
}

/**
 * Returns the data that a wallet signs to derive a player's secret key at an arena, for callers that ask the wallet
 * themselves; `TypedDataEncoder.getPayload` of ethers turns it into the parameter of `eth_signTypedData_v4`. Warning:
 * the signature is as secret as the key.
 * @example
 * ```ts
 * import { keyRequest } from "duello";
 *
 * const { types } = keyRequest(chainId, addresses.Arena);
 * types; // => { SecretKey: [{ name: "purpose", type: "string" }] }
 * ```
 */
export function keyRequest(chainId: bigint | number, arena: string): KeyRequest {
  return {
    domain: { name: "Duello", version: "1", chainId, verifyingContract: arena },
    types: KEY_TYPES,
    value: KEY_VALUE,
  };
}

/**
 * Derives a player's secret key from signatures of one `keyRequest`. Two signatures reveal a wallet that signs
 * differently each time, whose key would be lost. One signature is enough if the wallet is known to be deterministic.
 * @returns Keys like `walletKeys`.
 * @throws UnsteadyWallet if the signatures give different keys, or none.
 * @example
 * ```ts
 * import { keyRequest, keysOfSignatures } from "duello";
 *
 * const { domain, types, value } = keyRequest(chainId, addresses.Arena);
 * const sign = () => signer.signTypedData(domain, types, value);
 * const [key] = keysOfSignatures([await sign(), await sign()]);
 * ```
 */
export function keysOfSignatures(signatures: readonly [Hex, ...Hex[]]): readonly [Hex, ...Hex[]] {
  const [first, ...others] = signatures.map(keysFrom);
  if (others.every(([key]) => key === first[0])) return first;
  throw new UnsteadyWallet("The wallet's signatures differ: use a random key and keep a backup.");
}

/**
 * Derives the private key of a player's session from the player's secret key, so that the wallet is asked only once for
 * both, and the session can be restored after all local data is lost. The session key reveals nothing about the secret
 * key. While the owner allows it, its holder can act in all open matches of the owner: make moves, and so lose the
 * matches, and reveal moves whose secrets the holder knows. The holder can spend the key's little coin, but cannot
 * create, fund, join, cancel, decline or resign a match, withdraw from the purse, move tokens, or recover secrets.
 * @param keys Keys as `walletKeys` returns them, or a random one.
 * @param number Number of the session key, below 2^32: another number gives another key, e.g. after a key has leaked.
 * @example
 * ```ts
 * import { sessionKey } from "duello";
 *
 * sessionKey(secretKey) === sessionKey(secretKey, 1); // => false
 * ```
 */
export function sessionKey(keys: Keys, number = 0): Hex {
  const [key] = [keys].flat();
  return keccak256(concat([key, SESSION_LABEL, toBeHex(number, 4)]));
}

/**
 * Derives a player's secret key at an arena from a wallet signature under a dedicated EIP-712 type. The key does not
 * depend on the encoding of the wallet's signatures.
 * @returns The key, followed by the keys of earlier versions, which depended on the encoding.
 * @throws UnsteadyWallet if two signatures give different keys, or none.
 * @example
 * ```ts
 * import { walletKeys } from "duello";
 *
 * const [key] = await walletKeys(signer, chainId, addresses.Arena); // asks the wallet twice
 * ```
 */
export async function walletKeys(
  signer: Signer,
  chainId: bigint | number,
  arena: string,
): Promise<readonly [Hex, ...Hex[]]> {
  const { domain, types, value } = keyRequest(chainId, arena);
  const first = await signer.signTypedData(domain, types, value);
  return keysOfSignatures([first, await signer.signTypedData(domain, types, value)]);
}

/**
 * Derives the key of a signature from r and s, or from all bytes of a longer signature. The result continues with one
 * key for each encoding of the signature.
 */
function keysFrom(signature: Hex): readonly [Hex, ...Hex[]] {
  // Only a contract wallet can parse its longer signatures.
  if (dataLength(signature) > SIGNATURE_BYTES) return [keccak256(signature)];
  const { r, s, parity } = numbersIn(signature);
  const key = keccak256(concat([r, s]));
  const compact = toBeHex(BigInt(s) + BigInt(parity) * PARITY_BIT, 32);
  const written = [concat([r, s, toBeHex(27 + parity, 1)]), concat([r, s, toBeHex(parity, 1)]), concat([r, compact])];
  return [...new Set([key, ...[signature, ...written].map((each) => keccak256(each))])] as [Hex, ...Hex[]];
}

/**
 * Returns the numbers of a 65-byte signature, r || s || v, or of a 64-byte signature, whose parity is a bit of s.
 * Returns the lower of s and -s.
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
  // Wallets write the parity as 0 and 1, or as 27 and 28. Negating s flips the parity.
  const isOdd = (v < 27 ? v : v - 27) % 2 === 1;
  return { r, s: toBeHex(isHigh ? N - s : s, 32), parity: Number(isOdd !== isHigh) };
}

function noSignature(): UnsteadyWallet {
  return new UnsteadyWallet("The wallet gives no signature of its own: use a random key and keep a backup.");
}

/**
 * Returns a fresh secret key of 32 bytes, for a wallet that signs differently each time. Warning: a player who loses
 * the key cannot reveal committed moves.
 * @example
 * ```ts
 * import { randomKey } from "duello";
 *
 * const key = randomKey();
 * key.length; // => 66
 * ```
 */
export function randomKey(): Hex {
  return hexlify(randomBytes(32));
}

/**
 * Commits to a move so that the player can recover the secret with the key alone: the salt is keccak256(key, nonce) of
 * a fresh nonce, and the note after the commitment is `nonce 16 || encrypted move`. All moves of a game have the same
 * length, so that the length of a note reveals nothing.
 * @param scheme Makes the commitment; defaults to the commitment to the move itself.
 * @returns The secret, and the commitment with its note.
 * @example
 * ```ts
 * import { commitWithKey, recoverSecret } from "duello";
 *
 * const { secret, committed } = await commitWithKey(committer, "0x00", secretKey);
 * const recovered = await recoverSecret(committer, committed, secretKey);
 * recovered.move; // => "0x00"
 * ```
 */
export async function commitWithKey(
  by: Committer,
  move: Hex,
  key: Hex,
  scheme: CommitmentScheme = commitmentBy(by),
): Promise<{ secret: Secret; committed: Hex }> {
  const nonce = hexlify(randomBytes(NONCE_BYTES));
  const secret = { move, salt: saltOf(key, nonce) };
  const commitment = scheme(secret);
  const note = concat([nonce, await crypt(key, nonce, move)]);
  return { secret, committed: encodeCommitment({ commitment, note }) };
}

/**
 * Returns a secret store that needs only a player's keys.
 * @throws like `recoverSecret`, from `reveal`.
 * @example
 * ```ts
 * import { secretStoreWith } from "duello";
 *
 * const store = secretStoreWith(secretKey, committer);
 * const committed = await store.commit("0x00");
 * (await store.reveal(committed)).move; // => "0x00"
 * ```
 */
export function secretStoreWith(keys: Keys, by: Committer): SecretStore {
  const [key] = [keys].flat();
  return {
    commit: async (move, scheme) => (await commitWithKey(by, move, key, scheme)).committed,
    reveal: (committed, scheme) => recoverSecret(by, committed, keys, scheme),
  };
}

/**
 * Returns the secret store of a player in a game that needs only the player's wallet.
 * @param game Address of the game.
 * @throws UnsteadyWallet like `walletKeys`.
 * @example
 * ```ts
 * import { walletSecretStore } from "duello";
 *
 * const store = await walletSecretStore(client, addresses.MiniGames);
 * const committed = await store.commit("0x00");
 * ```
 */
export async function walletSecretStore(player: Client, game: string): Promise<SecretStore> {
  const { signer, chainId, addresses } = player;
  return secretStoreWith(await walletKeys(signer, chainId, addresses.Arena), player.committer(game));
}

/**
 * Recovers the secret behind a commitment from its note and the player's keys.
 * @param committed The commitment with its note.
 * @param scheme Makes the commitment; defaults to the commitment to the move itself.
 * @throws Error if there is no note, or if none of the keys made the note for this commitment.
 * @example
 * ```ts
 * import { commitWithKey, recoverSecret } from "duello";
 *
 * const { committed } = await commitWithKey(committer, "0x00", secretKey);
 * const { move } = await recoverSecret(committer, committed, secretKey);
 * move; // => "0x00"
 * ```
 */
export async function recoverSecret(
  by: Committer,
  committed: Hex,
  keys: Keys,
  scheme: CommitmentScheme = commitmentBy(by),
): Promise<Secret> {
  const { commitment, note } = decodeCommitment(committed);
  if (dataLength(note) <= NONCE_BYTES) throw new Error("There is no note behind this commitment to recover it from.");
  const nonce = dataSlice(note, 0, NONCE_BYTES);
  for (const key of [keys].flat()) {
    const secret = { move: await crypt(key, nonce, dataSlice(note, NONCE_BYTES)), salt: saltOf(key, nonce) };
    // The cipher does not authenticate the move; the commitment does.
    if (scheme(secret) === commitment) return secret;
  }
  throw new Error("This commitment was made with another key, or for another player, game or chain.");
}

function saltOf(key: Hex, nonce: Hex): Hex {
  return keccak256(concat([key, nonce]));
}

/** Encrypts data, or decrypts encrypted data, with AES-256-CTR under a key that is derived for notes. */
async function crypt(key: Hex, nonce: Hex, data: Hex): Promise<Hex> {
  const raw = getBytes(keccak256(concat([key, NOTE_LABEL])));
  const algorithm = { name: "AES-CTR", counter: new Uint8Array(getBytes(nonce)), length: 64 };
  const cipher = await crypto.subtle.importKey("raw", new Uint8Array(raw), algorithm.name, false, ["encrypt"]);
  return hexlify(new Uint8Array(await crypto.subtle.encrypt(algorithm, cipher, new Uint8Array(getBytes(data)))));
}
