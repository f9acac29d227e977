import { otherSide, playerOf } from "../../protocol/sides.js";
import type { Paint } from "../module.js";
import { draw } from "./draw.js";
import { BattleKind, type Operation } from "./log.js";
import { moveText, RANK_LETTERS } from "./notation.js";
import type { Player, Prospect } from "./player.js";
import { Phase } from "./position.js";
import { RANKS } from "./ranks.js";
import { Kind } from "./state.js";
import { tileName } from "./tiles.js";

const LEGEND = RANKS.map(({ name }, rank) => `${RANK_LETTERS[rank]} ${name}`).join(", ");

/** Tells the operations of a log as lines of text. */
export function tell(operations: readonly Operation[], paint: Paint): string[] {
  return operations.map((operation) => `Turn ${operation.turn}: ${sentence(operation, paint)}`);
}

/** Tells an operation. */
function sentence(operation: Operation, paint: Paint): string {
  if (operation.op === "result") return operation.winner === 0 ? "a draw" : `player ${operation.winner} wins`;
  const { op, side, slot } = operation;
  const pawn = (player: number, number: number) => paint(`player ${player}'s pawn ${number}`, player);
  const own = pawn(playerOf(side), slot);
  switch (op) {
    case "move":
      return `${own} moves ${tileName(operation.from)}-${tileName(operation.to)}`;
    case "reveal":
      return `${own} on ${tileName(operation.tile)} is a ${RANKS[operation.rank].name}`;
    case "kill":
      return `${own} falls on ${tileName(operation.tile)}`;
    case "battle": {
      const { defender, tile, kind, winner } = operation;
      const other = pawn(playerOf(otherSide(side)), defender);
      const how = { [BattleKind.SameTile]: "meet on", [BattleKind.Swap]: "clash on" }[kind];
      const what = how === undefined ? `${own} attacks ${other} on` : `${own} and ${other} ${how}`;
      return `${what} ${tileName(tile)}: ${winner === 0 ? "neither survives" : `player ${winner} wins the battle`}`;
    }
  }
}

/** Shows a board as a player sees it and, in its turn, the proofs that are due and the move that is asked for. */
export function viewOf(player: Player, inTurn: boolean, paint: Paint): string[] {
  if (!inTurn) {
    const { position } = player;
    return [
      `Turn ${position.turn}`,
      ...draw(position, paint, player.sight(position)),
      LEGEND,
      "The other player's turn.",
    ];
  }
  const prospect = player.foresee();
  const board = prospect.board ?? player.position;
  const proofs = prospect.proves.map((slot) => {
    const { name } = RANKS[player.own.setup.ranks[slot]];
    return `Proof due: your pawn on ${tileName(player.tileOf(slot))} is a ${name}; your action shows it.`;
  });
  return [`Turn ${board.turn}`, ...draw(board, paint, player.sight(board)), LEGEND, ...proofs, asked(player, prospect)];
}

/** Tells in a sentence what a player is to do. */
function asked(player: Player, prospect: Prospect): string {
  const { kind, board, winner, waits } = prospect;
  if (kind === Kind.Setup) return "The game is over: your setup is to be shown, act without a move.";
  if (waits) return "The other player must prove ranks before the turn is over: act without a move.";
  if (board === undefined) {
    const end = winner === 0 ? "in a draw" : `and player ${winner} wins`;
    return `The turn ends the game ${end}: act without a move.`;
  }
  const [example] = player.legal(board);
  const move = example === undefined ? "stuck, as you have no legal move" : `a move like ${moveText(example)}`;
  if (player.position.phase === Phase.Reply) return `The other player has no legal move. You win by ${move}.`;
  const committed = kind === Kind.Commit || ((kind === Kind.Reveal || kind === Kind.Prove) && !board.rules.sequential);
  if (player.wanted(prospect) === 2) return `Asked for: ${move}, and your move of the next turn.`;
  return `Asked for: ${move}${committed ? ", which will be committed" : ""}.`;
}
