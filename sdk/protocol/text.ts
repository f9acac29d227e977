/** Characters that are invisible or move others: controls, formats and line separators. */
export const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+/gu;
/** Last second of the year 9999. */
const LAST_SECOND = 253_402_300_799n;

/** Formats a time, in seconds since 1970, as `2025-01-31 12:00:00 UTC`. */
export function timeText(seconds: bigint): string {
  // A contract may contain a time beyond any calendar.
  if (seconds < 0n || seconds > LAST_SECOND) return `second ${seconds} since 1970`;
  return new Date(Number(seconds) * 1000).toISOString().replace("T", " ").replace(".000Z", " UTC");
}

const DURATIONS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

/**
 * Describes a duration in its two largest units, e.g. `a day`, `5 minutes` or `an hour and 5 minutes`.
 * @example
 * ```ts
 * import { durationText } from "duello";
 *
 * durationText(3900); // => "an hour and 5 minutes"
 * ```
 */
export function durationText(seconds: number): string {
  let rest = Math.floor(seconds);
  const parts = DURATIONS.map(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return { unit, count };
  });
  const first = parts.findIndex(({ count }) => count > 0);
  if (first === -1) return "no time";
  const told = parts.slice(first, first + 2).filter(({ count }) => count > 0);
  return listed(
    told.map(({ unit, count }) => (count > 1 ? `${count} ${unit}s` : unit === "hour" ? "an hour" : `a ${unit}`)),
  );
}

/**
 * Formats basis points as a percentage.
 * @example
 * ```ts
 * import { percentText } from "duello";
 *
 * percentText(250); // => "2.5 %"
 * ```
 */
export function percentText(bps: bigint | number): string {
  return `${Number(bps) / 100} %`;
}

/**
 * Shortens an address for people: its first and last four digits stay.
 * @example
 * ```ts
 * import { shortAddress } from "duello";
 *
 * shortAddress(alice); // => "0x7099…79C8"
 * ```
 */
export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}

/**
 * Returns the mark of a player, 1 or 2, which distinguishes both players' pieces without colour.
 * @example
 * ```ts
 * import { markOf } from "duello";
 *
 * markOf(1); // => "▲"
 * ```
 */
export function markOf(player: number): string {
  return player === 1 ? "▲" : "▽";
}

/** Escapes everything in a JSON text that could control a terminal; the meaning of the JSON is unchanged. */
export function printableJson(json: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return json.replace(UNPRINTABLE, (run) => run.split("").map(escaped).join(""));
}

/** Lists texts in a sentence: `a`, `a and b`, `a, b and c`. */
export function listed(texts: readonly string[]): string {
  return texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} and ${texts.at(-1)}`;
}

/** Separates the words of a name in camel case: `damageDealt` is "damage dealt". */
export function separated(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Ends a text with a full stop unless it has one. */
export function withFullStop(text: string): string {
  return text.endsWith(".") ? text : `${text}.`;
}

/** Returns a text with its first letter in upper case. */
export function upperFirst(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
