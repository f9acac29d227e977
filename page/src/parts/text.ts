import type { CatalogueGame } from "duello/catalogue";
import { catalogue } from "../catalogue.ts";

export { oneLine, pointsText, shortAddress } from "duello";

/** Turns the name of a mode into words, e.g. `Rock paper scissors`. */
export function modeTitle(mode: string): string {
  if (mode === "default") return "Standard";
  const words = mode.replaceAll("-", " ");
  return words[0].toUpperCase() + words.slice(1);
}

/** Names a game and its mode; a mode called default goes without. */
export function gameTitle(game: Pick<CatalogueGame, "title"> | undefined, mode?: string): string {
  if (game === undefined) return "Unknown game";
  return mode === undefined || mode === "default" ? game.title : `${game.title} · ${modeTitle(mode)}`;
}

/** Finds a game of the catalogue by its name. */
export function gameCalled(name: string | undefined): CatalogueGame | undefined {
  return catalogue.find((game) => game.name === name);
}

const SECOND = 1000;
const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const precise = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

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

/** Formats seconds as on a clock, e.g. `1:05` or `2 d 03:10`. */
export function clockText(seconds: number): string {
  const left = Math.max(0, Math.floor(seconds));
  const two = (value: number) => String(value).padStart(2, "0");
  const [days, hours, minutes] = [Math.floor(left / 86_400), Math.floor(left / 3600) % 24, Math.floor(left / 60) % 60];
  if (days > 0) return `${days} d ${two(hours)}:${two(minutes)}`;
  if (hours > 0) return `${hours}:${two(minutes)}:${two(left % 60)}`;
  return `${minutes}:${two(left % 60)}`;
}

/** Describes a duration, e.g. `5 minutes`. */
export function spanText(seconds: number): string {
  const [unit, size] = units.find(([, each]) => seconds >= each && seconds % each === 0) ?? units[units.length - 1];
  return new Intl.NumberFormat("en", { style: "unit", unit, unitDisplay: "long" }).format(seconds / size);
}
