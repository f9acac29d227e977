import { hexOf, sized } from "../../protocol/bytes.js";
import type { Hex } from "../../protocol/hex.js";
import { InputError, integer, list, object, optional, type Reader } from "../../protocol/input.js";
import { layout, partsOf, readField, writeField } from "../../protocol/layout.js";
import { durationText, percentText } from "../../protocol/text.js";
import { modeFinder, modeFormat, type ModeCodec } from "../mode-format.js";

/** Fields of a mode, in bytes. A field of several numbers has two bytes for each. */
export const MODE = layout({
  dodgeMaxRandom: [0, 2],
  comboMaxRandom: [2, 2],
  rangeFactors: [4, 6],
  comboFactor: [10, 2],
  attackValues: [12, 6],
  defenseValues: [18, 6],
  healthValues: [24, 6],
  speedValues: [30, 6],
  rangeValues: [36, 6],
  comboValues: [42, 6],
  cooldownSecs: [48, 4],
});

/** Numbers of a battle. Three values belong to the tiers 1, 2, 3; factors are in basis points. */
export interface Mode {
  /** Highest dodge roll. */
  readonly dodgeMaxRandom: number;
  /** Highest combo roll. */
  readonly comboMaxRandom: number;
  /** Damage factors of a target one, two, and three or more slots out of range. */
  readonly rangeFactors: readonly number[];
  /** Damage factor of a combo. */
  readonly comboFactor: number;
  readonly attackValues: readonly number[];
  readonly defenseValues: readonly number[];
  readonly healthValues: readonly number[];
  readonly speedValues: readonly number[];
  readonly rangeValues: readonly number[];
  readonly comboValues: readonly number[];
  /** Seconds for which fighters rest after a battle. */
  readonly cooldownSecs: number;
}

/** Mode zero: the defaults of docs/games/auto-battler.md. */
export const defaultMode: Mode = {
  dodgeMaxRandom: 10,
  comboMaxRandom: 10,
  rangeFactors: [7500, 5000, 2500],
  comboFactor: 17_500,
  attackValues: [1, 2, 4],
  defenseValues: [1, 2, 4],
  healthValues: [4, 8, 16],
  speedValues: [1, 2, 4],
  rangeValues: [1, 2, 4],
  comboValues: [1, 2, 4],
  cooldownSecs: 86_400,
};

const NAMES = Object.keys(MODE) as (keyof typeof MODE)[];
const BYTES = 52;
const MAX_VALUE = 65_535;
const MAX_COOLDOWN = 30 * 86_400;

const falling: Reader<number[]> = (value, path) => {
  const values = list(integer(0, 10_000), 3)(value, path);
  const at = values.findIndex((number, i) => number > values[i - 1]);
  if (at >= 0) throw new InputError(`${path}[${at}]`, `${values[at]} is above the ${values[at - 1]} before it`);
  return values;
};

const rising = (min: number): Reader<number[]> => {
  return (value, path) => {
    const values = list(integer(min, MAX_VALUE), 3)(value, path);
    const at = values.findIndex((number, i) => number < values[i - 1]);
    if (at >= 0) throw new InputError(`${path}[${at}]`, `${values[at]} is below the ${values[at - 1]} before it`);
    return values;
  };
};

const readMode: Reader<Mode> = object({
  dodgeMaxRandom: optional(integer(2, 1000), defaultMode.dodgeMaxRandom),
  comboMaxRandom: optional(integer(1, 1000), defaultMode.comboMaxRandom),
  rangeFactors: optional(falling, defaultMode.rangeFactors),
  comboFactor: optional(integer(10_000, 60_000), defaultMode.comboFactor),
  attackValues: optional(rising(1), defaultMode.attackValues),
  defenseValues: optional(rising(1), defaultMode.defenseValues),
  healthValues: optional(rising(1), defaultMode.healthValues),
  speedValues: optional(rising(1), defaultMode.speedValues),
  rangeValues: optional(rising(0), defaultMode.rangeValues),
  comboValues: optional(rising(0), defaultMode.comboValues),
  cooldownSecs: optional(integer(0, MAX_COOLDOWN), defaultMode.cooldownSecs),
});

/**
 * Reads a mode from a JSON value; omitted fields get their defaults.
 * @throws InputError for a field that is unknown or out of bounds.
 * @example
 * ```ts
 * import { checkMode } from "duello/games/auto-battler";
 *
 * checkMode({ cooldownSecs: 60 }).dodgeMaxRandom; // => 10
 * checkMode({ cooldown: 60 }); // throws InputError: mode.cooldown: unknown field
 * ```
 */
export function checkMode(value: unknown, path = "mode"): Mode {
  return readMode(value, path);
}

/**
 * Encodes a mode as the 52 bytes that the contract registers.
 * @example
 * ```ts
 * import { defaultMode, encodeMode } from "duello/games/auto-battler";
 *
 * encodeMode({ ...defaultMode, cooldownSecs: 60 }).length; // => 2 + 2 * 52
 * ```
 */
export function encodeMode(mode: Mode): Hex {
  const bytes = new Uint8Array(BYTES);
  for (const name of NAMES) {
    const numbers = [mode[name]].flat();
    partsOf(MODE[name], numbers.length).forEach((part, i) => writeField(bytes, part, numbers[i]));
  }
  return hexOf(bytes);
}

/**
 * Decodes the bytes of a registered mode.
 * @throws InputError unless there are 52 bytes with all numbers in bounds.
 * @example
 * ```ts
 * import { decodeMode, defaultMode, encodeMode } from "duello/games/auto-battler";
 *
 * decodeMode(encodeMode(defaultMode)).cooldownSecs; // => 86_400
 * ```
 */
export function decodeMode(content: Hex): Mode {
  const bytes = sized(content, "mode", BYTES);
  const entries = NAMES.map((name) => {
    const usual = defaultMode[name];
    const field = MODE[name];
    if (typeof usual === "number") return [name, readField(bytes, field)];
    return [name, partsOf(field, usual.length).map((part) => readField(bytes, part))];
  });
  return checkMode(Object.fromEntries(entries));
}

const RISING = "a higher tier is never worse than a lower one";
const POSITIVE = `${RISING}, and none is 0`;

/** Codec of modes, with the fields of docs/games/auto-battler.md. */
const codec: ModeCodec<Mode> = {
  usual: defaultMode,
  read: checkMode,
  encode: encodeMode,
  decode: decodeMode,
  describe(mode) {
    const { attackValues, defenseValues, healthValues, speedValues, rangeValues, comboValues } = mode;
    const stats = { attackValues, defenseValues, healthValues, speedValues, rangeValues, comboValues };
    const values = Object.entries(stats).map(([name, tiers]) => `${name.replace("Values", "")} ${tiers.join(", ")}`);
    return [
      `Values of the tiers 1, 2 and 3: ${values.join("; ")}.`,
      `A dodge roll is 0 to ${mode.dodgeMaxRandom}, a combo roll 0 to ${mode.comboMaxRandom}; a combo does ${percentText(mode.comboFactor)} of the damage.`,
      `A target one, two or more slots out of range takes ${mode.rangeFactors.map(percentText).join(", ")} of the damage.`,
      mode.cooldownSecs === 0
        ? "Fighters need no rest."
        : `Fighters rest for ${durationText(mode.cooldownSecs)} after a battle.`,
    ];
  },
  reasons: {
    dodgeMaxRandom:
      "a dodge is rolled from 0 to this number, which is 2 to 1000, so that no fighter always dodges its equal",
    comboMaxRandom: "a combo is rolled from 0 to this number, which is 1 to 1000",
    rangeFactors: "they are basis points up to 10000, and a target that is farther away never takes more",
    comboFactor: "it is in basis points: a combo does from one to six times the damage",
    attackValues: POSITIVE,
    defenseValues: POSITIVE,
    healthValues: POSITIVE,
    speedValues: POSITIVE,
    rangeValues: RISING,
    comboValues: RISING,
    cooldownSecs: "fighters rest for 30 days at most",
  },
};

/** Format of modes. */
export const format = modeFormat(codec);

/** Finds the mode of a match's terms. */
export const modeOf = modeFinder(codec);
