import type { Paint } from "../module.js";
import { BattleKind, type Operation } from "./log.js";
import { RANKS } from "./ranks.js";
import { tileName } from "./tiles.js";

/** Operations of a log as sentences. */
export function tell(operations: readonly Operation[], paint: Paint): string[] {
  return operations.map((operation) => `Turn ${operation.turn}: ${sentence(operation, paint)}`);
}

function sentence(operation: Operation, paint: Paint): string {
  if (operation.op === "result") return operation.winner === 0 ? "a draw" : `player ${operation.winner} wins`;
  const { op, side, slot } = operation;
  const pawn = (player: number, number: number) => paint(`player ${player}'s pawn ${number}`, player);
  const own = pawn(side + 1, slot);
  switch (op) {
    case "move":
      return `${own} moves ${tileName(operation.from)}-${tileName(operation.to)}`;
    case "reveal":
      return `${own} on ${tileName(operation.tile)} is a ${RANKS[operation.rank].name}`;
    case "kill":
      return `${own} falls on ${tileName(operation.tile)}`;
    case "battle": {
      const { defender, tile, kind, winner } = operation;
      const other = pawn(2 - side, defender);
      const how = { [BattleKind.SameTile]: "meet on", [BattleKind.Swap]: "clash on" }[kind];
      const what = how === undefined ? `${own} attacks ${other} on` : `${own} and ${other} ${how}`;
      return `${what} ${tileName(tile)}: ${winner === 0 ? "neither survives" : `player ${winner} wins the battle`}`;
    }
  }
}
