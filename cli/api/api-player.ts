import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { hexlify, id as hashOf, ZeroAddress } from "ethers";
import { nextTime } from "../../sdk/chain/time.js";
import { modeHash } from "../../sdk/games/modes.js";
import type { GameModule } from "../../sdk/games/module.js";
import { Meeting, type Found, type MeetingPlace } from "../../sdk/player/channels/meeting.js";
import { CHANNEL_LIMITS } from "../../sdk/player/channels/player.js";
import { RelayTrouble } from "../../sdk/player/channels/relay-client.js";
import { readAddress } from "../../sdk/protocol/arguments.js";
import { locksTooLong, type Search, type Seek } from "../../sdk/protocol/channels/seek.js";
import { plainText } from "../../sdk/protocol/channels/wire.js";
import { isKind } from "../../sdk/protocol/error-kind.js";
import { InputError } from "../../sdk/protocol/input.js";
import { Seat } from "../../sdk/protocol/status.js";
import { COIN } from "../../sdk/protocol/terms.js";
import { ChannelFiles, type KeptChannel } from "../shared/channels/files.js";
import { AwaitedMatch, termsFor } from "../shared/channels/next-match.js";
import { fillPurse, keepFound, ownChannels } from "../shared/channels/opening.js";
import { placeOf } from "../shared/channels/relays.js";
import type { CommandContext } from "../shared/command/context.js";
import { log } from "../shared/command/output.js";
import { ApiChannel, type ApiSurroundings } from "./channel.js";
import { ChallengeList } from "./challenges.js";
import { readChallengeRequest, wantedChallenge, type WantedChallenge } from "./challenge-request.js";
import { Feed, type FeedReader } from "./feed.js";
import type { ApiGame } from "./game.js";
import { Refusal } from "./refusal.js";
import { idOf, shownTerms } from "./shown.js";
import type { Account, ApiEvent, Challenge, Challenges, GameLine, Opening, PlayableGame, Playing } from "./wire.js";

/** Default milliseconds between reads of the lobby. */
const LOOK = 1000;

/** Maximum number of channels in which the player plays at once. */
const MAX_CHANNELS = 64;

/** Number of finished games that can still be read. */
const MAX_FINISHED = 64;

/** Options of an API player. */
export interface ApiPlayerOptions {
  /** True if the player accepts warnings about its moves. */
  acceptsWarnings?: boolean;
  /** Where players meet; defaults to the relays of the command. */
  place?: MeetingPlace;
  /** Milliseconds between reads of the lobby. */
  look?: number;
}

/** The player whom the API serves: plays in all its channels, and decides nothing that is up to the bot. */
export class ApiPlayer {
  private readonly events = new Feed<ApiEvent>();
  private readonly challenges = new ChallengeList(this.events);
  private readonly channels = new Map<string, ApiChannel>();
  private readonly finished = new Map<string, ApiGame>();
  private readonly running = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private readonly around: ApiSurroundings;
  /** Problem with the lobby that was logged last. */
  private trouble?: string;

  private constructor(
    private readonly context: CommandContext,
    private readonly files: ChannelFiles,
    private readonly place: MeetingPlace,
    acceptsWarnings: boolean,
    private readonly look: number,
  ) {
    const { challenges } = this;
    const { signal } = this.stopping;
    this.around = {
      ...{ context, files, place, challenges, signal, acceptsWarnings },
      onStart: (game) => this.events.publish({ type: "gameStart", game: game.info() }),
      onEnd: (game) => this.onEnd(game),
    };
  }

  /** Takes the player's seats in all its channels, and starts to look at the lobby. @throws InputError without a relay */
  static async start(
    context: CommandContext,
    { acceptsWarnings = false, place, look = LOOK }: ApiPlayerOptions = {},
  ): Promise<ApiPlayer> {
    const files = await ChannelFiles.of(context, await context.address());
    const player = new ApiPlayer(context, files, place ?? placeOf(context, files.at), acceptsWarnings, look);
    try {
      await player.openAll();
    } catch (error) {
      await player.stop();
      throw error;
    }
    player.keep(player.watchLobby());
    return player;
  }

  /** Address of the player. */
  get address(): string {
    return this.files.player;
  }

  /** Stops, once nothing is being sent. */
  async stop(): Promise<void> {
    const games = this.games();
    this.stopping.abort();
    await Promise.all(this.running);
    this.place.close();
    this.events.end();
    for (const game of games) game.feed.end();
  }

  /** Describes the player, its purse, and the games that it can play. */
  async account(): Promise<Account> {
    const { context, files } = this;
    const { addresses, chainId, arena } = context;
    const tokens = new Set([
      ...this.knownTokens(),
      ...[...this.channels.values()].map(({ kept }) => kept.channel.token),
    ]);
    const purse = [...tokens].map(async (token) => {
      const { symbol, decimals } = await context.tokens.at(token);
      return { token, symbol, decimals, amount: String(await arena.purseOf(this.address, token)) };
    });
    return {
      id: this.address,
      chain: { id: chainId, arena: addresses.Arena, channels: files.at.channels },
      purse: await Promise.all(purse),
      games: context.games.flatMap(playableGame),
    };
  }

  /** Lists the games in play. */
  playing(): Playing {
    return { nowPlaying: this.games().map((game) => game.info()) };
  }

  /** Lists the open challenges. */
  openChallenges(): Challenges {
    return this.challenges.list();
  }

  /** Reads events: first all open challenges and all games in play. */
  readEvents(): FeedReader<ApiEvent> {
    const { in: incoming, out } = this.challenges.list();
    const challenges = [...incoming, ...out].map((challenge) => ({ type: "challenge", challenge }) as const);
    const games = this.games().map((game) => ({ type: "gameStart", game: game.info() }) as const);
    return this.events.open([...challenges, ...games]);
  }

  /** Reads the states of a game. @throws Refusal if there is no such game */
  async readGame(id: string): Promise<FeedReader<GameLine>> {
    const game = this.games().find(({ facts }) => facts.id === id) ?? this.finished.get(id);
    if (!game) throw noGame(id);
    return game.read();
  }

  /** Challenges a player. @throws Refusal or InputError if the match cannot be played */
  async challenge(address: string, body: unknown): Promise<Challenge> {
    const opponent = readAddress(address, "address");
    if (opponent === this.address) throw new InputError("address", "it is yours: name the other player");
    const request = readChallengeRequest(body, "");
    const { address: token } = await this.context.tokens.read(request.token);
    const channel = this.channelWith(opponent, token);
    if (!channel) return this.seekChannel(request, opponent);
    const { feeBps } = channel.kept.channel;
    const { wanted } = await wantedChallenge(this.context, request, opponent, feeBps);
    const match = new AwaitedMatch(wanted);
    await channel.check(match);
    const shown = await this.shownOwn(opponent, wanted, null);
    this.challenges.addOutgoing({ shown, cancel: () => channel.cancel(shown.id) });
    channel.challenge(shown.id, match);
    return shown;
  }

  /** Challenges anybody in the lobby. @throws Refusal or InputError if the match cannot be played */
  async seek(body: unknown): Promise<Challenge> {
    return this.seekChannel(readChallengeRequest(body, ""), undefined);
  }

  async accept(id: string): Promise<void> {
    await this.challenges.accept(id);
  }

  async decline(id: string): Promise<void> {
    await this.challenges.decline(id);
  }

  async cancel(id: string): Promise<void> {
    await this.challenges.cancel(id);
  }

  /** Makes a move; returns once it is signed. @throws Refusal or InputError if it is not possible */
  async move(id: string, args: readonly string[]): Promise<void> {
    const { game, channel } = this.found(id);
    await channel.move(game, args);
  }

  /** Resigns a game. @throws Refusal if that is not possible */
  async resign(id: string): Promise<void> {
    const { game, channel } = this.found(id);
    await channel.resign(game);
  }

  /** Refuses to offer, accept or decline a draw. @throws Refusal */
  draw(id: string): never {
    this.found(id);
    throw new Refusal(409, "Channels have no draw by agreement: play on, or resign.");
  }

  private games(): ApiGame[] {
    return [...this.channels.values()].flatMap((channel) => channel.playing);
  }

  private found(id: string): { game: ApiGame; channel: ApiChannel } {
    for (const channel of this.channels.values()) {
      const game = channel.playing.find(({ facts }) => facts.id === id);
      if (game) return { game, channel };
    }
    const ended = this.finished.get(id);
    throw ended ? new Refusal(409, `The game ${id} is ${ended.status}.`) : noGame(id);
  }

  private onEnd(game: ApiGame): void {
    const { id } = game.facts;
    this.finished.delete(id);
    this.finished.set(id, game);
    if (this.finished.size > MAX_FINISHED) this.finished.delete(this.finished.keys().next().value!);
    this.events.publish({ type: "gameFinish", game: game.info() });
  }

  private knownTokens(): string[] {
    const { FightToken } = this.context.addresses;
    return [COIN, ...(FightToken === undefined ? [] : [FightToken])];
  }

  private channelWith(opponent: string, token: string): ApiChannel | undefined {
    return [...this.channels.values()].find(({ kept, isOpen }) => {
      return isOpen && kept.opponent === opponent && kept.channel.token === token;
    });
  }

  /** Runs something until the server stops; a failure is logged. */
  private keep(work: Promise<void>): void {
    const running = work
      .catch((error: unknown) => {
        if (!this.stopping.signal.aborted) log(this.context.tokens.explain(error));
      })
      .finally(() => this.running.delete(running));
    this.running.add(running);
  }

  private async openAll(): Promise<void> {
    for (const { kept, opening } of await ownChannels(this.context, this.files)) {
      const channel = await this.sitDown(kept);
      if (opening) channel.consent(opening);
    }
  }

  /** Takes the player's seat in a channel, and plays there. @throws Refusal if there are too many channels */
  private async sitDown(kept: KeptChannel): Promise<ApiChannel> {
    const known = this.channels.get(kept.id);
    if (known) return known;
    if (this.channels.size >= MAX_CHANNELS) throw new Refusal(409, `You play in ${MAX_CHANNELS} channels, the most.`);
    const channel = await ApiChannel.open(kept, this.around);
    this.channels.set(kept.id, channel);
    this.keep(channel.run().finally(() => this.channels.delete(kept.id)));
    return channel;
  }

  /** Agrees to open the channel of an answer or a search, and takes the player's seat in it. */
  private async agree(found: Found, amount: bigint): Promise<ApiChannel> {
    const kept = await keepFound(this.context, this.files, found);
    await fillPurse(this.context, { token: kept.channel.token, amount, opponent: kept.opponent });
    const channel = await this.sitDown(kept);
    if ("proposed" in found) channel.consent(found.proposed.opening);
    else await channel.propose(found.sought);
    return channel;
  }

  private async watchLobby(): Promise<void> {
    const { signal } = this.stopping;
    for (; !signal.aborted; await pause(this.look, undefined, { signal }).catch(() => undefined)) {
      try {
        const seeks = await this.place.lobby.seeks(this.address);
        for (const channel of this.channels.values()) await channel.consider(seeks);
        await this.considerOpenings(seeks);
        this.trouble = undefined;
      } catch (error) {
        this.reportLobby(error);
      }
    }
  }

  private reportLobby(error: unknown): void {
    const text = this.context.tokens.explain(error);
    if (text !== this.trouble && !this.stopping.signal.aborted) log(text);
    this.trouble = text;
  }

  /** Lists the searches of players who want to open a channel with the player. */
  private async considerOpenings(seeks: readonly Seek[]): Promise<void> {
    const { challenges, context } = this;
    const meant = seeks.filter((seek) => seek.opponent === this.address && this.isPlayable(seek));
    const found = new Map(meant.map((seek) => [openingIdOf(seek), seek]));
    const gone = challenges.incomingIf(({ id, opens }) => opens !== null && !found.has(id));
    for (const { id } of gone) challenges.remove(id, null);
    for (const [id, { expires }] of found) challenges.renew(id, expires);
    const news = [...found].filter(([id]) => challenges.isNews(id));
    if (news.length === 0 || challenges.isFull) return;
    const [fee, time] = await Promise.all([context.arena.feeBps(), nextTime(context.provider)]);
    for (const [id, seek] of news) {
      const isInTime = !locksTooLong(seek, time) && seek.until >= time + 2 * CHANNEL_LIMITS.margin;
      if (seek.feeBps !== fee || !isInTime || challenges.isFull) continue;
      const shown = await this.shownOpening(id, seek);
      challenges.addIncoming({ shown, accept: () => this.answer(id, seek), decline: async () => undefined });
    }
  }

  /** Returns whether a search is for a new channel in a known token, whose match the player could play. */
  private isPlayable({ player, match, token, terms, feeBps }: Seek): boolean {
    if (match !== undefined || !this.knownTokens().includes(token) || this.channelWith(player, token)) return false;
    if (!terms) return true;
    const isKnown = this.context.findGame(terms.game)?.channels !== undefined;
    return isKnown && terms.token === token && terms.feeBps === feeBps;
  }

  /** Answers a search. @throws Refusal if there are too many channels, and as the lobby does */
  private async answer(id: string, seek: Seek): Promise<void> {
    const channel = await this.agree({ sought: seek }, seek.otherAmount).catch((error: unknown) => {
      throw error instanceof Refusal ? error : new Refusal(409, this.context.tokens.explain(error), { cause: error });
    });
    if (seek.terms) channel.expected = { terms: seek.terms, challenge: id };
  }

  private async shownOpening(id: string, seek: Seek): Promise<Challenge> {
    const { player: opponent, terms, token, amount, otherAmount, until, expires } = seek;
    const match = terms ? await shownTerms(this.context, terms, Seat.Two) : null;
    const opens = await this.openingOf({ token, amount: otherAmount, otherAmount: amount, until });
    const free = otherAmount === 0n && (match === null || match.stake === "0");
    return { id, direction: "in", opponent, match, opens, free, expires };
  }

  private async openingOf({
    token,
    amount,
    otherAmount,
    until,
  }: Pick<Search, "token" | "amount" | "otherAmount" | "until">): Promise<Opening> {
    const { symbol } = await this.context.tokens.at(token);
    return { token, symbol, amount: String(amount), opponentAmount: String(otherAmount), until };
  }

  /** Describes a new challenge of the player. */
  private async shownOwn(
    opponent: string | null,
    wanted: AwaitedMatch["wanted"],
    opens: Opening | null,
  ): Promise<Challenge> {
    const match = await shownTerms(this.context, termsFor(wanted, Seat.One), Seat.One);
    const free = match.stake === "0" && (opens === null || opens.amount === "0");
    return { id: idOf(hexlify(randomBytes(32))), direction: "out", opponent, match, opens, free, expires: null };
  }

  /** Searches for an opponent to open a channel with, in the background. */
  private async seekChannel(
    request: ReturnType<typeof readChallengeRequest>,
    opponent: string | undefined,
  ): Promise<Challenge> {
    const { context, challenges } = this;
    const feeBps = await context.arena.feeBps();
    const challenge = await wantedChallenge(context, request, opponent, feeBps);
    const { wanted, lock: amount, opponentLock: otherAmount, life } = challenge;
    const { token } = wanted.terms;
    const until = (await nextTime(context.provider)) + life;
    const terms = termsFor(wanted, Seat.One);
    const search = { opponent: opponent ?? ZeroAddress, token, feeBps, amount, otherAmount, until, terms };
    const isSought = challenges.list().out.some((each) => each.opens && each.opponent === (opponent ?? null));
    if (isSought)
      throw new Refusal(409, `You search for ${opponent ?? "anybody"} already: cancel that challenge first.`);
    const stop = new AbortController();
    const shown = await this.shownOwn(opponent ?? null, wanted, await this.openingOf(search));
    challenges.addOutgoing({ shown, cancel: async () => stop.abort() });
    this.keep(this.meet(shown.id, search, challenge, AbortSignal.any([this.stopping.signal, stop.signal])));
    return shown;
  }

  /** Searches until a channel is open, which then plays the match, or the signal aborts. */
  private async meet(id: string, search: Search, { wanted }: WantedChallenge, signal: AbortSignal): Promise<void> {
    const { context, place, files } = this;
    const meeting = new Meeting(place, await files.seeker(), context.provider, search);
    const met: ApiChannel[] = [];
    for (; !signal.aborted; await pause(this.look, undefined, { signal }).catch(() => undefined)) {
      const open = met.find((channel) => channel.isOpen);
      if (open) return met.forEach((channel) => channel !== open && channel.forget(id));
      try {
        const found = await meeting.look(met.map(({ kept }) => kept.channel));
        if (!found) continue;
        const channel = await this.agree(found, search.amount);
        channel.challenge(id, new AwaitedMatch(wanted));
        met.push(channel);
      } catch (error) {
        if (!isKind(error, RelayTrouble)) return this.challenges.remove(id, context.tokens.explain(error));
        this.reportLobby(error);
      }
    }
    for (const channel of met) channel.forget(id);
  }
}

/** Returns the id of a search for a channel, which stays the same if the search is renewed. */
function openingIdOf({ expires: _, signature: _signature, ...lasting }: Seek): string {
  return idOf(hashOf(plainText(lasting)));
}

function noGame(id: string): Refusal {
  return new Refusal(404, `There is no game ${JSON.stringify(id.slice(0, 100))}.`);
}

/** Describes a game that can be played in channels; empty for any other. */
function playableGame({ name, title, summary, moves, channels, modes }: GameModule): PlayableGame[] {
  if (!channels) return [];
  const isPlayable = (content: string, rated: boolean) => channels.problem?.(content, rated) === undefined;
  const playable = Object.entries(modes).filter(([, { content }]) => isPlayable(content, false));
  const shown = playable.map(
    ([
      mode,
      {
        content,
        odds: [one, two],
        weakness = null,
      },
    ]) => {
      const odds: [string, string] = [String(one), String(two)];
      return {
        name: mode,
        mode: modeHash(content),
        odds,
        rated: isPlayable(content, true),
        weakness: weakness ?? null,
      };
    },
  );
  return [{ name, title, summary: summary ?? null, usage: [...moves.usage], modes: shown }];
}
