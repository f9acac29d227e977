import { getAddress, isAddress } from "ethers";
import { InputError, text, type Reader } from "./input.js";

/** Maximum number of remembered addresses, in some 3 MB. */
const MAX_REMEMBERED = 16_384;
const remembered = new Map<string, string>();

/**
 * Reads an address. If it is in mixed case, its checksum must be right.
 * @throws InputError for any other value, or for a wrong checksum.
 * @example
 * ```ts
 * import { address } from "duello";
 *
 * address(alice.toLowerCase(), "player") === alice; // => true
 * ```
 */
export const address: Reader<string> = (value, path) => {
  const written = text(value, path);
  if (!isAddress(written)) throw new InputError(path, `${JSON.stringify(written)} is not an address`);
  return getAddress(written);
};

/**
 * Returns the address of 40 lowercase hex digits, with its checksum. It remembers addresses, because they recur in
 * events and a checksum takes a hash.
 */
export function checksumAddress(digits: string): string {
  const known = remembered.get(digits);
  if (known !== undefined) return known;
  const written = getAddress(`0x${digits}`);
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  // Not `digits`, which may be a slice that would keep a whole log in memory.
  remembered.set(written.slice(2).toLowerCase(), written);
  return written;
}
