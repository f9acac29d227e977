import type { Channel } from "../protocol/channels/messages.js";
import { decodeActions } from "../protocol/channels/actions.js";
import { Seat } from "../protocol/status.js";
import type { Terms } from "../protocol/terms.js";
import { unpackCode } from "./channels.js";
import type { AnyEvent, Events } from "./events.js";
import type { MatchRecord, Settlement } from "./record.js";
import { endingFor } from "./settlement.js";

/** Events about a channel match. */
export interface ChannelMatchEvents {
  /** Event that opened the channel of the match. */
  opened: Events["Opened"];
  terms: Terms;
  /** Events of the match, in the order of the chain. */
  events: readonly AnyEvent[];
}

/** Returns the terms of matches that a channel settles. */
export function termsUnder(
  { channelId: _, ...terms }: Events["PlayedUnder"],
  { token, feeBps }: Pick<Events["Opened"], "token" | "feeBps">,
): Terms {
  return { ...terms, token, feeBps };
}

/** Returns the channel that was opened. */
export function channelIn({ player1, key1, player2, key2, token, feeBps }: Events["Opened"]): Channel {
  return { player1, key1, player2, key2, token, feeBps };
}

/** Converts a pair from the order of a channel's players to the order of the seats, or back. */
export function inSeats<T>([one, two]: readonly [T, T], swapped: boolean): [T, T] {
  return swapped ? [two, one] : [one, two];
}

/**
 * Creates the record of a channel match from its events. The game of the match adds the data and seats of its actions.
 * @returns undefined for a match that was not submitted on chain, or that its channel has withdrawn.
 * @throws InputError for actions that nobody can have submitted.
 */
export function channelRecordFrom(
  chainId: bigint,
  { opened, terms, events }: ChannelMatchEvents,
): MatchRecord | undefined {
  let brought: Events["Played"] | undefined;
  let started: Events["Started"] | undefined;
  let settlement: Settlement | undefined;
  let logs: MatchRecord["logs"] = [];
  const actions: MatchRecord["actions"] = [];
  for (const { name, args, address } of events) {
    if (name === "Voided") [logs, brought, started] = [[], undefined, undefined];
    if (name === "Log" && address === terms.game) logs.push({ round: args.round, entries: args.logEntries });
    if (name === "Challenged" || name === "Played") brought = args;
    if (name === "Started") started = args;
    if (name === "Acted") actions.push({ seat: args.seat, data: args.data });
    if (name === "Settled") {
      const { status, paid1, paid2, house, rating1, rating2 } = args;
      settlement = { status, paid1, paid2, house, rating1, rating2 };
    }
    if (name === "Played") {
      const code = unpackCode(args.code);
      settlement = { ...endingFor(code, terms), rating1: code.ratings[0], rating2: code.ratings[1] };
    }
  }
  if (!brought) return undefined;
  const code = unpackCode(brought.code);
  const [player1, player2] = inSeats([opened.player1, opened.player2], code.swapped);
  const { position } = brought;
  return {
    chainId,
    matchId: brought.matchId,
    terms,
    player1,
    player2,
    funded: [
      { seat: Seat.One, player: player1 },
      { seat: Seat.Two, player: player2 },
    ],
    createData: "0x",
    actions,
    logs,
    settlement,
    channel: {
      ...(code.turn === Seat.None && { offered: position }),
      shown: {
        channel: channelIn(opened),
        code,
        position,
        brought: decodeActions(brought.actions),
        ...(started && { started: { turn: started.turn, position: started.position } }),
      },
    },
  };
}
