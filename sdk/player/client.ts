import {
  AbiCoder,
  getAddress,
  Signature,
  ZeroAddress,
  type BigNumberish,
  type ContractTransactionResponse,
  type Signer,
  type TransactionReceipt,
} from "ethers";
import {
  Arena__factory,
  FightToken__factory,
  Game__factory,
  type Arena,
  type FightToken,
  type Game,
} from "../../typechain-types/index.js";
import type { Addresses } from "../chain/addresses.js";
import { eventIn } from "../chain/events.js";
import { History } from "../chain/history.js";
import { findGame, gameAt } from "../games/list.js";
import { formatOf, modeHash } from "../games/modes.js";
import type { GameModule } from "../games/module.js";
import { fingerprintOf, offerHash, type Offer } from "../protocol/offer.js";
import { revertData } from "../chain/revert.js";
import { readTerms } from "../chain/terms.js";
import { noted } from "./errors.js";
import { untilMined, type MiningWaitOptions } from "../chain/receipt.js";
import { risksOf, Risky, seatIn, type Risk, type SeatToTake } from "./risks.js";
import { characterStats, statsOf, type CharacterStats, type PlayerStats } from "./stats.js";
import type { Hex } from "../protocol/hex.js";
import type { Committer } from "../protocol/commitment.js";
import { Seat, Status } from "../protocol/status.js";
import { COIN, DAY, type Terms } from "../protocol/terms.js";
import { nextTime } from "../chain/time.js";

/** Seconds that a firm offer must still have for its opponent to show an answer, at least. */
export const MIN_REST_TO_JOIN = 600;

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

/** A challenge as its challenger chooses it; the house fee is the arena's. */
export interface Challenge {
  terms: Omit<Terms, "feeBps">;
  /** The first move or commitment, as the game encodes it. */
  data: Hex;
  /** Address of the player who may take the other seat; anyone if left out. */
  opponent?: string;
  /**
   * End of a firm offer in seconds since 1970; 0 for a soft one. If left out, an offer to a named opponent is firm for
   * a day, and any other is soft.
   */
  firmUntil?: number;
}

/** Options of a call that stakes. */
export interface StakeOptions {
  /** Amount of the chain's coin to send along, in its smallest unit. */
  value?: bigint;
  /** Risks that the caller knows and takes. */
  acceptedRisks?: readonly Risk[];
}

/** A registered mode. */
export interface RegisteredMode {
  /** Hash by which terms name the mode. */
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
 * smallest unit.
 *
 * Every call that sends a transaction throws the error of ethers if a contract refuses it, of which `explain` makes a
 * sentence, and Replaced, Reverted or Unconfirmed like `untilMined`.
 */
export class Client {
  readonly arena: Arena;
  /** Matches that answers were sent for, by the answer. */
  private readonly answered = new Map<Hex, bigint>();

  private constructor(
    readonly addresses: Addresses,
    readonly games: readonly GameModule[],
    readonly signer: Signer,
    readonly address: string,
    readonly chainId: bigint,
    private readonly waiting: MiningWaitOptions,
  ) {
    this.arena = Arena__factory.connect(addresses.Arena, signer);
  }

  /**
   * Connects a player to an arena.
   * @param games Games that the player knows; all others are foreign to it.
   * @param waiting Options of the wait for each transaction.
   * @throws Error if the signer has no provider.
   */
  static async connect(
    addresses: Addresses,
    games: readonly GameModule[],
    signer: Signer,
    waiting: MiningWaitOptions = {},
  ): Promise<Client> {
    if (!signer.provider) throw new Error("The signer has no provider.");
    const { chainId } = await signer.provider.getNetwork();
    return new Client(addresses, games, signer, await signer.getAddress(), chainId, waiting);
  }

  /** Returns the caller as the committer to moves of a game. */
  committer(game: string): Committer {
    return { chainId: this.chainId, game, player: this.address };
  }

  /**
   * Encodes a mode of the game at an address from a JSON value, whose fields the game's page lists.
   * @throws InputError that names the field which breaks a bound.
   */
  encodeMode(game: string, value: unknown): Hex {
    return formatOf(gameAt(game, this.games, this.addresses)).encode(value);
  }

  /** Inverse of `encodeMode`. @throws Error for content that the game does not take. */
  decodeMode(game: string, content: Hex): object {
    return formatOf(gameAt(game, this.games, this.addresses)).decode(content);
  }

  /** Registers a mode with the game at an address, unless that was done before. @param content As `encodeMode` returns it. */
  async registerMode(game: string, content: Hex): Promise<RegisteredMode> {
    const mode = modeHash(content);
    const contract = Game__factory.connect(game, this.signer);
    if (content === "0x" || (await isRegistered(contract, mode))) return { mode };
    return { mode, receipt: await this.mined(contract.registerMode(content), async () => game) };
  }

  /**
   * Pays into a purse, and gives the arena the allowance that it needs.
   * @param player Owner of the purse; the caller if left out.
   */
  async deposit(token: string, amount: bigint, player = this.address): Promise<TransactionReceipt> {
    if (token === COIN) return this.mined(this.arena.deposit(COIN, amount, player, { value: amount }));
    // Refuses a wrong address before anything is sent.
    const receiver = getAddress(player);
    const contract = this.token(token);
    if ((await contract.allowance(this.address, this.arena)) < amount) {
      // Without the tokens, an allowance would be all that comes of it.
      await contract.transfer.staticCall(this.arena, amount);
      await this.mined(contract.approve(this.arena, amount));
    }
    return this.mined(this.arena.deposit(token, amount, receiver));
  }

  /**
   * Pays into the caller's purse in one transaction, with an ERC-2612 permit that is signed now.
   * @param lifetime Seconds for which the permit is valid.
   */
  async depositWithPermit(token: string, amount: bigint, lifetime = Number(DAY)): Promise<TransactionReceipt> {
    const contract = this.token(token);
    const domain = await contract.eip712Domain();
    const deadline = (await this.now()) + lifetime;
    // A token may name any chain; a permit for another chain could be used there.
    const signature = await this.signer.signTypedData(
      { name: domain.name, version: domain.version, chainId: this.chainId, verifyingContract: token },
      PERMIT_TYPES,
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
  async transferDeposit(token: string, amount: bigint): Promise<TransactionReceipt> {
    return this.mined(this.token(token)["transferAndCall(address,uint256)"](this.arena, amount));
  }

  /**
   * Sends an ERC-1363 token straight into an offer as the caller has seen it; the rest of the amount goes to its purse.
   * @throws Risky unless the caller takes the seat's risks.
   */
  async transferFund(offer: Offer, amount: bigint, { acceptedRisks }: StakeOptions = {}): Promise<TransactionReceipt> {
    await this.refuseRisks(seatIn(offer, this.address), acceptedRisks);
    const order = AbiCoder.defaultAbiCoder().encode(["uint256", "bytes32"], [offer.matchId, offerHash(offer)]);
    return this.mined(
      this.token(offer.terms.token)["transferAndCall(address,uint256,bytes)"](this.arena, amount, order),
    );
  }

  /** Pays out of the caller's purse. @param to Address of the receiver; the caller if left out. */
  async withdraw(token: string, amount: bigint, to = this.address): Promise<TransactionReceipt> {
    return this.mined(this.arena.withdraw(token, amount, to));
  }

  /** Offers a match. @throws Risky unless the caller takes the seat's risks. */
  async create(challenge: Challenge, { value = 0n, acceptedRisks }: StakeOptions = {}): Promise<Offered> {
    const terms = { ...challenge.terms, feeBps: await this.arena.feeBps() };
    await this.refuseRisks({ terms, seat: Seat.One, open: challenge.opponent === undefined }, acceptedRisks);
    const opponent = challenge.opponent ?? ZeroAddress;
    const firmUntil = challenge.firmUntil ?? (challenge.opponent === undefined ? 0 : (await this.now()) + Number(DAY));
    const sent = this.arena.create(terms, opponent, firmUntil, challenge.data, { value });
    const receipt = await this.mined(sent, async () => terms.game);
    const { matchId } = eventIn(receipt, this.addresses.Arena, "Created")!.args;
    return { matchId, terms, player1: this.address, fingerprint: fingerprintOf(challenge.data), receipt };
  }

  /**
   * Takes the caller's stake into its seat of an offer as the caller has seen it.
   * @throws Risky unless the caller takes the seat's risks.
   */
  async fund(offer: Offer, { value = 0n, acceptedRisks }: StakeOptions = {}): Promise<TransactionReceipt> {
    await this.refuseRisks(seatIn(offer, this.address), acceptedRisks);
    return this.mined(this.arena.fund(offer.matchId, offerHash(offer), { value }));
  }

  /**
   * Joins an offer as the caller has seen it, as player 2.
   * @param answer The answer, as the game encodes it.
   * @throws Risky unless the caller takes the seat's risks, or has funded it already.
   * @throws Error for an offer about to lapse: if somebody held the transaction back until then, the answer would be
   * known and player 1 not bound. To fund first binds player 1.
   * @throws Error for an answer that was sent for another match, and so is known.
   */
  async join(offer: Offer, answer: Hex, { value = 0n, acceptedRisks }: StakeOptions = {}): Promise<TransactionReceipt> {
    const { matchId, terms } = offer;
    const other = this.answered.get(answer);
    // In a game without commitments an answer shows nothing that could be used against its player.
    const game = findGame(terms.game, this.games, this.addresses);
    const isOpen = game !== undefined && game.moves.pendingCommitments === undefined;
    if (other !== undefined && other !== matchId && !isOpen) {
      throw new Error(`This answer was sent for match ${other} already: make a fresh one for match ${matchId}.`);
    }
    const { status, deadline } = await this.arena.matchOf(matchId);
    if (status === Status.P1Deposited) {
      if (deadline < BigInt((await this.now()) + MIN_REST_TO_JOIN)) {
        throw new Error(`Match ${matchId} lapses in less than ${MIN_REST_TO_JOIN} s: fund it first, then join.`);
      }
      await this.refuseRisks({ terms, seat: Seat.Two }, acceptedRisks);
    }
    this.answered.set(answer, matchId);
    return this.mined(this.arena.join(matchId, offerHash(offer), answer, { value }), async () => terms.game);
  }

  /**
   * Acts for the player in turn: the caller itself, or a player who allowed it.
   * @param data Data of the action, as the game encodes it.
   */
  async act(matchId: bigint, data: Hex): Promise<TransactionReceipt> {
    return this.mined(this.arena.act(matchId, data), () => gameOf(this.arena, matchId));
  }

  /** Calls off a soft offer. */
  async cancel(matchId: bigint): Promise<TransactionReceipt> {
    return this.mined(this.arena.cancel(matchId));
  }

  /** Declines an offer that names the caller: its challenger is refunded at once. */
  async decline(matchId: bigint): Promise<TransactionReceipt> {
    return this.mined(this.arena.decline(matchId));
  }

  /** Gives a match up: the other player takes the pot. */
  async resign(matchId: bigint): Promise<TransactionReceipt> {
    return this.mined(this.arena.resign(matchId));
  }

  /** Ends a match whose deadline has passed. */
  async timeout(matchId: bigint): Promise<TransactionReceipt> {
    return this.mined(this.arena.timeout(matchId));
  }

  /** Lets an operator act for the caller until a time in seconds since 1970. */
  async allow(operator: string, until: BigNumberish): Promise<TransactionReceipt> {
    return this.mined(this.arena.allow(operator, until));
  }

  /**
   * Reads a player's statistics, as of one block.
   * @param player The caller if left out.
   * @param tokens Addresses of tokens; the chain's coin and FIGHT if left out.
   */
  async statsOf(player = this.address, tokens?: readonly string[]): Promise<PlayerStats> {
    return statsOf(historyOf(this), this.games, player, tokens);
  }

  /**
   * Reads the statistics of a character of a game.
   * @param history History with the block of the deployment, from which events are read where no contract counts.
   * @throws NeverMinted; Error for a game whose players own no characters.
   */
  async characterStats(game: GameModule, id: bigint, history = historyOf(this)): Promise<CharacterStats> {
    return characterStats(history, game, id);
  }

  /** Reads the time that the next block will have at least, in seconds since 1970. */
  async now(): Promise<number> {
    return nextTime(this.signer.provider!);
  }

  private async refuseRisks(seatToTake: SeatToTake, acceptedRisks: readonly Risk[] = []): Promise<void> {
    const warnings = await risksOf(seatToTake, this, this.signer.provider!);
    const unknown = warnings.filter(({ risk }) => !acceptedRisks.includes(risk));
    if (unknown.length > 0) throw new Risky(unknown);
  }

  private token(address: string): FightToken {
    return FightToken__factory.connect(address, this.signer);
  }

  /**
   * Waits for a transaction that a contract may refuse.
   * @param addressOf Finds the address of the game that the contract may be; left out: no game is called.
   */
  private async mined(
    sent: Promise<ContractTransactionResponse>,
    addressOf?: () => Promise<string>,
  ): Promise<TransactionReceipt> {
    const response = await sent.catch(async (error: unknown) => {
      if (!addressOf || revertData(error) === undefined) throw error;
      throw noted(error, findGame(await addressOf(), this.games, this.addresses));
    });
    return untilMined(this.signer.provider!, response, this.waiting);
  }
}

/** Returns the history of a client's deployment, of which it knows no first block. */
function historyOf({ signer, addresses }: Client): History {
  return new History(signer.provider!, addresses);
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
