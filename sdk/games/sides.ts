/** Side that plays against a side; player 1's is side 0, player 2's is side 1. */
export function otherSide(side: number): number {
  return 1 - side;
}

/** Player, 1 or 2, of a side. */
export function playerOf(side: number): number {
  return side + 1;
}

/** Side of a player, 1 or 2. */
export function sideOf(player: number): number {
  return player - 1;
}
