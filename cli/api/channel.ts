import { setTimeout as pause } from "node:timers/promises";
import { id as hashOf } from "ethers";
import { Arena__factory } from "../../typechain-types/index.js";
import type { GameModule } from "../../sdk/games/module.js";
import type { Turn } from "../../sdk/games/moves.js";
import type { MatchRecord } from "../../sdk/chain/record.js";
import type { BookMatch } from "../../sdk/player/channels/book.js";
import { ownFirst, type Held } from "../../sdk/player/channels/chain.js";
import { RenewedSearch } from "../../sdk/player/channels/lobby.js";
import type { MeetingPlace } from "../../sdk/player/channels/meeting.js";
import { isTaken, type ChannelQuestion, type ChannelStatus } from "../../sdk/player/channels/player.js";
import { wishIn } from "../../sdk/player/channels/wishes.js";
import { LogConflict } from "../../sdk/player/log-place.js";
import { channelMatchIdOf, offerHashOf } from "../../sdk/protocol/channels/messages.js";
import type { Seek } from "../../sdk/protocol/channels/seek.js";
import { offerIn, type OfferMessage, type OpenMessage } from "../../sdk/protocol/channels/wire.js";
import { isKind } from "../../sdk/protocol/error-kind.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { Seat } from "../../sdk/protocol/status.js";
import { termsHash, type Terms } from "../../sdk/protocol/terms.js";
import { timeText } from "../../sdk/protocol/text.js";
import type { ChannelFiles, KeptChannel } from "../shared/channels/files.js";
import {
  declineMatch,
  offerEnd,
  outcomeOf,
  seatIn,
  termsFor,
  wishedMatch,
  type AwaitedMatch,
  type WishedMatch,
} from "../shared/channels/next-match.js";
import { isAgreed } from "../shared/channels/opening.js";
import { ChannelSeat, sendCall } from "../shared/channels/seat.js";
import type { CommandContext } from "../shared/command/context.js";
import { moveChecksOf } from "../shared/match/risks.js";
import type { ChallengeList } from "./challenges.js";
import { readLegalMove } from "./choice.js";
import { ApiGame, type Progress } from "./game.js";
import { Refusal } from "./refusal.js";
import { gameIdOf, idOf, shownBoard, shownMoves, shownTerms } from "./shown.js";
import { Waker } from "./waker.js";
import type { Challenge } from "./wire.js";

/** Milliseconds after which a channel without money is left if the opponent has not consented to open it. */
const NEVER_CAME = 180_000;

/** Milliseconds before a channel is tried again after a failure of the node: the first time, and at most. */
const FIRST_RETRY = 1000;
const LAST_RETRY = 60_000;

/** What the channels of the player share. */
export interface ApiSurroundings {
  readonly context: CommandContext;
  readonly files: ChannelFiles;
  readonly place: MeetingPlace;
  readonly challenges: ChallengeList;
  readonly signal: AbortSignal;
  /** True if the player accepts warnings about its moves. */
  readonly acceptsWarnings: boolean;
  /** Called when a game starts and when it ends. */
  onStart(game: ApiGame): void;
  onEnd(game: ApiGame): void;
}

/** Match that the player has challenged the opponent to. */
interface OwnChallenge {
  id: string;
  match: AwaitedMatch;
}

/** Match that a player agrees to before it is offered. */
interface Agreed {
  terms: Terms;
  challenge: string;
}

/** One channel of the player: it plays all games in it, and answers the opponent as the bot has decided. */
export class ApiChannel {
  /** State after the last step. */
  status?: ChannelStatus;
  /** Opening to which the player consents, or has consented. */
  private agreed?: OpenMessage;
  /** True if either player locks money in the opening. */
  private hasMoney = false;
  /** Match that the opponent will offer first, once the channel is open. */
  expected?: Agreed;
  private readonly games = new Map<number, ApiGame>();
  /** Match that the player offers once its first move is chosen. */
  private offering?: { nonce: number; terms: Terms };
  private awaited?: OwnChallenge;
  /** Ids of the opponent's challenges: its offer, and its wish for an offer. */
  private readonly listed: { offer?: string; wish?: string } = {};
  /** Expiry of the opponent's last refusal that is about an earlier challenge. */
  private seenRefusal = 0;
  private seeks: readonly Seek[] = [];
  private readonly waker = new Waker();
  private readonly since = Date.now();
  private wasOpen = false;
  private seat!: ChannelSeat;

  private constructor(
    readonly kept: KeptChannel,
    private readonly around: ApiSurroundings,
    private readonly own: RenewedSearch,
  ) {}

  /** @throws Locked if another process plays the channel; InputError if its log is damaged. */
  static async open(kept: KeptChannel, around: ApiSurroundings): Promise<ApiChannel> {
    const { context, files, place } = around;
    const channel = new ApiChannel(kept, around, new RenewedSearch(place.lobby, await files.seeker()));
    const transport = place.transportOf(kept.channel, kept.player);
    const policy = {
      choose: (turn: Turn, module: GameModule) => channel.choose(turn, module),
      ask: (question: ChannelQuestion) => channel.answer(question),
    };
    channel.seat = await ChannelSeat.open(context, kept, policy, { transport });
    return channel;
  }

  /** True once the channel is open. */
  get isOpen(): boolean {
    return this.status?.held !== undefined;
  }

  /** Games that are not over. */
  get playing(): ApiGame[] {
    return [...this.games.values()].filter((game) => !game.isDone);
  }

  /** Plays until the channel is closed. */
  async run(): Promise<void> {
    const { signal, challenges } = this.around;
    const options = { signal, also: (stop: AbortSignal) => this.waker.wait(stop) };
    try {
      for (let failures = 0; !signal.aborted; failures++) {
        try {
          await this.seat.until(async (status) => {
            failures = 0;
            return (await this.act(status)) || undefined;
          }, options);
          return;
        } catch (error) {
          if (signal.aborted) return;
          this.report(error);
          // Another program has written to the log: the server no longer signs here.
          if (isKind(error, LogConflict)) return;
          const rest = Math.min(FIRST_RETRY * 2 ** failures, LAST_RETRY);
          await pause(rest, undefined, { signal }).catch(() => undefined);
        }
      }
    } finally {
      this.seat.close();
      if (!signal.aborted) {
        for (const game of this.playing) await this.abort(game);
        for (const id of [this.listed.offer, this.listed.wish, this.awaited?.id]) {
          if (id !== undefined) challenges.remove(id, "the channel is closed");
        }
      }
    }
  }

  /** Consents to an opening that the opponent has proposed. */
  consent(opening: OpenMessage): void {
    this.agreed = opening;
    this.hasMoney = opening.amount1 + opening.amount2 > 0n;
    this.waker.wake();
  }

  /** Proposes the opening of a search. */
  async propose(seek: Seek): Promise<void> {
    const { amount, otherAmount, until } = seek;
    await this.seat.player.propose(amount, otherAmount, until);
    this.hasMoney = amount + otherAmount > 0n;
    this.waker.wake();
  }

  /** Challenges the opponent to a match once the channel is open. */
  challenge(id: string, match: AwaitedMatch): void {
    this.seenRefusal = this.refusal?.expires ?? 0;
    this.awaited = { id, match };
    this.waker.wake();
  }

  /** Gives up a challenge that is played elsewhere. */
  forget(id: string): void {
    if (this.awaited?.id === id) this.awaited = undefined;
  }

  /** Checks that the player can challenge the opponent to a match now. @throws Refusal */
  async check({ wanted }: AwaitedMatch): Promise<void> {
    const { status } = this;
    if (!status?.held) throw new Refusal(409, `The channel with ${this.kept.opponent} is not open yet.`);
    const { held, current, chain } = status;
    const { nonce } = held;
    if (this.awaited || this.playing.length > 0 || (current && isTaken(current, chain))) {
      throw new Refusal(409, `Match ${nonce} with ${this.kept.opponent} is proposed or in play: finish it first.`);
    }
    await this.checkTerms(termsFor(wanted, seatIn(this.kept, nonce)));
  }

  /** Withdraws the player's challenge. @throws Refusal if its offer is signed */
  async cancel(id: string): Promise<void> {
    const game = this.playing.find(({ facts }) => facts.challenge === id);
    const match = game && this.seat.player.match(game.facts.nonce);
    if (match && game.facts.seat === Seat.One) {
      throw new Refusal(409, `Your offer is signed, and stands until ${timeText(BigInt(match.offer.until))}.`);
    }
    if (game) await this.abort(game);
    if (this.awaited?.id !== id) return;
    this.awaited = undefined;
    const held = this.status?.held;
    // A refusal of the match before replaces the wish for this one. It means nothing to the opponent.
    if (held && seatIn(this.kept, held.nonce) === Seat.Two) await this.decline(held.nonce - 1);
  }

  /** Looks through the searches that the player may answer for what the opponent wants, or declines. */
  async consider(seeks: readonly Seek[]): Promise<void> {
    this.seeks = seeks;
    const { kept, around, status } = this;
    const { challenges } = around;
    if (!status?.held) return;
    await this.considerRefusal();
    const wished = wishedMatch(seeks, this.seat, status.held);
    const isNext = wished && !this.gameAt(wished.nonce) && !this.isOffered(wished.nonce, status);
    const wish = isNext ? idOf(hashOf(`${kept.id} ${wished.nonce} ${termsHash(wished.terms)}`)) : undefined;
    this.list("wish", wish);
    if (!isNext || wish === undefined) return;
    challenges.renew(wish, wished.expires);
    if (!challenges.isNews(wish)) return;
    challenges.addIncoming({
      shown: await this.shown(wish, wished.terms, Seat.One, wished.expires),
      accept: () => this.acceptWish(wish, wished),
      decline: () => this.decline(wished.nonce),
    });
  }

  /** Reads a move, and returns once it is signed. @throws Refusal or InputError for a move that is not possible */
  async move(game: ApiGame, args: readonly string[]): Promise<void> {
    const { context, files, acceptsWarnings } = this.around;
    const { module, terms, nonce, seat } = game.facts;
    const turn = game.dueTurn;
    const store = context.keys.secretStoreOf(terms.game, files.player);
    const { id: channelId, channel } = this.kept;
    const swapped = (seat === Seat.One) === (this.kept.player === 2);
    const offered = { chainId: files.at.chainId, channelId, channel, nonce, terms, swapped };
    const move = await readLegalMove(module, turn, args, store, offered);
    const [warning] = acceptsWarnings ? [] : await moveChecksOf(context, module, terms.game, move);
    if (warning !== undefined) throw new Refusal(400, `${warning} Start the server with --yes to play it.`);
    if (game.dueTurn !== turn) throw new Refusal(409, "The game has gone on meanwhile.");
    const signed = game.submit(move);
    this.waker.wake();
    await signed;
  }

  /** Resigns a game, or withdraws from one that is not signed yet. @throws Refusal if it is over, or only offered */
  async resign(game: ApiGame): Promise<void> {
    if (game.isDone) throw new Refusal(409, `The game ${game.facts.id} is ${game.status}.`);
    const match = this.seat.player.match(game.facts.nonce);
    if (!match?.moves.length) {
      if (match && game.facts.seat === Seat.One) {
        throw new Refusal(
          409,
          `Your offer stands until ${timeText(BigInt(match.offer.until))}: nothing is played yet.`,
        );
      }
      const { challenge, nonce } = game.facts;
      await this.abort(game);
      if (challenge !== undefined) this.around.challenges.remove(challenge, null);
      return this.decline(nonce);
    }
    game.isResigning = true;
    await game.publish();
    this.waker.wake();
  }

  /** The opponent's refusal of the next match, if there is one. */
  private get refusal() {
    const { held } = this.status ?? {};
    const wish = held && wishIn(this.seeks, { ...this.kept, held });
    return wish && !wish.terms ? wish : undefined;
  }

  /** Replaces the opponent's challenge of a kind; the earlier one is canceled unless it was answered. */
  private list(kind: "offer" | "wish", id: string | undefined): void {
    const known = this.listed[kind];
    if (known !== undefined && known !== id) this.around.challenges.remove(known, null);
    this.listed[kind] = id;
  }

  /** Returns the game with a number, unless it is over or aborted. */
  private gameAt(nonce: number): ApiGame | undefined {
    const game = this.games.get(nonce);
    return game?.isDone ? undefined : game;
  }

  private isOffered(nonce: number, { chain }: ChannelStatus): boolean {
    const match = this.seat.player.match(nonce);
    return match !== undefined && isTaken(match, chain);
  }

  private async shown(id: string, terms: Terms, seat: bigint, expires: number): Promise<Challenge> {
    const match = await shownTerms(this.around.context, terms, seat);
    const free = match.stake === "0";
    return { id, direction: "in", opponent: this.kept.opponent, match, opens: null, free, expires };
  }

  private async decline(nonce: number): Promise<void> {
    const { place, files } = this.around;
    // A search that was put before would not be put again.
    await declineMatch(this.kept, nonce, new RenewedSearch(place.lobby, await files.seeker()));
  }

  /** Checks terms of the next match. @throws Refusal */
  private async checkTerms(terms: Terms): Promise<void> {
    const { chain } = this.status!;
    await this.seat.player.checkNext(terms, offerEnd(chain)).catch((error: unknown) => {
      throw new Refusal(409, this.around.context.tokens.explain(error));
    });
  }

  private async acceptWish(challenge: string, { nonce, terms }: WishedMatch): Promise<void> {
    if (this.offering) throw new Refusal(409, `Match ${this.offering.nonce} is in play already.`);
    await this.checkTerms(terms);
    await this.offer(nonce, { terms, challenge });
    this.waker.wake();
  }

  /** Starts a game that the player offers. */
  private async offer(nonce: number, { terms, challenge }: Agreed): Promise<void> {
    await this.start(nonce, Seat.One, terms, { challenge });
    this.seenRefusal = this.refusal?.expires ?? 0;
    this.offering = { nonce, terms };
  }

  /** Starts a game. @throws Refusal if another one with this number is in play */
  private async start(
    nonce: number,
    seat: bigint,
    terms: Terms,
    more: { challenge?: string; offer?: Hex } = {},
  ): Promise<ApiGame> {
    const { context, files, onStart } = this.around;
    const { id: channel, opponent } = this.kept;
    const module = context.gameAt(terms.game);
    const store = context.keys.secretStoreOf(terms.game, files.player);
    const match = await shownTerms(context, terms, seat);
    const matchId = channelMatchIdOf(channel, nonce);
    const facts = { id: gameIdOf(channel, nonce), matchId, channel, nonce, opponent, seat, terms, match, module };
    const draw = async (record?: MatchRecord) => ({
      moves: record ? await shownMoves(module, record, context.history) : [],
      board: await shownBoard(module, terms, record, { seat, secretStore: store }, context.history),
    });
    if (this.gameAt(nonce)) throw new Refusal(409, `Match ${nonce} is in play already.`);
    const game = new ApiGame({ ...facts, ...more }, draw, store);
    this.games.set(nonce, game);
    onStart(game);
    return game;
  }

  /** Ends a game that was never signed, or that the opponent has declined. */
  private async abort(game: ApiGame): Promise<void> {
    const { nonce } = game.facts;
    if (this.offering?.nonce === nonce) this.offering = undefined;
    await this.finish(game, { status: "aborted", turn: Seat.None, deadline: null, held: this.held, trouble: null });
  }

  private async choose(turn: Turn, module: GameModule): Promise<{ move: unknown } | undefined> {
    const isMeant = ({ facts }: ApiGame) =>
      turn.record ? facts.matchId === turn.record.matchId : facts.nonce === this.offering?.nonce;
    const game = this.playing.find((each) => isMeant(each) && each.facts.module === module);
    return game?.choose(turn);
  }

  private async answer(question: ChannelQuestion): Promise<boolean | undefined> {
    if (question.type === "close") return true;
    if (question.type === "open") return isAgreed(question, this.agreed) ? true : undefined;
    return this.judge(question.offer);
  }

  /** Returns whether to play the opponent's offer; undefined until the bot has decided. */
  private async judge(offer: OfferMessage): Promise<boolean | undefined> {
    const { challenges } = this.around;
    const { nonce, terms, until } = offer;
    const hash = offerHashOf(offerIn(offer));
    const game = this.games.get(nonce);
    if (game && (!game.isDone || game.facts.offer === hash)) return game.facts.offer === hash && !game.isDone;
    const { awaited, expected } = this;
    if (awaited?.match.takes(offer)) {
      this.awaited = undefined;
      await this.start(nonce, Seat.Two, terms, { challenge: awaited.id, offer: hash });
      challenges.take(awaited.id);
      return true;
    }
    if (expected && termsHash(expected.terms) === termsHash(terms)) {
      this.expected = undefined;
      await this.start(nonce, Seat.Two, terms, { challenge: expected.challenge, offer: hash });
      return true;
    }
    const id = idOf(hash);
    this.list("offer", id);
    if (!challenges.isNews(id)) return undefined;
    const accept = async () => {
      await this.start(nonce, Seat.Two, terms, { challenge: id, offer: hash });
      this.waker.wake();
    };
    const shown = await this.shown(id, terms, Seat.Two, until);
    challenges.addIncoming({ shown, accept, decline: () => this.decline(nonce) });
    return undefined;
  }

  /** Ends a challenge of the player that the opponent has declined. */
  private async considerRefusal(): Promise<void> {
    const { refusal, awaited, status } = this;
    const { challenges } = this.around;
    const { nonce } = status!.held!;
    if (!refusal || refusal.expires <= this.seenRefusal) return;
    this.seenRefusal = refusal.expires;
    if (awaited) {
      this.awaited = undefined;
      challenges.removeDeclined(awaited.id);
    }
    const game = this.gameAt(nonce);
    if (game?.status !== "created" || game.facts.seat !== Seat.One || !this.seat.player.match(nonce)) return;
    if (game.facts.challenge !== undefined) challenges.removeDeclined(game.facts.challenge);
    await this.abort(game);
  }

  /** Does what the bot has decided, after a step. @returns true once the channel is closed */
  private async act(status: ChannelStatus): Promise<boolean> {
    this.status = status;
    const { held, chain, current } = status;
    this.wasOpen ||= held !== undefined;
    if (held) await this.proposeNext(status, held).catch((error: unknown) => this.report(error));
    await this.resignOnChain(status);
    for (const game of this.playing) await this.refresh(game, status);
    const numbers = [...(current ? [current.nonce] : []), ...chain.matches.map(({ nonce }) => nonce)];
    for (const nonce of numbers) await this.adopt(nonce, status);
    const isOffer = current && current.moves.length === 0 && current.offer.until >= chain.time;
    if (!isOffer || idOf(current.offerHash) !== this.listed.offer) this.list("offer", undefined);
    if (held) for (const nonce of this.games.keys()) if (nonce < held.nonce) this.games.delete(nonce);
    return this.isDone(status);
  }

  private isDone({ held, chain, consents }: ChannelStatus): boolean {
    if (held || chain.matches.length > 0) return false;
    if (this.wasOpen) return true;
    // The opponent can lock the player's money as long as the player's consent is valid.
    const isAwaited = this.hasMoney && consents.includes(this.kept.player);
    return !isAwaited && Date.now() - this.since > NEVER_CAME;
  }

  /** Offers the next match, or asks the opponent to offer it, if the bot wants to play one. */
  private async proposeNext(status: ChannelStatus, held: Held): Promise<void> {
    const { kept, seat, awaited } = this;
    const { chain, current } = status;
    if (current && isTaken(current, chain)) {
      const isOther = awaited && !awaited.match.isFor(current.offer.terms, seatIn(kept, current.nonce));
      if (!isOther || current.moves.length === 0) return;
      this.awaited = undefined;
      return this.around.challenges.remove(awaited.id, `match ${current.nonce} is another one`);
    }
    if (awaited && !this.offering && seatIn(kept, held.nonce) === Seat.One) {
      this.awaited = undefined;
      await this.offer(held.nonce, { terms: termsFor(awaited.match.wanted, Seat.One), challenge: awaited.id });
    }
    if (this.offering?.nonce === held.nonce) {
      const isSigned = await seat.player.offer(this.offering.terms, offerEnd(chain));
      if (isSigned) this.offering = undefined;
    } else if (this.awaited) await this.awaited.match.propose(seat, status, held, this.own);
  }

  /** Resigns on chain the matches that the player has given up. */
  private async resignOnChain({ chain }: ChannelStatus): Promise<void> {
    const { context } = this.around;
    for (const game of this.playing.filter(({ isResigning }) => isResigning)) {
      const { nonce, matchId, seat } = game.facts;
      const there = chain.matches.find((match) => match.nonce === nonce);
      if (!there || there.isOver || chain.time > there.deadline || (there.posted && there.turn !== seat)) continue;
      const data = Arena__factory.createInterface().encodeFunctionData("resign", [matchId]);
      const call = { to: context.addresses.Arena, data, what: `resigns match ${nonce}` };
      await sendCall(context, call).catch((error: unknown) => this.report(error));
      this.waker.wake();
    }
  }

  /** Amounts that both players hold. */
  private get held(): Progress["held"] {
    const { held } = this.status ?? {};
    if (!held) return null;
    const { own, other } = ownFirst(this.kept.player, held);
    return { own: String(own), other: String(other) };
  }

  /** Updates a game after a step. */
  private async refresh(game: ApiGame, status: ChannelStatus): Promise<void> {
    const { nonce, offer, challenge, seat } = game.facts;
    const { chain, troubles, answerBy } = status;
    const match = this.matchOf(game, status);
    const there = chain.matches.find((each) => each.nonce === nonce);
    const trouble = troubles.length === 0 ? null : this.around.context.tokens.explain(troubles.at(-1));
    const progress = { deadline: null, held: this.held, trouble };
    if (there) {
      const record = await this.recordOnChain(game, match);
      const { turn, deadline } = there;
      return game.update({ ...progress, status: "arena", record, turn, deadline });
    }
    const isPast = status.held ? status.held.nonce > nonce : true;
    const record = match?.record();
    if (match && isPast && (match.isFinal || match.moves.length > 0)) {
      // A node may not have the last events yet: the next step reads them again.
      const outcome = await outcomeOf(this.around.context, this.kept, match).catch(() => undefined);
      if (!outcome) return;
      const shown = match.isFinal ? record : await this.recordOnChain(game, match);
      return this.finish(game, { ...progress, status: "over", record: shown, turn: Seat.None }, outcome);
    }
    const isLapsed = match ? match.offer.until < chain.time : isPast || offer !== undefined;
    if (isLapsed) {
      if (challenge !== undefined) this.around.challenges.remove(challenge, "the offer was not answered in time");
      return this.abort(game);
    }
    const hasStarted = match !== undefined && match.moves.length > 0;
    if (hasStarted && challenge !== undefined) this.around.challenges.take(challenge);
    const turn = match ? match.state.turn : Seat.One;
    const deadline = turn === seat ? null : (answerBy ?? null);
    await game.update({ ...progress, status: hasStarted ? "started" : "created", record, turn, deadline });
  }

  /** Returns the match of a game; undefined before its offer. */
  private matchOf({ facts: { nonce, offer } }: ApiGame, status: ChannelStatus): BookMatch | undefined {
    const match = this.seat.player.match(nonce);
    if (offer !== undefined) return match?.offerHash === offer ? match : undefined;
    // An earlier offer with this number may have lapsed.
    return this.offering?.nonce === nonce && !this.isOffered(nonce, status) ? undefined : match;
  }

  /** Reads the record of a match that is, or was, in the arena; that of its messages if the node does not have it yet. */
  private async recordOnChain({ facts }: ApiGame, match?: BookMatch): Promise<MatchRecord | undefined> {
    const { context } = this.around;
    const onChain = await context
      .view(facts.matchId)
      .then((view) => context.record(view))
      .catch(() => undefined);
    return onChain?.joinData === undefined ? match?.record() : onChain;
  }

  private async finish(game: ApiGame, progress: Progress, outcome?: Parameters<ApiGame["end"]>[1]): Promise<void> {
    await game.end(progress, outcome);
    if (outcome && game.facts.challenge !== undefined) this.around.challenges.take(game.facts.challenge);
    this.around.onEnd(game);
  }

  /** Starts a game that the server does not know, for example after a restart. */
  private async adopt(nonce: number, { chain }: ChannelStatus): Promise<void> {
    const match = this.seat.player.match(nonce);
    if (!match || this.gameAt(nonce)) return;
    const seat = seatIn(this.kept, nonce);
    const isOffered = seat === Seat.One && match.moves.length === 0 && !this.games.has(nonce);
    const isPlayed = match.moves.length > 0 && !match.isFinal;
    const isInTime = match.offer.until >= chain.time || chain.matches.some((each) => each.nonce === nonce);
    if (!isInTime || !(isPlayed || isOffered)) return;
    const offer = seat === Seat.Two ? match.offerHash : undefined;
    await this.start(nonce, seat, match.offer.terms, { offer });
    this.waker.wake();
  }

  private report(error: unknown): void {
    this.seat.report(this.around.context.tokens.explain(error));
  }
}
