import type { Channel } from "../../protocol/channels/messages.js";
import type { Search, Seek } from "../../protocol/channels/seek.js";
import type { ChannelPlayerNumber } from "../../protocol/channels/wire.js";
import type { Terms } from "../../protocol/terms.js";
import type { Held } from "./chain.js";

/** A channel from one player's side. */
export interface OwnSide {
  channel: Channel;
  /** The player's number in the channel. */
  player: ChannelPlayerNumber;
  /** Current amounts of both players, with the number of the next match. */
  held: Pick<Held, "nonce">;
}

/** The opponent's wish for the next match. */
export interface Wish {
  /** Terms of the match that the opponent wants; undefined to decline the offered or requested match. */
  terms?: Terms;
  /** Time until which the wish is valid, in seconds since 1970. */
  expires: number;
}

/**
 * Returns the search with which a player asks the opponent, who offers next, for a match, or declines the next match.
 * @param terms Terms as the opponent would offer them in seat One; undefined to decline.
 * @example
 * ```ts
 * import { wishOf } from "duello";
 *
 * const wish = wishOf({ channel, player: 2, held: { nonce: 4 } }, terms);
 * [wish.opponent, wish.match]; // => [alice, 4]
 * ```
 */
export function wishOf({ channel, player, held }: OwnSide, terms?: Terms): Search {
  const { player1, player2, token, feeBps } = channel;
  const opponent = player === 1 ? player2 : player1;
  const nothing = { amount: 0n, otherAmount: 0n, until: 0 };
  return { opponent, token, feeBps, ...nothing, ...(terms && { terms }), match: held.nonce };
}

/**
 * Finds the opponent's wish among searches that the player may answer. Returns undefined if the opponent has no wish
 * for the next match, or if the wish does not fit the channel.
 * @example
 * ```ts
 * import { wishIn } from "duello";
 *
 * const wish = wishIn([seek], { channel, player: 2, held: { nonce: 4 } }); // => undefined
 * ```
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
