import { bytes32, InputError, integer, list, object, optional, type Reader } from "../../protocol/input.js";
import { MAX_PACES, areBlades, SEPPUKU, type Blades, type Pair } from "./moves.js";
import type { Duelist } from "./honour.js";

/** A duel to simulate; blades and the second seed are needed only if both survive round 1. */
export interface DuelInput {
  seeds: string[];
  paces: Pair<number>;
  blades: Pair<Blades> | undefined;
  duelists: Pair<Duelist>;
}

/** Something for each of the two players. */
function pair<T>(item: Reader<T>): Reader<Pair<T>> {
  const read = list(item, 2);
  return (value, path) => read(value, path) as unknown as Pair<T>;
}

const seeds: Reader<string[]> = (value, path) => {
  if (Array.isArray(value) && (value.length < 1 || value.length > 2)) {
    throw new InputError(path, `${value.length} items instead of 1 or 2`);
  }
  return list(bytes32, Array.isArray(value) ? value.length : 2)(value, path);
};

const blades: Reader<Blades> = (value, path) => {
  const slots = pair(integer(0, SEPPUKU))(value, path);
  if (!areBlades(slots)) throw new InputError(path, `${slots.join(", ")} is none of the thirteen moves`);
  return slots;
};

const readStats = object({ archetype: integer(0, 3), m: integer(0, 100) });
/** A duelist, whose strength the rules page calls m. */
const duelist: Reader<Duelist> = (value, path) => {
  const { archetype, m: strength } = readStats(value, path);
  return { archetype, strength };
};

const honours: Reader<number[]> = (value, path) =>
  list(integer(0, 100), Array.isArray(value) ? value.length : 0)(value, path);

/** A duel. @throws InputError naming what is wrong. */
export const readDuel: Reader<DuelInput> = object({
  seeds,
  paces: pair(integer(1, MAX_PACES)),
  blades: optional(pair(blades), undefined),
  duelists: pair(duelist),
});

/** Duel honours of a record, oldest first, and nothing else. @throws InputError naming what is wrong. */
export const readHonours: Reader<{ honours: number[] }> = object({ honours });
