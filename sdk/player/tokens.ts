import { Interface, isCallException, isError, type Provider } from "ethers";
import type { GameModule } from "../games/module.js";
import { readAddress } from "../protocol/arguments.js";
import { InputError } from "../protocol/input.js";
import { COIN } from "../protocol/terms.js";
import { amountText, ownToken, type OwnTokens, type Token } from "./amounts.js";
import { customError, explain, Explained, type AmountText } from "./errors.js";

const abi = new Interface(["function symbol() view returns (string)", "function decimals() view returns (uint8)"]);

const SYMBOL_LENGTH = 12;
/** Maximum number of decimals: amounts with more decimals are unreadable. */
const MAX_DECIMALS = 36n;
/** Gas limit for a call of a token, so that a token that loops does not keep the node busy. */
const GAS = 100_000n;

/**
 * Tokens that a program displays: each is queried once for its symbol and decimals.
 * @example
 * ```ts
 * import { games, readAmount, Tokens } from "duello";
 *
 * const tokens = new Tokens(provider, addresses, games);
 * const token = await tokens.read("FIGHT");
 * const stake = readAmount("12.5", token.decimals, "stake");
 * ```
 */
export class Tokens {
  private readonly known = new Map<string, Token>();

  /** @param games Games whose errors are also explained. */
  constructor(
    private readonly provider: Provider,
    private readonly addresses: OwnTokens,
    private readonly games: readonly GameModule[] = [],
  ) {}

  /** Describes the token at an address, like `tokenAt`. */
  async at(address: string): Promise<Token> {
    const token = this.known.get(address) ?? (await tokenAt(this.provider, this.addresses, address));
    this.known.set(address, token);
    return token;
  }

  /**
   * Resolves a token given as COIN, FIGHT or an address.
   * @throws InputError if there is no such token.
   */
  async read(name: string): Promise<Token> {
    const { FightToken } = this.addresses;
    if (name.toUpperCase() === "COIN") return this.at(COIN);
    if (name.toUpperCase() === "FIGHT" && FightToken !== undefined) return this.at(FightToken);
    const address = readAddress(name, "token");
    if (address !== COIN && (await this.provider.getCode(address)) === "0x") {
      throw new InputError("token", `there is no contract at ${address}`);
    }
    return this.at(address);
  }

  /** Explains an error like `explain`, with amounts in the tokens that were described before. */
  explain(error: unknown): string {
    const inToken: AmountText = (amount, address) => {
      const token =
        address === undefined ? this.only() : (ownToken(this.addresses, address) ?? this.known.get(address));
      return token && amountText(amount, token);
    };
    return explain(error, { games: this.games, amountText: inToken });
  }

  /** Describes a contract's error in words, with its amounts in tokens; returns any other error unchanged. */
  explained(error: unknown): unknown {
    if (error instanceof Explained || !customError(error, this.games)) return error;
    return new Explained(this.explain(error), { cause: error });
  }

  /** Returns the token for an error that does not name one: the only described token apart from the chain's coin. */
  private only(): Token | undefined {
    const tokens = [...this.known.values()].filter(({ address }) => address !== COIN);
    return tokens.length === 1 ? tokens[0] : undefined;
  }
}

/**
 * Describes the token at an address. A foreign token is shown with its address: anyone may call a token FIGHT.
 * @throws like the provider.
 * @example
 * ```ts
 * import { tokenAt } from "duello";
 *
 * const { symbol, decimals } = await tokenAt(provider, addresses, addresses.FightToken);
 * ```
 */
export async function tokenAt(provider: Provider, addresses: OwnTokens, address: string): Promise<Token> {
  return ownToken(addresses, address) ?? foreignToken(provider, address);
}

async function foreignToken(provider: Provider, address: string): Promise<Token> {
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
