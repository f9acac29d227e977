import { concat, toBeHex } from "ethers";
import { numberAt, sized } from "../../protocol/bytes.js";
import { InputError, integer, list, object, optional, type Reader } from "../../protocol/input.js";

/** The numbers of a battle. Three values belong to the tiers 1, 2, 3; factors are in basis points. */
export interface Mode {
  readonly dodgeMaxRandom: number;
  readonly comboMaxRandom: number;
  /** For a target one, two and more slots out of range. */
  readonly rangeFactors: readonly number[];
  readonly comboFactor: number;
  readonly attackValues: readonly number[];
  readonly defenseValues: readonly number[];
  readonly healthValues: readonly number[];
  readonly speedValues: readonly number[];
  readonly rangeValues: readonly number[];
  readonly comboValues: readonly number[];
  readonly cooldownSecs: number;
}

/** The page's defaults, with its fields in the order in which they are packed. */
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

const FIELDS = Object.keys(defaultMode) as (keyof Mode)[];
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

/** The mode that `value` describes; fields left out are the defaults. @throws InputError for what breaks a bound. */
export function checkMode(value: unknown, path = "mode"): Mode {
  return readMode(value, path);
}

/** A mode as the 52 bytes (0x hex) that the contract registers. */
export function encodeMode(mode: Mode): string {
  return concat(FIELDS.flatMap((field) => numbersOf(mode, field).map((number) => toBeHex(number, widthOf(field)))));
}

/** The mode in registered bytes (0x hex). @throws InputError for another length or numbers out of bounds. */
export function decodeMode(content: string): Mode {
  const bytes = sized(content, "mode", BYTES);
  let at = 0;
  const next = (width: number) => numberAt(bytes, (at += width) - width, width);
  const entries = FIELDS.map((field) => {
    const numbers = numbersOf(defaultMode, field).map(() => next(widthOf(field)));
    return [field, typeof defaultMode[field] === "number" ? numbers[0] : numbers];
  });
  return checkMode(Object.fromEntries(entries));
}

function numbersOf(mode: Mode, field: keyof Mode): number[] {
  return [mode[field]].flat();
}

function widthOf(field: keyof Mode): number {
  return field === "cooldownSecs" ? 4 : 2;
}
