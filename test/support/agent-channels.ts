import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { computeAddress } from "ethers";
import { ChannelFiles } from "../../cli/shared/channels/files.js";
import { ChannelSeat, type SeatPolicy } from "../../cli/shared/channels/seat.js";
import { CommandContext } from "../../cli/shared/command/context.js";
import { Vault } from "../../cli/shared/files/vault.js";
import { urlOf } from "../../scripts/local-chain.js";
import { nextTime } from "../../sdk/chain/time.js";
import { modeHash } from "../../sdk/games/modes.js";
import { stockGame } from "../../sdk/games/index.js";
import { offererOf, type ChannelStatus } from "../../sdk/player/channels/player.js";
import type { MeetingPlace } from "../../sdk/player/channels/meeting.js";
import type { ChannelTransport } from "../../sdk/player/channels/transport.js";
import { wishOf } from "../../sdk/player/channels/wishes.js";
import type { Channel } from "../../sdk/protocol/channels/messages.js";
import { channelOf, signedSeek, type Seek } from "../../sdk/protocol/channels/seek.js";
import { COIN, type Terms } from "../../sdk/protocol/terms.js";
import type { SteppedAgent } from "./agent-support.js";
import type { PlayWorld } from "./play-support.js";

/** A scripted player of channels with its own files. A newcomer has a key, but no coin. */
export class Guest {
  seat!: ChannelSeat;

  private constructor(
    readonly context: CommandContext,
    readonly files: ChannelFiles,
    readonly address: string,
    private readonly place: MeetingPlace,
    private readonly isNewcomer: boolean,
  ) {}

  static async open(world: PlayWorld, place: MeetingPlace, account: number | string): Promise<Guest> {
    const home = await mkdtemp(join(world.folder, "guest-"));
    process.env.DUELLO_DEPLOYMENTS = world.folder;
    const isNewcomer = typeof account === "string";
    if (isNewcomer) process.env.DUELLO_PRIVATE_KEY = account;
    const options = { rpc: urlOf(world.port), ...(!isNewcomer && { account: String(account) }) };
    const context = await CommandContext.open(options, new Vault(home)).finally(
      () => delete process.env.DUELLO_DEPLOYMENTS,
    );
    const address = await context.address();
    delete process.env.DUELLO_PRIVATE_KEY;
    return new Guest(context, await ChannelFiles.of(context, address), address, place, isNewcomer);
  }

  /** Puts a search for an opponent into the lobby. */
  async seek(change: Partial<Omit<Seek, "signature">> = {}): Promise<Seek> {
    const key = await this.files.sessionKey();
    const now = await nextTime(this.context.provider);
    const seek = signedSeek(key, this.files.at, {
      player: this.address,
      key: computeAddress(key),
      opponent: COIN,
      token: COIN,
      feeBps: await this.context.arena.feeBps(),
      amount: 0n,
      otherAmount: 0n,
      until: now + 3 * 86_400,
      expires: now + 100,
      ...change,
    });
    await this.place.lobby.put(seek);
    return seek;
  }

  /** Takes this player's seat in a channel. @param change Changes each message before it is sent. */
  async sit(channel: Channel, change = (line: string) => line): Promise<void> {
    const kept = await this.files.keep(channel, await this.context.provider.getBlockNumber());
    const way = this.place.transportOf(channel, kept.player);
    const transport: ChannelTransport = {
      put: (line) => way.put(change(line)),
      after: (seen) => way.after(seen),
      news: (seen, options) => way.news(seen, options),
    };
    const secrets = (game: string) => this.context.keys.secretStoreOf(game, this.address);
    const policy: SeatPolicy = {
      choose: async (turn, module) => ({ move: await module.moves.suggest(turn, secrets(turn.game)) }),
      ask: async () => true,
      // A newcomer has no coin, and so sends no transactions.
      ...(this.isNewcomer && { send: undefined }),
    };
    this.seat = await ChannelSeat.open(this.context, kept, policy, { transport });
  }

  /** Answers a search as the other player's program would. */
  async answer(seek: Seek, change: Partial<Pick<Seek, "amount" | "otherAmount">> = {}): Promise<void> {
    await this.sit(channelOf(seek, this.address, computeAddress(await this.files.sessionKey())));
    const { amount, otherAmount, until } = { ...seek, ...change };
    await this.seat.player.propose(amount, otherAmount, until);
  }

  /** Returns the channel in which another player has answered this player's search. */
  async found(): Promise<Channel | undefined> {
    return (await this.place.lobby.channels(computeAddress(await this.files.sessionKey()))).at(0);
  }

  /** Asks the other player, who must make the next offer, for a match. */
  async wish(terms: Terms, { held }: ChannelStatus): Promise<void> {
    await this.seek(wishOf({ ...this.seat.kept, held: held! }, terms));
  }

  /** Returns rated terms of a game, without stakes and with a clock of an hour. */
  async terms(name: string, mode: string, change: Partial<Terms> = {}): Promise<Terms> {
    const game = stockGame(name);
    return {
      game: this.context.addresses[game.contract],
      stake1: 0n,
      token: COIN,
      stake2: 0n,
      mode: modeHash(game.modes[mode].content),
      clock: 3600n,
      feeBps: await this.context.arena.feeBps(),
      rated: true,
      ...change,
    };
  }

  close(): void {
    this.seat?.close();
    this.context.close();
  }
}

/** Lets an agent and a guest act until a condition holds. @throws Error if it never does, or for a guest's trouble */
export async function until(
  { agent }: Pick<SteppedAgent, "agent">,
  guest: Guest | undefined,
  isDone: (status: ChannelStatus | undefined) => boolean | Promise<boolean>,
): Promise<ChannelStatus | undefined> {
  for (let round = 0; round < 200; round++) {
    await agent.channels!.look();
    await agent.tick();
    const status = guest?.seat && (await guest.seat.step());
    for (const trouble of status?.troubles ?? []) throw trouble;
    if (await isDone(status)) return status;
  }
  throw new Error("nothing happens any more");
}

/** Plays a match on these terms to its end. The guest offers it, or asks the agent to offer it. */
export async function playWith(agent: SteppedAgent, guest: Guest, terms: Terms): Promise<ChannelStatus> {
  const status = await guest.seat.step();
  const { nonce } = status.held!;
  if (offererOf(nonce) === guest.seat.kept.player) await guest.seat.player.offer(terms);
  else await guest.wish(terms, status);
  return (await until(agent, guest, (now) => (now!.held?.nonce ?? 0) > nonce))!;
}
