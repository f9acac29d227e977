import { BaseWallet, SigningKey, type Provider, type TransactionReceipt } from "ethers";
import { integer } from "../protocol/input.js";
import type { Hex } from "../protocol/hex.js";
import { DAY } from "../protocol/terms.js";
import type { Call } from "./calls.js";
import { Client, type ClientOptions } from "./client.js";
import { mayActFor } from "./turn.js";
import { isShortOfCoin } from "./wallet-errors.js";

/** Default gas that a session key can pay for: about thirty turns of the most expensive game. */
export const SESSION_GAS = 4_000_000n;

/** Default seconds for which a session key may act. */
export const SESSION_SECONDS = Number(DAY);

/** The latest time that the arena can store. */
const MAX_UNTIL = 2 ** 40 - 1;

/** Factor by which the coin left for fees grows with each attempt, on a chain that charges more than gas. */
const REST_FACTOR = 4n;

/** Options of a session. */
export interface SessionOptions {
  /** End of the session in seconds since 1970; defaults to 24 hours from now. */
  until?: number;
  /** Initial coin of the key, in its smallest unit; defaults to the current price of `SESSION_GAS`. */
  coin?: bigint;
}

/** Options of the client of a session key. */
export interface SessionClientOptions extends ClientOptions {
  /** Provider through which the key sends; defaults to the provider of the owner's wallet. */
  provider?: Provider;
}

/** Result of ending a session. */
export interface ClosedSession {
  /** Receipt of the revocation; undefined if the key was no longer allowed. */
  revoked?: TransactionReceipt;
  /** Receipt of the payment back to the owner; undefined if the remaining coin does not cover its fee. */
  swept?: TransactionReceipt;
}

/**
 * Connects a client that sends with a session key, e.g. for `takeTurn` in the owner's matches, even after a reload.
 * @param owner Client of the player for whom the key acts.
 * @param key Private key, as `sessionKey` returns it.
 * @throws Error like `Client.connect`.
 * @example
 * ```ts
 * import { sessionClient, sessionKey } from "duello";
 *
 * const player = await sessionClient(client, sessionKey(secretKey));
 * await player.act(7n, "0x0304");
 * ```
 */
export function sessionClient(owner: Client, key: Hex, options: SessionClientOptions = {}): Promise<Client> {
  const { provider = owner.signer.provider, ...others } = options;
  return Client.connect(owner.addresses, owner.games, new BaseWallet(new SigningKey(key), provider), others);
}

/**
 * Encodes the calls that open or renew a session: the approval, and the coin that the key lacks. Steps already done are
 * omitted.
 * @throws InputError for an end that is not in the future.
 * @example
 * ```ts
 * import { batchRequest, sessionCalls, sessionKey } from "duello";
 *
 * const calls = await sessionCalls(client, sessionKey(secretKey));
 * const request = batchRequest(client, calls);
 * ```
 */
export async function sessionCalls(owner: Client, key: Hex, options: SessionOptions = {}): Promise<Call[]> {
  const { address } = new BaseWallet(new SigningKey(key));
  const now = await owner.now();
  const until = integer(now + 1, MAX_UNTIL)(options.until ?? now + SESSION_SECONDS, "until");
  const provider = owner.signer.provider!;
  const coin = options.coin ?? SESSION_GAS * (await gasPrice(provider));
  const calls: Call[] = [];
  if ((await owner.arena.operatorUntil(owner.address, address)) !== BigInt(until)) {
    calls.push(await owner.calls.allow(address, until));
  }
  const lacking = coin - (await provider.getBalance(address));
  if (lacking > 0n) calls.push({ to: address, data: "0x", value: lacking });
  return calls;
}

/**
 * Opens a session, or renews it: allows the key to act for its owner, and gives it a little coin for gas. The docstring
 * of `sessionKey` lists what the key can and cannot do.
 * @param key Private key, as `sessionKey` returns it.
 * @returns The client that acts with the key.
 * @throws InputError like `sessionCalls`.
 * @example
 * ```ts
 * import { openSession, sessionKey, walletKeys } from "duello";
 *
 * const key = sessionKey(await walletKeys(signer, chainId, addresses.Arena));
 * const player = await openSession(client, key); // asks the wallet once; the key then acts without it
 * await player.act(7n, "0x0304");
 * ```
 */
export async function openSession(
  owner: Client,
  key: Hex,
  { until, coin, ...options }: SessionOptions & SessionClientOptions = {},
): Promise<Client> {
  for (const call of await sessionCalls(owner, key, { until, coin })) await owner.send(call);
  return sessionClient(owner, key, options);
}

/**
 * Closes a session: revokes the permission unless it has expired, and sends the remaining coin, less the fee, back to
 * the owner. The owner's wallet signs only the revocation.
 * @throws like the calls of a `Client`.
 * @example
 * ```ts
 * import { closeSession, sessionKey } from "duello";
 *
 * const { revoked, swept } = await closeSession(client, sessionKey(secretKey));
 * ```
 */
export async function closeSession(
  owner: Client,
  key: Hex,
  options: SessionClientOptions = {},
): Promise<ClosedSession> {
  const operator = await sessionClient(owner, key, options);
  const revoked = (await mayActFor(operator, owner.address)) ? await owner.allow(operator.address, 0) : undefined;
  const swept = await sweep(operator, owner.address);
  return { ...(revoked && { revoked }), ...(swept && { swept }) };
}

/** Sends all of a client's coin to an address, less the fee. @returns undefined if the coin does not cover the fee */
async function sweep(from: Client, to: string): Promise<TransactionReceipt | undefined> {
  const provider = from.signer.provider!;
  const balance = await provider.getBalance(from.address);
  if (balance === 0n) return undefined;
  // The owner may be a contract, whose code runs when it is paid.
  const gas = await from.gasOf({ to, data: "0x", value: 1n });
  // Prices may rise meanwhile. A rollup also charges for its parent chain, which no gas estimate includes.
  for (let rest = gas * (await gasPrice(provider)); rest < balance; rest *= REST_FACTOR) {
    try {
      return await from.send({ to, data: "0x", value: balance - rest });
    } catch (error) {
      if (!isShortOfCoin(error)) throw error;
    }
  }
  return undefined;
}

/**
 * Reads the gas price that a transaction must offer, in the coin's smallest unit.
 * @throws like the provider.
 * @example
 * ```ts
 * import { gasPrice, SESSION_GAS } from "duello";
 *
 * const coin = SESSION_GAS * (await gasPrice(provider));
 * ```
 */
export async function gasPrice(provider: Provider): Promise<bigint> {
  const { maxFeePerGas, gasPrice: price } = await provider.getFeeData();
  return maxFeePerGas ?? price ?? 0n;
}
