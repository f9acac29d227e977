import { getAddress, isHexString, MaxUint256, parseUnits } from "ethers";
import { InputError } from "./input.js";

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };
const MAX_SECONDS = 100 * 365 * UNITS.d;

/** Maximum id in a team. */
const MAX_CHARACTER_ID = 2n ** 128n - 1n;

/**
 * Reads the number of a match; the first is 1.
 * @throws InputError for any other text.
 * @example
 * ```ts
 * import { readMatchId } from "duello";
 *
 * readMatchId("7"); // => 7n
 * ```
 */
export function readMatchId(text: string): bigint {
  return readNumber(text, "match", 1n, MaxUint256);
}

/**
 * Reads the id of a character.
 * @param noun Name of a character, e.g. `fighter`.
 * @throws InputError for any other text.
 * @example
 * ```ts
 * import { readCharacterId } from "duello";
 *
 * readCharacterId("42", "fighter"); // => 42n
 * ```
 */
export function readCharacterId(text: string, noun: string): bigint {
  return readNumber(text, noun, 1n, MAX_CHARACTER_ID);
}

/**
 * Reads a whole number within bounds.
 * @throws InputError for any other text, or for a number out of bounds.
 * @example
 * ```ts
 * import { readNumber } from "duello";
 *
 * readNumber("3", "--paces", 1n, 10n); // => 3n
 * ```
 */
export function readNumber(text: string, what: string, min: bigint, max: bigint): bigint {
  if (!/^\d{1,78}$/.test(text)) throw new InputError(what, `${text} is not a whole number`);
  const number = BigInt(text);
  if (number < min || number > max) throw new InputError(what, `${number} is not between ${min} and ${max}`);
  return number;
}

/**
 * Reads an address.
 * @returns the address in checksummed form.
 * @throws InputError for any other text, or for a wrong checksum.
 * @example
 * ```ts
 * import { readAddress } from "duello";
 *
 * readAddress(alice.toLowerCase(), "--to") === alice; // => true
 * readAddress("0x1234", "--to"); // throws InputError: --to: 0x1234 is not an address
 * ```
 */
export function readAddress(text: string, what: string): string {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) throw new InputError(what, `${text} is not an address`);
  try {
    return getAddress(text);
  } catch {
    throw new InputError(what, `${text} has a wrong checksum: a letter of it may be mistyped`);
  }
}

/**
 * Reads an amount written with a decimal point.
 * @returns the amount in the token's smallest unit.
 * @throws InputError for any other text, for too many decimals, or for an amount above `max`.
 * @example
 * ```ts
 * import { readAmount } from "duello";
 *
 * readAmount("12.5", 18, "--stake"); // => 12_500_000_000_000_000_000n
 * ```
 */
export function readAmount(text: string, decimals: number, what: string, max = MaxUint256): bigint {
  if (!/^\d{1,60}(\.\d{1,60})?$/.test(text)) throw new InputError(what, `${text} is not an amount like 12.5`);
  if ((text.split(".")[1] ?? "").length > decimals) {
    throw new InputError(what, `${text} has more than ${decimals} decimals`);
  }
  const amount = parseUnits(text, decimals);
  if (amount > max) throw new InputError(what, `${text} is too much`);
  return amount;
}

/**
 * Reads a length of time such as 90s, 15m, 24h or 7d.
 * @returns the time in seconds.
 * @throws InputError for any other text, or for more than a hundred years.
 * @example
 * ```ts
 * import { readDuration } from "duello";
 *
 * readDuration("15m", "--clock"); // => 900
 * ```
 */
export function readDuration(text: string, what: string): number {
  const [, count, unit] = /^(\d{1,12})([smhd])$/.exec(text) ?? [];
  if (unit === undefined) throw new InputError(what, `${text} is not a time like 90s, 15m, 24h or 7d`);
  const seconds = Number(count) * UNITS[unit];
  if (seconds > MAX_SECONDS) throw new InputError(what, `${text} is more than a hundred years`);
  return seconds;
}

/**
 * Reads 32 bytes of 0x hex.
 * @throws InputError for any other text.
 * @example
 * ```ts
 * import { readHash } from "duello";
 *
 * readHash(salt.toUpperCase().replace("0X", "0x"), "--mode") === salt; // => true
 * ```
 */
export function readHash(text: string, what: string): string {
  if (!isHexString(text, 32)) throw new InputError(what, `${text} is not 0x and 64 hex digits`);
  return text.toLowerCase();
}
