import type { MatchRecord, Replayed, Settlement } from "./record.js";
import { Seat, Status } from "../protocol/status.js";
import type { Terms } from "../protocol/terms.js";

/** Who is paid what of both stakes. */
export type Payment = Pick<Settlement, "paid1" | "paid2" | "house">;

/** What a settlement says but for the ratings. */
export type Ending = Payment & Pick<Settlement, "status">;

/**
 * How a match must have been settled, or what kept it from that; a win without a result of the game is a resignation.
 */
export function expectedEnding(
  { terms, funded }: Pick<MatchRecord, "terms" | "funded">,
  { status }: Pick<Settlement, "status">,
  result: Replayed["result"],
): Ending | string {
  const isFunded = (seat: bigint) => funded.some((each) => each.seat === seat);
  if (status !== Status.P1Canceled && !(isFunded(Seat.One) && isFunded(Seat.Two))) {
    return `status ${status}, but the stakes were not both taken`;
  }
  if (result) return { status: statusFor(result.winner), ...split(terms, result.taker, terms.feeBps) };
  switch (status) {
    case Status.P1Win:
      return { status, ...split(terms, Seat.One, terms.feeBps) };
    case Status.P2Win:
      return { status, ...split(terms, Seat.Two, terms.feeBps) };
    case Status.P1WinInactive:
      return { status, ...split(terms, Seat.One, 0n) };
    case Status.P2WinInactive:
      return { status, ...split(terms, Seat.Two, 0n) };
    case Status.P1Canceled:
      return { status, paid1: isFunded(Seat.One) ? terms.stake1 : 0n, paid2: 0n, house: 0n };
    default:
      return `status ${status}, but the game did not end`;
  }
}

/** The status that a match gets by the winner of its game. */
export function statusFor(winner: bigint): bigint {
  if (winner === Seat.None) return Status.Draw;
  return winner === Seat.One ? Status.P1Win : Status.P2Win;
}

/** Who has won by a status, as in `Seat`. */
export function winnerBy(status: bigint): bigint {
  if (status === Status.P1Win || status === Status.P1WinInactive) return Seat.One;
  return status === Status.P2Win || status === Status.P2WinInactive ? Seat.Two : Seat.None;
}

/** Who is paid what; `share` of a taken pot goes to the house, of 10 000. */
export function split({ stake1, stake2 }: Terms, taker: bigint, feeBps: bigint): Payment {
  if (taker === Seat.None) return { paid1: stake1, paid2: stake2, house: 0n };
  const pot = stake1 + stake2;
  const house = (pot * feeBps) / 10_000n;
  return taker === Seat.One ? { paid1: pot - house, paid2: 0n, house } : { paid1: 0n, paid2: pot - house, house };
}
