import { SigningKey } from "ethers";
import { games } from "../../sdk/games/index.js";
import { findGame } from "../../sdk/games/list.js";
import type { SecretStore } from "../../sdk/games/moves.js";
import { ChannelChain } from "../../sdk/player/channels/chain.js";
import { MemoryChannelLog, type ChannelLog } from "../../sdk/player/channels/log.js";
import {
  ChannelPlayer,
  type ChannelCall,
  type ChannelPlayerOptions,
  type ChannelPorts,
  type ChannelStatus,
} from "../../sdk/player/channels/player.js";
import { MemoryChannelTransport, type ChannelTransport } from "../../sdk/player/channels/transport.js";
import { MemorySecretStore } from "../../sdk/player/memory-secret-store.js";
import { channelIdOf, type Channel } from "../../sdk/protocol/channels/messages.js";
import type { ChannelPlayerNumber } from "../../sdk/protocol/channels/wire.js";
import type { ChannelWorld } from "./channel-games.js";
import { keyOf } from "./channels.js";
import { DAY, now, type Player } from "./index.js";

/** Changes to a player's ports, for tests. */
export type PortChanges = Partial<ChannelPorts>;

/** Returns a transport with some methods replaced. */
export function transportWith(transport: ChannelTransport, changes: Partial<ChannelTransport>): ChannelTransport {
  return {
    put: (line) => transport.put(line),
    after: (seen) => transport.after(seen),
    news: (seen, options) => transport.news(seen, options),
    ...changes,
  };
}

/** A player of a channel, with the data that survives when its program is killed. */
export class Person {
  readonly log: ChannelLog = new MemoryChannelLog();
  /** First words of the descriptions of sent transactions. */
  readonly sent: string[] = [];
  player!: ChannelPlayer;
  private readonly stores = new Map<string, SecretStore>();

  constructor(
    private readonly world: ChannelWorld,
    readonly channel: Channel,
    readonly number: ChannelPlayerNumber,
    readonly signer: Player,
    readonly transport: ChannelTransport,
    private readonly limits: ChannelPlayerOptions["limits"] = {},
  ) {}

  /** Starts or restarts the player's program. */
  async start(changes: PortChanges = {}): Promise<this> {
    this.player = await ChannelPlayer.open(this.options(changes));
    return this;
  }

  options(changes: PortChanges = {}): ChannelPlayerOptions {
    const { world, channel, number, signer } = this;
    const { history, chainId, channels } = world;
    const addresses = { arena: history.addresses.Arena, channels: channels.target as string };
    return {
      at: { chainId, channels: addresses.channels },
      channel,
      player: number,
      key: new SigningKey(keyOf(`key ${number}`).privateKey),
      chain: new ChannelChain(history.provider, addresses, channelIdOf(channel)),
      history,
      moduleAt: (game) => findGame(game, games, history.addresses),
      limits: this.limits,
      ports: {
        choose: async (turn, module) => ({ move: await module.moves.suggest(turn, this.secrets(turn.game)) }),
        secrets: (game) => this.secrets(game),
        ask: async () => true,
        signOpen: ({ domain, types, value }) => signer.signTypedData(domain, types, value),
        send: (call) => this.send(call),
        log: this.log,
        transport: this.transport,
        ...changes,
      },
    };
  }

  async step(): Promise<ChannelStatus> {
    return this.player.step();
  }

  async send({ to, data, what }: ChannelCall): Promise<void> {
    const sent = await this.signer.sendTransaction({ to, data });
    await sent.wait();
    this.sent.push(what.split(" ")[0]);
  }

  private secrets(game: string): SecretStore {
    const by = { chainId: this.world.chainId, game, player: this.signer.address };
    const store = this.stores.get(game) ?? new MemorySecretStore(by);
    this.stores.set(game, store);
    return store;
  }
}

/** Returns alice and bob as players of a channel in FIGHT that is not open yet. */
export async function peopleAt(
  world: ChannelWorld,
  limits?: ChannelPlayerOptions["limits"],
  transport: ChannelTransport = new MemoryChannelTransport(),
): Promise<readonly [Person, Person]> {
  const { alice, bob, history } = world;
  const channel = {
    player1: alice.address,
    key1: keyOf("key 1").address,
    player2: bob.address,
    key2: keyOf("key 2").address,
    token: history.addresses.FightToken,
    feeBps: 2000n,
  };
  return [
    await new Person(world, channel, 1, alice, transport, limits).start(),
    await new Person(world, channel, 2, bob, transport, limits).start(),
  ];
}

/** Returns alice and bob as players of an open channel, in which each has locked the amount. */
export async function openedBy(
  world: ChannelWorld,
  amount: bigint,
  limits?: ChannelPlayerOptions["limits"],
): Promise<readonly [Person, Person]> {
  const people = await peopleAt(world, limits);
  await people[0].player.propose(amount, amount, Number((await now()) + 30n * DAY));
  await until(people, ({ chain }) => chain.open !== undefined);
  for (const person of people) await person.step();
  return people;
}

/** Lets both players step until a condition holds. @throws Error if it never does, or if one has trouble */
export async function until(
  people: readonly Person[],
  isDone: (status: ChannelStatus) => boolean,
): Promise<ChannelStatus> {
  for (let round = 0; round < 300; round++) {
    for (const person of people) {
      const status = await person.step();
      for (const trouble of status.troubles) throw trouble;
      if (isDone(status)) return status;
    }
  }
  throw new Error("nothing happens any more");
}
