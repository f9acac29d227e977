/** A time in seconds since 1970, as people read it. */
export function timeText(seconds: bigint): string {
  return new Date(Number(seconds) * 1000).toISOString().replace("T", " ").replace(".000Z", " UTC");
}
