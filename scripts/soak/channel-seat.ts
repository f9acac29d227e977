import type { SigningKey } from "ethers";
import { games } from "../../sdk/games/index.js";
import { findGame } from "../../sdk/games/list.js";
import type { SecretStore } from "../../sdk/games/moves.js";
import { ChannelChain, type Held } from "../../sdk/player/channels/chain.js";
import { MemoryChannelLog } from "../../sdk/player/channels/log.js";
import { ChannelPlayer, type ChannelCall, type ChannelStatus } from "../../sdk/player/channels/player.js";
import { RelayTrouble } from "../../sdk/player/channels/relay-client.js";
import { relayPlace } from "../../sdk/player/channels/meeting.js";
import type { ChannelTransport } from "../../sdk/player/channels/transport.js";
import { channelIdOf, type Channel, type ChannelsAt } from "../../sdk/protocol/channels/messages.js";
import type { ChannelPlayerNumber } from "../../sdk/protocol/channels/wire.js";
import type { Player } from "./player.js";
import type { SoakRelay } from "./soak-relay.js";
import type { World } from "./world.js";

/** Thrown where a real process would be killed. */
class Killed extends Error {}

/** A player in a channel: a program that may be killed, and the data that survives a kill. */
export class ChannelSeat {
  readonly log = new MemoryChannelLog();
  /** Number of writes after which the program is killed; undefined to never kill it. */
  lives?: number;
  /** Number of messages that the relay seems to accept but loses, and of reads that return nothing. */
  lost = 0;
  withheld = 0;
  /** Amounts of both players, as of the last step in which the channel was open. */
  held?: Held;
  player!: ChannelPlayer;
  private isDead = true;
  private readonly secrets = new Map<string, SecretStore>();

  constructor(
    readonly world: World,
    readonly at: ChannelsAt,
    readonly channel: Channel,
    readonly number: ChannelPlayerNumber,
    readonly person: Player,
    private readonly key: SigningKey,
    private readonly relay: SoakRelay,
  ) {}

  /** Runs an action of the program. Starts the program first if it was killed; it may be killed during the action. */
  async run<T>(action: (player: ChannelPlayer) => Promise<T>): Promise<T | undefined> {
    if (this.isDead) await this.start();
    try {
      return await action(this.player);
    } catch (error) {
      if (!this.isExpected(error)) throw error;
      return undefined;
    }
  }

  /** Ends the program between two writes; the next step starts it again. */
  stop(): void {
    this.isDead = true;
  }

  /** Lets the program do all its next actions. @throws Error for a problem that no planted fault explains */
  async step(): Promise<ChannelStatus | undefined> {
    return this.run(async (player) => {
      const status = await player.step();
      for (const trouble of status.troubles) {
        if (!this.isExpected(trouble) && !isOutdatedOffer(trouble, status)) throw trouble;
      }
      this.held = status.held ?? this.held;
      return status;
    });
  }

  private isExpected(error: unknown): boolean {
    return error instanceof Killed || (error instanceof RelayTrouble && !error.isRefusal);
  }

  private async start(): Promise<void> {
    const { world, at, channel, number, key, person, log } = this;
    const { addresses, chain } = world;
    for (const { contract } of games) {
      this.secrets.set(addresses[contract], await person.secretStoreAt(addresses[contract]));
    }
    this.isDead = false;
    const secrets = (game: string) => this.secrets.get(game)!;
    this.player = await ChannelPlayer.open({
      at,
      channel,
      player: number,
      key,
      chain: new ChannelChain(chain.provider, { arena: addresses.Arena, channels: at.channels }, channelIdOf(channel)),
      history: person.history,
      moduleAt: (game) => findGame(game, games, addresses),
      ports: {
        choose: async (turn, module) => ({ move: await module.moves.suggest(turn, secrets(turn.game)) }),
        secrets,
        ask: async () => true,
        signOpen: async ({ domain, types, value }) => person.client.signer.signTypedData(domain, types, value),
        send: async (call) => this.write(() => this.send(call)),
        log: {
          read: () => log.read(),
          append: (entry, place) => this.write(() => log.append(entry, place)),
        },
        transport: this.transport(),
      },
    });
  }

  /** Runs a write, and then kills the program if its number of writes is used up. */
  private async write(run: () => Promise<void>): Promise<void> {
    if (this.isDead) throw new Killed();
    await run();
    if (this.lives === undefined || --this.lives > 0) return;
    [this.isDead, this.lives] = [true, undefined];
    this.world.count("a player at a channel is killed");
    throw new Killed();
  }

  private async send({ to, data }: ChannelCall): Promise<void> {
    await this.world.chain.take(async () => {
      const sent = await this.person.client.signer.sendTransaction({ to, data });
      await sent.wait();
    });
  }

  private transport(): ChannelTransport {
    const { relay, at, channel, number, world } = this;
    const through = relayPlace([relay.url], at, { clock: relay.clock }).transportOf(channel, number);
    return {
      put: (line) =>
        this.write(async () => {
          if (this.lost === 0) return through.put(line);
          this.lost--;
          world.count("a message of a channel is lost");
        }),
      after: async (seen) => {
        if (this.withheld === 0) return through.after(seen);
        this.withheld--;
        world.count("messages of a channel are withheld");
        return { lines: [], seen, isMore: false };
      },
      news: (seen, options) => through.news(seen, options),
    };
  }
}

/**
 * Returns whether the players have read different states of the chain: the opponent offered a stake before it read the
 * end of the previous match in the arena, or it has read a settlement with tokens that this player has not read yet.
 */
function isOutdatedOffer({ message }: Error, { chain, held, stakeable, current }: ChannelStatus): boolean {
  if (!held || !stakeable || !current || current.moves.length > 0) return false;
  const isLess = stakeable.amount1 < held.amount1 || stakeable.amount2 < held.amount2;
  if (chain.open?.nonce !== held.nonce && !isLess) return false;
  const why = /^Match (\d+) must not be played: player [12] holds \d+, and its stake is \d+\.$/.exec(message);
  return why !== null && Number(why[1]) === current.nonce;
}
