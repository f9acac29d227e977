import { formatUnits, Interface, isCallException, isError, type Provider } from "ethers";
import { COIN } from "../../sdk/player/client.js";
import { InputError } from "../../sdk/protocol/input.js";
import { readAddress } from "./arguments.js";
import type { Session } from "./session.js";

/** A token as people name it; amounts are in units of 10^decimals, in its smallest unit where it tells no decimals. */
export interface Token {
  address: string;
  symbol: string;
  decimals: number;
}

const abi = new Interface(["function symbol() view returns (string)", "function decimals() view returns (uint8)"]);

const SYMBOL_LENGTH = 12;
/** No amount of a token with more can be read by people. */
const MAX_DECIMALS = 36n;
/** What a token may spend on an answer: one that goes round in circles must not keep the node busy. */
const GAS = 100_000n;

/** The token that a word names: COIN, FIGHT or an address. */
export async function readToken(session: Session, word: string): Promise<Token> {
  if (word.toUpperCase() === "COIN") return tokenAt(session, COIN);
  if (word.toUpperCase() === "FIGHT") return tokenAt(session, session.deployment.addresses.FightToken);
  const address = readAddress(word, "token");
  if (address !== COIN && (await session.provider.getCode(address)) === "0x") {
    throw new InputError("token", `there is no contract at ${address}`);
  }
  return tokenAt(session, address);
}

/** The token at an address. What is not one of ours goes by its address as well: anyone may call itself FIGHT. */
export async function tokenAt({ deployment, provider }: Session, address: string): Promise<Token> {
  if (address === COIN) return { address, symbol: "COIN", decimals: 18 };
  if (address === deployment.addresses.FightToken) return { address, symbol: "FIGHT", decimals: 18 };
  const [symbol, decimals] = await Promise.all([ask(provider, address, "symbol"), ask(provider, address, "decimals")]);
  return { address, symbol: `${symbolFrom(symbol)} (${address})`, decimals: decimalsFrom(decimals) };
}

/** What a token says of itself: anything, or undefined for what makes no sense. @throws Error if the node fails. */
async function ask(provider: Provider, to: string, name: "symbol" | "decimals"): Promise<unknown> {
  const call = { to, data: abi.encodeFunctionData(name), gasLimit: GAS };
  const answer = await provider.call(call).catch((error: unknown) => {
    // The latter is how nodes say that it ran out of gas.
    if (isCallException(error) || isError(error, "UNKNOWN_ERROR")) return "0x";
    throw error;
  });
  try {
    return abi.decodeFunctionResult(name, answer)[0];
  } catch {
    return undefined;
  }
}

/** A few characters that can be seen. */
function symbolFrom(said: unknown): string {
  if (typeof said !== "string") return "?";
  const seen = said.replace(/[^\p{L}\p{N}\p{P}\p{S}]|\p{Default_Ignorable_Code_Point}/gu, "");
  return Array.from(seen).slice(0, SYMBOL_LENGTH).join("") || "?";
}

function decimalsFrom(said: unknown): number {
  return typeof said === "bigint" && said <= MAX_DECIMALS ? Number(said) : 0;
}

/** An amount with its token's name. */
export function amountText(amount: bigint, { symbol, decimals }: Token): string {
  return `${formatUnits(amount, decimals).replace(/\.0$/, "")} ${symbol}`;
}
