import { concat, toBeHex } from "ethers";
import { numberAt, sized } from "../../protocol/bytes.js";
import { integer, object, optional, type Reader } from "../../protocol/input.js";
import type { Hex } from "../../protocol/hex.js";

/** The numbers of a battle. */
export interface Mode {
  /** Cards a side. */
  readonly teamSize: number;
  /** Attacks until the hp are counted. */
  readonly maxTurns: number;
  /** No card dodges more often than this, of 1000. */
  readonly dodgeCap: number;
}

/** The page's defaults. */
export const defaultMode: Mode = { teamSize: 3, maxTurns: 50, dodgeCap: 750 };

const BYTES = 5;

const readMode: Reader<Mode> = object({
  teamSize: optional(integer(1, 5), defaultMode.teamSize),
  maxTurns: optional(integer(1, 500), defaultMode.maxTurns),
  dodgeCap: optional(integer(0, 1000), defaultMode.dodgeCap),
});

/** The mode that `value` describes; fields left out are the defaults. @throws InputError for what breaks a bound. */
export function checkMode(value: unknown, path = "mode"): Mode {
  return readMode(value, path);
}

/** A mode as the 5 bytes (0x hex) that the contract registers. */
export function encodeMode({ teamSize, maxTurns, dodgeCap }: Mode): Hex {
  return concat([toBeHex(teamSize, 1), toBeHex(maxTurns, 2), toBeHex(dodgeCap, 2)]);
}

/** The mode in registered bytes (0x hex). @throws InputError for another length or numbers out of bounds. */
export function decodeMode(content: Hex): Mode {
  const bytes = sized(content, "mode", BYTES);
  return checkMode({ teamSize: bytes[0], maxTurns: numberAt(bytes, 1, 2), dodgeCap: numberAt(bytes, 3, 2) });
}
