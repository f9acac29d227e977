import { hexOf, sized } from "../../protocol/bytes.js";
import { integer, object, optional, type Reader } from "../../protocol/input.js";
import { modeFinder, type ModeCodec } from "../mode-format.js";
import { layout, readField } from "../../protocol/layout.js";

/** Fields of a mode, in bytes. */
export const MODE = layout({ ties: [0, 1] });

/** Rules for ties, with their numbers in modes. */
export const Ties = { ToPlayer1: 0, Draw: 1 } as const;

/** A mode, which consists of the rule for ties alone. */
export interface Mode {
  /** Rule for ties, one of `Ties`. */
  readonly ties: number;
}

const readTies = integer(Ties.ToPlayer1, Ties.Draw);

/**
 * Reads a mode from a JSON value; without `ties`, ties are draws.
 * @throws InputError for a field that is unknown or out of bounds.
 */
export const checkMode: Reader<Mode> = object({ ties: optional(readTies, Ties.Draw) });

/** Codec of modes: one byte, with the field that docs/games/tic-tac-toe.md describes. */
export const modes: ModeCodec<Mode> = {
  usual: { ties: Ties.Draw },
  read: checkMode,
  encode: ({ ties }) => hexOf(Uint8Array.of(ties)),
  decode: (content) => ({ ties: readTies(readField(sized(content, "mode", 1), MODE.ties), "mode") }),
  describe: ({ ties }) => [
    ties === Ties.Draw ? "A full board without three in a row is a draw." : "Player 1, X, wins a full board.",
  ],
  reasons: { ties: "0 gives ties to player 1, 1 makes them draws" },
};

/** Finds the mode of a match's terms. */
export const modeOf = modeFinder(modes);
