import type { BookMatch } from "../../../sdk/player/channels/book.js";
import type { ChannelOnChain, Held } from "../../../sdk/player/channels/chain.js";
import type { RenewedSearch } from "../../../sdk/player/channels/lobby.js";
import { CHANNEL_LIMITS, offererOf, type ChannelStatus } from "../../../sdk/player/channels/player.js";
import { wishIn, wishOf, type Wish } from "../../../sdk/player/channels/wishes.js";
import { modeNamed } from "../../../sdk/games/modes.js";
import { EVEN, type GameModule } from "../../../sdk/games/module.js";
import type { Seek } from "../../../sdk/protocol/channels/seek.js";
import type { OfferMessage } from "../../../sdk/protocol/channels/wire.js";
import { Seat } from "../../../sdk/protocol/status.js";
import { termsHash, type Terms } from "../../../sdk/protocol/terms.js";
import { outcomeFor, settledOutcome, type MatchOutcome } from "../../../sdk/player/outcome.js";
import { channelMatchIdOf } from "../../../sdk/protocol/channels/messages.js";
import type { CommandContext } from "../command/context.js";
import type { KeptChannel } from "./files.js";
import type { ChannelSeat } from "./seat.js";

/** Seconds until an offer must be answered, and its match ended or submitted to the arena. */
const OFFER_SECONDS = 6 * 3600;

/** Returns the last second of an offer that is made now, since 1970. */
export function offerEnd({ time, open }: Pick<ChannelOnChain, "time" | "open">): number {
  return Math.min(time + OFFER_SECONDS, (open?.until ?? Infinity) - CHANNEL_LIMITS.margin);
}

/** Returns the player's seat in a match, which depends on who offers it. */
export function seatIn({ player }: Pick<KeptChannel, "player">, nonce: number): bigint {
  return offererOf(nonce) === player ? Seat.One : Seat.Two;
}

/** Match that the opponent asks the player to offer, with its number. */
export type WishedMatch = Required<Wish> & Pick<Held, "nonce">;

/**
 * Returns whether it is the player's turn to offer the next match.
 * @param held Both balances; undefined while the channel is not open.
 */
export function isToOffer({ kept, player }: ChannelSeat, held: Held | undefined): held is Held {
  return held !== undefined && seatIn(kept, held.nonce) === Seat.One && !player.match(held.nonce)?.moves.length;
}

/** Finds the match that the opponent asks the player to offer next. @returns undefined if it asks for none */
export function wishedMatch(seeks: readonly Seek[], seat: ChannelSeat, held?: Held): WishedMatch | undefined {
  const wish = isToOffer(seat, held) ? wishIn(seeks, { ...seat.kept, held }) : undefined;
  return wish?.terms && { terms: wish.terms, expires: wish.expires, nonce: held!.nonce };
}

/** Declines the match with a number in the lobby. */
export async function declineMatch(kept: KeptChannel, nonce: number, own: RenewedSearch): Promise<void> {
  // If this fails, the opponent only waits longer.
  await own.put(wishOf({ ...kept, held: { nonce } })).catch(() => undefined);
}

/** Match that the caller wants to play in a channel. */
export interface WantedMatch {
  /** Stake of the caller. */
  stake: bigint;
  /** Stakes of seats One and Two in an even game. */
  odds: readonly [bigint, bigint];
  /** Terms without the stakes. */
  terms: Omit<Terms, "stake1" | "stake2">;
}

/** Returns a match that the caller wants, with the odds of its mode. */
export function wantedMatch(module: GameModule, stake: bigint, terms: WantedMatch["terms"]): WantedMatch {
  const published = modeNamed(module, terms.mode);
  return { stake, odds: published === undefined ? EVEN : module.modes[published].odds, terms };
}

/** Returns the terms of a wanted match. @param own Seat of the caller. */
export function termsFor({ terms, stake, odds: [one, two] }: WantedMatch, own: bigint): Terms {
  const [stake1, stake2] = own === Seat.One ? [stake, (stake * two) / one] : [(stake * one) / two, stake];
  return { ...terms, stake1, stake2 };
}

/** Match that the caller waits for. Of the other player's offers with the same terms, only one is accepted. */
export class AwaitedMatch {
  /** Number of the match; undefined until it is known. */
  nonce?: number;
  /** Number of the match that was last checked before the opponent was asked for it. */
  private checked?: number;

  constructor(readonly wanted: WantedMatch) {}

  /** Returns whether to accept an offer of the other player. After one offer is accepted, all others are rejected. */
  takes({ nonce, terms }: Pick<OfferMessage, "nonce" | "terms">): boolean {
    if (!this.isFor(terms, Seat.Two) || nonce !== (this.nonce ?? nonce)) return false;
    this.nonce = nonce;
    return true;
  }

  /** Returns whether terms are those of the wanted match. @param own Seat of the caller. */
  isFor(terms: Terms, own: bigint): boolean {
    return termsHash(terms) === termsHash(termsFor(this.wanted, own));
  }

  /**
   * Offers the match if it is the caller's turn to offer; otherwise asks the opponent to offer it.
   * @param own The caller's entry in the lobby.
   * @throws Error if the match may not be played, and as the lobby does
   */
  async propose({ kept, player }: ChannelSeat, { chain }: ChannelStatus, held: Held, own: RenewedSearch) {
    const seat = seatIn(kept, held.nonce);
    const terms = termsFor(this.wanted, seat);
    if (seat === Seat.One) return void (await player.offer(terms, offerEnd(chain)));
    if (this.checked !== held.nonce) await player.checkNext(terms, offerEnd(chain));
    this.checked = held.nonce;
    await own.put(wishOf({ ...kept, held }, terms));
  }
}

/** Returns how a match of a channel has ended for the caller. */
export async function outcomeOf(context: CommandContext, kept: KeptChannel, match: BookMatch): Promise<MatchOutcome> {
  const seat = match.seatOf(kept.player);
  if (match.isFinal) return outcomeFor(match.state, seat);
  const { settlement, terms } = await context.history.match(channelMatchIdOf(kept.id, match.nonce));
  return settledOutcome(settlement!, terms, seat);
}
