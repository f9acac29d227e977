import type { History } from "../chain/history.js";
import type { MatchRecord, Settlement } from "../chain/record.js";
import type { GameModule } from "../games/module.js";
import { RecordError } from "../games/revealed-rounds.js";
import { isKind } from "../protocol/error-kind.js";
import { channelIdOf } from "../protocol/channels/messages.js";
import type { Hex } from "../protocol/hex.js";
import { InputError } from "../protocol/input.js";
import { Seat } from "../protocol/status.js";
import { stateText } from "./match-text.js";
import { amountText, type Token } from "./amounts.js";

/** Event of a match. */
export interface MatchEvent {
  matchId: bigint;
  event: "created" | "funded" | "joined" | "acted" | "declined" | "settled";
  /** Seat of the player who caused the event, as in `Seat`; undefined for the settlement. */
  seat?: bigint;
  player?: string;
  /** Bytes that were sent as a move; the game's page describes them. */
  move?: Hex;
  settlement?: Settlement;
  text: string;
}

/**
 * Lists the events of a match in order. The sentence for each event describes the player's action in the game.
 * @param game Game of the match; undefined for a foreign game.
 * @throws like the history and the game; data that cannot be read gets a sentence of its own.
 * @example
 * ```ts
 * import { stockGame, toldEvents } from "duello";
 *
 * const events = await toldEvents(record, fight, stockGame("tic-tac-toe"), archive);
 * events[4].text; // => "Player 1 marks cell 1."
 * ```
 */
export async function toldEvents(
  record: MatchRecord,
  token: Token,
  game: GameModule | undefined,
  history: History,
): Promise<MatchEvent[]> {
  const texts = await game?.actionTexts?.(record, history).catch((error: unknown) => {
    // An unreadable event also gets a sentence; a replay of the match reports the reason.
    if (!isKind(error, RecordError) && !isKind(error, InputError)) throw error;
    return undefined;
  });
  return eventsOf(record, token, texts);
}

/**
 * Lists the events of a match in order, with a sentence for each.
 * @param texts Players' actions, as the game's `actionTexts` describe them.
 * @example
 * ```ts
 * import { eventsOf } from "duello";
 *
 * const events = eventsOf(record, fight);
 * events.map(({ event }) => event).slice(0, 4); // => ["created", "funded", "funded", "joined"]
 * ```
 */
export function eventsOf(record: MatchRecord, token: Token, texts: readonly string[] = []): MatchEvent[] {
  const { matchId, player1, player2, createData, funded, joinData, actions, declinedBy, settlement } = record;
  const [created, joined, ...acted] = texts;
  const opening = created === undefined ? "" : `, who ${created}`;
  const shown = record.channel?.shown;
  const channel = shown && channelIdOf(shown.channel);
  const where = shown ? `, in channel ${channel!} as number ${shown.code.nonce}` : "";
  const base = shown && shown.code.turn !== Seat.None ? " What both have signed of its beginning is not on chain." : "";
  const offered = `Match ${matchId} was offered by player 1, ${player1}${where}${opening}.${base}`;
  const events: Omit<MatchEvent, "matchId">[] = [
    { event: "created", seat: Seat.One, player: player1, move: createData, text: offered },
    ...(shown ? [] : funded).map(({ seat, player }) => {
      return { event: "funded", seat, player, text: `Player ${seat} has funded its seat.` } as const;
    }),
  ];
  if (joinData !== undefined) {
    const answer = joined === undefined ? "" : ` and ${joined}`;
    const text = `Player 2, ${player2}, has joined${answer}.`;
    events.push({ event: "joined", seat: Seat.Two, player: player2, move: joinData, text });
  }
  for (const [i, { seat, data }] of actions.entries()) {
    const player = seat === Seat.One ? player1 : player2;
    events.push({ event: "acted", seat, player, move: data, text: `Player ${seat} ${acted[i] ?? "has acted"}.` });
  }
  if (declinedBy !== undefined) {
    const text = `The opponent, ${declinedBy}, has declined the offer.`;
    events.push({ event: "declined", seat: Seat.Two, player: declinedBy, text });
  }
  if (settlement) events.push({ event: "settled", settlement, text: settledText(record, settlement, token) });
  return events.map((event) => ({ matchId, ...event }));
}

function settledText(record: MatchRecord, settlement: Settlement, token: Token): string {
  const { paid1, paid2, house, rating1, rating2 } = settlement;
  const paid = [paid1, paid2, house].map((amount) => amountText(amount, token));
  const ratings = rating1 + rating2 > 0n ? ` Ratings: ${rating1} and ${rating2}.` : "";
  const how = stateText(settlement, record);
  return `It is over: ${how}. Paid: ${paid[0]} to player 1, ${paid[1]} to player 2, ${paid[2]} to the house.${ratings}`;
}
