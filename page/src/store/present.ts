import {
  amountText,
  COIN,
  findGame,
  isForfeit,
  ownToken,
  payoffOf,
  Seat,
  seatOfPlayer,
  settledOutcome,
  Status,
  winnerBy,
} from "duello";
import type { CatalogueGame } from "duello/catalogue";
import { catalogue } from "../catalogue.ts";
import { shortAddress } from "../parts/text.ts";
import { personText } from "../people/people.ts";
import type { Chain } from "./chain.ts";
import { isOffer, wasPlayed, type ListedMatch } from "./ledger.ts";

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

/** Describes the status of a match in a few words, for the viewer. @param you Address of the viewer. */
export function statusWord(match: ListedMatch, you?: string): string {
  const { settlement, status, player1, player2, terms } = match;
  const seat = you === undefined ? Seat.None : seatOfPlayer(you, match);
  if (isOffer(match)) {
    if (status === Status.AllDeposited) return "both ready";
    if (seat === Seat.One) return player2 === undefined ? "your offer" : "you dare them";
    if (seat === Seat.Two) return "dares you";
    return player2 === undefined ? "offer" : `for ${personText(player2)}`;
  }
  if (!settlement) return "in play";
  if (settlement.status === Status.P1Canceled) return "called off";
  const winner = winnerBy(settlement.status);
  const time = isForfeit(settlement.status) ? " on time" : "";
  if (seat === Seat.None) {
    return winner === Seat.None ? "Draw" : `${personText(winner === Seat.One ? player1 : player2!)} won${time}`;
  }
  const { duel, pot } = settledOutcome(settlement, terms, seat);
  const money = pot === "own" ? ", took the pot" : pot === "other" ? ", lost the pot" : "";
  if (duel === "draw") return `Draw${money}`;
  const isUsual = pot === (duel === "won" ? "own" : "other");
  const text = `You ${duel}${time}`;
  return isUsual ? text : `${text}${pot === "none" ? ", stakes back" : money}`;
}

/** Returns the viewer's gain or loss from a finished match; undefined for spectators, and without stakes. */
export function netOf(match: ListedMatch, you: string | undefined): bigint | undefined {
  const { settlement, terms } = match;
  const seat = you === undefined ? Seat.None : seatOfPlayer(you, match);
  if (seat === Seat.None || !wasPlayed(match) || terms.stake1 + terms.stake2 === 0n) return undefined;
  return payoffOf(settlement!, terms, seat).net;
}
