import type { BoardPawn } from "duello/games/warmancer";

/** Rank that is drawn of a pawn: one's own, a proved one, or the only one that it may have; null if it is hidden. */
export function faceOf({ own, rank, mayBe }: BoardPawn): string | null {
  return own ?? rank ?? (mayBe.length === 1 ? mayBe[0] : null);
}

/** Names whose pawn it is, for the player who looks; 0 is a spectator. */
export function whose(player: number, viewer: number): string {
  if (viewer === 0) return `player ${player}'s`;
  return player === viewer ? "your" : "their";
}

/** Names a pawn, e.g. `your Knight` or `their hidden pawn`. */
export function pawnText(pawn: BoardPawn, viewer: number): string {
  return `${whose(pawn.player, viewer)} ${faceOf(pawn) ?? "hidden pawn"}`;
}

/** Name of a tile of the board, with all that is to be seen there. */
export function tileText(
  tile: string,
  pawn: BoardPawn | undefined,
  at: { viewer: number; isClosed: boolean; isTarget: boolean; isChosen: boolean },
): string {
  const parts = [tile, at.isClosed ? "no entry" : pawn ? pawnText(pawn, at.viewer) : "free"];
  if (pawn?.own) parts.push(pawn.rank === null ? "hidden from them" : "proved");
  else if (pawn && pawn.rank === null) parts.push(pawn.moved ? "has moved" : "has not moved");
  if (at.isChosen) parts.push("chosen");
  else if (at.isTarget) parts.push(pawn ? "attack" : "can move here");
  return parts.join(", ");
}
