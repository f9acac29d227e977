import { Seat, type AwaySeat } from "duello";
import type { Chain } from "../store/chain.ts";
import type { MatchSummary } from "../store/ledger.ts";
import { gameOf } from "../store/present.ts";
import { openSeat } from "./table.ts";

/**
 * Returns what reads which seat a match waits for that is played away from the chain, by what the relay has: Either once
 * the game is over, as both sign and settle it; None while it is not away.
 */
export function turnReader(chain: Chain, { matchId, terms }: MatchSummary): () => Promise<bigint> {
  let seat: AwaySeat | undefined;
  return async () => {
    const module = await chain.module(gameOf(chain, terms)!.name);
    seat ??= await openSeat({ chain, matchId, module, seat: Seat.None });
    const { phase, turn, winner } = await seat.sync();
    if (phase !== "away") return Seat.None;
    return winner === undefined ? turn : Seat.Either;
  };
}
