import { modeNamed, type Seek, type Terms } from "duello";
import { gameTitle, timeAt } from "../parts/text.ts";
import type { Chain } from "../store/chain.ts";
import { gameOf, stakeText } from "../store/present.ts";

/** Names the game of a search. */
export function gameText(chain: Chain, terms: Terms | undefined): string {
  const game = terms && gameOf(chain, terms);
  return game ? gameTitle(game, modeNamed(game, terms.mode)) : "any game";
}

/** Describes the amounts that an answer to a search would lock, and until when at most. */
export function lockedText(chain: Chain, { token, amount, otherAmount, until }: Seek): string {
  const amounts = amountsText(chain, token, otherAmount, amount);
  return otherAmount === 0n ? amounts : `${amounts}, until ${timeAt(until)} at most`;
}

/** Describes the amounts that the person and the other player would lock. */
export function amountsText(chain: Chain, token: string, own: bigint, others: bigint): string {
  if (own === others) return own === 0n ? "for nothing" : `${stakeText(chain, token, own)} each`;
  const [yours, its] = [own, others].map((amount) => (amount === 0n ? "nothing" : stakeText(chain, token, amount)));
  return `you lock ${yours}, the other ${its}`;
}
