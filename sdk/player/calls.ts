import {
  AbiCoder,
  getAddress,
  Signature,
  toQuantity,
  ZeroAddress,
  type BigNumberish,
  type ContractTransaction,
  type Signer,
} from "ethers";
import { FightToken__factory, Game__factory, type Arena, type FightToken } from "../../typechain-types/index.js";
import type { Addresses } from "../chain/addresses.js";
import { isOutage } from "../chain/trouble.js";
import { findGame } from "../games/list.js";
import type { GameModule } from "../games/module.js";
import type { Hex } from "../protocol/hex.js";
import { offerHash, type Offer } from "../protocol/offer.js";
import { Seat, Status } from "../protocol/status.js";
import { COIN, DAY, type Terms } from "../protocol/terms.js";
import { risksOf, Risky, seatIn, type Risk, type SeatToTake } from "./risks.js";

/** Minimum remaining seconds of a firm offer to join it in one step; with less, fund the seat first. */
export const MIN_REST_TO_JOIN = 600;

/** ERC-165 ids: that of ERC-1363, whose `transferAndCall` deposits in one call, and an id that no contract supports. */
const ERC1363_ID = "0xb0202a11";
const NO_INTERFACE_ID = "0xffffffff";

/** EIP-712 types of an ERC-2612 permit. */
const PERMIT_TYPES = {
  Permit: [
    { name: "owner", type: "address" },
    { name: "spender", type: "address" },
    { name: "value", type: "uint256" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
  ],
};

/** A challenge as chosen by its challenger; the arena sets the house fee. */
export interface Challenge {
  terms: Omit<Terms, "feeBps">;
  /** The first move or commitment, as the game encodes it. */
  data: Hex;
  /** Address of the player who may take the other seat; defaults to anyone. */
  opponent?: string;
  /**
   * End of a firm offer in seconds since 1970; 0 for a soft one. By default, an offer to a named opponent is firm for a
   * day, and any other offer is soft.
   */
  firmUntil?: number;
}

/** Options of a call that pays a stake. */
export interface StakeOptions {
  /** Amount of the chain's coin to send along, in its smallest unit. */
  value?: bigint;
  /** Risks that the caller accepts. */
  acceptedRisks?: readonly Risk[];
}

/** A contract call or a payment, sent as its own transaction or as part of a batch. */
export interface Call {
  to: string;
  data: Hex;
  /** Amount of the chain's coin that the call sends, in its smallest unit. */
  value: bigint;
  /** Name of the called function; undefined for a payment. */
  method?: string;
  /** The match that the call is about, if there is one yet. */
  matchId?: bigint;
  /** Address of the called game, if no match identifies it. */
  game?: string;
}

/** Call that offers a match. */
export interface CreateCall extends Call {
  /** The terms of the match, with the arena's house fee. */
  terms: Terms;
}

/** Parameter of `wallet_sendCalls` (EIP-5792). */
export interface BatchRequest {
  version: "2.0.0";
  from: string;
  /** Chain id, as a JSON-RPC quantity. */
  chainId: Hex;
  atomicRequired: boolean;
  calls: { to: string; data: Hex; value: Hex }[];
}

/** The player whose calls are encoded. */
export interface Caller {
  readonly addresses: Addresses;
  readonly games: readonly GameModule[];
  readonly signer: Signer;
  readonly address: string;
  readonly chainId: bigint;
  readonly arena: Arena;
  now(): Promise<number>;
}

/**
 * Encodes the calls with which a player deposits and plays, without sending them: for batches, for gas estimates and
 * for wallets with another interface. Each method makes the same checks as the `Client` method of the same name.
 * @example
 * ```ts
 * import { batchRequest, Calls } from "duello";
 *
 * const calls = [...(await client.calls.deposit(addresses.FightToken, 10n ** 19n)), await client.calls.resign(7n)];
 * const request = batchRequest(client, calls); // one confirmation for all of them
 * new Calls(client); // the same as client.calls
 * ```
 */
export class Calls {
  /** Match that each answer was encoded for, keyed by answer. */
  private readonly answered = new Map<Hex, bigint>();

  constructor(private readonly caller: Caller) {}

  /** Encodes the registration of a mode with the game at an address. @param content As `encodeMode` returns it. */
  async registerMode(game: string, content: Hex): Promise<Call> {
    const { registerMode } = Game__factory.connect(game, this.caller.signer);
    return callOf(registerMode.populateTransaction(content), { method: "registerMode", game });
  }

  /**
   * Encodes a payment into a purse: one call, or two if the arena needs an allowance first.
   * @param player Owner of the purse; defaults to the caller.
   */
  async deposit(token: string, amount: bigint, player = this.caller.address): Promise<Call[]> {
    const { arena, address } = this.caller;
    if (token === COIN) {
      return [await callOf(arena.deposit.populateTransaction(COIN, amount, player, { value: amount }), DEPOSIT)];
    }
    // Refuses a wrong address before anything is sent.
    const receiver = getAddress(player);
    if ((await this.depositMethod(token, receiver)) === "transferAndCall")
      return [await this.transferDeposit(token, amount)];
    const contract = this.token(token);
    const deposit = await callOf(arena.deposit.populateTransaction(token, amount, receiver), DEPOSIT);
    if ((await contract.allowance(address, arena)) >= amount) return [deposit];
    // Throws if the caller lacks the tokens. Otherwise only the approval would succeed.
    await contract.transfer.staticCall(arena, amount);
    return [await callOf(contract.approve.populateTransaction(arena, amount), { method: "approve" }), deposit];
  }

  /**
   * Returns the name of the function that `deposit` uses, whatever the allowance is. A token with `transferAndCall`
   * needs no allowance, but credits only its sender.
   */
  async depositMethod(token: string, player = this.caller.address): Promise<"deposit" | "transferAndCall"> {
    if (token === COIN || getAddress(player) !== this.caller.address) return "deposit";
    const contract = this.token(token);
    const supports = (id: Hex) =>
      contract.supportsInterface(id).catch((error: unknown) => {
        // A contract that returns nothing has no such function.
        if (isOutage(error) && (error as { code?: unknown }).code !== "BAD_DATA") throw error;
        return false;
      });
    return (await supports(ERC1363_ID)) && !(await supports(NO_INTERFACE_ID)) ? "transferAndCall" : "deposit";
  }

  /**
   * Encodes a payment into the caller's purse with an ERC-2612 permit, which the wallet signs now.
   * @param lifetime Seconds for which the permit is valid.
   */
  async depositWithPermit(token: string, amount: bigint, lifetime = Number(DAY)): Promise<Call> {
    const { arena, addresses, address, signer, chainId } = this.caller;
    const contract = this.token(token);
    const domain = await contract.eip712Domain();
    const deadline = (await this.caller.now()) + lifetime;
    // A token may report another chain, where the permit could be used. So the permit names the caller's chain.
    const signature = await signer.signTypedData(
      { name: domain.name, version: domain.version, chainId, verifyingContract: token },
      PERMIT_TYPES,
      { owner: address, spender: addresses.Arena, value: amount, nonce: await contract.nonces(address), deadline },
    );
    const { v, r, s } = Signature.from(signature);
    const sent = arena.depositWithPermit.populateTransaction(token, amount, deadline, v, r, s);
    return callOf(sent, { method: "depositWithPermit" });
  }

  /** Encodes the transfer of an ERC-1363 token into the caller's purse. */
  async transferDeposit(token: string, amount: bigint): Promise<Call> {
    const transfer = this.token(token)["transferAndCall(address,uint256)"];
    return callOf(transfer.populateTransaction(this.caller.arena, amount), { method: "transferAndCall" });
  }

  /**
   * Encodes the transfer of an ERC-1363 token directly into an offer.
   * @throws Risky unless the caller accepts the seat's risks.
   */
  async transferFund(offer: Offer, amount: bigint, { acceptedRisks }: StakeOptions = {}): Promise<Call> {
    const { matchId, terms } = offer;
    await this.refuseRisks(seatIn(offer, this.caller.address), acceptedRisks);
    const order = AbiCoder.defaultAbiCoder().encode(["uint256", "bytes32"], [matchId, offerHash(offer)]);
    const transfer = this.token(terms.token)["transferAndCall(address,uint256,bytes)"];
    const sent = transfer.populateTransaction(this.caller.arena, amount, order);
    return callOf(sent, { method: "transferAndCall", matchId });
  }

  /** Encodes a payment out of the caller's purse. @param to Address of the receiver; defaults to the caller. */
  async withdraw(token: string, amount: bigint, to = this.caller.address): Promise<Call> {
    return callOf(this.caller.arena.withdraw.populateTransaction(token, amount, to), { method: "withdraw" });
  }

  /** Encodes the offer of a match. @throws Risky unless the caller accepts the seat's risks. */
  async create(challenge: Challenge, { value = 0n, acceptedRisks }: StakeOptions = {}): Promise<CreateCall> {
    const { arena } = this.caller;
    const { opponent, data } = challenge;
    const terms = { ...challenge.terms, feeBps: await arena.feeBps() };
    await this.refuseRisks({ terms, seat: Seat.One, open: opponent === undefined }, acceptedRisks);
    const firmUntil = challenge.firmUntil ?? (opponent === undefined ? 0 : (await this.caller.now()) + Number(DAY));
    const sent = arena.create.populateTransaction(terms, opponent ?? ZeroAddress, firmUntil, data, { value });
    return { ...(await callOf(sent, { method: "create", game: terms.game })), terms };
  }

  /**
   * Encodes the payment of the caller's stake for its seat in an offer.
   * @throws Risky unless the caller accepts the seat's risks.
   */
  async fund(offer: Offer, { value = 0n, acceptedRisks }: StakeOptions = {}): Promise<Call> {
    const { matchId } = offer;
    await this.refuseRisks(seatIn(offer, this.caller.address), acceptedRisks);
    const sent = this.caller.arena.fund.populateTransaction(matchId, offerHash(offer), { value });
    return callOf(sent, { method: "fund", matchId });
  }

  /**
   * Encodes a call that joins an offer as player 2. Warning: the arena rejects an answer in the block that funded the
   * seat, so never put fund and join in one batch.
   * @param answer The answer, as the game encodes it.
   * @throws Risky and Error like `join` of the client.
   */
  async join(offer: Offer, answer: Hex, { value = 0n, acceptedRisks }: StakeOptions = {}): Promise<Call> {
    const { matchId, terms } = offer;
    const { arena, games, addresses } = this.caller;
    const other = this.answered.get(answer);
    // In a game without commitments, an answer reveals nothing that could be used against its player.
    const game = findGame(terms.game, games, addresses);
    const isOpen = game !== undefined && game.moves.pendingCommitments === undefined;
    if (other !== undefined && other !== matchId && !isOpen) {
      throw new Error(`This answer was sent for match ${other} already: make a fresh one for match ${matchId}.`);
    }
    const { status, deadline } = await arena.matchOf(matchId);
    if (status === Status.P1Deposited) {
      if (deadline < BigInt((await this.caller.now()) + MIN_REST_TO_JOIN)) {
        throw new Error(`Match ${matchId} lapses in less than ${MIN_REST_TO_JOIN} s: fund it first, then join.`);
      }
      await this.refuseRisks({ terms, seat: Seat.Two }, acceptedRisks);
    }
    this.answered.set(answer, matchId);
    const sent = arena.join.populateTransaction(matchId, offerHash(offer), answer, { value });
    return callOf(sent, { method: "join", matchId, game: terms.game });
  }

  /** Encodes an action for the player in turn. @param data Data of the action, as the game encodes it. */
  async act(matchId: bigint, data: Hex): Promise<Call> {
    return callOf(this.caller.arena.act.populateTransaction(matchId, data), { method: "act", matchId });
  }

  /** Encodes a call that cancels a soft offer. */
  async cancel(matchId: bigint): Promise<Call> {
    return this.ending("cancel", matchId);
  }

  /** Encodes a call that declines an offer to the caller. */
  async decline(matchId: bigint): Promise<Call> {
    return this.ending("decline", matchId);
  }

  /** Encodes a resignation. */
  async resign(matchId: bigint): Promise<Call> {
    return this.ending("resign", matchId);
  }

  /** Encodes a call that ends a match whose deadline has passed. */
  async timeout(matchId: bigint): Promise<Call> {
    return this.ending("timeout", matchId);
  }

  /** Encodes a permission for an operator until a time in seconds since 1970. */
  async allow(operator: string, until: BigNumberish): Promise<Call> {
    return callOf(this.caller.arena.allow.populateTransaction(operator, until), { method: "allow" });
  }

  private async ending(method: "cancel" | "decline" | "resign" | "timeout", matchId: bigint): Promise<Call> {
    return callOf(this.caller.arena[method].populateTransaction(matchId), { method, matchId });
  }

  private async refuseRisks(seatToTake: SeatToTake, acceptedRisks: readonly Risk[] = []): Promise<void> {
    const warnings = await risksOf(seatToTake, this.caller, this.caller.signer.provider!);
    const unknown = warnings.filter(({ risk }) => !acceptedRisks.includes(risk));
    if (unknown.length > 0) throw new Risky(unknown);
  }

  private token(address: string): FightToken {
    // Ethers resolves a name in a separate promise, whose error would stay uncaught.
    return FightToken__factory.connect(getAddress(address), this.caller.signer);
  }
}

const DEPOSIT = { method: "deposit" };

async function callOf(
  populated: Promise<ContractTransaction>,
  about: Pick<Call, "method" | "matchId" | "game">,
): Promise<Call> {
  const { to, data, value = 0n } = await populated;
  return { to, data, value, ...about };
}

/**
 * Returns the parameter of `wallet_sendCalls` (EIP-5792) that requests one confirmation of several atomic calls.
 * @example
 * ```ts
 * import { batchRequest } from "duello";
 *
 * const request = batchRequest({ address: alice, chainId }, [{ to: bob, data: "0x", value: 1n }]);
 * request.calls; // => [{ to: bob, data: "0x", value: "0x1" }]
 * ```
 */
export function batchRequest(caller: Pick<Caller, "address" | "chainId">, calls: readonly Call[]): BatchRequest {
  return {
    version: "2.0.0",
    from: caller.address,
    chainId: toQuantity(caller.chainId),
    atomicRequired: true,
    calls: calls.map(({ to, data, value }) => ({ to, data, value: toQuantity(value) })),
  };
}
