import { COIN, modeHash, Status } from "duello";
import type { CatalogueGame } from "duello/catalogue";
import { formatUnits } from "ethers";
import { catalogue } from "../catalogue.ts";
import { shortAddress } from "../parts/text.ts";
import type { Chain } from "./chain.ts";
import { isOffer, type ListedMatch } from "./ledger.ts";

/** Finds the game of terms in the catalogue; undefined for an unknown one. */
export function gameOf(
  { deployment }: Pick<Chain, "deployment">,
  { game }: { readonly game: string },
): CatalogueGame | undefined {
  return catalogue.find(({ contract }) => (deployment.addresses as Record<string, string>)[contract] === game);
}

/** Finds the name of the published mode that terms name; undefined for any other. */
export function modeNameOf(game: CatalogueGame, { mode }: { readonly mode: string }): string | undefined {
  return Object.keys(game.modes).find((name) => hashOf(game.modes[name].content) === mode);
}

const hashes = new Map<string, string>();

/** A mode's hash, computed once: lists ask for it again and again. */
function hashOf(content: string): string {
  const known = hashes.get(content) ?? modeHash(content);
  hashes.set(content, known);
  return known;
}

/** Formats an amount of the stake's token in short: the deployment's own tokens by their symbols, others by address. */
export function stakeText({ deployment }: Pick<Chain, "deployment">, token: string, amount: bigint): string {
  if (amount === 0n) return "no stake";
  if (token === COIN) return `${unitsText(amount)} ${deployment.coin ?? "COIN"}`;
  if (token === deployment.addresses.FightToken) return `${unitsText(amount)} FIGHT`;
  return `${amount} units of ${shortAddress(token)}`;
}

/** Names a token briefly, as `stakeText` does. */
export function tokenName({ deployment }: Pick<Chain, "deployment">, token: string): string {
  if (token === COIN) return deployment.coin ?? "COIN";
  return token === deployment.addresses.FightToken ? "FIGHT" : shortAddress(token);
}

/** Formats somebody's gain, with its sign. */
export function netText(chain: Pick<Chain, "deployment">, token: string, net: bigint): string {
  if (net === 0n) return "±0";
  return `${net < 0n ? "−" : "+"}${stakeText(chain, token, net < 0n ? -net : net)}`;
}

function unitsText(amount: bigint): string {
  return formatUnits(amount).replace(/\.0$/, "");
}

/** Describes the state of a match in a word. */
export function statusWord(summary: ListedMatch): string {
  const { settlement, status } = summary;
  if (isOffer(summary)) return status === Status.AllDeposited ? "both ready" : "offer";
  if (!settlement) return "in play";
  switch (settlement.status) {
    case Status.Draw:
      return "draw";
    case Status.P1Canceled:
      return "called off";
    case Status.P1Win:
      return "player 1 won";
    case Status.P2Win:
      return "player 2 won";
    case Status.P1WinInactive:
      return "player 1 won on time";
    default:
      return "player 2 won on time";
  }
}
