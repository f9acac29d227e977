import { amountText, COIN, findGame, isForfeit, ownToken, Seat, Status, winnerBy } from "duello";
import type { CatalogueGame } from "duello/catalogue";
import { catalogue } from "../catalogue.ts";
import { shortAddress } from "../parts/text.ts";
import type { Chain } from "./chain.ts";
import { isOffer, type ListedMatch } from "./ledger.ts";

/** Finds the game of terms in the catalogue; undefined for an unknown one. */
export function gameOf(
  { deployment }: Pick<Chain, "deployment">,
  { game }: { readonly game: string },
): CatalogueGame | undefined {
  return findGame(game, catalogue, deployment.addresses);
}

/** Formats an amount of the stake's token in short: the deployment's own tokens by their symbols, others by address. */
export function stakeText(chain: Pick<Chain, "deployment">, token: string, amount: bigint): string {
  if (amount === 0n) return "no stake";
  const own = ownToken(chain.deployment.addresses, token);
  if (!own) return `${amount} units of ${shortAddress(token)}`;
  return amountText(amount, { ...own, symbol: tokenName(chain, token) });
}

/** Names a token briefly, as `stakeText` does. */
export function tokenName({ deployment }: Pick<Chain, "deployment">, token: string): string {
  if (token === COIN && deployment.coin !== undefined) return deployment.coin;
  return ownToken(deployment.addresses, token)?.symbol ?? shortAddress(token);
}

/** Formats a gain or loss of a player, with its sign. */
export function netText(chain: Pick<Chain, "deployment">, token: string, net: bigint): string {
  if (net === 0n) return "±0";
  return `${net < 0n ? "−" : "+"}${stakeText(chain, token, net < 0n ? -net : net)}`;
}

/** Describes the status of a match in a few words. */
export function statusWord(summary: ListedMatch): string {
  const { settlement, status } = summary;
  if (isOffer(summary)) return status === Status.AllDeposited ? "both ready" : "offer";
  if (!settlement) return "in play";
  if (settlement.status === Status.P1Canceled) return "called off";
  const winner = winnerBy(settlement.status);
  if (winner === Seat.None) return "draw";
  return `player ${winner} won${isForfeit(settlement.status) ? " on time" : ""}`;
}
