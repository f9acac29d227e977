import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const CONSTANT = /\bconstant _?([A-Z][A-Z0-9_]*) = ([^;]+);/g;

/** Returns the constants that a Solidity file declares as plain numbers, by name without a leading underscore. */
export function numbersIn(file: string): Map<string, number> {
  const source = readFileSync(join(ROOT, file), "utf8");
  const found = [...source.matchAll(CONSTANT)].map(
    ([, name, value]) => [name, Number(value.replaceAll("_", ""))] as const,
  );
  return new Map(found.filter(([, value]) => Number.isInteger(value)));
}

/** Returns the name of the constant with a field's offset, e.g. `LOG_DODGE_ROLL_AT` for `dodgeRoll`. */
export function constantOf(prefix: string, field: string): string {
  return `${prefix}_${field.replace(/([a-z])([A-Z0-9])/g, "$1_$2").toUpperCase()}_AT`;
}
