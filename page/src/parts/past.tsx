import { useMinute } from "../store/clock.ts";
import { agoText, timeAt } from "./text.ts";

/** A past time in a few words, and in full on hover. @param props.time Seconds since 1970; undefined if unknown. */
export function Past({ time }: { time: number | undefined }) {
  const now = useMinute();
  if (time === undefined) return null;
  return (
    <time dateTime={new Date(time * 1000).toISOString()} title={timeAt(time)}>
      {agoText(time, now)}
    </time>
  );
}
