import { hexOf, sized } from "../../protocol/bytes.js";
import type { Hex } from "../../protocol/hex.js";
import { integer, object, optional, type Reader } from "../../protocol/input.js";
import { layout, readField, writeField } from "../../protocol/layout.js";
import { modeFinder, modeFormat, type ModeCodec } from "../mode-format.js";

/** Fields of a mode, in bytes. */
export const MODE = layout({ teamSize: [0, 1], maxTurns: [1, 2], dodgeCap: [3, 2] });

/** Numbers of a battle. */
export interface Mode {
  /** Cards per side. */
  readonly teamSize: number;
  /** Number of attacks after which the hp decide. */
  readonly maxTurns: number;
  /** Maximum chance that a card dodges, out of 1000. */
  readonly dodgeCap: number;
}

/** Mode zero: the defaults of docs/games/guardians.md. */
export const defaultMode: Mode = { teamSize: 3, maxTurns: 50, dodgeCap: 750 };

/** Cards in the largest team. */
export const MAX_TEAM = 5;
const BYTES = 5;

const readMode: Reader<Mode> = object({
  teamSize: optional(integer(1, MAX_TEAM), defaultMode.teamSize),
  maxTurns: optional(integer(1, 500), defaultMode.maxTurns),
  dodgeCap: optional(integer(0, 1000), defaultMode.dodgeCap),
});

/**
 * Reads a mode from a JSON value; omitted fields get their defaults.
 * @throws InputError for a field that is unknown or out of bounds.
 * @example
 * ```ts
 * import { checkMode, defaultMode } from "duello/games/guardians";
 *
 * checkMode({ teamSize: 5 }); // => { ...defaultMode, teamSize: 5 }
 * checkMode({ teamSize: 6 }); // throws InputError: mode.teamSize: 6 is above 5
 * ```
 */
export function checkMode(value: unknown, path = "mode"): Mode {
  return readMode(value, path);
}

/**
 * Encodes a mode as the 5 bytes that the contract registers.
 * @example
 * ```ts
 * import { encodeMode } from "duello/games/guardians";
 *
 * encodeMode({ teamSize: 1, maxTurns: 50, dodgeCap: 1000 }); // => "0x01003203e8"
 * ```
 */
export function encodeMode(mode: Mode): Hex {
  const bytes = new Uint8Array(BYTES);
  writeField(bytes, MODE.teamSize, mode.teamSize);
  writeField(bytes, MODE.maxTurns, mode.maxTurns);
  writeField(bytes, MODE.dodgeCap, mode.dodgeCap);
  return hexOf(bytes);
}

/**
 * Decodes the bytes of a registered mode.
 * @throws InputError unless there are 5 bytes with all numbers in bounds.
 * @example
 * ```ts
 * import { decodeMode } from "duello/games/guardians";
 *
 * decodeMode("0x01003203e8"); // => { teamSize: 1, maxTurns: 50, dodgeCap: 1000 }
 * ```
 */
export function decodeMode(content: Hex): Mode {
  const bytes = sized(content, "mode", BYTES);
  return checkMode({
    teamSize: readField(bytes, MODE.teamSize),
    maxTurns: readField(bytes, MODE.maxTurns),
    dodgeCap: readField(bytes, MODE.dodgeCap),
  });
}

/** Codec of modes, with the fields of docs/games/guardians.md. */
const codec: ModeCodec<Mode> = {
  usual: defaultMode,
  read: checkMode,
  encode: encodeMode,
  decode: decodeMode,
  describe: ({ teamSize, maxTurns, dodgeCap }) => [
    `Cards in a team: ${teamSize}.`,
    `After ${maxTurns} attacks the side with more hp wins.`,
    `No card dodges more than ${dodgeCap / 10} % of the attacks on it.`,
  ],
  reasons: {
    teamSize: "a team has 1 to 5 cards",
    maxTurns: "a battle has 1 to 500 attacks, so that it fits into one transaction",
    dodgeCap: "it is a chance of 1000",
  },
};

/** Format of modes. */
export const format = modeFormat(codec);

/** Finds the mode of a match's terms. */
export const modeOf = modeFinder(codec);
