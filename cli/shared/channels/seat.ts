import { Channels__factory } from "../../../typechain-types/index.js";
import { ChannelChain } from "../../../sdk/player/channels/chain.js";
import { MemoryChannelLog, type ChannelLog } from "../../../sdk/player/channels/log.js";
import {
  ChannelPlayer,
  type ChannelCall,
  type ChannelLimits,
  type ChannelPlayerOptions,
  type ChannelPorts,
  type ChannelStatus,
} from "../../../sdk/player/channels/player.js";
import type { ChannelTransport } from "../../../sdk/player/channels/transport.js";
import { relayPlace } from "../../../sdk/player/channels/meeting.js";
import { RelayChannelTransport } from "../../../sdk/player/channels/relay-transport.js";
import type { CommandContext } from "../command/context.js";
import { log } from "../command/output.js";
import { functionNameIn } from "../wallet/action.js";
import { ChannelFiles, type KeptChannel } from "./files.js";
import { channelRelaysOf } from "./relays.js";

/** Milliseconds for which a command waits for another command that plays the same channel. */
const LOCK_PATIENCE = 2000;

/** Milliseconds between two reads of the chain while no message comes. */
const WAIT = 5000;

/** Maximum number of problems that are remembered as reported. */
const MAX_REPORTED = 1000;

/** Decisions of the player at a seat: moves, answers to the other player, and how transactions are sent. */
export type SeatPolicy = Pick<ChannelPorts, "choose" | "ask"> & Partial<Pick<ChannelPorts, "send">>;

/** Options of a seat. */
export interface SeatOptions {
  /** Connection to the other player; defaults to the relays of the command. */
  transport?: ChannelTransport;
  limits?: Partial<ChannelLimits>;
  /** Milliseconds to wait for another process that plays the channel. */
  lockPatience?: number;
}

/** Options of a wait at a seat. */
interface UntilOptions {
  signal?: AbortSignal;
  /** Milliseconds between two reads of the chain while nothing else happens. */
  waitMs?: number;
  also?(signal: AbortSignal): Promise<unknown>;
}

/**
 * Seat of a command's caller in a channel that this machine keeps. It signs with the session key in the vault, sends
 * through the caller's outbox, and no other process of this machine plays it until it is closed.
 */
export class ChannelSeat {
  /** Problems that were reported. */
  private readonly reported = new Set<string>();

  private constructor(
    private readonly context: CommandContext,
    readonly kept: KeptChannel,
    readonly player: ChannelPlayer,
    private readonly release: () => void,
  ) {}

  /** @throws Locked if another process plays the channel; InputError if the log is damaged. */
  static async open(
    context: CommandContext,
    kept: KeptChannel,
    policy: SeatPolicy,
    { limits, lockPatience = LOCK_PATIENCE, ...options }: SeatOptions = {},
  ): Promise<ChannelSeat> {
    const files = await ChannelFiles.of(context, await context.address());
    const { channel, player: own } = kept;
    const place = relayPlace(channelRelaysOf(context), files.at);
    const { transport = place.transportOf(channel, own) } = options;
    const unlock = await files.hold(kept.id, lockPatience);
    const release = () => {
      place.close();
      unlock();
    };
    try {
      const send = (call: ChannelCall) => sendCall(context, call);
      const ports = { send, ...policy, log: files.logOf(kept.id), transport };
      const player = await ChannelPlayer.open({ ...(await optionsOf(context, files, kept, ports)), limits });
      return new ChannelSeat(context, kept, player, release);
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Does everything that is due. @throws as `ChannelPlayer.step` */
  step(): Promise<ChannelStatus> {
    return this.player.step();
  }

  /**
   * Takes steps until `find` succeeds, and waits for messages and blocks in between. Reports each problem once.
   * @param find Searches a state; returns undefined to continue.
   * @param also Waits for something else in addition, between steps.
   * @throws the reason of the signal, and as `step`
   */
  async until<T>(
    find: (status: ChannelStatus) => T | undefined | Promise<T | undefined>,
    { signal, waitMs = WAIT, also }: UntilOptions = {},
  ): Promise<T> {
    for (;;) {
      signal?.throwIfAborted();
      const status = await this.step();
      for (const trouble of status.troubles) this.report(this.context.tokens.explain(trouble));
      const found = await find(status);
      if (found !== undefined) return found;
      const over = new AbortController();
      const stop = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
      try {
        await Promise.race([this.player.news({ waitMs, signal: stop }), ...(also ? [also(stop)] : [])]);
      } catch (error) {
        signal?.throwIfAborted();
        throw error;
      } finally {
        over.abort();
      }
    }
  }

  /** Reports something on standard error, once. */
  report(text: string): void {
    if (this.reported.has(text)) return;
    // An opponent can cause any number of problems.
    if (this.reported.size >= MAX_REPORTED) this.reported.clear();
    this.reported.add(text);
    log(text);
  }

  /** Lets other processes play the channel. */
  close(): void {
    this.release();
  }
}

/**
 * Reads the state of a channel from its log, the chain and relays. It publishes no signature and sends nothing; another
 * process may play the channel meanwhile.
 * @param relays Addresses of relays that are asked for news; defaults to none.
 */
export async function channelStatus(
  context: CommandContext,
  kept: KeptChannel,
  relays: readonly string[] = [],
): Promise<ChannelStatus> {
  const files = await ChannelFiles.of(context, kept.player === 1 ? kept.channel.player1 : kept.channel.player2);
  const log: ChannelLog = new MemoryChannelLog();
  for (const [place, entry] of (await files.logOf(kept.id).read()).entries()) await log.append(entry, place);
  const undecided = async () => undefined;
  const relayed = new RelayChannelTransport(relays, files.at, kept.channel);
  // Anything that the player signs here stays in memory.
  const transport = { put: undecided, after: (seen: number) => relayed.after(seen), news: undecided };
  const ports = { choose: undecided, ask: undecided, log, transport };
  const player = await ChannelPlayer.open(await optionsOf(context, files, kept, ports));
  return player.step();
}

/**
 * Lists the caller's channels that are open, or have a match on chain.
 * @param opponent The only other player of interest; defaults to anybody.
 */
export async function openChannels(context: CommandContext, opponent?: string): Promise<KeptChannel[]> {
  const files = await ChannelFiles.of(context, await context.address());
  const channels = Channels__factory.connect(files.at.channels, context.provider);
  const open: KeptChannel[] = [];
  for (const kept of await files.all()) {
    if (opponent !== undefined && kept.opponent !== opponent) continue;
    // If a channel is open on chain, its messages need not be read.
    const isOpen = (await channels.stateOf(kept.id)).until > 0n || (await isPlayed(context, kept));
    if (isOpen) open.push(kept);
  }
  return open;
}

/** Returns whether a channel that is closed on chain is open according to its messages, or has a match on chain. */
async function isPlayed(context: CommandContext, kept: KeptChannel): Promise<boolean> {
  const { held, chain } = await channelStatus(context, kept);
  return held !== undefined || chain.matches.length > 0;
}

async function optionsOf(
  context: CommandContext,
  files: ChannelFiles,
  { id, channel, player, block }: KeptChannel,
  ports: Omit<ChannelPorts, "secrets" | "signOpen">,
): Promise<ChannelPlayerOptions> {
  const { provider, addresses, keys } = context;
  const { at } = files;
  return {
    at,
    channel,
    player,
    key: await files.sessionKey(),
    chain: new ChannelChain(provider, { arena: addresses.Arena, channels: at.channels }, id, block),
    history: context.history,
    moduleAt: (game) => context.findGame(game),
    ports: {
      secrets: (game) => keys.secretStoreOf(game, files.player),
      signOpen: async ({ domain, types, value }) => (await context.signer()).signTypedData(domain, types, value),
      ...ports,
    },
  };
}

/** Sends a transaction through the caller's outbox, or completes the same transaction of an earlier command. */
export async function sendCall(context: CommandContext, { to, data, what }: ChannelCall): Promise<void> {
  const outbox = await context.outbox();
  const action = { call: functionNameIn(data), what, content: [to, data] };
  await context.once(action, () => outbox.mined(outbox.begin(action, { to, data })));
  await context.markReported();
}
