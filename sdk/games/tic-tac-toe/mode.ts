import { hexOf, sized } from "../../protocol/bytes.js";
import type { Hex } from "../../protocol/hex.js";
import { integer, object, optional, type Reader } from "../../protocol/input.js";
import { modeFinder, type ModeCodec } from "../mode-format.js";
import { layout, readField, writeField } from "../../protocol/layout.js";

/** Fields of a mode, in bytes. */
export const MODE = layout({ ties: [0, 1] });

/** Rules for ties, as modes name them. */
export const Ties = { ToPlayer1: 0, Draw: 1 } as const;

/** Rule that makes up a mode. */
export interface Mode {
  /** One of `Ties`. */
  readonly ties: number;
}

const BYTES = 1;

const readTies = integer(Ties.ToPlayer1, Ties.Draw);

/**
 * Reads a mode from a JSON value; without `ties`, ties are draws.
 * @throws InputError for a field that is unknown or out of bounds.
 */
export const checkMode: Reader<Mode> = object({ ties: optional(readTies, Ties.Draw) });

/** Encodes a rule for ties as the byte of a mode that the contract registers. */
export function encodeTies(ties: number): Hex {
  const bytes = new Uint8Array(BYTES);
  writeField(bytes, MODE.ties, ties);
  return hexOf(bytes);
}

/**
 * Decodes the rule for ties of a registered mode.
 * @throws InputError for another number of bytes than 1, or a rule that does not exist.
 */
export function decodeTies(content: Hex): number {
  return readTies(readField(sized(content, "mode", BYTES), MODE.ties), "mode");
}

/** Codec of modes, with the field of docs/games/tic-tac-toe.md. */
export const modes: ModeCodec<Mode> = {
  usual: { ties: Ties.Draw },
  read: checkMode,
  encode: ({ ties }) => encodeTies(ties),
  decode: (content) => ({ ties: decodeTies(content) }),
  describe: ({ ties }) => [
    ties === Ties.Draw ? "A full board without three in a row is a draw." : "Player 1, X, wins a full board.",
  ],
  reasons: { ties: "0 gives ties to player 1, 1 makes them draws" },
};

/** Finds the mode of a match's terms. */
export const modeOf = modeFinder(modes);
