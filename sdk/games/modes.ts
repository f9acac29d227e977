import type { History } from "../chain/history.js";
import type { Hex } from "../protocol/hex.js";
import { InputError } from "../protocol/input.js";
import type { Terms } from "../protocol/terms.js";
import { modeHash } from "./index.js";
import type { ModeFormat } from "./mode-format.js";
import type { GameModule } from "./module.js";

/** Returns the name of a published mode by its hash; undefined if there is none. */
export function modeNamed({ modes }: GameModule, hash: string): string | undefined {
  return Object.keys(modes).find((name) => modeHash(modes[name].content) === hash);
}

/** Returns the format of a game's modes. @throws InputError for a game that has only a default one. */
export function formatOf({ title, modeFormat }: GameModule): ModeFormat {
  if (!modeFormat) throw new InputError("mode", `${title} has no mode but its default`);
  return modeFormat;
}

/** Reads the content of the mode in a match's terms. @throws UnregisteredMode if it never was. */
export async function modeContent(
  module: GameModule,
  { game, mode }: Pick<Terms, "game" | "mode">,
  history: History,
): Promise<Hex> {
  const name = modeNamed(module, mode);
  return name === undefined ? history.mode(game, mode) : module.modes[name].content;
}
