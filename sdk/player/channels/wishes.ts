import type { Channel } from "../../protocol/channels/messages.js";
import type { Search, Seek } from "../../protocol/channels/seek.js";
import type { ChannelPlayerNumber } from "../../protocol/channels/wire.js";
import type { Terms } from "../../protocol/terms.js";
import type { Held } from "./chain.js";

/** Channel as one of its players sees it. */
export interface OwnSide {
  channel: Channel;
  /** The player's number in the channel. */
  player: ChannelPlayerNumber;
  /** What both hold now, with the number of the next match. */
  held: Pick<Held, "nonce">;
}

/** What the other player says of the next match. */
export interface Wish {
  /** Terms of the match that it asks for; undefined if it declines the match that is offered or asked for. */
  terms?: Terms;
  /** Last second, since 1970, in which the wish counts. */
  expires: number;
}

/**
 * Returns the search with which a player asks the other one for the next match, whose turn it is to offer, or declines it.
 * @param terms Terms as the other player would offer them, in seat One; undefined to decline.
 */
export function wishOf({ channel, player, held }: OwnSide, terms?: Terms): Search {
  const { player1, player2, token, feeBps } = channel;
  const opponent = player === 1 ? player2 : player1;
  const nothing = { amount: 0n, otherAmount: 0n, until: 0 };
  return { opponent, token, feeBps, ...nothing, ...(terms && { terms }), match: held.nonce };
}

/**
 * Returns the other player's wish among searches that the player may answer; undefined if it has none of the next match, or
 * one that the channel cannot hold.
 */
export function wishIn(seeks: readonly Seek[], { channel, player, held }: OwnSide): Wish | undefined {
  const { player1, key1, player2, key2, token, feeBps } = channel;
  const [other, otherKey] = player === 1 ? [player2, key2] : [player1, key1];
  const found = seeks.find(
    (seek) => seek.player === other && seek.key === otherKey && seek.token === token && seek.match === held.nonce,
  );
  if (!found) return undefined;
  const { terms, expires } = found;
  if (terms && (terms.token !== token || terms.feeBps !== feeBps)) return undefined;
  return { terms, expires };
}
