import { keccak256 } from "ethers";
import { hexOf, sized } from "../../protocol/bytes.js";
import type { Hex } from "../../protocol/hex.js";
import { InputError, integer, object, type Reader } from "../../protocol/input.js";
import { upperFirst } from "../../protocol/text.js";
import type { ModeCodec } from "../mode-format.js";
import { layout, readField, writeField } from "../../protocol/layout.js";

/** Fields of a mode, in bytes. */
export const MODE = layout({ kind: [0, 1], ties: [1, 1] });

/** Kinds of games, with their numbers in modes and log entries. */
export const KindId = {
  RockPaperScissors: 0,
  Dice: 1,
  StrategyBattle: 2,
  Coin: 3,
  RolledDice: 5,
  Undercut: 6,
} as const;

/** Rules for ties, with their numbers in modes. */
export const Ties = { ToPlayer1: 0, Draw: 1 } as const;

/** Game that is played, and rule for its ties. */
export interface Mode {
  /** Kind of the game, one of `KindId`. */
  readonly kind: number;
  /** Rule for ties, one of `Ties`. */
  readonly ties: number;
}

/** A kind of game. */
export interface Kind {
  readonly title: string;
  /** Lowest move. */
  readonly min: number;
  /** Highest move. */
  readonly max: number;
  /** Names of the moves, from the lowest; omitted if numbers are clear enough. */
  readonly names?: readonly string[];
  /** Verb for what a player does with its move; defaults to `plays`. */
  readonly verb?: string;
}

/** Kinds of games by `KindId`. */
export const kinds: Readonly<Record<number, Kind>> = {
  [KindId.RockPaperScissors]: { title: "rock-paper-scissors", min: 0, max: 2, names: ["rock", "paper", "scissors"] },
  [KindId.Dice]: { title: "dice", min: 1, max: 6 },
  [KindId.StrategyBattle]: { title: "strategy battle", min: 0, max: 9 },
  [KindId.Coin]: { title: "coin flip", min: 0, max: 1, names: ["heads", "tails"], verb: "calls" },
  [KindId.RolledDice]: { title: "rolled dice", min: 0, max: 0, verb: "rolls" },
  [KindId.Undercut]: { title: "undercut", min: 0, max: 9 },
};

const BYTES = 2;

const readKind: Reader<number> = (value, path) => {
  const kind = integer(0, 255)(value, path);
  if (!(kind in kinds))
    throw new InputError(path, `there is no kind ${kind}; there are ${Object.keys(kinds).join(", ")}`);
  return kind;
};

/**
 * Reads a mode from a JSON value; both fields are required.
 * @throws InputError for a field that is missing, unknown or out of bounds.
 * @example
 * ```ts
 * import { checkMode, KindId, Ties } from "duello/games/mini-games";
 *
 * checkMode({ kind: KindId.Coin, ties: Ties.Draw }, "mode").kind; // => 3
 * ```
 */
export const checkMode: Reader<Mode> = object({ kind: readKind, ties: integer(Ties.ToPlayer1, Ties.Draw) });

/**
 * Encodes a mode as the 2 bytes that the contract registers.
 * @example
 * ```ts
 * import { encodeMode, KindId, Ties } from "duello/games/mini-games";
 *
 * encodeMode({ kind: KindId.Coin, ties: Ties.Draw }); // => "0x0301"
 * ```
 */
export function encodeMode({ kind, ties }: Mode): Hex {
  const bytes = new Uint8Array(BYTES);
  writeField(bytes, MODE.kind, kind);
  writeField(bytes, MODE.ties, ties);
  return hexOf(bytes);
}

/**
 * Decodes the bytes of a registered mode.
 * @throws InputError unless there are 2 bytes, both in bounds.
 * @example
 * ```ts
 * import { decodeMode, KindId, Ties } from "duello/games/mini-games";
 *
 * decodeMode("0x0301"); // => { kind: KindId.Coin, ties: Ties.Draw }
 * ```
 */
export function decodeMode(content: Hex): Mode {
  const bytes = sized(content, "mode", BYTES);
  return checkMode({ kind: readField(bytes, MODE.kind), ties: readField(bytes, MODE.ties) }, "mode");
}

/** Codec of modes, with the fields of docs/games/mini-games.md. */
export const modes: ModeCodec<Mode> = {
  read: checkMode,
  encode: encodeMode,
  decode: decodeMode,
  describe({ kind, ties }) {
    const { title, min, max, names } = kinds[kind];
    const moves = names ? names.join(", ") : min === max ? "nothing to decide" : `${min} to ${max}`;
    return [
      `${upperFirst(title)}: ${moves}.`,
      ties === Ties.Draw ? "Ties are draws." : "Ties are won by player 1, the challenger.",
    ];
  },
  reasons: {
    kind: `the kinds are ${Object.entries(kinds)
      .map(([kind, { title }]) => `${kind} ${title}`)
      .join(", ")}`,
    ties: "0 gives ties to player 1, 1 makes them draws",
  },
};

const modesByHash = new Map<string, Mode>(
  Object.keys(kinds).flatMap((kind) =>
    Object.values(Ties).map((ties) => {
      const mode = { kind: Number(kind), ties };
      return [keccak256(encodeMode(mode)), mode];
    }),
  ),
);

/**
 * Finds the mode with a content hash, registered or not.
 * @throws InputError if there is none.
 * @example
 * ```ts
 * import { KindId, modeOfHash, Ties } from "duello/games/mini-games";
 * import { modeHash } from "duello";
 *
 * modeOfHash(modeHash("0x0301")); // => { kind: KindId.Coin, ties: Ties.Draw }
 * ```
 */
export function modeOfHash(hash: Hex): Mode {
  const mode = modesByHash.get(hash);
  if (!mode) throw new InputError("mode", `the mini-games have no mode ${hash}`);
  return mode;
}
