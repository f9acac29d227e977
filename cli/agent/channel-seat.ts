import {
  CHANNEL_LIMITS,
  isTaken,
  offererOf,
  type ChannelCall,
  type ChannelPlayer,
  type ChannelQuestion,
  type ChannelStatus,
} from "../../sdk/player/channels/player.js";
import { ownFirst } from "../../sdk/player/channels/chain.js";
import { RenewedSearch } from "../../sdk/player/channels/lobby.js";
import type { ChannelTransport } from "../../sdk/player/channels/transport.js";
import { channelRecord } from "../../sdk/games/channel-match.js";
import { firstTurn, turnOf } from "../../sdk/games/moves.js";
import type { ChallengeView, Decision, OpeningView } from "../../sdk/player/policy-decision.js";
import { offerHashOf } from "../../sdk/protocol/channels/messages.js";
import type { Seek } from "../../sdk/protocol/channels/seek.js";
import { wishIn, wishOf } from "../../sdk/player/channels/wishes.js";
import { offerIn, type OfferMessage, type OpenMessage } from "../../sdk/protocol/channels/wire.js";
import { isKind } from "../../sdk/protocol/error-kind.js";
import { LogConflict } from "../../sdk/player/log-place.js";
import { Seat } from "../../sdk/protocol/status.js";
import type { Terms } from "../../sdk/protocol/terms.js";
import { withFullStop } from "../../sdk/protocol/text.js";
import { ChannelSeat, type SeatPolicy } from "../shared/channels/seat.js";
import type { ChannelFiles, KeptChannel } from "../shared/channels/files.js";
import type { ChallengeReviewer, ReviewedState } from "./challenge-reviewer.js";
import { channelEndReport } from "./reports.js";
import type { Surroundings } from "./surroundings.js";

/** Functions of the agent's channels that a seat needs. */
export interface AllChannels {
  readonly files: ChannelFiles;
  /** True once the agent's own loop plays its channels. */
  readonly isLive: boolean;
  /** Sends a transaction once its turn comes, and returns once it is mined. */
  send(seat: AgentSeat, call: ChannelCall): Promise<void>;
  /** Decides on an opening. @param but Seat whose amount is not counted. */
  decideOpening(opening: OpeningView, but?: AgentSeat): Promise<Decision>;
  /** Describes a match with the agent in the second seat, in the form that policies judge. */
  viewOf(terms: Terms, until: number): Promise<ChallengeView>;
  /** Returns the state that a decision needs. @param newcomer Player for whose matches the budget would pay gas. */
  state(newcomer?: string): Promise<ReviewedState>;
}

/** Minimum seconds for which the agent's offer is valid, if the channel lasts, beyond the margin for its match on chain. */
const OFFER_SECONDS = 3600;

/** Milliseconds after a match in which the other player can ask for terms that differ from a rematch. */
const GRACE = 1500;

/** Milliseconds of silence after which the other player counts as gone: normally, and before its first message. */
const GONE = 900_000;
const NEVER_CAME = 180_000;

/** Milliseconds between reads of the chain: `SOON` while the seat waits for an event, otherwise within these limits. */
const SOON = 5_000;
const MIN_LATE = 15_000;
const MAX_LATE = 300_000;

/** Minimum milliseconds between reports of different problems in one channel. */
const QUIET = 60_000;

/** Nonce of a consent that is not signed yet. */
const UNSIGNED = -1;

/** Consent of the agent to open a channel. */
interface Consent {
  nonce: number;
  own: bigint;
  other: bigint;
  until: number;
}

/** Amounts of both players and end of a channel, as set by the channel's opening. */
type Opening = Pick<OpenMessage, "nonce" | "amount1" | "amount2" | "until">;

/** A match in which the agent can lose its stake. */
interface Playing {
  nonce: number;
  stake: bigint;
}

/** The agent's seat in one channel: the seat decides by the policy, and reports all events. */
export class AgentSeat {
  /** State after the last step. */
  status?: ChannelStatus;
  /** The agent's newest consent, signed or about to be signed. */
  private consent?: Consent;
  /** Terms that the other player has asked for since the previous match. */
  asked?: Terms;
  /** Expiry of the last wish for a match that was considered. */
  private wishedUntil = 0;
  /** The agent's entry in the lobby about matches of this channel; undefined without a lobby. */
  private own?: RenewedSearch;
  /** Time in milliseconds until which the seat waits for a wish. */
  private waitsUntil = 0;
  /** True once the channel has been open. */
  wasOpened = false;
  /** True once the other player has consented to open the channel. */
  isAnswered = false;
  /** True once the seat has nothing left to do. */
  isDone = false;
  /** Time of the last message from anybody, in milliseconds. */
  heard = Date.now();
  /** Match in play, or offered by the agent. */
  private playing?: Playing;
  private toldAt = -Infinity;
  /** Hash of the offer that was judged last. */
  private judged = 0n;
  private wasFree = false;
  private take!: () => Promise<ChannelSeat>;
  private seat?: ChannelSeat;

  private constructor(
    readonly kept: KeptChannel,
    private readonly around: Surroundings,
    private readonly channels: AllChannels,
  ) {}

  /** @throws Locked if another process plays the channel; InputError if the log is damaged. */
  static async open(
    kept: KeptChannel,
    transport: ChannelTransport,
    around: Surroundings,
    channels: AllChannels,
  ): Promise<AgentSeat> {
    const seat = new AgentSeat(kept, around, channels);
    if (around.place) seat.own = new RenewedSearch(around.place.lobby, await channels.files.seeker());
    const { context, policy, moveStore } = around;
    await seat.readConsents();
    const decisions: SeatPolicy = {
      choose: async (turn) => ({
        move: await moveStore.moveFor(turn, context.keys.secretStoreOf(turn.game, turn.player)),
      }),
      ask: (question) => seat.answer(question),
      send: (call) => channels.send(seat, call),
    };
    const heard: ChannelTransport = {
      put: (line) => transport.put(line),
      news: (seen, options) => transport.news(seen, options),
      after: async (seen) => {
        const read = await transport.after(seen);
        if (read.lines.length > 0) seat.heard = Date.now();
        return read;
      },
    };
    seat.take = () => {
      const { clock, channels } = policy;
      // A match that the agent pays gas for is rated immediately.
      const batch = seat.isFree ? 1 : CHANNEL_LIMITS.batch;
      // The agent never pays gas just because the other player is slow.
      const patience = seat.isFree ? Infinity : channels.patience;
      const limits = { patience, minClock: BigInt(clock.min), batch };
      return ChannelSeat.open(context, kept, decisions, { transport: heard, limits, lockPatience: 0 });
    };
    await seat.taken();
    return seat;
  }

  /** Takes the seat; takes it again if `isFree` has changed. */
  private async taken(): Promise<void> {
    if (this.seat && this.isFree === this.wasFree) return;
    this.seat?.close();
    this.wasFree = this.isFree;
    this.seat = await this.take();
  }

  get player(): ChannelPlayer {
    return this.seat!.player;
  }

  /** True if neither player locks money. Then only matches whose gas a sponsor pays for go to the chain. */
  get isFree(): boolean {
    return this.consent !== undefined && this.consent.own + this.consent.other === 0n;
  }

  /** Amount of the agent that is locked, or that the other player can lock at any time. */
  get locked(): bigint {
    const { status, consent, kept } = this;
    const open = status?.chain.open;
    if (open) return ownFirst(kept.player, open).own;
    return this.isAwaited ? consent!.own : 0n;
  }

  /** Amount that the agent has consented to lock and that is still in its purse. */
  get pending(): bigint {
    return this.isAwaited && !this.status?.chain.open ? this.consent!.own : 0n;
  }

  /** Stake of the match in play. */
  get inPlay(): Playing | undefined {
    return this.playing;
  }

  /** Terms of the match that is offered or in play; otherwise terms of the previous match. */
  private get terms(): Terms | undefined {
    const { current, previous } = this.status ?? {};
    return (current ?? previous)?.offer.terms;
  }

  /** True once the agent has consented to open the channel. */
  get hasSigned(): boolean {
    return this.consent !== undefined && this.consent.nonce !== UNSIGNED;
  }

  /** Last second (since 1970) in which the agent's consent is valid; 0 without one. */
  get consentedUntil(): number {
    return this.consent?.until ?? 0;
  }

  /** Counts an amount that the agent is about to lock, until the agent has signed its consent. */
  reserve(amounts: Pick<Consent, "own" | "other" | "until">): void {
    if (!this.hasSigned) this.consent = { ...amounts, nonce: UNSIGNED };
  }

  /** Proposes to open the channel, unless an earlier proposal of the agent is still valid. */
  async propose(amount1: bigint, amount2: bigint, until: number): Promise<void> {
    const { files } = this.channels;
    const { provider } = this.around.context;
    if (await files.consentTo(this.kept, provider)) return;
    try {
      await this.player.propose(amount1, amount2, until);
    } finally {
      // A signed consent counts even if the relay fails: it may have arrived.
      await this.readConsents();
    }
  }

  /** Reads from the log the amounts that the agent has consented to lock. */
  private async readConsents(): Promise<void> {
    const { kept, channels } = this;
    for (const entry of await channels.files.logOf(kept.id).read()) {
      if (entry.type === "open" && entry.player === kept.player) this.consent = this.consentIn(entry);
    }
  }

  /** Milliseconds until the next look at the chain if no message comes. */
  get restMs(): number {
    const { chain } = this.status ?? {};
    if (this.isToOffer && this.waitsUntil > Date.now()) return this.waitsUntil - Date.now();
    const late = Math.min(Math.max(MIN_LATE, (this.around.policy.clock.min * 1000) / 4), MAX_LATE);
    const isWaiting = !chain || chain.matches.length > 0 || (chain.open ? !chain.open.isFinal : this.isAwaited);
    return isWaiting ? SOON : late;
  }

  /** Does everything that is due. @throws LogConflict, and errors of the node */
  async step(): Promise<void> {
    await this.look();
    if (this.isDone) return;
    const isOffered = await this.offer().catch((error: unknown) => {
      if (isKind(error, LogConflict)) throw error;
      // A wish of the other player must not keep the agent from looking at the channel.
      this.asked = undefined;
      this.reportTrouble(error);
      return false;
    });
    if (isOffered) await this.look();
  }

  close(): void {
    this.around.reviewer.forget(this.judged);
    this.seat?.close();
  }

  /** True while it is the agent's turn to offer the next match. */
  get isToOffer(): boolean {
    const { chain, held, current, isClosing } = this.status ?? {};
    if (!chain || !held || isClosing || chain.matches.length > 0) return false;
    if (offererOf(held.nonce) !== this.kept.player || Date.now() - this.heard > GONE) return false;
    return !current || !isTaken(current, chain);
  }

  /**
   * Looks for a new wish of the other player in the searches that the agent may answer.
   * @returns whether it found a wish
   */
  seekWish(seeks: readonly Seek[]): boolean {
    const { channel, player } = this.kept;
    const { held } = this.status ?? {};
    const wish = held && wishIn(seeks, { channel, player, held });
    if (!wish?.terms || wish.expires <= this.wishedUntil) return false;
    this.wishedUntil = wish.expires;
    this.asked = wish.terms;
    return true;
  }

  /** True while the other player can open the channel with the agent's consent. */
  private get isAwaited(): boolean {
    const { consent, status } = this;
    if (!consent) return false;
    return !status || (consent.until >= status.chain.time && consent.nonce === status.chain.firstNonce);
  }

  private async look(): Promise<void> {
    await this.taken();
    const before = this.status;
    const status = await this.player.step();
    this.status = status;
    await this.report(status, before);
    const { chain, current, held } = status;
    const { kept } = this;
    const isOnChain = (number?: number) => chain.matches.some(({ nonce }) => nonce === number);
    const isOwnOffer = current?.seatOf(this.kept.player) === Seat.One;
    const isInTime = current && (current.offer.until >= chain.time || isOnChain(current.nonce));
    if (isInTime && !current.isFinal && (current.moves.length > 0 || isOwnOffer))
      this.playing = this.stakeIn(current.offer);
    else if (!isOnChain(this.playing?.nonce)) this.playing = undefined;
    this.isAnswered ||= this.wasOpened || status.consents.includes(kept.player === 1 ? 2 : 1);
    const isGone = Date.now() - this.heard > (this.isAnswered ? GONE : NEVER_CAME);
    const isOver = !chain.open && chain.matches.length === 0;
    const isSettled = held === undefined || held.nonce === (chain.open ?? this.consent)?.nonce;
    // Until the end is final, messages can become valid again.
    if (isOver && !this.isAwaited && (isGone || (this.consent !== undefined && chain.isFinal))) this.isDone = true;
    // Leaving a channel in which nothing is locked loses nothing.
    if (isGone && this.locked === 0n && (this.isFree || (chain.matches.length === 0 && isSettled))) this.isDone = true;
  }

  private async answer(question: ChannelQuestion): Promise<boolean | undefined> {
    if (question.type === "close") return true;
    return question.type === "open" ? this.judgeOpening(question.opening) : this.judgeOffer(question.offer);
  }

  private async judgeOpening(opening: Opening): Promise<boolean | undefined> {
    const { kept, around, channels } = this;
    const { opponent, channel } = kept;
    const consent = this.consentIn(opening);
    const token = await around.context.tokens.at(channel.token);
    const view = { opponent, forAnybody: false, isFirst: false, token, feeBps: channel.feeBps, ...consent };
    const { take, later, why } = await around.reviewer.alone(async () => {
      const decision = await channels.decideOpening(view, this);
      if (decision.take) this.consent = consent;
      return decision;
    });
    const said = withFullStop(`I ${take ? "open" : "leave"} the channel of ${kept.opponent}: ${why}`);
    if (take || !later) this.tell(take ? "taken" : "left", said);
    if (!take && !later) this.isDone = true;
    return take ? true : later ? undefined : false;
  }

  private consentIn(opening: Opening): Consent {
    const { nonce, until } = opening;
    return { nonce, ...ownFirst(this.kept.player, opening), until };
  }

  private async judgeOffer(offer: OfferMessage): Promise<boolean | undefined> {
    const { kept, around, channels } = this;
    const { nonce, terms } = offer;
    if (this.playing?.nonce === nonce) return true;
    const name = BigInt(offerHashOf(offerIn(offer)));
    if (name !== this.judged) around.reviewer.forget(this.judged);
    this.judged = name;
    if (!around.reviewer.isPending(name)) return this.decline(nonce);
    const { id: channelId, channel } = kept;
    const { at, player } = channels.files;
    const record = channelRecord({ ...offer, chainId: at.chainId, channelId, channel });
    const turn = turnOf(record, Seat.Two, player, around.context.history);
    const onTake = () => (this.playing = this.stakeIn(offer));
    const decision = await this.judge(terms, Seat.Two, offer.until, turn, onTake);
    // Even if no move is found now, the offer is considered again.
    if (decision.take) around.reviewer.reconsider(name);
    if (decision.take) return true;
    return decision.later ? undefined : this.decline(nonce);
  }

  /** Declines a match in the lobby. @returns false */
  private async decline(nonce: number): Promise<false> {
    // If this fails, the other player only waits longer.
    await this.own?.put(wishOf({ ...this.kept, held: { nonce } })).catch(() => undefined);
    return false;
  }

  private async judge(
    terms: Terms,
    seat: bigint,
    until: number,
    turn: Parameters<ChallengeReviewer["judge"]>[1],
    onTake?: () => void,
  ): Promise<Decision> {
    const { kept, around, channels } = this;
    const { opponent, id: channel } = kept;
    const game = around.context.findGame(terms.game);
    const offer = {
      ...(await channels.viewOf(terms, until)),
      channel,
      matchId: this.judged,
      seat,
      player1: opponent,
      player2: channels.files.player,
      trust: game?.trust ?? ("foreign" as const),
    };
    const state = await channels.state(this.isFree && terms.rated ? opponent : undefined);
    return around.reviewer.judge(offer, turn, state, onTake);
  }

  /**
   * Offers the terms that the other player asked for, or the previous terms again.
   * @returns whether it made an offer
   */
  private async offer(): Promise<boolean> {
    const { around, channels, kept, player, status, consent } = this;
    const { context, policy } = around;
    const { chain, held } = status!;
    const isAgain = policy.channels.rematch && Date.now() >= this.waitsUntil;
    const terms = this.asked ?? (isAgain ? this.terms : undefined);
    if (!terms || !held || !consent || !this.isToOffer) return false;
    if (chain.open?.isFinal === false && terms.stake1 + terms.stake2 > 0n) return false;
    const { margin } = CHANNEL_LIMITS;
    const refuse = async () => {
      const isAsked = this.asked !== undefined;
      this.asked = undefined;
      return isAsked && this.decline(held.nonce);
    };
    if (!context.findGame(terms.game)) return refuse();
    const { own, other } = ownFirst(kept.player, held);
    // The offering player has seat One.
    if (terms.stake1 > own || terms.stake2 > other) return refuse();
    const end = (chain.open ?? consent).until - margin;
    // An offer that nobody answers must not block its match number for long.
    const until = Math.min(end, chain.time + margin + Math.max(OFFER_SECONDS, 4 * Number(terms.clock)));
    if (until < chain.time + margin) return false;
    // Until the opponent commits, nobody can tell how strong its team is.
    if (terms.stake1 > 0n && context.gameAt(terms.game).characters) return refuse();
    const turn = firstTurn(terms, channels.files.player, context.history);
    const { take, later } = await this.judge(terms, Seat.One, until, turn);
    if (!take) return later ? false : refuse();
    if (!(await player.offer(terms, until))) return false;
    this.asked = undefined;
    this.tell("offered", `I offer match ${held.nonce} of ${context.gameAt(terms.game).title}.`);
    return true;
  }

  private async report(status: ChannelStatus, before?: ChannelStatus): Promise<void> {
    const { kept, around } = this;
    const { chain, previous, troubles } = status;
    if (before && previous && previous.nonce !== before.previous?.nonce) {
      around.eventLog.report(await channelEndReport(around.context, kept.id, previous, previous.seatOf(kept.player)));
      if (this.channels.isLive) this.waitsUntil = Date.now() + GRACE;
    }
    const isOpen = chain.open !== undefined;
    if (isOpen !== (before?.chain.open !== undefined)) {
      if (isOpen) this.tell("opened", `The channel with ${kept.opponent} is open.`);
      else this.tell("closed", `The channel with ${kept.opponent} is closed.`);
    }
    this.wasOpened ||= isOpen;
    this.reportTrouble(troubles.at(0));
  }

  /** Reports a problem, but limits the number of reports: the other player can cause many problems. */
  reportTrouble(error: unknown): void {
    const { eventLog, context } = this.around;
    if (error !== undefined && Date.now() - this.toldAt < QUIET) return;
    if (error !== undefined) this.toldAt = Date.now();
    const text = error === undefined ? undefined : context.tokens.explain(error);
    eventLog.reportTrouble(`channel ${this.kept.id}`, text, undefined, this.kept.id);
  }

  private tell(event: string, text: string): void {
    this.around.eventLog.report({ event, channel: this.kept.id, text });
  }

  private stakeIn({ nonce, terms, swapped }: OfferMessage): Playing {
    const isOne = (this.kept.player === 1) !== swapped;
    return { nonce, stake: isOne ? terms.stake1 : terms.stake2 };
  }
}
