import type { CatalogueGame } from "duello/catalogue";
import { catalogue } from "../catalogue.ts";

export { durationText as spanText, oneLine, pointsText, shortAddress } from "duello";
export { agoText, clockText, timeAt, timeFrom } from "./time.ts";

/** Turns the name of a mode into words, e.g. `Rock paper scissors`. */
export function modeTitle(mode: string): string {
  if (mode === "default") return "Standard";
  const words = mode.replaceAll("-", " ");
  return words[0].toUpperCase() + words.slice(1);
}

/** Names a game and its mode; omits a mode called default. */
export function gameTitle(game: Pick<CatalogueGame, "title"> | undefined, mode?: string): string {
  if (game === undefined) return "Unknown game";
  return mode === undefined || mode === "default" ? game.title : `${game.title} · ${modeTitle(mode)}`;
}

/** Finds a game of the catalogue by its name. */
export function gameCalled(name: string | undefined): CatalogueGame | undefined {
  return catalogue.find((game) => game.name === name);
}
