import { RANKS, type BoardPawn, type RankedPawn } from "duello/games/warmancer";

/** Rank to draw on a pawn: the viewer's own, a proved or the only possible rank; null if the rank is hidden. */
export function faceOf({ own, rank, mayBe }: BoardPawn): string | null {
  return own ?? rank ?? (mayBe.length === 1 ? mayBe[0] : null);
}

/** Names the owner of a pawn as the viewer sees it; for a spectator (viewer 0), names its colour. */
export function whose(player: number, viewer: number): string {
  if (viewer === 0) return player === 1 ? "orange" : "blue";
  return player === viewer ? "your" : "their";
}

/** Names a pawn, e.g. `your Knight` or `their hidden pawn`. */
export function pawnText(pawn: BoardPawn, viewer: number): string {
  return `${whose(pawn.player, viewer)} ${faceOf(pawn) ?? "hidden pawn"}`;
}

/** Names the number of a rank, as drawn; empty for a rank without a number. */
function numberText(rank: string | null): string {
  const number = RANKS.findIndex(({ name }) => name === rank);
  return number > 0 && RANKS[number].moves !== "no" ? ` ${number}` : "";
}

/** Contents of a tile in addition to its pawn. */
interface Tile {
  readonly viewer: number;
  readonly isClosed: boolean;
  readonly isTarget: boolean;
  readonly isChosen: boolean;
  /** Pawns that have just fallen here. */
  readonly fallen: readonly RankedPawn[];
}

/** Names a tile of the board, with everything visible there. */
export function tileText(tile: string, pawn: BoardPawn | undefined, at: Tile): string {
  const { viewer, fallen } = at;
  const who = pawn && pawnText(pawn, viewer) + numberText(faceOf(pawn));
  const parts = [tile, who ?? (at.isClosed ? "no entry" : "free")];
  if (pawn?.own) parts.push(pawn.rank === null ? "hidden from them" : "proved");
  else if (pawn && pawn.rank === null) parts.push(pawn.moved ? "has moved" : "has not moved");
  for (const { player, rank } of fallen)
    parts.push(`${whose(player, viewer)} ${rank ?? "pawn"}${numberText(rank)} fell here`);
  if (at.isChosen) parts.push("chosen");
  else if (at.isTarget) parts.push(pawn ? "attack" : "can move here");
  return parts.join(", ");
}
