import type { BigNumberish, JsonRpcApiProvider, Provider, Signer, TransactionReceipt } from "ethers";
import { Game__factory, type Arena, type Game } from "../../typechain-types/index.js";
import type { Addresses } from "../chain/addresses.js";
import { arenaAt } from "../chain/arena.js";
import { eventIn } from "../chain/events.js";
import { History } from "../chain/history.js";
import { Replaced, untilMined, type MiningWaitOptions } from "../chain/receipt.js";
import { revertData } from "../chain/revert.js";
import { readTerms } from "../chain/terms.js";
import { nextTime } from "../chain/time.js";
import { findGame, gameAt } from "../games/list.js";
import { formatOf, modeHash } from "../games/modes.js";
import type { GameModule } from "../games/module.js";
import type { Committer } from "../protocol/commitment.js";
import type { Hex } from "../protocol/hex.js";
import { fingerprintOf, type Offer } from "../protocol/offer.js";
import { Calls, type Call, type Caller, type Challenge, type StakeOptions } from "./calls.js";
import { noted } from "./errors.js";
import { characterStats, statsOf, type CharacterStats, type PlayerStats } from "./stats.js";
import { WrongNetwork } from "./wallet-errors.js";

/** Stage of a transaction, for callers that show or store it. */
export type Stage = { call: Call } & (
  | {
      /** The client is about to ask the wallet. */
      stage: "signing";
      /** Estimated gas, if `estimateGas` is set. */
      gas?: bigint;
    }
  /** The node has the transaction. */
  | { stage: "sent"; hash: string }
  /** The transaction, or an equivalent one, is in a block. */
  | { stage: "mined"; receipt: TransactionReceipt }
  /** Another transaction has the nonce; `by` is its hash, if known. If that one is equivalent, `mined` follows. */
  | { stage: "replaced"; hash: string; by?: string }
);

/** Options of a client. */
export interface ClientOptions extends MiningWaitOptions {
  /**
   * Called at each stage of each transaction, and awaited. An error that it throws at `signing` ends the call before
   * the wallet is asked.
   */
  onStage?: (stage: Stage) => void | Promise<void>;
  /** Estimates the gas before the wallet is asked, for the stage `signing`, so that a rejection is reported first. */
  estimateGas?: boolean;
}

/** A registered mode. */
export interface RegisteredMode {
  /** Hash that identifies the mode in a match's terms. */
  mode: Hex;
  /** Receipt of the registration; undefined if nothing was sent, because the mode was registered before. */
  receipt?: TransactionReceipt;
}

/** An offer that the caller has made. */
export interface Offered extends Offer {
  receipt: TransactionReceipt;
}

/**
 * Client of a player at an arena. Every call waits until its transaction is in a block. Amounts are in the token's
 * smallest unit. If a contract rejects a transaction, the call throws an error of ethers, which `explain` turns into a
 * sentence. Calls also throw Replaced, Reverted or Unconfirmed, like `untilMined`.
 * @example
 * ```ts
 * import { Client, commitMove, games } from "duello";
 *
 * const client = await Client.connect(addresses, games, signer);
 * await client.deposit(addresses.FightToken, 10n ** 19n);
 * const { committed } = commitMove(client.committer(terms.game), "0x00");
 * const { matchId } = await client.create({ terms, data: committed, opponent: bob });
 * ```
 */
export class Client implements Caller {
  readonly arena: Arena;
  /** Encodes the same calls without sending them. */
  readonly calls: Calls;

  private constructor(
    readonly addresses: Addresses,
    readonly games: readonly GameModule[],
    readonly signer: Signer,
    readonly address: string,
    readonly chainId: bigint,
    private readonly options: ClientOptions,
  ) {
    this.arena = arenaAt(addresses.Arena, signer);
    this.calls = new Calls(this);
  }

  /**
   * Connects a player to an arena.
   * @param games Games that the client supports; all others are foreign.
   * @throws Error if the signer has no provider.
   */
  static async connect(
    addresses: Addresses,
    games: readonly GameModule[],
    signer: Signer,
    options: ClientOptions = {},
  ): Promise<Client> {
    if (!signer.provider) throw new Error("The signer has no provider.");
    const { chainId } = await signer.provider.getNetwork();
    return new Client(addresses, games, signer, await signer.getAddress(), chainId, options);
  }

  /** Returns the caller as the player who commits to moves of a game. */
  committer(game: string): Committer {
    return { chainId: this.chainId, game, player: this.address };
  }

  /**
   * Encodes a mode of the game at an address from a JSON value, with the fields that the game's page lists.
   * @throws InputError that names the field that is out of bounds.
   */
  encodeMode(game: string, value: unknown): Hex {
    return formatOf(gameAt(game, this.games, this.addresses)).encode(value);
  }

  /** Inverse of `encodeMode`. @throws Error for content that the game does not accept. */
  decodeMode(game: string, content: Hex): object {
    return formatOf(gameAt(game, this.games, this.addresses)).decode(content);
  }

  /** Registers a mode with the game at an address, unless it is registered. @param content Result of `encodeMode`. */
  async registerMode(game: string, content: Hex): Promise<RegisteredMode> {
    const mode = modeHash(content);
    const contract = Game__factory.connect(game, this.signer);
    if (content === "0x" || (await isRegistered(contract, mode))) return { mode };
    return { mode, receipt: await this.send(await this.calls.registerMode(game, content)) };
  }

  /**
   * Deposits into a purse: in one transaction if the token has the `transferAndCall` of ERC-1363 and the caller owns
   * the purse. Otherwise, first approves the arena if necessary.
   * @param player Owner of the purse; defaults to the caller.
   */
  async deposit(token: string, amount: bigint, player = this.address): Promise<TransactionReceipt> {
    const calls = await this.calls.deposit(token, amount, player);
    for (const call of calls.slice(0, -1)) await this.send(call);
    return this.send(calls.at(-1)!);
  }

  /**
   * Deposits into the caller's purse in one transaction, with an ERC-2612 permit that is signed now.
   * @param lifetime Seconds for which the permit is valid; defaults to a day.
   */
  async depositWithPermit(token: string, amount: bigint, lifetime?: number): Promise<TransactionReceipt> {
    return this.send(await this.calls.depositWithPermit(token, amount, lifetime));
  }

  /** Sends an ERC-1363 token into the caller's purse in one transaction, without an allowance. */
  async transferDeposit(token: string, amount: bigint): Promise<TransactionReceipt> {
    return this.send(await this.calls.transferDeposit(token, amount));
  }

  /**
   * Sends an ERC-1363 token directly into an offer that the caller has seen. The caller's purse receives the rest.
   * @throws Risky unless the caller accepts the seat's risks.
   */
  async transferFund(offer: Offer, amount: bigint, options?: StakeOptions): Promise<TransactionReceipt> {
    return this.send(await this.calls.transferFund(offer, amount, options));
  }

  /** Withdraws from the caller's purse. @param to Address of the receiver; defaults to the caller. */
  async withdraw(token: string, amount: bigint, to?: string): Promise<TransactionReceipt> {
    return this.send(await this.calls.withdraw(token, amount, to));
  }

  /** Offers a match. @throws Risky unless the caller accepts the seat's risks. */
  async create(challenge: Challenge, options?: StakeOptions): Promise<Offered> {
    const { terms, ...call } = await this.calls.create(challenge, options);
    const receipt = await this.send(call);
    const { matchId } = eventIn(receipt, this.addresses.Arena, "Created")!.args;
    return { matchId, terms, player1: this.address, fingerprint: fingerprintOf(challenge.data), receipt };
  }

  /**
   * Pays the caller's stake for its seat in an offer that the caller has seen.
   * @throws Risky unless the caller accepts the seat's risks.
   */
  async fund(offer: Offer, options?: StakeOptions): Promise<TransactionReceipt> {
    return this.send(await this.calls.fund(offer, options));
  }

  /**
   * Joins an offer that the caller has seen, as player 2.
   * @param answer The answer, as the game encodes it.
   * @throws Risky unless the caller accepts the seat's risks, or has funded the seat already.
   * @throws Error for an offer about to lapse: if somebody held the transaction back until then, the answer would be
   * known, but would not bind player 1. Funding first binds player 1.
   * @throws Error for an answer that was already sent for another match, and so is no longer secret.
   */
  async join(offer: Offer, answer: Hex, options?: StakeOptions): Promise<TransactionReceipt> {
    return this.send(await this.calls.join(offer, answer, options));
  }

  /**
   * Acts for the player in turn: the caller, or a player who has allowed the caller to act.
   * @param data Data of the action, as the game encodes it.
   */
  async act(matchId: bigint, data: Hex): Promise<TransactionReceipt> {
    return this.send(await this.calls.act(matchId, data));
  }

  /** Cancels a soft offer. */
  async cancel(matchId: bigint): Promise<TransactionReceipt> {
    return this.send(await this.calls.cancel(matchId));
  }

  /** Declines an offer that names the caller, which refunds its challenger at once. */
  async decline(matchId: bigint): Promise<TransactionReceipt> {
    return this.send(await this.calls.decline(matchId));
  }

  /** Resigns a match: the opponent takes the pot. */
  async resign(matchId: bigint): Promise<TransactionReceipt> {
    return this.send(await this.calls.resign(matchId));
  }

  /** Ends a match whose deadline has passed. */
  async timeout(matchId: bigint): Promise<TransactionReceipt> {
    return this.send(await this.calls.timeout(matchId));
  }

  /** Lets an operator act for the caller until a time in seconds since 1970. */
  async allow(operator: string, until: BigNumberish): Promise<TransactionReceipt> {
    return this.send(await this.calls.allow(operator, until));
  }

  /** Estimates the gas of a call, in gas units. @throws the contract's error. */
  async gasOf(call: Call): Promise<bigint> {
    const { to, data, value } = call;
    return this.toldWithGame(call, this.signer.estimateGas({ to, data, value }));
  }

  /**
   * Sends a call and waits until it is in a block.
   * @throws WrongNetwork, before sending, if the wallet has switched to another chain since the client connected.
   */
  async send(call: Call): Promise<TransactionReceipt> {
    const { signer, options } = this;
    const { onStage, estimateGas } = options;
    const { to, data, value } = call;
    const chainId = await chainIdOf(signer.provider!);
    if (chainId !== this.chainId) throw new WrongNetwork(chainId, this.chainId);
    const gas = estimateGas === true ? { gas: await this.gasOf(call) } : {};
    await onStage?.({ stage: "signing", call, ...gas });
    const request = { to, data, value, ...("gas" in gas && { gasLimit: gas.gas }) };
    const response = await this.toldWithGame(call, signer.sendTransaction(request));
    const { hash } = response;
    await onStage?.({ stage: "sent", call, hash });
    const receipt = await untilMined(signer.provider!, response, options).catch(async (error: unknown) => {
      if (error instanceof Replaced) await onStage?.({ stage: "replaced", call, hash, by: error.by });
      throw error;
    });
    if (receipt.hash !== hash) await onStage?.({ stage: "replaced", call, hash, by: receipt.hash });
    await onStage?.({ stage: "mined", call, receipt });
    return receipt;
  }

  /**
   * Reads a player's statistics, as of one block.
   * @param player Defaults to the caller.
   * @param tokens Addresses of tokens; defaults to the chain's coin and FIGHT.
   */
  async statsOf(player = this.address, tokens?: readonly string[]): Promise<PlayerStats> {
    return statsOf(historyOf(this), this.games, player, tokens);
  }

  /**
   * Reads the statistics of a character of a game.
   * @param history History that starts at the deployment's block. Its events are read if no contract keeps counters.
   * @throws NeverMinted; Error for a game whose players own no characters.
   */
  async characterStats(game: GameModule, id: bigint, history = historyOf(this)): Promise<CharacterStats> {
    return characterStats(history, game, id);
  }

  /** Reads the minimum time of the next block, in seconds since 1970. */
  async now(): Promise<number> {
    return nextTime(this.signer.provider!);
  }

  /** If a contract rejects a call, records which game the call was for. */
  private async toldWithGame<T>({ game, matchId }: Call, asked: Promise<T>): Promise<T> {
    return asked.catch(async (error: unknown) => {
      if (revertData(error) === undefined || (game === undefined && matchId === undefined)) throw error;
      const address = game ?? (await gameOf(this.arena, matchId!).catch(() => undefined));
      throw address === undefined ? error : noted(error, findGame(address, this.games, this.addresses));
    });
  }
}

/** Returns the history of a client's deployment, whose first block is unknown. */
function historyOf({ signer, addresses }: Client): History {
  return new History(signer.provider!, addresses);
}

/** Reads the chain id to which a provider is currently connected. */
async function chainIdOf(provider: Provider): Promise<bigint> {
  if (!("send" in provider)) return (await provider.getNetwork()).chainId;
  // Ethers may return the previous chain once after a wallet has switched.
  return BigInt((await (provider as JsonRpcApiProvider).send("eth_chainId", [])) as string);
}

/** Reads the address of a match's game. */
async function gameOf(arena: Arena, matchId: bigint): Promise<string> {
  const { termsId } = await arena.matchOf(matchId);
  return (await readTerms(arena, termsId)).game;
}

/** Returns whether a mode is registered with a game. */
async function isRegistered(game: Game, mode: Hex): Promise<boolean> {
  try {
    await game.modeOf(mode);
    return true;
  } catch (error) {
    if (!revertData(error)?.startsWith(game.interface.getError("UnknownMode")!.selector)) throw error;
    return false;
  }
}
