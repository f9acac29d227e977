import { formatUnits } from "ethers";
import { COIN } from "../../sdk/client.js";
import { oneLine } from "../../sdk/input.js";
import { FightToken__factory } from "../../typechain-types/index.js";
import { readAddress } from "./arguments.js";
import type { Session } from "./session.js";

/** A token as people name it; amounts are in units of 10^decimals. */
export interface Token {
  address: string;
  symbol: string;
  decimals: number;
}

const SYMBOL_LENGTH = 12;

/** The token that a word names: COIN, FIGHT or an address. */
export async function readToken(session: Session, word: string): Promise<Token> {
  if (word.toUpperCase() === "COIN") return tokenAt(session, COIN);
  if (word.toUpperCase() === "FIGHT") return tokenAt(session, session.deployment.addresses.FightToken);
  return tokenAt(session, readAddress(word, "token"));
}

/** The token at an address. What is not one of ours goes by its address as well: anyone may call itself FIGHT. */
export async function tokenAt(session: Session, address: string): Promise<Token> {
  if (address === COIN) return { address, symbol: "COIN", decimals: 18 };
  if (address === session.deployment.addresses.FightToken) return { address, symbol: "FIGHT", decimals: 18 };
  const token = FightToken__factory.connect(address, session.provider);
  const [symbol, decimals] = await Promise.all([token.symbol().catch(() => "?"), token.decimals().catch(() => 0n)]);
  return { address, symbol: `${oneLine(symbol).slice(0, SYMBOL_LENGTH)} (${address})`, decimals: Number(decimals) };
}

/** An amount with its token's name. */
export function amountText(amount: bigint, { symbol, decimals }: Token): string {
  return `${formatUnits(amount, decimals).replace(/\.0$/, "")} ${symbol}`;
}
