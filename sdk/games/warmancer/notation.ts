import { InputError } from "../../protocol/input.js";
import { moveOf, STUCK, tilesOfMove, type Move } from "./legal-moves.js";
import { tileName, tileOf } from "./tiles.js";

/**
 * Letter of each rank: Throne, Assassin, Scout, sEer, Grunt, Knight, Wraith, Reaver, Herald, Champion, warLord,
 * trap.
 */
export const RANK_LETTERS = "TASEGKWRHCLX";

/**
 * Writes a setup in letters, by slot.
 * @example
 * ```ts
 * import { setupText } from "duello/games/warmancer";
 *
 * setupText([0, 2, 4, 10]); // => "TSGL"
 * ```
 */
export function setupText(ranks: Iterable<number>): string {
  return Array.from(ranks, (rank) => RANK_LETTERS[rank]).join("");
}

/**
 * Reads a setup in letters as ranks by slot. Blanks or slashes may separate rows.
 * @throws InputError for a letter that no rank has.
 * @example
 * ```ts
 * import { readSetup } from "duello/games/warmancer";
 *
 * readSetup(["TS", "GL"]); // => [0, 2, 4, 10]
 * ```
 */
export function readSetup(moveArgs: readonly string[]): number[] {
  return Array.from(moveArgs.join("").replaceAll("/", "").toUpperCase(), (letter) => {
    const rank = RANK_LETTERS.indexOf(letter);
    if (rank < 0) throw new InputError("setup", `${letter} is no rank: they are ${RANK_LETTERS}`);
    return rank;
  });
}

/**
 * Writes a move, e.g. `d4-d5`.
 * @example
 * ```ts
 * import { moveOf, moveText } from "duello/games/warmancer";
 *
 * moveText(moveOf(51, 67)); // => "d4-d5"
 * ```
 */
export function moveText(move: Move): string {
  return move === STUCK ? "stuck" : tilesOfMove(move).map(tileName).join("-");
}

/**
 * Inverse of `moveText`.
 * @throws InputError for anything else.
 * @example
 * ```ts
 * import { moveOf, readMove } from "duello/games/warmancer";
 *
 * readMove("d4-d5") === moveOf(51, 67); // => true
 * readMove("d4"); // throws InputError: d4: not a move: …
 * ```
 */
export function readMove(arg: string): Move {
  if (arg === "stuck") return STUCK;
  const [from, to, more] = arg.split("-").map(tileOf);
  if (from === undefined || to === undefined || more !== undefined || arg.split("-").length !== 2 || from === to)
    throw new InputError(arg, "not a move: two tiles like d4-d5, or stuck");
  return moveOf(from, to);
}
