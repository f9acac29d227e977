import { computeAddress, type SigningKey } from "ethers";
import type { History } from "../../chain/history.js";
import { machineClock } from "../../chain/waiting.js";
import {
  channelRecord,
  contractStep,
  hasMoverLost,
  offeredPosition,
  progressOf,
  type Progress,
  type SeatAction,
} from "../../games/channel-match.js";
import type { GameModule } from "../../games/module.js";
import { firstTurn, turnOf, type SecretStore, type Turn } from "../../games/moves.js";
import {
  areOfOneOpening,
  channelMatchIdOf,
  NO_END,
  NO_PLACE,
  openRequest,
  placeOf,
  sessionKeyOf,
  type Channel,
  type ChannelsAt,
} from "../../protocol/channels/messages.js";
import { transcriptOf } from "../../protocol/channels/transcript.js";
import {
  channelMessageText,
  parseChannelMessage,
  senderOf,
  signedWith,
  type BalanceMessage,
  type ChannelMessage,
  type ChannelPlayerNumber,
  type OfferMessage,
  type OpenMessage,
  type Unsigned,
} from "../../protocol/channels/wire.js";
import { isKind } from "../../protocol/error-kind.js";
import type { Hex } from "../../protocol/hex.js";
import { InputError } from "../../protocol/input.js";
import { Seat } from "../../protocol/status.js";
import { termsHash, type Terms } from "../../protocol/terms.js";
import type { SigningRequest } from "../../protocol/typed-data.js";
import { withFullStop } from "../../protocol/text.js";
import { LogConflict } from "../log-place.js";
import { ChannelBook, PLACES_FROM, type BookMatch, type Reading } from "./book.js";
import { ownFirst, type ArenaState, type ChannelChain, type ChannelOnChain, type Held } from "./chain.js";
import { isConsentSigned } from "./consent.js";
import { answerBy, chainDuties, type ChainDuty, type DutyLimits } from "./duty.js";
import type { ChannelLog } from "./log.js";
import { termsProblem, type ProposedMatch } from "./terms-problem.js";
import type { ChannelTransport, NewsOptions } from "./transport.js";

/** Transaction that a player sends. */
export interface ChannelCall {
  to: string;
  data: Hex;
  /** What the transaction does, in a few words. */
  what: string;
  /** Match in the arena that the transaction continues, and whose clock runs; undefined if there is no such match. */
  answers?: AnsweredMatch;
}

/** Match in the arena that a transaction continues. */
export interface AnsweredMatch {
  rated: boolean;
  /** The player's stake in the match. */
  stake: bigint;
  /** Time until which the player in turn can act, in seconds since 1970. */
  deadline: number;
}

/** Question to a policy or a person. */
export type ChannelQuestion =
  | { type: "open"; opening: OpenMessage }
  | { type: "offer"; offer: OfferMessage; module: GameModule }
  | { type: "close"; balance: BalanceMessage };

/** Functions that a channel player needs from its caller. */
export interface ChannelPorts {
  /**
   * Chooses the move of a turn, in the format of the module's `moves`; the move is undefined if the turn needs no move.
   * @returns undefined if nothing is chosen yet
   */
  choose(turn: Turn, module: GameModule): Promise<{ move: unknown } | undefined>;
  /** Returns the store of the player's secrets in a game. */
  secrets(game: string): SecretStore;
  /** Returns whether the player agrees to the opponent's request; undefined if the player has not decided yet. */
  ask(question: ChannelQuestion): Promise<boolean | undefined>;
  /** Asks the player's wallet to sign its consent to open. */
  signOpen(request: SigningRequest): Promise<Hex>;
  /**
   * Sends a transaction, and returns once it is mined; without this function, the player only signs. Anybody may send
   * most of them. Only the player may send an action in the arena, or a match whose end the player accepts by sending.
   */
  send?(call: ChannelCall): Promise<void>;
  log: ChannelLog;
  transport: ChannelTransport;
}

/** Options of a channel player. */
export interface ChannelPlayerOptions {
  at: ChannelsAt;
  channel: Channel;
  /** The player's number in the channel. */
  player: ChannelPlayerNumber;
  /** The player's session key. */
  key: SigningKey;
  chain: ChannelChain;
  history: History;
  /** Returns the game at an address; undefined if the game is unknown. */
  moduleAt(game: string): GameModule | undefined;
  ports: ChannelPorts;
  limits?: Partial<ChannelLimits>;
}

/** Limits of a channel player. */
export interface ChannelLimits extends DutyLimits {
  /** Shortest clock, in seconds, of a match that the player accepts. */
  minClock: bigint;
}

/** State of a channel for one of its players. */
export interface ChannelStatus {
  chain: ChannelOnChain;
  /** Amounts of both players after all final matches; undefined while the channel is not open. */
  held?: Held;
  /**
   * Amounts that each player can stake; undefined while the channel is not open. The amounts are lower while a match
   * that was won with tokens is not settled: its winner can still lose that match by giving the tokens away. They are also
   * lower while a match may be in the arena, which can still end there.
   */
  stakeable?: Pick<Held, "amount1" | "amount2">;
  /** Match that is currently offered or played. */
  current?: BookMatch;
  /** Match before the current one, if its messages are known. */
  previous?: BookMatch;
  /**
   * Time by which the opponent should answer before the match is submitted on chain, in seconds since 1970; undefined
   * if no answer is due.
   */
  answerBy?: number;
  /** Players who have consented to open the channel, while it is closed. */
  consents: readonly ChannelPlayerNumber[];
  /** True if the player has signed a balance that closes the channel and may still be used. */
  isClosing: boolean;
  /** Action due on chain that the player cannot send: the most urgent possible one, or else the most urgent one. */
  due?: ChainDuty;
  /** Transaction for that action; undefined while the player has not chosen its move. */
  call?: ChannelCall;
  /** Reasons why messages were refused, or why the player could not do its part. */
  troubles: readonly Error[];
}

/** Default limits. */
export const CHANNEL_LIMITS: ChannelLimits = { patience: 300, margin: 3600, batch: 10, minClock: 600n };

/** Seconds for which a balance that closes the channel is valid. Until it expires, nothing else is signed. */
export const CLOSE_SECONDS = 3600;

/** Milliseconds after which a step stops reading or sending messages, since the chain does not wait. */
const MAX_WAIT = 20_000;

/** Maximum number of matches in one transaction: nodes would reject many more. */
const MAX_BROUGHT = 32;

/** Maximum number of matches that may be played while none of them is settled. */
const MAX_UNSETTLED = 2 * MAX_BROUGHT;

/** Seconds for which a challenge that was sent may still be mined. */
const CHALLENGE_SECONDS = 3600;

/** Maximum number of closing balances of one player that are valid at the same time. */
const MAX_CLOSES = 4;

/** Maximum number of answers of the transport that one step reads. */
const MAX_READS = 64;

/** Maximum number of messages that wait for missing ones; fewer for consents, which anybody can make up. */
const MAX_WAITING = 256;
const MAX_WAITING_CONSENTS = 8;

/**
 * Player of one channel: it opens the channel, offers and answers matches, plays them through messages, and submits on
 * chain what must be there. `step` signs everything that is due, and sends at most one transaction. Call it at least
 * once
 * per clock of any signed match, since the opponent may challenge with an old match, and before each deadline of a
 * match
 * that continues in the arena. Call it again after each transaction, even a failed one, since another may be due.
 *
 * It logs each message before sending it, and never signs two messages with the same number. If the program is killed
 * at any moment, a new one can continue with the log. Warning: only one program at a time may use a log.
 * @example
 * ```ts
 * import { ChannelChain, channelIdOf, ChannelPlayer, findGame, games } from "duello";
 *
 * const chain = new ChannelChain(provider, { arena: addresses.Arena, ...channelsAt }, channelIdOf(channel));
 * const moduleAt = (game: string) => findGame(game, games, addresses);
 * const own = { at: channelsAt, channel, player: 1, key: aliceKey } as const;
 * const player = await ChannelPlayer.open({ ...own, chain, history, moduleAt, ports });
 * await player.offer(terms);
 * const { current, due } = await player.step();
 * ```
 */
export class ChannelPlayer {
  private readonly book: ChannelBook;
  private readonly limits: ChannelLimits;
  /** Times of the player's challenges, failed ones included, by match. Such a match continues in the arena only. */
  private readonly challenged = new Map<number, number>();
  /** The player's actions that were composed for the chain, by match and position. */
  private readonly composed = new Map<string, Hex>();
  /** Times of the last change of each match, by its number and number of messages. */
  private readonly since = new Map<string, number>();
  /** States that the contract has confirmed or refused. */
  private readonly confirmed = new WeakSet<object>();
  /** Matches that are over in the arena. */
  private readonly ended = new Set<number>();
  /** Maximum number of matches in the next transaction. */
  private most = MAX_BROUGHT;
  private readonly unsent: ChannelMessage[] = [];
  private waiting: ChannelMessage[] = [];
  private seen = 0;
  private entries = 0;
  private isGettingUp = false;
  private troubles: Error[] = [];
  private chainState?: ChannelOnChain;
  private work: Promise<unknown> = Promise.resolve();

  private constructor(private readonly options: ChannelPlayerOptions) {
    const { channel, player, key } = options;
    const address = computeAddress(key);
    const named = sessionKeyOf(channel, player);
    if (address !== named) throw new InputError(`key${player}`, `${named} is not the key of this player, ${address}`);
    this.book = new ChannelBook(options);
    this.limits = { ...CHANNEL_LIMITS, ...options.limits };
  }

  /** Opens a player from its log. @throws InputError if the log is damaged or belongs to another channel */
  static async open(options: ChannelPlayerOptions): Promise<ChannelPlayer> {
    const player = new ChannelPlayer(options);
    for (const entry of await options.ports.log.read()) {
      if (entry.type === "action") player.compose(entry.nonce, entry.position, entry.action);
      else if (entry.type === "challenge") player.challenged.set(entry.nonce, entry.time);
      else player.keep(await player.book.read(entry), entry);
      player.entries++;
    }
    return player;
  }

  /**
   * Proposes to open the channel with these amounts.
   * @throws Error if the channel is open, or a proposed opening has not expired.
   */
  async propose(amount1: bigint, amount2: bigint, until: number): Promise<void> {
    return this.inTurn(async () => {
      const { open, firstNonce: nonce } = await this.readChain();
      if (open) throw new Error("The channel is open.");
      const [proposer] = this.consents();
      if (proposer !== undefined) throw new Error(`Player ${proposer} has proposed an opening.`);
      await this.signOpening({ nonce, amount1, amount2, until });
    });
  }

  /**
   * Offers a match. The player whose turn it is to offer has seat One.
   * @param until Last second in which the match can be submitted on chain; defaults to the latest allowed, the
   * channel's end minus the margin.
   * @returns false if no move is chosen yet
   * @throws Error if the player may not offer now, or not with these terms.
   */
  async offer(terms: Terms, until?: number): Promise<boolean> {
    return this.inTurn(async () => {
      const chain = await this.readChain();
      const { history, channel, at, player, moduleAt, ports } = this.options;
      if (this.isStopped()) throw new Error("A balance that closes the channel is signed.");
      const proposed = await this.checkedNext(terms, until);
      const { nonce, swapped } = proposed;
      if (offererOf(nonce) !== player) throw new Error(`Player ${offererOf(nonce)} offers match ${nonce}.`);
      const known = this.book.matches.get(nonce);
      if (known && isTaken(known, chain)) throw new Error(`Match ${nonce} is offered or in play.`);
      const module = moduleAt(terms.game)!;
      const turn = firstTurn(terms, this.address, history);
      const chosen = await ports.choose(turn, module);
      if (!chosen) return false;
      const data = await module.moves.create(chosen.move, turn, ports.secrets(terms.game));
      const draft = { chainId: at.chainId, channelId: this.book.id, channel, nonce, terms, swapped, data };
      const position = await offeredPosition(channelRecord(draft), module, history);
      await this.sign({ type: "offer", channel: this.book.id, ...proposed, position, data });
      return true;
    });
  }

  /**
   * Checks whether the next match may be played with these terms, whoever offers it.
   * @param until As in `offer`.
   * @throws Error with the reason if the match may not be played
   */
  async checkNext(terms: Terms, until?: number): Promise<void> {
    await this.inTurn(async () => {
      await this.readChain();
      await this.checkedNext(terms, until);
    });
  }

  /** Starts closing: once no match is in play, `step` signs a balance that closes the channel. */
  getUp(): void {
    this.isGettingUp = true;
  }

  /** Returns a match by its number, according to the messages received so far. */
  match(nonce: number): BookMatch | undefined {
    return this.book.matches.get(nonce);
  }

  /**
   * Reads messages and the chain, responds to both, and sends the most urgent transaction that is possible.
   * @throws LogConflict if another program has written to the log, and the error of a node that cannot be reached.
   */
  async step(): Promise<ChannelStatus> {
    return this.inTurn(async () => {
      this.troubles = [];
      await this.readChain();
      await this.attempt(() => this.receive());
      await this.attempt(() => this.receiveShown());
      await this.attempt(async () => {
        await this.confirmAll();
        await this.respond();
      });
      const done = await this.carryOutFirst();
      await this.attempt(() => this.handOver());
      const { held } = this.settled();
      const { matches } = this.book;
      const awaitedUntil = this.awaitedUntil();
      return {
        chain: this.chainState!,
        held,
        ...(held && {
          stakeable: this.leastAfter(held),
          current: matches.get(held.nonce),
          previous: matches.get(held.nonce - 1),
        }),
        ...(awaitedUntil !== undefined && { answerBy: awaitedUntil }),
        consents: this.consents(),
        isClosing: this.isStopped(),
        ...(this.options.ports.send ? {} : done),
        troubles: this.troubles,
      };
    });
  }

  /** Returns once there may be unread messages, or the time is over. @throws the reason of the signal */
  async news(options: NewsOptions): Promise<void> {
    return this.options.ports.transport.news(this.seen, options);
  }

  private get other(): ChannelPlayerNumber {
    return this.options.player === 1 ? 2 : 1;
  }

  private get address(): string {
    const { channel, player } = this.options;
    return player === 1 ? channel.player1 : channel.player2;
  }

  /** Runs tasks one after the other, so that nothing is signed twice. */
  private async inTurn<T>(action: () => Promise<T>): Promise<T> {
    const turn = this.work.then(action);
    this.work = turn.catch(() => undefined);
    return turn;
  }

  /** Runs a part of a step. If that part fails, the other parts still run. */
  private async attempt(part: () => Promise<void>): Promise<void> {
    try {
      await part();
    } catch (error) {
      if (isKind(error, LogConflict)) throw error;
      this.troubles.push(error as Error);
    }
  }

  private async readChain(): Promise<ChannelOnChain> {
    // Earlier matches may continue in the arena if they were not final when they were submitted. The answer to an offer
    // may exist only there.
    const begun = [...this.book.matches.values()].filter(({ isFinal }) => !isFinal);
    const known = this.chainState?.matches ?? [];
    const earlier = [...begun, ...known].map(({ nonce }) => nonce).filter((nonce) => !this.ended.has(nonce));
    const chain = await this.options.chain.read(earlier);
    const isPast = (nonce: number) => chain.open !== undefined && nonce < chain.open.nonce;
    const isInPlay = (nonce: number) => chain.matches.some((match) => match.nonce === nonce);
    for (const nonce of earlier) if (isPast(nonce) && !isInPlay(nonce)) this.ended.add(nonce);
    return (this.chainState = chain);
  }

  /** Opening to which both players consented. It has opened the channel, or can still open it. */
  private get opening(): ChannelBook["opening"] {
    const { open, firstNonce, time } = this.chainState!;
    const { opening } = this.book;
    if (open || !opening) return opening;
    return opening[0].nonce === firstNonce && opening[0].until > time ? opening : undefined;
  }

  /** Returns both players' amounts before and after all final matches, and the channel's last second. */
  private settled(): { from?: Held; held?: Held; end: number } {
    const { open, time } = this.chainState!;
    const { book } = this;
    const [consent] = this.opening ?? [];
    // Without money, nothing is lost if the channel opens later.
    const isFree = !open && consent?.amount1 === 0n && consent.amount2 === 0n;
    const base = open ?? (isFree ? consent : undefined);
    if (!base) return { end: 0 };
    const [agreed] = book.balance(false, time) ?? [];
    const from = agreed && agreed.nonce > base.nonce ? agreed : base;
    return { from, held: book.heldFrom(from), end: base.until };
  }

  /** Returns whether a closing balance was signed and may still be used. In that case, nothing else is signed. */
  private isStopped(): boolean {
    const { finalTime } = this.chainState!;
    const { from } = this.settled();
    const halves = this.book.halvesOf(this.options.player);
    return halves.some(({ close, until, nonce }) => close && until >= finalTime && from && nonce >= from.nonce);
  }

  /** Returns the players whose consent to the next opening is valid. */
  private consents(): ChannelPlayerNumber[] {
    const { firstNonce, time } = this.chainState!;
    const counting = [...this.book.consents.values()].filter(
      ({ nonce, until }) => nonce === firstNonce && until > time,
    );
    return counting.map(({ player }) => player);
  }

  /** Reads all new messages, and keeps those that are in order. */
  private async receive(): Promise<void> {
    const { transport } = this.options.ports;
    // The next step reads the rest: a relay with endless messages must not keep the player from the chain.
    const end = machineClock.now() + MAX_WAIT;
    for (let reads = 0, isMore = true; isMore && reads < MAX_READS && machineClock.now() < end; reads++) {
      const read = await transport.after(this.seen);
      for (const line of read.lines) {
        await this.attempt(async () => void this.waiting.push(parseChannelMessage(line, "message")));
      }
      [this.seen, isMore] = [read.seen, read.isMore && read.lines.length > 0];
    }
    await this.judgeWaiting();
  }

  /** Keeps the messages that are in order, as far as time permits. The others wait for the next step. */
  private async judgeWaiting(): Promise<void> {
    const end = machineClock.now() + MAX_WAIT;
    let [queue, later, isNew] = [this.waiting, [] as ChannelMessage[], false];
    while (queue.length > 0 && machineClock.now() < end) {
      const message = queue.shift()!;
      await this.attempt(async () => {
        const reading = await this.judge(message);
        if (reading === "later") later.push(message);
        if (typeof reading === "string") return;
        await this.append(message);
        this.keep(reading, message);
        isNew = true;
      });
      // Messages that came too early may follow the new ones.
      if (queue.length === 0 && isNew) [queue, later, isNew] = [later, [], false];
    }
    const isConsent = ({ type }: ChannelMessage) => type === "open";
    const consents = later.filter(isConsent).slice(-MAX_WAITING_CONSENTS);
    const others = later.filter((message) => !isConsent(message)).slice(-MAX_WAITING);
    this.waiting = [...consents, ...others, ...queue];
  }

  /** Reads the last message of a match from the chain, if the opponent has submitted it there without sending it. */
  private async receiveShown(): Promise<void> {
    const { chain } = this.options;
    for (const match of this.chainState!.matches) {
      const known = this.book.matches.get(match.nonce);
      if (!known || !match.posted || !match.isOver || known.moves.length >= match.count || !this.isOwnTurn(match))
        continue;
      // Only the last message can be read from the chain, because the chain shows only its signature.
      if (match.count !== known.moves.length + 1) throw new Error(`Messages of match ${match.nonce} were not sent.`);
      const { brought } = await chain.actions(match);
      const { places, signature } = await chain.shownEnd(match);
      const [action, place] = [brought.at(-1)!, places.at(-1) ?? NO_PLACE];
      const head = {
        channel: this.book.id,
        nonce: match.nonce,
        offer: known.offerHash,
        count: match.count,
        prev: known.last,
      };
      const message: ChannelMessage = { type: "move", ...head, action, place, signature };
      const reading = await this.book.read(message);
      if (typeof reading === "string") continue;
      await this.append(message);
      this.keep(reading, message);
    }
  }

  /** Checks a message, also against the channel's state. @throws InputError for one that breaks the protocol */
  private async judge(message: ChannelMessage): Promise<Reading> {
    const reading = await this.book.read(message);
    if (typeof reading === "string") return reading;
    const { type, nonce } = message;
    const { from, held } = this.settled();
    const { firstNonce, time } = this.chainState!;
    if (type === "open") {
      if (nonce !== firstNonce) return nonce < firstNonce ? "known" : "later";
      const { at, channel, history } = this.options;
      // Checks that need no node come first: anybody can make up consents that only the chain can check.
      const known = this.book.consents.get(message.player);
      if (known?.nonce === nonce && known.until > time) {
        throw new InputError("nonce", `another consent to opening ${nonce} counts until ${known.until}`);
      }
      if (this.book.isUsed(nonce)) throw new InputError("nonce", usedText(nonce));
      if (!(await isConsentSigned(history.provider, at, channel, message))) {
        throw new InputError("signature", `none of player ${message.player}'s wallet`);
      }
      return reading;
    }
    if (!from || !held) return "later";
    if (type === "offer") {
      if (nonce !== held.nonce) return nonce > held.nonce ? "later" : "known";
      const sender = message.swapped ? 2 : 1;
      if (offererOf(nonce) !== sender) {
        throw new InputError("nonce", `player ${offererOf(nonce)} offers match ${nonce}, not player ${sender}`);
      }
      const known = this.book.matches.get(nonce);
      if (known && isTaken(known, this.chainState!)) {
        throw new InputError("nonce", `another offer of match ${nonce} counts until ${known.offer.until}`);
      }
    }
    const match = type === "move" ? this.book.matches.get(nonce) : undefined;
    if (match && this.isLapsed(match))
      throw new InputError("nonce", `match ${nonce} has ended at ${match.offer.until}`);
    if (type === "balance") {
      if (nonce < from.nonce || message.until < time) return "known";
      if (!message.close && message.until !== NO_END)
        throw new InputError("until", `${message.until} is not ${NO_END}`);
      const halves = this.book.halvesOf(message.player).filter(({ close, until }) => close && until >= time);
      if (message.close && halves.length >= MAX_CLOSES) throw new InputError("close", `${halves.length} others count`);
      const expected = this.book.heldFrom(from, nonce);
      if (!expected) return "later";
      const wrong = (["amount1", "amount2"] as const).find((name) => message[name] !== expected[name]);
      // The message's signer did not know yet that the previous match had ended differently in the arena.
      if (wrong && this.isOnChain(nonce) && this.book.matches.has(nonce - 1)) return "known";
      if (wrong) throw new InputError(wrong, `${message[wrong]} instead of ${expected[wrong]}`);
    }
    return reading;
  }

  /** Applies a message that is in the log. */
  private keep(reading: Reading, message: ChannelMessage): void {
    if (typeof reading === "string")
      throw new InputError("log", `a message of type ${message.type} that does not follow`);
    reading.keep();
    const { at, channel, player } = this.options;
    if (senderOf(at, channel, message)?.player === player) this.unsent.push(message);
  }

  private async append(entry: Parameters<ChannelLog["append"]>[0]): Promise<void> {
    await this.options.ports.log.append(entry, this.entries);
    this.entries++;
  }

  private compose(nonce: number, position: Hex, action: Hex): void {
    this.composed.set(`${nonce} ${position}`, action);
  }

  /** Signs a message, logs it, and sends it. */
  private async sign<M extends ChannelMessage>(unsigned: Unsigned<M>): Promise<void> {
    const { key, at } = this.options;
    return this.signed(signedWith<M>(key, at, unsigned));
  }

  private async signed(message: ChannelMessage): Promise<void> {
    const reading = await this.book.read(message);
    if (typeof reading === "string") throw new Error(`The message is ${reading}.`);
    await this.append(message);
    this.keep(reading, message);
    await this.handOver();
  }

  /** Sends the signed messages that this program has not sent yet. */
  private async handOver(): Promise<void> {
    const end = machineClock.now() + MAX_WAIT;
    for (let [first] = this.unsent; first && machineClock.now() < end; [first] = this.unsent) {
      await this.options.ports.transport.put(channelMessageText(first));
      this.unsent.shift();
    }
  }

  private async signOpening(values: Pick<OpenMessage, "nonce" | "amount1" | "amount2" | "until">): Promise<void> {
    const { at, player, ports } = this.options;
    // Both openings would use the same numbers, so messages of the first would be valid in the second.
    if (this.book.isUsed(values.nonce)) throw new Error(withFullStop(usedText(values.nonce)));
    const opening = { channel: this.book.id, ...values };
    const signature = await ports.signOpen(openRequest(at, opening));
    await this.signed({ type: "open", ...opening, player, signature });
  }

  /** Checks whether the contracts accept the opponent's last actions, which depends on the chain's state. */
  private async confirmAll(): Promise<void> {
    const { from } = this.settled();
    if (!from) return;
    for (let { nonce } = from, match = this.book.matches.get(nonce); match; match = this.book.matches.get(++nonce)) {
      const state = match.states.at(-1)!;
      const isOthers = state.count > 0 && state.mover !== match.seatOf(this.options.player);
      if (!isOthers || state.turn === Seat.None) continue;
      // Only in a game with tokens can the contract's answer change later.
      if (this.confirmed.has(state) && !match.module.characters) continue;
      await this.confirm(match, state);
      this.confirmed.add(state);
    }
  }

  private async confirm(match: BookMatch, { turn, position }: Progress): Promise<void> {
    const actions = match.actions;
    const step = await this.stepOf(match, actions.slice(0, -1), match.states.at(-2)!.position, actions.at(-1)!);
    match.isRefusedOnChain = step === undefined;
    if (step && (step.turn !== turn || step.position !== position)) {
      throw new Error(`The contract and the engine of ${match.module.title} disagree on match ${match.nonce}.`);
    }
  }

  private async stepOf(match: BookMatch, before: readonly SeatAction[], position: Hex, action: SeatAction) {
    const { history, at } = this.options;
    return contractStep(history, at.channels, match.record(before), position, action);
  }

  /** Responds to the opponent. */
  private async respond(): Promise<void> {
    const { book, options } = this;
    const { player, ports } = options;
    await this.answerOpening();
    const { from, held, end } = this.settled();
    if (!from || !held || this.isStopped()) return;
    const current = book.matches.get(held.nonce);
    if (current) await this.respondIn(current, held, end);
    await this.settle();
    const now = this.settled().held!;
    const next = book.matches.get(now.nonce);
    if (next && next.moves.length > 0 && !this.isLapsed(next)) return;
    if (!this.mayClose(from, now)) return;
    const { time } = this.chainState!;
    const asked = book.halvesOf(this.other).findLast(({ close, nonce, until }) => {
      return close && nonce === now.nonce && until > time;
    });
    const own = book.halvesOf(player).some(({ close, nonce, until }) => close && nonce === now.nonce && until > time);
    if (own) return;
    if (asked) {
      if (this.isGettingUp || (await ports.ask({ type: "close", balance: asked })))
        await this.signBalance(now, asked.until);
    } else if (this.isGettingUp && this.chainState!.open) await this.signBalance(now, time + CLOSE_SECONDS);
  }

  /** True if the player can submit its last message in a match on chain, because the opponent must answer it. */
  private isOwnLast(match: BookMatch): boolean {
    const { state, isSeen } = match;
    const seat = match.seatOf(this.options.player);
    const isAwaited = !isSeen && state.mover === seat && state.turn !== seat;
    return isAwaited && !hasMoverLost(state) && !this.isLapsed(match);
  }

  /** Returns whether a match may be on its way to the arena, because the player has challenged with it. */
  private isChallenged(nonce: number): boolean {
    return this.chainState!.finalTime < (this.challenged.get(nonce) ?? -Infinity) + CHALLENGE_SECONDS;
  }

  /** Returns whether the chain has the amounts before a match. */
  private isOnChain(nonce: number): boolean {
    return this.chainState!.open?.nonce === nonce;
  }

  /** Match that waits in the arena with messages of the channel. */
  private get posted() {
    return this.chainState!.matches.find((match) => match.posted);
  }

  /** Match of the channel that is in the arena, or was there. */
  private inArena(nonce?: number) {
    return this.chainState!.matches.find((match) => match.nonce === nonce);
  }

  /** Returns whether it is too late to submit a match on chain. */
  private isLapsed({ nonce, offer }: BookMatch): boolean {
    const { time, matches } = this.chainState!;
    return offer.until < time && !matches.some((match) => match.nonce === nonce);
  }

  /**
   * Returns whether the player should stop: the match might not reach the chain in time, and the opponent could then
   * settle it in any way.
   */
  private isTooLate({ nonce, offer }: BookMatch): boolean {
    const { time, matches } = this.chainState!;
    return time > offer.until - this.limits.margin / 2 && !matches.some((match) => match.nonce === nonce);
  }

  /** Returns whether the amounts after all matches are fixed, so that a balance may close the channel with them. */
  private mayClose(from: Held, { nonce, amount1, amount2 }: Held): boolean {
    const { book, options } = this;
    if (this.posted) return false;
    for (let each = from.nonce; each < nonce; each++) {
      const match = book.matches.get(each)!;
      // The opponent could still submit messages other than the refused one. The opponent could also submit the balance
      // without the earlier matches, which would then never be rated.
      if (match.state.refusal !== undefined || (match.offer.terms.rated && !this.isLapsed(match))) return false;
    }
    // The contract takes no balance that keeps the channel open for amounts that it already has.
    const own = book.halvesOf(options.player).find((half) => !half.close && half.nonce === nonce);
    return own === undefined || this.isOnChain(nonce) || (own.amount1 === amount1 && own.amount2 === amount2);
  }

  /** Returns whether it is the player's turn in a match in the arena. */
  private isOwnTurn({ player1, turn }: Pick<ArenaState, "player1" | "turn">): boolean {
    const { channel, player } = this.options;
    return ((player1 === channel.player1) === (player === 1)) === (turn === Seat.One);
  }

  private async answerOpening(): Promise<void> {
    const { book, options } = this;
    const { firstNonce, open, time } = this.chainState!;
    const other = book.consents.get(this.other);
    if (open || other?.nonce !== firstNonce || this.consents().includes(options.player)) return;
    if (other.until < time + 2 * this.limits.margin) return;
    if (await options.ports.ask({ type: "open", opening: other })) await this.signOpening(other);
  }

  /** Sends the player's next message in a match, if it is the player's turn. */
  private async respondIn(match: BookMatch, held: Held, end: number): Promise<void> {
    const { player, ports } = this.options;
    const { offer, state, module, nonce } = match;
    const seat = match.seatOf(player);
    if (state.count > 0 && this.isTooLate(match)) return;
    const there = this.inArena(nonce);
    // In the arena, an opponent who knows the answer could replace its own signed action.
    if (there ? !there.posted || !this.isOwnTurn(there) : this.isChallenged(nonce)) return;
    if (state.turn === Seat.None) {
      if (!match.isFinal && state.mover !== seat) await this.signMove(match, "0x", NO_PLACE);
      return;
    }
    if (state.turn !== seat) return;
    // If the opponent has submitted the match on chain, the answer must be sent there.
    if (there && !there.isOver && there.count >= match.moves.length) return;
    if (state.count === 0) {
      await this.checkTerms(offer, held, end);
      await offeredPosition(match.record(), module, this.options.history);
      if (!(await ports.ask({ type: "offer", offer, module }))) return;
    }
    const data = await this.chosen(match, match.actions, state.position);
    if (data === undefined) return;
    const action = { seat, data };
    const next = await progressOf(match.record([...match.actions, action]), module, this.options.history);
    const place = match.moves.length + 1 < PLACES_FROM ? NO_PLACE : placeOf(next.turn, next.position);
    await this.signMove(match, data, place);
  }

  private async signMove(match: BookMatch, action: Hex, place: Hex): Promise<void> {
    const { nonce, offerHash, moves, last } = match;
    const head = { channel: this.book.id, nonce, offer: offerHash, count: moves.length + 1, prev: last };
    await this.sign({ type: "move", ...head, action, place });
  }

  /**
   * Chooses and composes the player's action in a position.
   * @returns undefined if no move is chosen yet
   * @throws Error if the game would refuse the action, which would lose the match
   */
  private async chosen(match: BookMatch, before: readonly SeatAction[], position: Hex): Promise<Hex | undefined> {
    const { module, offer } = match;
    const { history, ports, player } = this.options;
    const seat = match.seatOf(player);
    const turn = turnOf(match.record(before), seat, this.address, history);
    const choice = await ports.choose(turn, module);
    if (!choice) return undefined;
    const secrets = ports.secrets(offer.terms.game);
    const { moves } = module;
    const data = await (before.length === 0
      ? moves.join(choice.move, turn, secrets)
      : moves.act(choice.move, turn, secrets));
    const step = await this.stepOf(match, before, position, { seat, data });
    if (!step) throw new Error(`${module.title} would refuse your action in match ${match.nonce}.`);
    return data;
  }

  /** Settles unrated matches: signs the balance after them. */
  private async settle(): Promise<void> {
    const { from, held } = this.settled();
    if (!from || !held || held.nonce === from.nonce) return;
    for (let nonce = from.nonce; nonce < held.nonce; nonce++) {
      const { offer, state } = this.book.matches.get(nonce)!;
      // Only the chain can rate a match, or judge an action that only the chain refuses.
      if (offer.terms.rated || state.refusal !== undefined) return;
    }
    const own = this.book.halvesOf(this.options.player);
    if (!own.some(({ nonce, close }) => !close && nonce === held.nonce)) await this.signBalance(held);
  }

  /** Signs a balance. @param closeUntil Last second in which it can close the channel; undefined to keep it open. */
  private async signBalance({ nonce, amount1, amount2 }: Held, closeUntil?: number): Promise<void> {
    const end = { close: closeUntil !== undefined, until: closeUntil ?? NO_END };
    const { player } = this.options;
    await this.sign({ type: "balance", channel: this.book.id, nonce, amount1, amount2, ...end, player });
  }

  /** Returns the next match in the form of an offer. @throws Error with the reason if the match must not be played */
  private async checkedNext(terms: Terms, until?: number): Promise<ProposedMatch & { nonce: number }> {
    const { held, end } = this.settled();
    if (!held) throw new Error("The channel is not open.");
    const { nonce } = held;
    const match = { nonce, terms, swapped: offererOf(nonce) === 2, until: until ?? end - this.limits.margin };
    await this.checkTerms(match, held, end);
    return match;
  }

  /** @throws Error with the reason if a match must not be played */
  private async checkTerms(match: ProposedMatch, held: Held, until: number): Promise<void> {
    const { channel, moduleAt, history } = this.options;
    const { open, time } = this.chainState!;
    const { amount1, amount2 } = this.leastAfter(held);
    const limits = { ...this.limits, channel, amount1, amount2, until, time };
    const { stake1, stake2, game } = match.terms;
    const problem =
      open?.isFinal === false && stake1 + stake2 > 0n
        ? "the opening of the channel is not final yet"
        : (this.queueProblem(held) ?? (await termsProblem(match, limits, moduleAt(game), history)));
    if (problem !== undefined) throw new Error(`Match ${held.nonce} must not be played: ${problem}.`);
  }

  /** Returns the reason why no match may follow the unsettled matches; undefined if a match may follow. */
  private queueProblem({ nonce }: Held): string | undefined {
    const { from } = this.settled();
    const queue = this.unsettled(nonce);
    if (!areOfOneOpening(from!.nonce, nonce + 1)) return "the opening has no number for another one";
    if (queue.length >= MAX_UNSETTLED) return `${queue.length} before it are not settled`;
    return queue.some((match) => this.isLapsed(match)) ? "one before it has ended, and was not settled" : undefined;
  }

  private unsettled(end: number): BookMatch[] {
    const { from } = this.settled();
    return Array.from({ length: end - from!.nonce }, (_, i) => this.book.matches.get(from!.nonce + i)!);
  }

  /**
   * Returns the minimum amount that the channel may hold for each player. A player who won a match with tokens can still
   * lose it by giving away one of the tokens before the match is settled. A match that may be in the arena can still end
   * there, for example if the opponent resigns it: then its stakes leave the channel.
   */
  private leastAfter({ nonce: end, amount1, amount2 }: Held): Pick<Held, "amount1" | "amount2"> {
    const least = { amount1, amount2 };
    const { posted } = this;
    const { from } = this.settled();
    for (const match of this.book.matches.values()) {
      const { nonce, module, offer } = match;
      // Even with a balance, a match may be on its way to the arena.
      const isAway = nonce === posted?.nonce || this.isChallenged(nonce);
      const first = isAway ? this.chainState!.open : module.characters && from;
      if (!first || nonce < first.nonce || nonce >= end || !match.isFinal) continue;
      const [payment1, payment2] = match.payments!;
      const { terms, swapped } = offer;
      least.amount1 -= payment1 + (swapped ? terms.stake2 : terms.stake1);
      least.amount2 -= payment2 + (swapped ? terms.stake1 : terms.stake2);
    }
    for (const name of ["amount1", "amount2"] as const) if (least[name] < 0n) least[name] = 0n;
    return least;
  }

  private duties(): ChainDuty[] {
    const { book, options, limits } = this;
    const chain = this.chainState!;
    const { player } = options;
    const { time } = chain;
    const { opening } = this;
    const { from } = this.settled();
    const first = [...book.consents.keys()].at(0);
    const [agreed] = book.balance(false, time) ?? [];
    const [close] = this.closing() ?? [];
    return chainDuties({
      chain,
      ...(opening && {
        opening: { isOwn: first === player, isStaked: opening[0].amount1 + opening[0].amount2 > 0n },
      }),
      agreed: agreed?.nonce,
      ...(close && {
        closing: { isOwn: this.hasBegun(close), since: this.sinceOf(`close ${close.nonce}`) },
      }),
      matches: this.facts(),
      isOwnTurn: (match) => this.isOwnTurn(match),
      own: from ? ownFirst(player, from).own : 0n,
      isGettingUp: this.isGettingUp,
      limits,
    });
  }

  /** Returns the balance that closes the channel after all matches, as each player signed it. */
  private closing(): readonly [BalanceMessage, BalanceMessage] | undefined {
    const { time } = this.chainState!;
    const pair = this.book.balance(true, time);
    return pair?.[0].nonce === this.settled().held?.nonce ? pair : undefined;
  }

  /** Returns whether the player was the first to sign a closing balance. */
  private hasBegun({ nonce, until }: BalanceMessage): boolean {
    return this.book.firstHalf(nonce, until) === this.options.player;
  }

  private facts() {
    const { from } = this.settled();
    if (!from) return [];
    const facts = [];
    for (let { nonce } = from, match = this.book.matches.get(nonce); match; match = this.book.matches.get(++nonce)) {
      // `play` can settle no match after this one: only a balance can.
      if (match.moves.length > 0 && this.isLapsed(match)) break;
      const { offer, state, moves, isFinal } = match;
      const seat = match.seatOf(this.options.player);
      facts.push({
        nonce,
        messages: moves.length,
        isFinal,
        isOwnLast: this.isOwnLast(match),
        isRefused: state.refusal !== undefined && state.mover !== seat,
        rated: offer.terms.rated,
        until: offer.until,
        since: this.sinceOf(`${nonce} ${moves.length}`),
      });
    }
    return facts;
  }

  private awaitedUntil(): number | undefined {
    const last = this.facts().at(-1);
    const isThere = this.chainState!.matches.some(({ nonce }) => nonce === last?.nonce);
    return isThere ? undefined : answerBy(last, this.limits);
  }

  private sinceOf(key: string): number {
    const { time } = this.chainState!;
    const since = this.since.get(key) ?? time;
    this.since.set(key, since);
    return since;
  }

  /** Does the most urgent possible action on chain. @returns that action and its call, if the player cannot send it */
  private async carryOutFirst(): Promise<Pick<ChannelStatus, "due" | "call">> {
    const duties = this.duties();
    for (const due of duties) {
      let call: ChannelCall | undefined;
      await this.attempt(async () => {
        call = await this.carryOut(due);
      });
      if (call) return { due, call };
    }
    return duties.length > 0 ? { due: duties[0] } : {};
  }

  /** Takes an action due on chain. @returns its transaction, sent if the player can send; undefined if there is none */
  private async carryOut(due: ChainDuty): Promise<ChannelCall | undefined> {
    const { send } = this.options.ports;
    const call = await this.callOf(due);
    if (due.type === "bring" && !call) this.most = MAX_BROUGHT;
    if (!call || !send) return call;
    if (due.type === "bring" && due.challenge !== undefined && !this.isChallenged(due.challenge)) {
      const [nonce, { time }] = [due.challenge, this.chainState!];
      await this.append({ type: "challenge", nonce, time });
      this.challenged.set(nonce, time);
    }
    try {
      await send(call);
      this.most = MAX_BROUGHT;
    } catch (error) {
      // If the chain rejects one match now, the matches before it can still be settled.
      if (due.type === "bring") this.most >>= 1;
      throw error;
    }
    return call;
  }

  /** Encodes the transaction for an action due on chain; undefined if there is none, or no move is chosen yet. */
  private async callOf(due: ChainDuty): Promise<ChannelCall | undefined> {
    const { addresses, arena, channels } = this.options.chain;
    const { type } = due;
    if (type === "act") return this.actOnChain(due.nonce);
    if (type === "timeout") {
      const data = arena.interface.encodeFunctionData("timeout", [channelMatchIdOf(this.book.id, due.nonce)]);
      return { to: addresses.arena, data, what: `ends match ${due.nonce} by the clock`, ...this.answering(due.nonce) };
    }
    const calls = this.callsFor(due);
    if (calls.length === 0) return undefined;
    const data = calls.length === 1 ? calls[0] : channels.interface.encodeFunctionData("multicall", [calls]);
    const { nonce } = this.posted ?? {};
    return { to: addresses.channels, data, what: `${type} channel ${this.book.id}`, ...this.answering(nonce) };
  }

  /** Describes the match in the arena that a transaction continues. */
  private answering(nonce?: number): Pick<ChannelCall, "answers"> {
    const there = this.inArena(nonce);
    const match = there && this.book.matches.get(there.nonce);
    if (!match) return {};
    const { terms } = match.offer;
    const stake = match.seatOf(this.options.player) === Seat.One ? terms.stake1 : terms.stake2;
    return { answers: { rated: terms.rated, stake, deadline: there.deadline } };
  }

  /** Encodes the calls of the channels contract for an action due on chain, in their order. */
  private callsFor(due: ChainDuty): Hex[] {
    const { channel, chain, player } = this.options;
    const { interface: abi } = chain.channels;
    const { open, time } = this.chainState!;
    const { book } = this;
    const calls: Hex[] = [];
    if (!open) {
      const [one, two] = book.opening!;
      const { amount1, amount2, until } = one;
      const args = [channel, amount1, amount2, until, one.signature, two.signature] as const;
      calls.push(abi.encodeFunctionData("open", [...args]));
    }
    if (due.type === "open") return calls;
    const checkpoint = ([one, two]: readonly [BalanceMessage, BalanceMessage]) => {
      const { nonce, amount1, amount2, close, until } = one;
      const args = [channel, nonce, amount1, amount2, close, until, one.signature, two.signature] as const;
      return abi.encodeFunctionData("checkpoint", [...args]);
    };
    const base = open?.nonce ?? book.opening![0].nonce;
    const agreed = book.balance(false, time);
    if (agreed && agreed[0].nonce > base) calls.push(checkpoint(agreed));
    if (due.type !== "bring") return [...calls, abi.encodeFunctionData("expire", [channel])];
    const { posted } = this;
    let group: BookMatch[] = [];
    const play = () => {
      if (group.length === 0) return;
      const [{ nonce, offer }] = group;
      const transcripts = group.map((match) => {
        // If only the chain refuses an action, no message can consent to that. The sender of the transaction consents.
        const isByTokens = match.module.characters !== undefined && match.state.mover !== match.seatOf(player);
        const sender = match.isRefusedOnChain || isByTokens ? match.seatOf(player) : undefined;
        return transcriptOf(match.messages, match.base, sender);
      });
      calls.push(abi.encodeFunctionData("play", [channel, nonce, offer.terms, transcripts]));
      group = [];
    };
    let brought = 0;
    let { nonce } = this.settled().from!;
    for (let match = book.matches.get(nonce); match?.isFinal; match = book.matches.get(++nonce)) {
      if (this.isLapsed(match) || brought >= this.most) break;
      if (posted?.nonce === nonce && match.moves.length <= posted.count) break;
      if (group.length > 0 && termsHash(group[0].offer.terms) !== termsHash(match.offer.terms)) play();
      group.push(match);
      brought++;
    }
    play();
    // The next transaction submits the rest.
    if (brought >= this.most) return calls;
    if (due.challenge !== undefined) {
      const { offer, messages, base: from } = book.matches.get(due.challenge)!;
      const transcript = transcriptOf(messages, from);
      calls.push(abi.encodeFunctionData("challenge", [channel, due.challenge, offer.terms, transcript]));
    }
    if (due.close) calls.push(checkpoint(this.closing()!));
    return calls;
  }

  /** Composes the action in a match that continues in the arena; undefined if no move is chosen yet. */
  private async actOnChain(nonce: number): Promise<ChannelCall | undefined> {
    const { chain } = this.options;
    const state = this.inArena(nonce)!;
    const match = this.book.matches.get(nonce);
    if (!match) throw new Error(`The messages of match ${nonce} are lost.`);
    const { [state.count]: before, [state.count + 1]: after } = match.states;
    const isSigned = before?.position === state.position && after?.mover === match.seatOf(this.options.player);
    const known = this.composed.get(`${nonce} ${state.position}`);
    const action =
      known ??
      (isSigned ? match.moves[state.count].action : undefined) ??
      (await this.chosen(match, await this.actionsOnChain(match, state), state.position));
    if (action === undefined) return undefined;
    if (known === undefined) {
      await this.append({ type: "action", nonce, position: state.position, action });
      this.compose(nonce, state.position, action);
    }
    const data = chain.arena.interface.encodeFunctionData("act", [channelMatchIdOf(this.book.id, nonce), action]);
    return { to: chain.addresses.arena, data, what: `acts in match ${nonce}`, ...this.answering(nonce) };
  }

  /** Returns all actions of a match that continues in the arena, even those that the opponent has not sent. */
  private async actionsOnChain(match: BookMatch, state: ArenaState): Promise<SeatAction[]> {
    const { brought, acted } = await this.options.chain.actions(state);
    const actions = match.actions.slice(0, state.count - brought.length);
    for (const data of brought) {
      const { turn } = await progressOf(match.record(actions), match.module, this.options.history);
      actions.push({ seat: turn, data });
    }
    return [...actions, ...acted];
  }
}

/** Describes an opening that was used although it never opened the channel. */
function usedText(nonce: number): string {
  return `matches were played in the opening from ${nonce} on, which has ended`;
}

/**
 * Returns the player who offers a match, and so has seat One. Players alternate, so that there is only one offer.
 * @example
 * ```ts
 * import { offererOf } from "duello";
 *
 * offererOf(4); // => 1
 * offererOf(5); // => 2
 * ```
 */
export function offererOf(nonce: number): ChannelPlayerNumber {
  return nonce % 2 === 0 ? 1 : 2;
}

/** Returns whether a match has started, or its offer may still be accepted. Its number is then taken. */
export function isTaken({ moves, offer, nonce }: BookMatch, { finalTime, matches }: ChannelOnChain): boolean {
  // The answer may exist only in the arena.
  return moves.length > 0 || offer.until >= finalTime || matches.some((match) => match.nonce === nonce);
}
