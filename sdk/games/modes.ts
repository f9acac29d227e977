import { keccak256, ZeroHash } from "ethers";
import type { History } from "../chain/history.js";
import type { Hex } from "../protocol/hex.js";
import { InputError } from "../protocol/input.js";
import type { Terms } from "../protocol/terms.js";
import type { ModeFormat } from "./mode-format.js";
import type { GameModule, ModeFacts } from "./module.js";

/** Mode that a deployment registers. */
export interface ModeToRegister {
  readonly name: string;
  readonly content: Hex;
}

/**
 * Lists the modes of a game that a deployment registers: all published modes except the default.
 * @example
 * ```ts
 * import { modesToRegister, stockGame } from "duello";
 *
 * modesToRegister(stockGame("tic-tac-toe")); // => [{ name: "x-wins-ties", content: "0x00" }]
 * ```
 */
export function modesToRegister({ modes }: GameModule): ModeToRegister[] {
  const published = Object.entries(modes).map(([name, { content }]) => ({ name, content }));
  return published.filter(({ content }) => content !== "0x");
}

/**
 * Returns the mode in which a demonstration of a game is played.
 * @example
 * ```ts
 * import { demoOf, stockGame } from "duello";
 *
 * demoOf(stockGame("tic-tac-toe")).content; // => "0x"
 * ```
 */
export function demoOf({ modes, demo }: GameModule): ModeFacts {
  return demo === undefined ? Object.values(modes)[0] : modes[demo];
}

/**
 * Returns a mode's hash as in terms: the hash of its content, or zero for the default, whose content is empty.
 * @example
 * ```ts
 * import { ZeroHash } from "ethers";
 * import { modeHash } from "duello";
 *
 * modeHash("0x") === ZeroHash; // => true
 * modeHash("0x0301"); // => "0x88768d47…"
 * ```
 */
export function modeHash(content: Hex): Hex {
  return content === "0x" ? ZeroHash : keccak256(content);
}

/** Names of published modes by their hashes, cached because lists of matches need them often. */
const names = new WeakMap<object, ReadonlyMap<string, string>>();

/**
 * Returns the name of a published mode by its hash; undefined if no published mode has the hash.
 * @example
 * ```ts
 * import { modeHash, modeNamed, stockGame } from "duello";
 *
 * modeNamed(stockGame("mini-games"), modeHash("0x0301")); // => "coin"
 * ```
 */
export function modeNamed({ modes }: Pick<GameModule, "modes">, hash: string): string | undefined {
  const known = names.get(modes) ?? new Map(Object.keys(modes).map((name) => [modeHash(modes[name].content), name]));
  names.set(modes, known);
  return known.get(hash);
}

/**
 * Returns the format of a game's modes.
 * @throws InputError for a game that has only a default mode.
 * @example
 * ```ts
 * import { formatOf, stockGame } from "duello";
 *
 * const format = formatOf(stockGame("mini-games"));
 * format.encode({ kind: 3, ties: 1 }); // => "0x0301"
 * formatOf(stockGame("pistols")); // throws InputError: mode: Pistols has no mode but its default
 * ```
 */
export function formatOf({ title, modeFormat }: GameModule): ModeFormat {
  if (!modeFormat) throw new InputError("mode", `${title} has no mode but its default`);
  return modeFormat;
}

/**
 * Reads the content of the mode in a match's terms.
 * @throws UnregisteredMode if it was never registered.
 * @example
 * ```ts
 * import { modeContent, stockGame } from "duello";
 *
 * const content = await modeContent(stockGame("tic-tac-toe"), record.terms, archive); // => "0x"
 * ```
 */
export async function modeContent(
  module: GameModule,
  { game, mode }: Pick<Terms, "game" | "mode">,
  history: History,
): Promise<Hex> {
  const name = modeNamed(module, mode);
  return name === undefined ? history.mode(game, mode) : module.modes[name].content;
}
