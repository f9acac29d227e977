import { Seat } from "../../sdk/protocol/status.js";

/** Returns the opponent's seat. */
export function otherSeat(seat: bigint): bigint {
  return seat === Seat.One ? Seat.Two : Seat.One;
}
