import { InputError } from "../../protocol/input.js";
import { moveOf, STUCK, tilesOfMove, type Move } from "./moves.js";
import { tileName, tileOf } from "./tiles.js";

/**
 * A letter for each rank: Throne, Assassin, Scout, sEer, Grunt, Knight, Wraith, Reaver, Herald, Champion, warLord,
 * trap.
 */
export const RANK_LETTERS = "TASEGKWRHCLX";

/** A setup in letters, by slot. */
export function setupText(ranks: Iterable<number>): string {
  return Array.from(ranks, (rank) => RANK_LETTERS[rank]).join("");
}

/**
 * The ranks by slot that words in letters mean; how they are parted, by blanks or strokes, is the player's.
 * @throws InputError for a letter that is no rank's.
 */
export function readSetup(moveArgs: readonly string[]): number[] {
  return Array.from(moveArgs.join("").replaceAll("/", "").toUpperCase(), (letter) => {
    const rank = RANK_LETTERS.indexOf(letter);
    if (rank < 0) throw new InputError("setup", `${letter} is no rank: they are ${RANK_LETTERS}`);
    return rank;
  });
}

/** A move as people write it, e.g. `d4-d5`. */
export function moveText(move: Move): string {
  return move === STUCK ? "stuck" : tilesOfMove(move).map(tileName).join("-");
}

/** Inverse of `moveText`. @throws InputError for anything else. */
export function readMove(word: string): Move {
  if (word === "stuck") return STUCK;
  const [from, to, more] = word.split("-").map(tileOf);
  if (from === undefined || to === undefined || more !== undefined || word.split("-").length !== 2 || from === to)
    throw new InputError(word, "not a move: two tiles like d4-d5, or stuck");
  return moveOf(from, to);
}
