import { Seat, Status } from "./status.js";

/**
 * Returns the opposite side. Player 1 has side 0, player 2 has side 1.
 * @example
 * ```ts
 * import { otherSide } from "duello";
 *
 * otherSide(0); // => 1
 * ```
 */
export function otherSide(side: number): number {
  return side === 0 ? 1 : 0;
}

/**
 * Returns the player, 1 or 2, of a side.
 * @example
 * ```ts
 * import { playerOf } from "duello";
 *
 * playerOf(0); // => 1
 * ```
 */
export function playerOf(side: number): number {
  return side + 1;
}

/**
 * Returns the side of a player, 1 or 2.
 * @example
 * ```ts
 * import { sideOf } from "duello";
 *
 * sideOf(1); // => 0
 * ```
 */
export function sideOf(player: number): number {
  return player - 1;
}

/** Finds the attacker's and the defender's items, given an item for each character by side and slot. */
export function pairOf<T>(
  { attacker, attackerSlot, defenderSlot }: { attacker: number; attackerSlot: number; defenderSlot: number },
  sides: readonly (readonly T[])[],
): { attacker: T; defender: T } {
  const side = sideOf(attacker);
  return { attacker: sides[side][attackerSlot], defender: sides[otherSide(side)][defenderSlot] };
}

/**
 * Returns the seat of a side.
 * @example
 * ```ts
 * import { Seat, seatOf } from "duello";
 *
 * seatOf(1); // => Seat.Two
 * ```
 */
export function seatOf(side: number): bigint {
  return side === 0 ? Seat.One : Seat.Two;
}

/**
 * Returns the opposite seat.
 * @example
 * ```ts
 * import { otherSeat, Seat } from "duello";
 *
 * otherSeat(Seat.One); // => Seat.Two
 * ```
 */
export function otherSeat(seat: bigint): bigint {
  return seat === Seat.One ? Seat.Two : Seat.One;
}

/**
 * Returns whether a seat belongs to a player: One or Two.
 * @example
 * ```ts
 * import { isPlayerSeat, Seat } from "duello";
 *
 * isPlayerSeat(Seat.One); // => true
 * isPlayerSeat(Seat.None); // => false
 * ```
 */
export function isPlayerSeat(seat: bigint): boolean {
  return seat === Seat.One || seat === Seat.Two;
}

/**
 * Returns the seat that an open match waits for: One to fund it, Two to join it, or the seat in turn.
 * @example
 * ```ts
 * import { awaitedSeat, Seat, Status } from "duello";
 *
 * awaitedSeat({ status: Status.P1Deposited, turn: Seat.None }); // => Seat.Two
 * ```
 */
export function awaitedSeat({ status, turn }: { status: bigint; turn: bigint }): bigint {
  if (status === Status.Created) return Seat.One;
  return status < Status.AllJoined ? Seat.Two : turn;
}

/** Returns whether a player has a seat in a match. An offered seat does not count. */
export function hasSeat(
  player: string,
  { status, player1, player2 }: { status: bigint; player1?: string; player2?: string },
): boolean {
  return player === player1 || (player === player2 && status >= Status.AllDeposited);
}

/**
 * Returns the player in turn of a match in play.
 * @example
 * ```ts
 * import { playerInTurn, Seat } from "duello";
 *
 * playerInTurn({ turn: Seat.Two, player1: alice, player2: bob }); // => bob
 * ```
 */
export function playerInTurn({ turn, player1, player2 }: { turn: bigint; player1: string; player2?: string }): string {
  return turn === Seat.One ? player1 : player2!;
}

/**
 * Returns the seat of a player of a match; None for anybody else.
 * @example
 * ```ts
 * import { Seat, seatOfPlayer } from "duello";
 *
 * seatOfPlayer(bob, { player1: alice, player2: bob }); // => Seat.Two
 * ```
 */
export function seatOfPlayer(player: string, { player1, player2 }: { player1: string; player2?: string }): bigint {
  if (player === player1) return Seat.One;
  return player === player2 ? Seat.Two : Seat.None;
}
