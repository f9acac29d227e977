/**
 * Seat of a match; the challenger has seat One.
 * The values are the same as in the contracts.
 */
export const Seat = { None: 0n, One: 1n, Two: 2n } as const;

/** Status of a match. The values are the same as in the contracts; 4 and 5 are never stored. */
export const Status = {
  Created: 0n,
  P1Deposited: 1n,
  AllDeposited: 2n,
  AllJoined: 3n,
  P1Win: 6n,
  P2Win: 7n,
  P1Canceled: 8n,
  P1WinInactive: 9n,
  P2WinInactive: 10n,
  Draw: 11n,
} as const;

/**
 * Returns the name of a status in the contracts; its number if it has no name.
 * @example
 * ```ts
 * import { Status, statusName } from "duello";
 *
 * statusName(Status.AllJoined); // => "AllJoined"
 * ```
 */
export function statusName(status: bigint): string {
  return Object.entries(Status).find(([, value]) => value === status)?.[0] ?? String(status);
}

/** Meanings of statuses for people, by number. */
export const statusText: Record<string, string> = {
  0: "created, player 1 has not funded its seat",
  1: "an offer",
  2: "both ready: player 2 has funded and joins next",
  3: "in play",
  6: "player 1 won",
  7: "player 2 won",
  8: "offer withdrawn, declined or lapsed",
  9: "player 1 won: player 2 let the clock run out",
  10: "player 2 won: player 1 let the clock run out",
  11: "draw",
};

/**
 * Returns the seat of the winner for a status; None if nobody has won.
 * @example
 * ```ts
 * import { Seat, Status, winnerBy } from "duello";
 *
 * winnerBy(Status.P2Win); // => Seat.Two
 * winnerBy(Status.Draw); // => Seat.None
 * ```
 */
export function winnerBy(status: bigint): bigint {
  if (status === Status.P1Win || status === Status.P1WinInactive) return Seat.One;
  return status === Status.P2Win || status === Status.P2WinInactive ? Seat.Two : Seat.None;
}

/**
 * Returns whether a status belongs to a match whose loser let the clock run out.
 * @example
 * ```ts
 * import { isForfeit, Status } from "duello";
 *
 * isForfeit(Status.P1WinInactive); // => true
 * isForfeit(Status.P1Win); // => false
 * ```
 */
export function isForfeit(status: bigint): boolean {
  return status === Status.P1WinInactive || status === Status.P2WinInactive;
}

/**
 * Returns whether a match is not over.
 * @example
 * ```ts
 * import { isOpen, Status } from "duello";
 *
 * isOpen({ status: Status.AllJoined }); // => true
 * isOpen({ status: Status.Draw }); // => false
 * ```
 */
export function isOpen({ status }: { readonly status: bigint }): boolean {
  return status <= Status.AllJoined;
}
