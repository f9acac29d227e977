import { COIN } from "../../sdk/protocol/terms.js";
import { formatUnits, Interface, isCallException, isError, type Provider } from "ethers";
import { customError, explain, Explained, type AmountText } from "../../sdk/player/errors.js";
import { InputError } from "../../sdk/protocol/input.js";
import { readAddress } from "./arguments.js";
import type { Session } from "./session.js";

/** A token. Amounts are shown in units of 10^decimals; with 0 decimals if it reports none that people can read. */
export interface Token {
  address: string;
  symbol: string;
  decimals: number;
}

/** Tokens that a command has named, by address, for what it tells afterwards. */
const named = new WeakMap<Session, Map<string, Token>>();

const abi = new Interface(["function symbol() view returns (string)", "function decimals() view returns (uint8)"]);

const SYMBOL_LENGTH = 12;
/** Amounts with more decimals are unreadable. */
const MAX_DECIMALS = 36n;
/** Gas for asking a token: one that loops must not keep the node busy. */
const GAS = 100_000n;

/** Resolves a token by COIN, FIGHT or its address. @throws InputError */
export async function readToken(session: Session, name: string): Promise<Token> {
  if (name.toUpperCase() === "COIN") return tokenAt(session, COIN);
  if (name.toUpperCase() === "FIGHT") return tokenAt(session, session.deployment.addresses.FightToken);
  const address = readAddress(name, "token");
  if (address !== COIN && (await session.provider.getCode(address)) === "0x") {
    throw new InputError("token", `there is no contract at ${address}`);
  }
  return tokenAt(session, address);
}

/** Describes the token at an address. A foreign token is shown with its address: anyone may call a token FIGHT. */
export async function tokenAt(session: Session, address: string): Promise<Token> {
  const token = ownToken(session, address) ?? (await foreignToken(session, address));
  named.set(session, (named.get(session) ?? new Map<string, Token>()).set(address, token));
  return token;
}

/** Returns the token at an address if it is the chain's coin or FIGHT. */
function ownToken({ deployment }: Session, address: string): Token | undefined {
  if (address === COIN) return { address, symbol: "COIN", decimals: 18 };
  if (address === deployment.addresses.FightToken) return { address, symbol: "FIGHT", decimals: 18 };
  return undefined;
}

async function foreignToken({ provider }: Session, address: string): Promise<Token> {
  const [symbol, decimals] = await Promise.all([ask(provider, address, "symbol"), ask(provider, address, "decimals")]);
  return { address, symbol: `${symbolFrom(symbol)} (${address})`, decimals: decimalsFrom(decimals) };
}

/** Asks a token for its symbol or decimals; undefined if the answer is malformed. @throws Error if the node fails. */
async function ask(provider: Provider, to: string, name: "symbol" | "decimals"): Promise<unknown> {
  const call = { to, data: abi.encodeFunctionData(name), gasLimit: GAS };
  const answer = await provider.call(call).catch((error: unknown) => {
    // Nodes report running out of gas as UNKNOWN_ERROR.
    if (isCallException(error) || isError(error, "UNKNOWN_ERROR")) return "0x";
    throw error;
  });
  try {
    return abi.decodeFunctionResult(name, answer)[0];
  } catch {
    return undefined;
  }
}

/** Reduces a symbol to a few visible characters. */
function symbolFrom(said: unknown): string {
  if (typeof said !== "string") return "?";
  const seen = said.replace(/[^\p{L}\p{N}\p{P}\p{S}]|\p{Default_Ignorable_Code_Point}/gu, "");
  return Array.from(seen).slice(0, SYMBOL_LENGTH).join("") || "?";
}

function decimalsFrom(said: unknown): number {
  return typeof said === "bigint" && said <= MAX_DECIMALS ? Number(said) : 0;
}

/** Formats an amount with the symbol of its token. */
export function amountText(amount: bigint, { symbol, decimals }: Token): string {
  return `${formatUnits(amount, decimals).replace(/\.0$/, "")} ${symbol}`;
}

/** Explains an error, with its amounts in tokens as far as the command has named them. */
export function explainFor(session: Session, error: unknown): string {
  const inToken: AmountText = (amount, address) => {
    const token =
      address === undefined ? onlyToken(session) : (ownToken(session, address) ?? knownToken(session, address));
    return token && amountText(amount, token);
  };
  return explain(error, { games: session.games, amountText: inToken });
}

/** Puts an error of a contract into words, with its amounts in tokens; returns any other as it is. */
export function inTokens(session: Session, error: unknown): unknown {
  if (error instanceof Explained || !customError(error, session.games)) return error;
  return new Explained(explainFor(session, error), { cause: error });
}

function knownToken(session: Session, address: string): Token | undefined {
  return named.get(session)?.get(address);
}

/** Returns the token that an error is about which names none: the only one of the command, as the coin is no contract. */
function onlyToken(session: Session): Token | undefined {
  const tokens = [...(named.get(session)?.values() ?? [])].filter(({ address }) => address !== COIN);
  return tokens.length === 1 ? tokens[0] : undefined;
}
