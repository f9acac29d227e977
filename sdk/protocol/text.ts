/** Controls, formats and whatever else leaves no mark of its own, or moves those of others. */
export const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+/gu;
/** The last second of the year 9999. */
const LAST_SECOND = 253_402_300_799n;

/** A time in seconds since 1970, as people read it. */
export function timeText(seconds: bigint): string {
  // Whoever names a time may name any.
  if (seconds < 0n || seconds > LAST_SECOND) return `second ${seconds} since 1970`;
  return new Date(Number(seconds) * 1000).toISOString().replace("T", " ").replace(".000Z", " UTC");
}

/** The mark of a player, 1 or 2: what tells the pieces of both apart where no colour does. */
export function markOf(player: number): string {
  return player === 1 ? "▲" : "▽";
}

/** The same JSON with everything escaped that a terminal could obey. */
export function printableJson(json: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return json.replace(UNPRINTABLE, (run) => run.split("").map(escaped).join(""));
}
