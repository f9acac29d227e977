import { setTimeout as pause } from "node:timers/promises";
import { ZeroAddress, type SigningKey, type TransactionReceipt, type TransactionRequest } from "ethers";
import { untilMined } from "../../sdk/chain/receipt.js";
import { nextTime } from "../../sdk/chain/time.js";
import { modeNamed } from "../../sdk/games/modes.js";
import type { ChannelCall } from "../../sdk/player/channels/player.js";
import { lastingEntries } from "../../sdk/player/channels/log.js";
import { MemoryChannelTransport } from "../../sdk/player/channels/transport.js";
import { LogConflict } from "../../sdk/player/log-place.js";
import {
  decideOpening,
  type ChallengeView,
  type Decision,
  type InChannels,
  type OpeningView,
} from "../../sdk/player/policy-decision.js";
import type { Channel } from "../../sdk/protocol/channels/messages.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { isKind } from "../../sdk/protocol/error-kind.js";
import { Status } from "../../sdk/protocol/status.js";
import type { Terms } from "../../sdk/protocol/terms.js";
import { withFullStop } from "../../sdk/protocol/text.js";
import { ChannelFiles, type KeptChannel } from "../shared/channels/files.js";
import type { ReviewedState } from "./challenge-reviewer.js";
import { ChannelLobby, type SeatedChannels } from "./channel-lobby.js";
import { Channels__factory } from "../../typechain-types/index.js";
import { AgentSeat } from "./channel-seat.js";
import { isRoutine, OutgoingQueue, type SeatCall } from "./outgoing.js";
import { Places } from "./places.js";
import { Sponsor } from "./sponsor.js";
import type { Surroundings } from "./surroundings.js";

/** Maximum number of channels that are looked at in parallel. */
const MAX_STEPS = 8;

/** Maximum gas of a transaction that settles several channels: chains limit the gas of a transaction. */
const MAX_GAS = 10_000_000n;

/** Milliseconds between reads of wishes; number of such rounds per visit to the lobby, and per read of the files. */
const ROUND = 500;
const MET = 6;
const RESUMED = 120;

/** Milliseconds until the agent looks again at a channel that it has left: first and longest wait. */
const FIRST_AGAIN = 15_000;
const LAST_AGAIN = 3_600_000;

/** Milliseconds after the end of a channel until the agent looks again, to delete what it no longer needs. */
const RETIRED = 86_400_000;

/** Milliseconds of one wait for messages, and how much shorter a wait without news may be. */
const WAIT = 20_000;
const TOLERANCE = 50;

/** Milliseconds until the agent looks again at a failing channel: first and longest wait. */
const FIRST_RETRY = 1_000;
const LAST_RETRY = 60_000;

/** Milliseconds for which a channel with money may stay unread until the agent counts as unhealthy. */
const MAX_SILENCE = 300_000;

const abi = Channels__factory.createInterface();

/** Work at one seat. */
interface Work {
  running?: Promise<void>;
  /** Ends the current wait. */
  wake: AbortController;
  failures: number;
  /** Time of the last successful look, in milliseconds of the machine's monotonic clock. */
  looked: number;
}

/**
 * Plays the agent's channels in parallel: no channel delays or ends another. Finds opponents in the lobby. Only queues
 * transactions; `sendNext` sends them when their turn comes.
 */
export class AgentChannels implements SeatedChannels {
  /** True once the agent's own loop plays its channels. */
  isLive = false;
  private readonly seats = new Map<Hex, AgentSeat>();
  private readonly work = new WeakMap<AgentSeat, Work>();
  /**
   * Channels that the agent has left: how often in a row each was never opened, until when the agent ignores it if
   * others make it again, and when the agent looks at it in any case.
   */
  private readonly left = new Map<Hex, { times: number; until: number; again: number }>();
  private readonly queue = new OutgoingQueue<AgentSeat>();
  private readonly places = new Places(MAX_STEPS);
  private readonly stop = new AbortController();
  private readonly failure = new AbortController();
  private readonly sponsor?: Sponsor;
  private readonly lobby: ChannelLobby;

  private constructor(
    private readonly around: Surroundings,
    readonly files: ChannelFiles,
    key: SigningKey,
  ) {
    this.lobby = new ChannelLobby(around, this, key);
    const { budget, wallet, policy } = around;
    const timeout = policy.node.stuck * 1000;
    const mined = async (request: TransactionRequest): Promise<TransactionReceipt> =>
      untilMined(wallet.provider, await wallet.sendTransaction(request), { timeout });
    if (budget) this.sponsor = new Sponsor(budget, wallet, mined);
  }

  static async open(around: Surroundings): Promise<AgentChannels> {
    const files = await ChannelFiles.of(around.context, around.client.address);
    return new AgentChannels(around, files, await files.sessionKey());
  }

  /** Number of channels, of their matches in play, and of matches paid for today. */
  get counts(): { channels: number; matches: number; sponsored: number } {
    const matches = this.all.filter(({ inPlay }) => inPlay).length;
    return { channels: this.seats.size, matches, sponsored: this.around.budget?.matchesToday ?? 0 };
  }

  /** Signal that is aborted when a transaction has been queued; `takeStir` makes a new one. */
  get stirred(): AbortSignal {
    return this.queue.stirred;
  }

  /** Signal that is aborted when the log cannot be written. */
  get failed(): AbortSignal {
    return this.failure.signal;
  }

  /** True if transactions wait to be sent. */
  get hasCalls(): boolean {
    return this.queue.hasCalls;
  }

  /** Returns whether transactions wait to be sent, and makes a new signal for the next one. */
  takeStir(): boolean {
    return this.queue.takeStir();
  }

  /** Lists channels with money that have been unread for long. @param now Time on the machine's monotonic clock. */
  problems(now: number): string[] {
    const silent = this.all.filter((seat) => seat.locked > 0n && now - this.workOf(seat).looked > MAX_SILENCE).length;
    return silent === 0 ? [] : [`I have not looked at ${silent} of my channels for ${MAX_SILENCE / 1000} s.`];
  }

  /** Plays the channels in a loop until the signal aborts. */
  live(signal: AbortSignal): void {
    this.isLive = true;
    signal.addEventListener("abort", () => this.close(), { once: true });
    const run = async () => {
      for (let round = 0; !this.stop.signal.aborted; round++) {
        if (round % RESUMED === 0) await this.resume();
        if (round % MET === 0) await this.lobby.meet();
        else await this.lobby.lookForWishes();
        await pause(ROUND, undefined, { signal: this.stop.signal }).catch(() => undefined);
      }
    };
    void run().catch((error: unknown) => this.failure.abort(error));
  }

  /** Stops all work, and lets other programs play the channels. */
  close(): void {
    this.stop.abort();
    this.around.place?.close();
    this.queue.fail(new Error("The agent stops."));
    for (const seat of this.all) {
      const { running } = this.workOf(seat);
      // An entry that is being signed reaches the log before another program can write there.
      if (running) void running.finally(() => seat.close());
      else seat.close();
    }
    this.seats.clear();
  }

  /** Visits the lobby and looks at each channel once, for an agent without a running loop. */
  async look(): Promise<void> {
    await this.resume();
    await this.lobby.meet();
    for (const seat of this.all) this.start(seat);
    await this.quiet();
  }

  /** Waits until all work is done, or a transaction waits to be sent. */
  async quiet(): Promise<void> {
    const signal = this.stirred;
    const stirred = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
    const works = this.all.flatMap((seat) => this.workOf(seat).running ?? []);
    await Promise.race([Promise.all(works), stirred]);
  }

  /** Sends the next transaction that waits, the most urgent first. @returns whether something was sent */
  async sendNext(): Promise<boolean> {
    const { channels } = this.files.at;
    return this.queue.sendNext({
      send: async ({ seat, call }) => this.sent(seat, call),
      // An opponent could make a joined transaction fail. Therefore nothing urgent is joined.
      mayJoin: ({ seat, call }) => !seat.isFree && call.to === channels && isRoutine(call),
      sendJoined: async (several) => this.sendJoined(several),
    });
  }

  /** Sends a transaction of a seat once its turn has come, and returns once it is mined. */
  async send(seat: AgentSeat, call: ChannelCall): Promise<void> {
    this.places.leave();
    try {
      await this.queue.put(seat, call);
    } finally {
      await this.places.enter();
    }
  }

  /** Returns the agent's amounts of a token in its channels. */
  inChannels(token: string): InChannels {
    const seats = this.all.filter(({ kept }) => kept.channel.token === token);
    return {
      staked: sumOf(seats.map(({ inPlay }) => inPlay?.stake ?? 0n)),
      locked: sumOf(seats.map(({ locked }) => locked)),
    };
  }

  /** Returns the amount of a token in the agent's purse that others can lock with its consents. */
  pendingIn(token: string): bigint {
    return sumOf(this.all.filter(({ kept }) => kept.channel.token === token).map(({ pending }) => pending));
  }

  /** Decides whether a channel may be opened, given all seats except `but`. */
  async decideOpening(opening: OpeningView, but?: AgentSeat): Promise<Decision> {
    const { arena, provider } = this.around.context;
    const { token, opponent } = opening;
    const others = this.all.filter((seat) => seat !== but);
    const inToken = others.filter(({ kept }) => kept.channel.token === token.address);
    const isUnanswered = (seat: AgentSeat) => !seat.isAnswered;
    const [now, feeBps, purse, otherPurse] = await Promise.all([
      nextTime(provider),
      arena.feeBps(),
      arena.purseOf(this.files.player, token.address),
      // If the opponent is not known yet, its purse is read once somebody answers.
      opponent === ZeroAddress ? opening.other : arena.purseOf(opponent, token.address),
    ]);
    return decideOpening(opening, this.around.policy, {
      now,
      problem: this.around.problem(),
      feeBps,
      channels: others.length,
      withOpponent: others.filter(({ kept }) => kept.opponent === opponent).length,
      purse: purse - this.pendingIn(token.address),
      otherPurse,
      locked: sumOf(inToken.map(({ locked }) => locked)),
      unanswered: others.filter(isUnanswered).length,
      promised: sumOf(inToken.filter(isUnanswered).map(({ locked }) => locked)),
    });
  }

  /** Describes a match in the form that policies judge. @param until Last second of its offer, since 1970. */
  async viewOf(terms: Terms, until: number): Promise<ChallengeView> {
    const { context } = this.around;
    const game = context.findGame(terms.game);
    return {
      status: Status.P1Deposited,
      player2: this.files.player,
      deadline: BigInt(until),
      terms,
      token: await context.tokens.at(terms.token),
      game: game?.name,
      mode: game && modeNamed(game, terms.mode),
    };
  }

  /** Returns the state for a decision. @param newcomer Player without money, for whose rated match the agent would pay. */
  async state(newcomer?: string): Promise<ReviewedState> {
    const { around } = this;
    const unpaid = newcomer === undefined ? undefined : await this.unpaid(newcomer);
    return {
      own: around.own(),
      channels: (token) => this.inChannels(token),
      now: BigInt(await nextTime(around.context.provider)),
      problem: around.problem() ?? unpaid,
    };
  }

  /** Returns why the agent does not pay for rated matches with a player without money; undefined if it does. */
  async unpaid(opponent: string): Promise<string | undefined> {
    return this.sponsor ? this.sponsor.refusal(opponent) : "I pay for no rated matches without money";
  }

  /** Seats of the agent. */
  get all(): AgentSeat[] {
    return [...this.seats.values()];
  }

  private workOf(seat: AgentSeat): Work {
    const work = this.work.get(seat) ?? { wake: new AbortController(), failures: 0, looked: performance.now() };
    this.work.set(seat, work);
    return work;
  }

  private async sent(seat: AgentSeat, call: ChannelCall): Promise<boolean> {
    const { to, data, what } = call;
    const { opponent, id: channel } = seat.kept;
    if (!seat.isFree) {
      await this.around.client.send({ to, data, value: 0n });
      this.reportSent(channel, what);
      return true;
    }
    const refusal = this.sponsor ? await this.sponsor.pay(opponent, call) : await this.unpaid(opponent);
    const problem = refusal && withFullStop(refusal);
    this.around.eventLog.reportTrouble(`budget ${channel}`, problem, undefined, channel);
    if (refusal !== undefined) return false;
    this.around.eventLog.report({ event: "sponsored", channel, text: `I have paid for matches with ${opponent}.` });
    return true;
  }

  /** Sends calls of the channels contract as one transaction. @returns false if the chain would refuse it */
  private async sendJoined(several: readonly SeatCall<AgentSeat>[]): Promise<boolean> {
    const { client, wallet } = this.around;
    const to = this.files.at.channels;
    const data = abi.encodeFunctionData("multicall", [several.map(({ call }) => call.data)]);
    const gas = await wallet.estimateGas({ to, data }).catch(() => undefined);
    if (gas === undefined || gas > MAX_GAS) return false;
    await client.send({ to, data, value: 0n });
    for (const { seat, call } of several) this.reportSent(seat.kept.id, call.what);
    return true;
  }

  private reportSent(channel: Hex, what: string): void {
    const text = withFullStop(`I have sent what is due: it ${what}`);
    this.around.eventLog.report({ event: "sent", channel, text });
  }

  /** Takes the agent's seats in stored channels, except those that are already taken. */
  async resume(): Promise<void> {
    const kept = await this.files.all().catch((error: unknown) => {
      this.around.eventLog.reportTrouble("channels", this.around.context.tokens.explain(error));
      return [];
    });
    for (const each of kept) {
      const isTaken = this.seats.has(each.id) || (this.left.get(each.id)?.again ?? 0) > Date.now();
      const seat = isTaken ? undefined : await this.takeSeat(each);
      if (seat) this.start(seat);
    }
  }

  /** True if the agent should look at another player's channel: it is new, or may be opened again. */
  isNews(id: Hex): boolean {
    return !this.seats.has(id) && (this.left.get(id)?.until ?? 0) <= Date.now();
  }

  /** Takes the seat in a channel, and stores the channel on this machine. */
  async sit(channel: Channel): Promise<AgentSeat | undefined> {
    return this.takeSeat(await this.files.keep(channel, await this.around.context.provider.getBlockNumber()));
  }

  /** Takes a seat. An error is reported, and affects no other channel. */
  private async takeSeat(kept: KeptChannel): Promise<AgentSeat | undefined> {
    const about = `channel ${kept.id}`;
    try {
      const transport = this.around.place?.transportOf(kept.channel, kept.player) ?? new MemoryChannelTransport();
      const seat = await AgentSeat.open(kept, transport, this.around, this);
      this.seats.set(kept.id, seat);
      this.around.eventLog.reportTrouble(about, undefined, undefined, kept.id);
      return seat;
    } catch (error) {
      this.around.eventLog.reportTrouble(about, this.around.context.tokens.explain(error), undefined, kept.id);
      return undefined;
    }
  }

  /** Leaves a seat with nothing left to do. @param isForGood True if the agent never takes the seat again. */
  async leave(seat: AgentSeat, isForGood = false): Promise<void> {
    const { id } = seat.kept;
    if (!isForGood) await this.retire(seat);
    seat.close();
    this.seats.delete(id);
    // Each look at an old channel reads all of its messages, so the waits grow.
    const times = seat.wasOpened ? 0 : (this.left.get(id)?.times ?? 0) + 1;
    const wait = Math.min(FIRST_AGAIN * 2 ** times, LAST_AGAIN);
    const now = Date.now();
    const again = isForGood ? Infinity : Math.max(now, seat.consentedUntil * 1000) + RETIRED;
    this.left.set(id, { times, until: isForGood ? Infinity : now + wait, again });
    if (!seat.hasSigned) await this.files.forget(id);
  }

  /** Deletes what a later opening does not need, if nothing that was signed can become valid again. */
  private async retire({ kept: { id, player }, status }: AgentSeat): Promise<void> {
    const lasting = status && lastingEntries(await this.files.logOf(id).read(), player, status.chain);
    if (lasting) await this.files.retire(id, lasting);
  }

  /** Starts to play a channel, or ends its current wait. */
  start(seat: AgentSeat): void {
    const work = this.workOf(seat);
    work.wake.abort();
    work.running ??= this.play(seat, work)
      .catch((error: unknown) => this.failure.abort(error))
      .finally(() => (work.running = undefined));
  }

  /** Plays a channel: continuously while the loop runs, otherwise one step. */
  private async play(seat: AgentSeat, work: Work): Promise<void> {
    do {
      work.wake = new AbortController();
      await this.places.enter();
      await this.step(seat, work).finally(() => this.places.leave());
      if (this.stop.signal.aborted) return;
      if (seat.isDone) return this.leave(seat);
      if (this.isLive) await this.idle(seat, work);
    } while (this.isLive && this.seats.get(seat.kept.id) === seat);
  }

  private async step(seat: AgentSeat, work: Work): Promise<void> {
    try {
      await seat.step();
      work.failures = 0;
      work.looked = performance.now();
    } catch (error) {
      if (this.stop.signal.aborted) return;
      work.failures++;
      seat.reportTrouble(error);
      // Another program has written to the channel's log: the agent no longer signs there.
      if (isKind(error, LogConflict)) await this.leave(seat, true);
    }
  }

  /** Waits for messages, and for the time of the next look at the chain. */
  private async idle(seat: AgentSeat, { failures, wake }: Work): Promise<void> {
    const signal = AbortSignal.any([this.stop.signal, wake.signal]);
    const rest = async (ms: number) => pause(ms, undefined, { signal }).catch(() => undefined);
    if (failures > 0) return rest(Math.min(FIRST_RETRY * 2 ** (failures - 1), LAST_RETRY));
    const end = performance.now() + seat.restMs;
    for (let left = seat.restMs; left > 0 && !signal.aborted; left = end - performance.now()) {
      const waitMs = Math.min(WAIT, left);
      const began = performance.now();
      try {
        await seat.player.news({ waitMs, signal });
        if (performance.now() - began < waitMs - TOLERANCE) return;
      } catch {
        await rest(FIRST_RETRY);
      }
    }
  }
}

function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}
