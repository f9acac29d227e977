import { bits, exactly } from "../../protocol/word.js";
import { RANKS } from "./ranks.js";

/** Operations of the log, by their numbers. */
export const Op = { Move: 1, Reveal: 2, Battle: 3, Kill: 4, Result: 5 } as const;

/** Why a battle came about. */
export const BattleKind = { SameTile: 0, Swap: 1, Attack: 2 } as const;

/**
 * One operation of a turn. Sides are 0 and 1, players 1 and 2; tiles are those on which pawns stand in the log so far.
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

/** A entry of the log: the fields at bits 10, 18, 26 and 30 mean what the operation says. */
export function logEntry(
  turn: number,
  op: number,
  { side, slot }: { side: number; slot: number },
  [at10, at18, at26, at30]: readonly [number, number, number, number],
): bigint {
  const low = op | (side << 3) | (slot << 4) | (at10 << 10) | (at18 << 18) | (at26 << 26) | (at30 << 30);
  return BigInt((low >>> 0) + turn * 2 ** 32);
}

/** The word that ends a game; winner 0 for a draw. */
export function resultEntry(turn: number, winner: number): bigint {
  return logEntry(turn, Op.Result, { side: 0, slot: 0 }, [0, 0, 0, winner]);
}

/** An operation as its entry of the log. */
export function encodeEntry(operation: Operation): bigint {
  switch (operation.op) {
    case "move":
      return logEntry(operation.turn, Op.Move, operation, [operation.from, operation.to, 0, 0]);
    case "reveal":
      return logEntry(operation.turn, Op.Reveal, operation, [operation.tile, 0, operation.rank, 0]);
    case "battle": {
      const { turn, defender, tile, kind, winner } = operation;
      return logEntry(turn, Op.Battle, operation, [defender, tile, kind, winner]);
    }
    case "kill":
      return logEntry(operation.turn, Op.Kill, operation, [operation.tile, 0, 0, 0]);
    case "result":
      return resultEntry(operation.turn, operation.winner);
  }
}

/** What a entry of the log tells. @throws InputError for a word that is none. */
export function decodeEntry(entry: bigint): Operation {
  return exactly(entry, operationIn(entry), encodeEntry);
}

function operationIn(entry: bigint): Operation | undefined {
  const [op, side, slot, turn] = [bits(entry, 0, 3), bits(entry, 3, 1), bits(entry, 4, 6), bits(entry, 32, 16)];
  const [at10, at18, at26, at30] = [bits(entry, 10, 8), bits(entry, 18, 8), bits(entry, 26, 4), bits(entry, 30, 2)];
  switch (op) {
    case Op.Move:
      return { op: "move", turn, side, slot, from: at10, to: at18 };
    case Op.Reveal:
      return at26 < RANKS.length ? { op: "reveal", turn, side, slot, tile: at10, rank: at26 } : undefined;
    case Op.Battle: {
      const isFit = at26 <= BattleKind.Attack && at30 <= 2;
      return isFit
        ? { op: "battle", turn, side, slot, defender: at10, tile: at18, kind: at26, winner: at30 }
        : undefined;
    }
    case Op.Kill:
      return { op: "kill", turn, side, slot, tile: at10 };
    case Op.Result:
      return at30 <= 2 ? { op: "result", turn, winner: at30 } : undefined;
  }
  return undefined;
}
