import { computeAddress, hexlify, SigningKey, ZeroAddress } from "ethers";
import { Channels__factory } from "../../typechain-types/index.js";
import { channelsOf } from "../../sdk/chain/channels.js";
import type { GameModule } from "../../sdk/games/module.js";
import { demoOf, modeHash } from "../../sdk/games/modes.js";
import type { Held } from "../../sdk/player/channels/chain.js";
import { RelayLobby } from "../../sdk/player/channels/lobby.js";
import { isTaken, offererOf, type ChannelStatus } from "../../sdk/player/channels/player.js";
import { channelIdOf, offerHashOf, type Channel, type ChannelsAt } from "../../sdk/protocol/channels/messages.js";
import { channelOf, signedSeek } from "../../sdk/protocol/channels/seek.js";
import { seatOfChannelPlayer, transcriptOf } from "../../sdk/protocol/channels/transcript.js";
import { offerIn, senderOf } from "../../sdk/protocol/channels/wire.js";
import { COIN, type Terms } from "../../sdk/protocol/terms.js";
import { ChannelSeat } from "./channel-seat.js";
import { SoakRelay } from "./soak-relay.js";
import type { World } from "./world.js";

const DAY = 86_400;
/** Turns after which a channel must be closed. */
const TURNS = 2_000;
const FAULTS_PERCENT = 12;
/** Longest time between two turns, in seconds, and a number of seconds after which every wait has ended. */
const [PAUSE, LONG] = [30, 4_000];
/** Turns without any change before time passes. */
const IDLE = 8;
/** Maximum number of writes before a player is killed, and of messages that its connection loses or withholds. */
const [LIVES, LOST] = [6, 3];

/** Two players who meet in the lobby of a relay, play matches in a channel through faults, and close it. */
export class SoakChannel {
  private readonly seats: readonly [ChannelSeat, ChannelSeat];
  private matches: number;
  /** Player that takes no turns. */
  private silent?: ChannelSeat;
  private wasOpen = false;
  private idle = 0;
  private place = "";

  private constructor(
    private readonly world: World,
    private readonly at: ChannelsAt,
    private readonly relay: SoakRelay,
    private readonly games: readonly GameModule[],
    readonly channel: Channel,
    seats: readonly [ChannelSeat, ChannelSeat],
  ) {
    this.seats = seats;
    this.matches = 2 + world.random.below(5);
  }

  /** Plays one channel to its end. @returns the number of its matches */
  static async play(world: World, games: readonly GameModule[]): Promise<number> {
    const { chain, addresses } = world;
    const { chainId } = await chain.provider.getNetwork();
    const at = { chainId, channels: channelsOf(addresses.Arena) };
    const relay = await SoakRelay.start(chain, at);
    try {
      const channel = await SoakChannel.meet(world, at, relay, games);
      return await channel.run();
    } finally {
      await relay.close();
    }
  }

  /** Lets one player search in the lobby, and another one answer. */
  private static async meet(world: World, at: ChannelsAt, relay: SoakRelay, games: readonly GameModule[]) {
    const { random, chain, players, addresses, arena } = world;
    const one = random.pick(players);
    const two = random.pick(players.filter((player) => player !== one));
    const [key1, key2] = [1, 2].map(() => new SigningKey(hexlify(random.bytes(32))));
    const lobby = new RelayLobby([relay.url], at, { clock: relay.clock });
    const token = random.pick([COIN, addresses.FightToken]);
    const [amount, otherAmount] = [
      1n + BigInt(random.below(2 ** 20)) * BigInt(1e6),
      BigInt(random.below(2)) * 10n ** 9n,
    ];
    const [until, expires] = [chain.now + 2 * DAY + random.below(20 * DAY), chain.now + 60];
    const key = computeAddress(key1);
    const sought = { token, feeBps: await arena.feeBps(), amount, otherAmount, until, expires };
    await lobby.put(signedSeek(key1, at, { player: one.address, key, opponent: ZeroAddress, ...sought }));
    const [seek] = await lobby.seeks(two.address);
    const channel = channelOf(seek, two.address, computeAddress(key2));
    for (const [player, needed] of [
      [one, amount],
      [two, otherAmount],
    ] as const) {
      const purse = await player.purseOf(token);
      if (purse < needed) await player.deposit(token, needed - purse);
    }
    const answer = new ChannelSeat(world, at, channel, 2, two, key2, relay);
    await answer.run((player) => player.propose(amount, otherAmount, until));
    const [found] = await lobby.channels(key);
    return new SoakChannel(world, at, relay, games, channel, [
      new ChannelSeat(world, at, found, 1, one, key1, relay),
      answer,
    ]);
  }

  private async run(): Promise<number> {
    const { world, seats } = this;
    const { random, chain } = world;
    const planned = this.matches;
    for (let turn = 0; turn < TURNS; turn++) {
      if (random.likely(FAULTS_PERCENT)) await this.suffer();
      const seat = random.pick(seats.filter((each) => each !== this.silent));
      const status = await seat.step();
      if (status && (await this.proceed(seat, status))) return planned - this.matches;
      await chain.jumpTo(chain.now + 1 + random.below(PAUSE));
      await this.pass(status);
    }
    throw new Error(`the channel ${channelIdOf(this.channel)} is still open`);
  }

  /** Offers the next match, or closes the channel after the last one. @returns true once it is closed and settled */
  private async proceed(seat: ChannelSeat, status: ChannelStatus): Promise<boolean> {
    const { held, stakeable, current, isClosing } = status;
    const { open } = status.chain;
    this.wasOpen ||= open !== undefined;
    if (this.matches > 0 && held && open && !isClosing && offererOf(held.nonce) === seat.number) {
      const isFree = !current || !isTaken(current, status.chain);
      if (isFree && (await seat.run((player) => player.offer(this.terms(seat, stakeable!))))) this.matches--;
    }
    if (this.matches === 0 && !current) seat.player.getUp();
    const isEmpty = this.wasOpen && !open && status.chain.matches.length === 0;
    if (isEmpty) await this.checkEnd();
    return isEmpty;
  }

  /** Draws terms that both players can afford. */
  private terms({ number }: ChannelSeat, { amount1, amount2 }: Pick<Held, "amount1" | "amount2">): Terms {
    const { world, channel, games } = this;
    const { random, addresses } = world;
    const game = random.pick(games);
    const { content } = game.demo === undefined ? random.pick(Object.values(game.modes)) : demoOf(game);
    const [one, two] = [amount1, amount2].map((amount) => (amount * BigInt(random.below(50))) / 100n);
    const [stake1, stake2] = number === 1 ? [one, two] : [two, one];
    const rated = random.likely(40) && game.channels?.problem?.(content, true) === undefined;
    const clock = BigInt(600 + random.below(DAY / 4));
    const { token, feeBps } = channel;
    return { game: addresses[game.contract], stake1, token, stake2, mode: modeHash(content), clock, feeBps, rated };
  }

  /** If nothing happens, lets time pass and may let the silent player return. */
  private async pass(status?: ChannelStatus): Promise<void> {
    const { chain, random } = this.world;
    const { held, current, chain: state } = status ?? {};
    const place = [held?.nonce, current?.moves.length, state?.open?.nonce, state?.matches.length].join(" ");
    this.idle = place === this.place ? this.idle + 1 : 0;
    this.place = place;
    if (this.idle < IDLE) return;
    this.idle = 0;
    await this.relay.resume();
    // Restarted programs send all their messages again, since a relay may have lost them.
    for (const seat of this.seats) seat.stop();
    await chain.jumpTo(chain.now + LONG);
    if (random.likely(40)) this.silent = undefined;
  }

  private async suffer(): Promise<void> {
    const { world, seats, relay } = this;
    const { random } = world;
    const seat = random.pick(seats);
    const faults: (() => unknown)[] = [
      () => void (seat.lives ??= 1 + random.below(LIVES)),
      () => void (seat.lost += 1 + random.below(LOST)),
      () => void (seat.withheld += 1 + random.below(LOST)),
      () => (relay.isDown ? relay.resume() : this.counted("a relay is killed", relay.kill())),
      () => this.counted("a relay loses its messages", relay.lose()),
      () => this.challengeOld(seat),
      () => {
        world.count("a player at a channel falls silent");
        this.silent = this.silent ? undefined : seat;
      },
    ];
    await random.pick(faults)();
  }

  private async counted(fault: string, done: Promise<void>): Promise<void> {
    this.world.count(fault);
    return done;
  }

  /** Sends a challenge with an old state of the first unsettled match, although the player has newer states. */
  private async challengeOld(seat: ChannelSeat): Promise<void> {
    const { world, at, channel } = this;
    const { random, chain } = world;
    const contract = Channels__factory.connect(at.channels, seat.person.client.signer);
    const { nonce } = await contract.stateOf(channelIdOf(channel));
    const entries = (await seat.log.read()).filter((entry) => BigInt(entry.nonce) === nonce);
    const offer = entries.find((entry) => entry.type === "offer");
    if (!offer) return;
    const hash = offerHashOf(offerIn(offer));
    const moves = entries.flatMap((entry) => {
      if (entry.type !== "move" || entry.offer !== hash) return [];
      const { player } = senderOf(at, channel, entry)!;
      return [{ ...entry, seat: seatOfChannelPlayer(player, offer.swapped) }];
    });
    const own = seatOfChannelPlayer(seat.number, offer.swapped);
    const ends = moves.flatMap((move, i) => (move.seat === own && move.action !== "0x" ? [i + 1] : []));
    if (ends.length === 0) return;
    const match = { offer: offerIn(offer), signature: offer.signature, moves: moves.slice(0, random.pick(ends)) };
    const args = [channel, nonce, offer.terms, transcriptOf(match)] as const;
    const data = contract.interface.encodeFunctionData("challenge", [...args]);
    await seat.person.client.signer.sendTransaction({ to: at.channels, data });
    const isTaken = chain.sent.at(-1)!.status === 1;
    world.count(isTaken ? "an old state is brought to the chain" : "an old state is refused by the chain");
  }

  /** @throws Error if the channel still holds money, or was closed with other amounts than its players agree on */
  private async checkEnd(): Promise<void> {
    const { at, world, channel, seats } = this;
    const contract = Channels__factory.connect(at.channels, world.chain.provider);
    const { amount1, amount2 } = await contract.stateOf(channelIdOf(channel));
    if (amount1 + amount2 !== 0n) throw new Error(`a closed channel holds ${amount1} and ${amount2}`);
    const [one, two] = seats.map(({ held }) => held);
    if (one?.nonce !== two?.nonce) return;
    if (one?.amount1 !== two?.amount1 || one?.amount2 !== two?.amount2) {
      throw new Error(
        `before match ${one?.nonce} one player holds ${one?.amount1} for one, and ${two?.amount1} for the other`,
      );
    }
  }
}
