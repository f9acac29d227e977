import { InputError } from "../../protocol/input.js";
import { layout, pack, unpack, unpackEntry } from "../../protocol/layout.js";
import { hexWord } from "../../protocol/word.js";
import { RANKS } from "./ranks.js";

/** Numbers of the operations in the log. */
export const Op = { Move: 1, Reveal: 2, Battle: 3, Kill: 4, Result: 5 } as const;

/** Kinds of battles: both pawns enter one tile, the pawns would swap tiles, or one pawn attacks a pawn that stays. */
export const BattleKind = { SameTile: 0, Swap: 1, Attack: 2 } as const;

/**
 * Operation of a turn. Sides are 0 and 1 for players 1 and 2; a pawn's tile is its tile according to the log so far. A
 * winner is 1, 2 or 0 for nobody.
 */
export type Operation =
  | { op: "move"; turn: number; side: number; slot: number; from: number; to: number }
  | { op: "reveal"; turn: number; side: number; slot: number; tile: number; rank: number }
  | {
      op: "battle";
      turn: number;
      side: number;
      slot: number;
      defender: number;
      tile: number;
      kind: number;
      winner: number;
    }
  | { op: "kill"; turn: number; side: number; slot: number; tile: number }
  | { op: "result"; turn: number; winner: number };

/** Fields of all log entries, in bits. */
export const ENTRY = layout({ op: [0, 3], side: [3, 1], slot: [4, 6], turn: [32, 16] });

/** Further fields of the entries of each operation. */
export const MOVE = layout({ from: [10, 8], to: [18, 8] });
export const REVEAL = layout({ tile: [10, 8], rank: [26, 4] });
export const BATTLE = layout({ defender: [10, 8], tile: [18, 8], kind: [26, 4], winner: [30, 2] });
export const KILL = layout({ tile: [10, 8] });
export const RESULT = layout({ winner: [30, 2] });

const MOVE_ENTRY = { ...ENTRY, ...MOVE };
const REVEAL_ENTRY = { ...ENTRY, ...REVEAL };
const BATTLE_ENTRY = { ...ENTRY, ...BATTLE };
const KILL_ENTRY = { ...ENTRY, ...KILL };
const RESULT_ENTRY = { ...ENTRY, ...RESULT };

/** Encodes an operation as its log entry. */
export function encodeEntry(operation: Operation): bigint {
  switch (operation.op) {
    case "move":
      return pack(MOVE_ENTRY, { ...operation, op: Op.Move });
    case "reveal":
      return pack(REVEAL_ENTRY, { ...operation, op: Op.Reveal });
    case "battle":
      return pack(BATTLE_ENTRY, { ...operation, op: Op.Battle });
    case "kill":
      return pack(KILL_ENTRY, { ...operation, op: Op.Kill });
    case "result":
      return pack(RESULT_ENTRY, { ...operation, op: Op.Result, side: 0, slot: 0 });
  }
}

/**
 * Decodes a log entry.
 * @throws InputError for a word that encodes no operation.
 */
export function decodeEntry(entry: bigint): Operation {
  switch (unpack(ENTRY, entry).op) {
    case Op.Move: {
      const { turn, side, slot, from, to } = unpackEntry(MOVE_ENTRY, entry);
      return { op: "move", turn, side, slot, from, to };
    }
    case Op.Reveal: {
      const fields = unpackEntry(REVEAL_ENTRY, entry, ({ rank }) => rank < RANKS.length);
      const { turn, side, slot, tile, rank } = fields;
      return { op: "reveal", turn, side, slot, tile, rank };
    }
    case Op.Battle: {
      const fields = unpackEntry(BATTLE_ENTRY, entry, ({ kind, winner }) => kind <= BattleKind.Attack && winner <= 2);
      const { turn, side, slot, defender, tile, kind, winner } = fields;
      return { op: "battle", turn, side, slot, defender, tile, kind, winner };
    }
    case Op.Kill: {
      const { turn, side, slot, tile } = unpackEntry(KILL_ENTRY, entry);
      return { op: "kill", turn, side, slot, tile };
    }
    case Op.Result: {
      const isFit = ({ side, slot, winner }: { side: number; slot: number; winner: number }) =>
        side === 0 && slot === 0 && winner <= 2;
      const { turn, winner } = unpackEntry(RESULT_ENTRY, entry, isFit);
      return { op: "result", turn, winner };
    }
  }
  throw new InputError("log", `${hexWord(entry)} is no entry of it`);
}
