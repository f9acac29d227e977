const SECOND = 1000;
const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
/** Maximum age, in hours, of a time on the previous day that is still shown in hours. */
const NIGHT = 6;

/** English, like the page, with the date and time formats of the visitor's country. */
const LOCALE = ownLocale();
const { hourCycle } = new Intl.DateTimeFormat(navigator.language, { hour: "numeric" }).resolvedOptions();

function ownLocale(): string {
  try {
    return new Intl.Locale("en", { region: new Intl.Locale(navigator.language).maximize().region }).toString();
  } catch {
    return "en";
  }
}

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const precise = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "short", hourCycle });
const dayOfYear = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "short" });
const day = new Intl.DateTimeFormat(LOCALE, { day: "numeric", month: "short", year: "numeric" });

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["day", DAY],
  ["hour", HOUR],
  ["minute", MINUTE],
  ["second", 1],
];

/** Describes the distance to a time in seconds since 1970. */
export function timeFrom(time: number): string {
  const seconds = time - Date.now() / SECOND;
  const [unit, size] = units.find(([, each]) => Math.abs(seconds) >= each) ?? units[units.length - 1];
  return relative.format(Math.round(seconds / size), unit);
}

/** Describes a time in seconds since 1970. */
export function timeAt(time: number): string {
  return precise.format(time * SECOND);
}

/**
 * Describes a past time briefly: `now`, `12 min ago`, `3 h ago`, `yesterday`, `22 Nov` or `22 Nov 2025`.
 * @param time Seconds since 1970, as is `now`.
 */
export function agoText(time: number, now: number): string {
  const passed = now - time;
  if (passed < MINUTE) return "now";
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)} min ago`;
  const [then, today] = [new Date(time * SECOND), new Date(now * SECOND)];
  const isOn = (date: Date) => then.toDateString() === date.toDateString();
  if (isOn(today) || passed < NIGHT * HOUR) return `${Math.floor(passed / HOUR)} h ago`;
  // By the calendar, because a day with a change to summer time has 23 hours.
  const before = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1);
  if (isOn(before)) return "yesterday";
  return (then.getFullYear() === today.getFullYear() ? dayOfYear : day).format(then);
}

/** Formats seconds as on a clock, e.g. `1:05` or `2 d 03:10`. */
export function clockText(seconds: number): string {
  const left = Math.max(0, Math.floor(seconds));
  const two = (value: number) => String(value).padStart(2, "0");
  const [days, hours, minutes] = [Math.floor(left / DAY), Math.floor(left / HOUR) % 24, Math.floor(left / MINUTE) % 60];
  if (days > 0) return `${days} d ${two(hours)}:${two(minutes)}`;
  if (hours > 0) return `${hours}:${two(minutes)}:${two(left % MINUTE)}`;
  return `${minutes}:${two(left % MINUTE)}`;
}
