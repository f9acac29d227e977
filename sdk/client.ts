import {
  AbiCoder,
  getAddress,
  Signature,
  ZeroAddress,
  type BigNumberish,
  type ContractTransactionReceipt,
  type ContractTransactionResponse,
  type Signer,
} from "ethers";
import { Arena__factory, FightToken__factory, type Arena, type FightToken } from "../typechain-types/index.js";
import type { Addresses } from "./addresses.js";
import { findGame } from "./games/index.js";
import { risksOf, Risky, type Risk, type Stand } from "./risks.js";
import type { Hex } from "./seal.js";
import type { Sealer } from "./sealed.js";
import { Seat, Status } from "./status.js";
import { termsHash, type Terms } from "./terms.js";

/** The chain's coin in place of a token. */
export const COIN = ZeroAddress;

const DAY = 86_400;

/** Least rest of a firm offer, in seconds, at which its opponent may still show an answer. */
export const LEAST_REST = 600;

/** What a challenger chooses; the house share is the arena's. */
export interface Challenge {
  terms: Omit<Terms, "share">;
  /** The first move or seal, as the game encodes it. */
  opening: Hex;
  /** Who may take the other seat; anyone if left out. */
  opponent?: string;
  /** End of a firm offer in seconds since 1970; 0 for a soft one. Left out: firm for a day if it names an opponent. */
  firmUntil?: number;
}

/** What may come along with a stake. */
export interface Extras {
  /** Coin sent along. */
  value?: bigint;
  /** The risks that the caller knows and takes. */
  despite?: readonly Risk[];
}

/** A match that was offered. */
export interface Offer {
  matchId: bigint;
  terms: Terms;
  receipt: ContractTransactionReceipt;
}

/**
 * One player at one arena, in plain words. Every call waits until its transaction is in a block. Amounts are in the token's
 * smallest unit. What the contracts refuse is thrown as it comes; `explain` makes a sentence of it.
 */
export class Client {
  readonly arena: Arena;
  /** The answers that were sent, and for which match. */
  private readonly answered = new Map<Hex, bigint>();

  private constructor(
    readonly addresses: Addresses,
    readonly signer: Signer,
    readonly address: string,
    readonly chainId: bigint,
    private readonly patience?: number,
  ) {
    this.arena = Arena__factory.connect(addresses.Arena, signer);
  }

  /**
   * @param patience Milliseconds after which a call gives up waiting for its transaction; left out: never.
   * @throws Error if the signer has no provider.
   */
  static async connect(addresses: Addresses, signer: Signer, patience?: number): Promise<Client> {
    if (!signer.provider) throw new Error("The signer has no provider.");
    const { chainId } = await signer.provider.getNetwork();
    return new Client(addresses, signer, await signer.getAddress(), chainId, patience);
  }

  /** The caller as one who seals moves of a game. */
  sealer(game: string): Sealer {
    return { chainId: this.chainId, game, player: this.address };
  }

  /** Pays into a purse, the caller's own if left out; gives the arena the allowance it needs. */
  async deposit(token: string, amount: bigint, player = this.address): Promise<ContractTransactionReceipt> {
    if (token === COIN) return this.mined(this.arena.deposit(COIN, amount, player, { value: amount }));
    const receiver = getAddress(player); // before anything is sent
    const contract = this.token(token);
    if ((await contract.allowance(this.address, this.arena)) < amount) {
      // Without the tokens, an allowance would be all that comes of it.
      await contract.transfer.staticCall(this.arena, amount);
      await this.mined(contract.approve(this.arena, amount));
    }
    return this.mined(this.arena.deposit(token, amount, receiver));
  }

  /** Pays into the caller's purse in one transaction, with a permit signed now and good for `lifetime` seconds. */
  async depositWithPermit(token: string, amount: bigint, lifetime = DAY): Promise<ContractTransactionReceipt> {
    const contract = this.token(token);
    const domain = await contract.eip712Domain();
    const deadline = (await this.now()) + lifetime;
    const types = ["owner address", "spender address", "value uint256", "nonce uint256", "deadline uint256"];
    const signature = await this.signer.signTypedData(
      { name: domain.name, version: domain.version, chainId: domain.chainId, verifyingContract: token },
      { Permit: types.map((each) => ({ name: each.split(" ")[0], type: each.split(" ")[1] })) },
      {
        owner: this.address,
        spender: this.addresses.Arena,
        value: amount,
        nonce: await contract.nonces(this.address),
        deadline,
      },
    );
    const { v, r, s } = Signature.from(signature);
    return this.mined(this.arena.depositWithPermit(token, amount, deadline, v, r, s));
  }

  /** Sends an ERC-1363 token into the caller's purse in one transaction, without an allowance. */
  async transferDeposit(token: string, amount: bigint): Promise<ContractTransactionReceipt> {
    return this.mined(this.token(token)["transferAndCall(address,uint256)"](this.arena, amount));
  }

  /**
   * Sends an ERC-1363 token straight into a match whose terms the caller knows; what is over stays in the purse.
   * @throws Risky unless the caller takes the seat's risks.
   */
  async transferFund(
    matchId: bigint,
    terms: Terms,
    amount: bigint,
    { despite }: Extras = {},
  ): Promise<ContractTransactionReceipt> {
    await this.refuseRisks({ terms, seat: await this.seatIn(matchId) }, despite);
    const order = AbiCoder.defaultAbiCoder().encode(["uint256", "bytes32"], [matchId, termsHash(terms)]);
    return this.mined(this.token(terms.token)["transferAndCall(address,uint256,bytes)"](this.arena, amount, order));
  }

  /** Pays out of the caller's purse, to itself if left out. */
  async withdraw(token: string, amount: bigint, to = this.address): Promise<ContractTransactionReceipt> {
    return this.mined(this.arena.withdraw(token, amount, to));
  }

  /** Offers a match. @throws Risky unless the caller takes the seat's risks. */
  async create(challenge: Challenge, { value = 0n, despite }: Extras = {}): Promise<Offer> {
    const terms = { ...challenge.terms, share: await this.arena.share() };
    await this.refuseRisks({ terms, seat: Seat.One, open: challenge.opponent === undefined }, despite);
    const opponent = challenge.opponent ?? ZeroAddress;
    const firmUntil = challenge.firmUntil ?? (challenge.opponent === undefined ? 0 : (await this.now()) + DAY);
    const receipt = await this.mined(this.arena.create(terms, opponent, firmUntil, challenge.opening, { value }));
    const created = receipt.logs
      .map((log) => this.arena.interface.parseLog(log))
      .find((log) => log?.name === "Created");
    return { matchId: created!.args.matchId as bigint, terms, receipt };
  }

  /** Takes the caller's stake into its seat. @throws Risky unless the caller takes the seat's risks. */
  async fund(matchId: bigint, terms: Terms, { value = 0n, despite }: Extras = {}): Promise<ContractTransactionReceipt> {
    await this.refuseRisks({ terms, seat: await this.seatIn(matchId) }, despite);
    return this.mined(this.arena.fund(matchId, termsHash(terms), { value }));
  }

  /**
   * Joins as player 2 with an answer, as the game encodes it.
   * @throws Risky unless the caller takes the seat's risks, or is funded already.
   * @throws Error for an offer about to lapse: who could hold the transaction back until then would have seen the answer
   * for nothing. Funding first binds player 1. Also for an answer that was sent for another match: it is known.
   */
  async join(
    matchId: bigint,
    terms: Terms,
    answer: Hex,
    { value = 0n, despite }: Extras = {},
  ): Promise<ContractTransactionReceipt> {
    const other = this.answered.get(answer);
    // Where nobody seals anything an answer shows nothing that could be used against it.
    const game = findGame(terms.game, this.addresses);
    const isOpen = game !== undefined && game.moves.sealings === undefined;
    if (other !== undefined && other !== matchId && !isOpen) {
      throw new Error(`This answer was sent for match ${other} already: make a fresh one for match ${matchId}.`);
    }
    const { status, deadline } = await this.arena.matchOf(matchId);
    if (status === Status.P1Deposited) {
      if (deadline < BigInt((await this.now()) + LEAST_REST)) {
        throw new Error(`Match ${matchId} lapses in less than ${LEAST_REST} s: fund it first, then join.`);
      }
      await this.refuseRisks({ terms, seat: Seat.Two }, despite);
    }
    this.answered.set(answer, matchId);
    return this.mined(this.arena.join(matchId, termsHash(terms), answer, { value }));
  }

  /** Acts, as the game encodes it, for whoever's turn it is: the caller itself or a player who allowed it. */
  async act(matchId: bigint, action: Hex): Promise<ContractTransactionReceipt> {
    return this.mined(this.arena.act(matchId, action));
  }

  /** Withdraws a soft offer. */
  async cancel(matchId: bigint): Promise<ContractTransactionReceipt> {
    return this.mined(this.arena.cancel(matchId));
  }

  /** Gives up. */
  async resign(matchId: bigint): Promise<ContractTransactionReceipt> {
    return this.mined(this.arena.resign(matchId));
  }

  /** Ends a match whose deadline has passed. */
  async timeout(matchId: bigint): Promise<ContractTransactionReceipt> {
    return this.mined(this.arena.timeout(matchId));
  }

  /** Lets an operator act for the caller until a time in seconds since 1970. */
  async allow(operator: string, until: BigNumberish): Promise<ContractTransactionReceipt> {
    return this.mined(this.arena.allow(operator, until));
  }

  /** The time of the latest block, in seconds since 1970. */
  async now(): Promise<number> {
    return (await this.signer.provider!.getBlock("latest"))!.timestamp;
  }

  private async seatIn(matchId: bigint): Promise<bigint> {
    const { player1 } = await this.arena.matchOf(matchId);
    return player1 === this.address ? Seat.One : Seat.Two;
  }

  private async refuseRisks(stand: Stand, despite: readonly Risk[] = []): Promise<void> {
    const warnings = await risksOf(stand, this.addresses, this.signer.provider!);
    const unknown = warnings.filter(({ risk }) => !despite.includes(risk));
    if (unknown.length > 0) throw new Risky(unknown);
  }

  private token(address: string): FightToken {
    return FightToken__factory.connect(address, this.signer);
  }

  private async mined(sent: Promise<ContractTransactionResponse>): Promise<ContractTransactionReceipt> {
    return (await (await sent).wait(1, this.patience))!;
  }
}
