import { hexlify, randomBytes, SigningKey } from "ethers";
import { nextTime } from "../../sdk/chain/time.js";
import type { History } from "../../sdk/chain/history.js";
import { machineClock, type Clock } from "../../sdk/chain/waiting.js";
import { strategyOf } from "../../sdk/games/assessment.js";
import type { GameModule } from "../../sdk/games/module.js";
import type { SecretStore } from "../../sdk/games/moves.js";
import { ChannelChain, type Held } from "../../sdk/player/channels/chain.js";
import { RenewedSearch } from "../../sdk/player/channels/lobby.js";
import { MemoryChannelLog } from "../../sdk/player/channels/log.js";
import { Meeting, type Found, type MeetingPlace } from "../../sdk/player/channels/meeting.js";
import { ChannelPlayer, offererOf, type ChannelPorts, type ChannelStatus } from "../../sdk/player/channels/player.js";
import { wishIn, wishOf } from "../../sdk/player/channels/wishes.js";
import { MemorySecretStore } from "../../sdk/player/memory-secret-store.js";
import { channelIdOf, type Channel, type ChannelsAt } from "../../sdk/protocol/channels/messages.js";
import type { Search } from "../../sdk/protocol/channels/seek.js";
import {
  channelMessageText,
  signedWith,
  type ChannelPlayerNumber,
  type OfferMessage,
} from "../../sdk/protocol/channels/wire.js";
import { termsHash, type Terms } from "../../sdk/protocol/terms.js";
import { channelIn, isAgreed } from "../shared/channels/opening.js";
import { TappedTransport, type Fault } from "./tapped-transport.js";
import { Witness, type WitnessOptions } from "./witness.js";

/** Milliseconds between looks at the lobby and at the channel. */
const LOOK = 300;

/** Days for which the channel would last. */
const DAYS = 30;

/** Seconds until an offer of the kit must be answered, and its match ended. */
const OFFER_SECONDS = 6 * 3600;

/** Options of an examiner. */
export interface ExaminerOptions {
  at: ChannelsAt;
  arena: string;
  history: History;
  moduleAt(game: string): GameModule | undefined;
  /** Address of the kit's player, whose wallet signs with `signOpen`. */
  player: string;
  signOpen: ChannelPorts["signOpen"];
  /** Sends a transaction; without it the kit sends none. */
  send?: ChannelPorts["send"];
  /** Address of the bot's player. */
  opponent: string;
  token: string;
  feeBps: bigint;
  place: MeetingPlace;
  /** Milliseconds within which the bot must move. */
  patience: number;
  /** Milliseconds within which the bot must open the channel. */
  openingPatience: number;
  onBreach: WitnessOptions["onBreach"];
  clock?: Clock;
}

/** Thrown if the bot does not send what it owes. */
export class Silent extends Error {
  override readonly name = "Silent";
}

/** Thrown if the bot declines a match in the lobby. */
export class Declined extends Error {
  override readonly name = "Declined";
}

/** Player that examines a bot in a channel without money. It plays honestly, except for the faults that it plants. */
export class Examiner {
  /** Longest time in milliseconds from a message of the kit to the bot's next message. */
  slowest = 0;
  channel!: Channel;
  player!: ChannelPlayer;
  witness!: Witness;
  private number!: ChannelPlayerNumber;
  private way!: TappedTransport;
  private readonly key = new SigningKey(hexlify(randomBytes(32)));
  private readonly clock: Clock;
  private readonly secrets = new Map<string, SecretStore>();
  private readonly own: RenewedSearch;
  /** Terms of the only offer that the kit answers. */
  private wanted?: Terms;
  /** End of the newest refusal that the kit has read in the lobby. */
  private declined = 0;
  private told = 0;

  constructor(readonly options: ExaminerOptions) {
    this.clock = options.clock ?? machineClock;
    this.own = new RenewedSearch(options.place.lobby, this.seeker, options.clock);
  }

  /** Opens a channel with the bot. @throws Silent if the bot does not agree in time */
  async meet(): Promise<void> {
    const { options } = this;
    const { opponent, token, feeBps, place, history } = options;
    const until = (await nextTime(history.provider)) + DAYS * 86_400;
    const search: Search = { opponent, token, feeBps, amount: 0n, otherAmount: 0n, until };
    const meeting = new Meeting(place, this.seeker, history.provider, search, options.clock);
    const awaited = () => {
      const others = meeting.unfit ? ": it searches for you with money or a later end" : "";
      return `its consent to a channel in which nobody locks anything${others}`;
    };
    const found = await this.until(awaited, () => meeting.look(), options.openingPatience);
    await this.sit(found);
    await this.until(awaited, async () => (await this.step()).held, options.openingPatience);
  }

  /**
   * Plays a match to its end, and waits for the bot's balance after it.
   * @param fault Fault in place of the kit's first move after the offer.
   * @throws Silent if the bot stops; Declined if it refuses the match in the lobby
   */
  async play(terms: Terms, fault?: Fault): Promise<void> {
    const { nonce } = await this.held();
    [this.wanted, this.way.fault] = [terms, fault];
    let status = await this.step();
    if (this.offers(nonce)) await this.player.offer(terms, status.chain.time + OFFER_SECONDS);
    const awaited = () => this.owed(nonce);
    await this.until(awaited, async () => {
      status = await this.step();
      if (status.held!.nonce > nonce) return true;
      if (this.player.match(nonce)?.moves.length) return undefined;
      if (!this.offers(nonce)) await this.wish(terms, status.held!);
      await this.checkDeclined(status.held!);
      return undefined;
    });
  }

  /** Waits until the bot has signed the balance after the last match. @throws Silent */
  async awaitBalance(): Promise<void> {
    const { nonce } = await this.held();
    await this.until(
      () => `its signature under the balance after match ${nonce - 1}`,
      async () => {
        await this.step();
        return this.witness.hasBalance(nonce) || undefined;
      },
    );
  }

  /** Asks the bot for a match that nobody can play, and returns after a while. */
  async wishFor(terms: Terms, milliseconds: number): Promise<void> {
    await this.wish(terms, await this.held());
    await this.stepFor(milliseconds);
    await this.checkDeclined(await this.held()).catch(() => undefined);
  }

  /**
   * Offers a match that has ended before it begins, and that the bot cannot pay. Its end lets the kit offer another one.
   * @returns whether the bot has answered after a while.
   */
  async offerExpired(terms: Terms, milliseconds: number): Promise<boolean> {
    const { at } = this.options;
    const { nonce } = await this.held();
    const swapped = this.number === 2;
    const unsigned = { nonce, terms, swapped, until: 1, position: `0x${"00".repeat(32)}`, data: "0x00" } as const;
    const offer = signedWith<OfferMessage>(this.key, at, {
      type: "offer",
      channel: channelIdOf(this.channel),
      ...unsigned,
    });
    await this.way.put(channelMessageText(offer));
    await this.stepFor(milliseconds);
    return (this.witness.book.matches.get(nonce)?.moves.length ?? 0) > 0;
  }

  /** Returns whether the kit offers a match, and so has seat One. */
  offers(nonce: number): boolean {
    return offererOf(nonce) === this.number;
  }

  /** Returns the amounts after all matches, with the number of the next match. */
  async held(): Promise<Held> {
    return (await this.step()).held!;
  }

  /** Does everything that is due. */
  async step(): Promise<ChannelStatus> {
    const status = await this.player.step();
    const { open, finalTime } = status.chain;
    const [consent] = this.witness.book.opening ?? [];
    [this.witness.from, this.witness.time] = [open ?? consent, finalTime];
    return status;
  }

  /**
   * Repeats a check until it succeeds.
   * @param awaited Returns what the bot owes.
   * @throws Silent if the bot sends nothing new for the time that it has
   */
  async until<T>(
    awaited: () => string,
    check: () => Promise<T | undefined>,
    patience = this.options.patience,
  ): Promise<T> {
    for (const start = this.clock.now(); ;) {
      const found = await check();
      if (found !== undefined) return found;
      const since = Math.max(start, this.told, this.way?.sentAt ?? 0);
      if (this.clock.now() - since > patience) {
        throw new Silent(`it has not sent ${awaited()} within ${patience / 1000} s`);
      }
      if (this.player) await this.player.news({ waitMs: LOOK });
      else await this.clock.pause(LOOK);
    }
  }

  private async stepFor(milliseconds: number): Promise<void> {
    for (const end = this.clock.now() + milliseconds; this.clock.now() < end;) {
      await this.step();
      await this.clock.pause(Math.min(LOOK, milliseconds));
    }
  }

  private get seeker() {
    const { at, player } = this.options;
    return { at, player, key: this.key };
  }

  private async sit(found: Found): Promise<void> {
    const { options, key } = this;
    const { at, place, history, moduleAt, player, signOpen, send, arena } = options;
    const proposed = "proposed" in found ? found.proposed : undefined;
    this.channel = channelIn(found, player, key);
    const { channel } = this;
    this.number = proposed ? 1 : 2;
    const bot = this.number === 1 ? 2 : 1;
    this.witness = new Witness({ at, channel, moduleAt, history, bot, onBreach: options.onBreach });
    this.way = new TappedTransport(place.transportOf(channel, this.number), (line) => this.hear(line), this.clock);
    this.player = await ChannelPlayer.open({
      at,
      channel,
      player: this.number,
      key,
      chain: new ChannelChain(history.provider, { arena, channels: at.channels }, channelIdOf(channel)),
      history,
      moduleAt,
      ports: {
        choose: async (turn, { moves }) => ({ move: await strategyOf({ moves })(turn, this.secretsOf(turn.game)) }),
        secrets: (game) => this.secretsOf(game),
        ask: async (question) => {
          if (question.type === "open") return isAgreed(question, proposed?.opening);
          return question.type === "offer" && this.isWanted(question.offer.terms) ? true : undefined;
        },
        signOpen,
        send,
        log: new MemoryChannelLog(),
        transport: this.way,
      },
    });
    if ("sought" in found) {
      const { amount, otherAmount, until } = found.sought;
      await this.player.propose(amount, otherAmount, until);
    }
  }

  private async hear(line: string): Promise<void> {
    const { heard } = this.witness;
    await this.witness.hear(line);
    if (this.witness.heard === heard) return;
    this.told = this.clock.now();
    this.slowest = Math.max(this.slowest, this.told - this.way.sentAt);
  }

  private isWanted(terms: Terms): boolean {
    return this.wanted !== undefined && termsHash(terms) === termsHash(this.wanted);
  }

  private secretsOf(game: string): SecretStore {
    const { at, player } = this.options;
    const known = this.secrets.get(game) ?? new MemorySecretStore({ chainId: at.chainId, game, player });
    this.secrets.set(game, known);
    return known;
  }

  private async wish(terms: Terms, held: Held): Promise<void> {
    await this.own.put(wishOf({ channel: this.channel, player: this.number, held }, terms));
  }

  /** @throws Declined if the bot has declined the next match since the last check */
  private async checkDeclined(held: Held): Promise<void> {
    const seeks = await this.options.place.lobby.seeks(this.options.player);
    const wish = wishIn(seeks, { channel: this.channel, player: this.number, held });
    if (!wish || wish.terms || wish.expires <= this.declined) return;
    this.declined = wish.expires;
    throw new Declined("it declines the match in the lobby");
  }

  /** Returns what the bot owes in a match. */
  private owed(nonce: number): string {
    const match = this.player.match(nonce);
    if (!match) return `its offer of match ${nonce}`;
    if (match.moves.length === 0) return `its answer to the offer of match ${nonce}`;
    return `message ${match.moves.length + 1} of match ${nonce}`;
  }
}
