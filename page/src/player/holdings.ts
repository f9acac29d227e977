import { COIN, type Tokens, type Token } from "duello";
import { Contract } from "ethers";
import type { Player } from "./player.ts";
import { keepLocal, localValue } from "../store/local.ts";

/** A person's holdings of a token; undefined if the token does not report them. */
export interface Holding {
  readonly token: Token;
  readonly wallet?: bigint;
  readonly purse: bigint;
}

/** Entry of this browser that lists the tokens added by the person. */
const ADDED = "duello.tokens";
/** Maximum number of tokens that a person may add. */
const MAX_TOKENS = 20;

/** Reads a person's balances in wallet and purse. @param addresses Addresses of tokens. */
export async function holdingsOf(player: Player, tokens: Tokens, addresses: readonly string[]): Promise<Holding[]> {
  const { arena } = await player.client();
  const { provider, deployment } = player.chain;
  return Promise.all(
    addresses.map(async (address) => {
      const token = await tokens.at(address);
      const purse = await arena.purseOf(player.address, address);
      if (address === COIN) {
        const coin = { ...token, symbol: deployment.coin ?? token.symbol };
        return { token: coin, wallet: await provider.getBalance(player.address), purse };
      }
      const contract = new Contract(address, ["function balanceOf(address) view returns (uint256)"], provider);
      // Anybody can write a token, and a token may fail to answer.
      const wallet = (await contract.balanceOf(player.address).catch(() => undefined)) as bigint | undefined;
      return { token, wallet, purse };
    }),
  );
}

/** Lists the addresses of the tokens that the person has added to those of the deployment. */
export function addedTokens(chainId: number): string[] {
  const all = localValue(`${ADDED}.${chainId}`);
  if (!Array.isArray(all)) return [];
  return all
    .filter((each) => typeof each === "string" && /^0x[0-9a-fA-F]{40}$/.test(each))
    .slice(0, MAX_TOKENS) as string[];
}

/** Keeps the tokens that the person has added. Without storage, they are shown until the page is closed. */
export function keepTokens(chainId: number, addresses: readonly string[]): void {
  keepLocal(`${ADDED}.${chainId}`, addresses.slice(0, MAX_TOKENS));
}
