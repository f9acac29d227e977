import { getBytes, keccak256, type BytesLike } from "ethers";
import { createKeccak, type IHasher } from "hash-wasm";
import { ADDRESS_BYTES, bytesOf, WORD_BYTES } from "./bytes.js";

// One instance for all callers: each hash runs from init to digest synchronously, so two hashes never mix.
let hasher: IHasher | undefined;

/**
 * Resolves once `keccak` hashes by WebAssembly: to undefined if WebAssembly is forbidden, and `keccak` keeps using ethers.
 * No module of the SDK awaits it, so that `require` can load them.
 */
export const fastHasher: Promise<IHasher | undefined> = createKeccak(256).then(
  (ready) => (hasher = ready),
  () => undefined,
);

/**
 * Computes keccak256 of bytes, as 32 new bytes. Engines need this function: it is an order of magnitude faster than
 * `keccak256` of ethers, which is used only during the first milliseconds after the SDK is loaded.
 */
export function keccak(bytes: Uint8Array): Uint8Array {
  return hasher ? hasher.init().update(bytes).digest("binary") : getBytes(keccak256(bytes));
}

/**
 * Computes keccak256 of words as abi.encode lays them out; each is an unsigned number or 32 bytes.
 * @throws RangeError for a number below 0 or above 256 bits, and for data that is not 32 bytes long.
 */
export function hashWords(...words: readonly (number | bigint | BytesLike)[]): Uint8Array {
  const bytes = new Uint8Array(WORD_BYTES * words.length);
  for (const [i, word] of words.entries()) {
    const place = bytes.subarray(WORD_BYTES * i, WORD_BYTES * (i + 1));
    if (typeof word === "number" || typeof word === "bigint") putNumber(place, word);
    else place.set(wordOf(word));
  }
  return keccak(bytes);
}

/** Returns an address as the number that abi.encode writes. @throws RangeError unless it has 20 bytes. */
export function numberOf(address: string): bigint {
  const { length } = bytesOf(address);
  if (length !== ADDRESS_BYTES) throw new RangeError(`an address has ${ADDRESS_BYTES} bytes, not ${length}`);
  return BigInt(address);
}

function wordOf(data: BytesLike): Uint8Array {
  const bytes = bytesOf(data);
  if (bytes.length !== WORD_BYTES) throw new RangeError(`a word has ${WORD_BYTES} bytes, not ${bytes.length}`);
  return bytes;
}

function putNumber(place: Uint8Array, number: number | bigint): void {
  const view = new DataView(place.buffer, place.byteOffset, WORD_BYTES);
  let rest = BigInt(number);
  if (rest < 0n) throw new RangeError(`${number} is negative`);
  for (let at = WORD_BYTES - 8; rest > 0n; at -= 8, rest >>= 64n) {
    if (at < 0) throw new RangeError(`${number} is more than a word`);
    view.setBigUint64(at, BigInt.asUintN(64, rest));
  }
}
