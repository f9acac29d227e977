import type { MatchRecord } from "../../sdk/record.js";
import { statusText } from "../../sdk/status.js";
import { amountText, type Token } from "./tokens.js";

/** Something that happened in a match. */
export interface MatchEvent {
  event: "created" | "funded" | "joined" | "acted" | "settled";
  text: string;
}

/** What has happened in a match, in order. */
export function eventsOf(record: MatchRecord, token: Token): MatchEvent[] {
  const { player1, player2, funded, answer, actions, settlement } = record;
  const joined: MatchEvent = { event: "joined", text: `Player 2, ${player2}, has joined.` };
  return [
    { event: "created", text: `Match ${record.matchId} was offered by player 1, ${player1}.` },
    ...funded.map(({ seat }): MatchEvent => ({ event: "funded", text: `Player ${seat} has funded its seat.` })),
    ...(answer === undefined ? [] : [joined]),
    ...actions.map(({ seat }): MatchEvent => ({ event: "acted", text: `Player ${seat} has acted.` })),
    ...(settlement ? [{ event: "settled", text: settledText(settlement, token) } as const] : []),
  ];
}

function settledText(settlement: NonNullable<MatchRecord["settlement"]>, token: Token): string {
  const { status, paid1, paid2, house, rating1, rating2 } = settlement;
  const paid = [paid1, paid2, house].map((amount) => amountText(amount, token));
  const ratings = rating1 + rating2 > 0n ? ` Ratings: ${rating1} and ${rating2}.` : "";
  const how = statusText[String(status)];
  return `It is over: ${how}. Paid: ${paid[0]} to player 1, ${paid[1]} to player 2, ${paid[2]} to the house.${ratings}`;
}
