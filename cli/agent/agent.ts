import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "../../sdk/player/client.js";
import { nextTime } from "../../sdk/chain/time.js";
import { isOpen } from "../../sdk/protocol/status.js";
import type { MatchView } from "../../sdk/player/match-view.js";
import { ChannelFiles } from "../shared/channels/files.js";
import { channelRelaysOf, placeOf } from "../shared/channels/relays.js";
import type { CommandContext } from "../shared/command/context.js";
import { amountText, type Token } from "../../sdk/player/amounts.js";
import { MatchTracker, type ListedMatch, type MatchNews } from "./match-tracker.js";
import { ChallengeReviewer, type ReviewedState } from "./challenge-reviewer.js";
import { Announcements } from "./announcements.js";
import { Health } from "./health.js";
import type { EventLog } from "./event-log.js";
import { hasSeat } from "../../sdk/protocol/sides.js";
import type { MeetingPlace } from "../../sdk/player/channels/meeting.js";
import { Status } from "../../sdk/protocol/status.js";
import { isSeated } from "../../sdk/player/policy-decision.js";
import type { Policy } from "../../sdk/player/policy.js";
import { SharedFacts } from "./shared-facts.js";
import { RetrySchedule } from "./retry-schedule.js";
import { UnblockingWallet } from "./unblocking-wallet.js";
import { endReport } from "./reports.js";
import { Watchtower } from "./watchtower.js";
import { AgentChannels } from "./channels.js";
import { SponsorBudget } from "./sponsor.js";
import { dueOf, NotYet, Turns } from "./turns.js";

/** Largest factor by which the pause between requests to a failing node grows. */
const MAX_PAUSES = 32;

/** Maximum numbers of own matches, offers and ends read per tick: a flood of them must not delay a due action. */
const MAX_READ = 100;

/** Maximum numbers per tick of challenges whose move is searched, and of reports of refusals that may change later. */
const MAX_LOOKS = 10;

/** Maximum number of transactions that wait for a block at once: nodes guarantee an account no more places. */
const MAX_SENT = 16;

/** Maximum number of attempts to report how a match ended. */
const MAX_REPORTS = 5;

/** Milliseconds after which the agent reads the chain again even if nothing has changed, to act on time. */
const AGAIN = 1_000;

/**
 * Milliseconds between reads of the chain while a node announces events, unless something waits. The node is not trusted,
 * and the passing of an opponent's deadline is no event.
 */
const REST = 15_000;

/** Milliseconds without a read of the chain after which the agent counts as unhealthy. */
const MAX_SILENCE = 300_000;

const NOTHING = { staked: 0n, locked: 0n };

/** Settings of an agent. */
export interface Settings {
  policy: Policy;
  /** True if the agent accepts challenges and plays its own matches. */
  plays: boolean;
  /** Files of exported secrets, for the matches to watch. */
  secrets: readonly string[];
  /** Meeting place where the agent finds opponents for channels; defaults to the relays of the command line. */
  place?: MeetingPlace;
}

/**
 * A program that plays as an ordinary player. It reads all it needs about matches from the chain, so it can be stopped
 * and started at any time.
 */
export class Agent {
  private readonly tracker: MatchTracker;
  private readonly health: Health;
  private readonly turns: Turns;
  private readonly reviewer: ChallengeReviewer;
  /** The agent's channels; undefined if the agent does not play. */
  channels?: AgentChannels;
  /** Reason why the agent accepts nothing new. */
  private problem: string | undefined = "I have not looked at the chain yet";
  /** Open matches, as last read. */
  private readonly views = new Map<bigint, MatchView>();
  /** Matches that are over and not yet reported, with the number of attempts. */
  private readonly ends = new Map<bigint, { listed: ListedMatch; tries: number }>();
  /** Retries, by match number, token address, or the name of a read. */
  private readonly schedule = new RetrySchedule<bigint | string>();
  /** Number of the challenge that was considered last. */
  private lookedAt = 0n;
  private isTurnOfChannels = false;
  /** Time of the last read of the chain, in milliseconds of the machine's monotonic clock. */
  private lastLook = performance.now();
  /** Time on that clock at which the agent reads the chain again, even without a new block. */
  private nextLook = 0;
  /** True if the last look left nothing to do before the next event or an opponent's deadline. */
  private isQuiet = false;
  /** True if limits have kept something in this look from being read or considered. */
  private isCut = false;
  private readonly announcements: Announcements;

  private constructor(
    private readonly context: CommandContext,
    private readonly client: Client,
    private readonly wallet: UnblockingWallet,
    private readonly settings: Settings,
    private readonly watchtower: Watchtower,
    private readonly eventLog: EventLog,
    clock?: () => number,
  ) {
    const { policy } = settings;
    this.tracker = new MatchTracker(context);
    this.announcements = new Announcements(context, eventLog);
    this.health = new Health(wallet, policy.node, clock);
    this.turns = new Turns(context, client, eventLog);
    this.reviewer = new ChallengeReviewer(context, client, policy, this.turns, eventLog);
  }

  /**
   * Opens an agent.
   * @param clock Returns the time in seconds since 1970; the machine's clock by default.
   * @throws InputError for a malformed file of secrets.
   */
  static async open(
    context: CommandContext,
    settings: Settings,
    eventLog: EventLog,
    clock?: () => number,
  ): Promise<Agent> {
    const timeout = settings.policy.node.stuck * 1000;
    const wallet = new UnblockingWallet(await context.signer(), timeout);
    const client = await Client.connect(context.deployment.addresses, context.games, wallet, { timeout });
    const watchtower = await Watchtower.open(context, client, settings.secrets, settings.policy.watchtower);
    const agent = new Agent(context, client, wallet, settings, watchtower, eventLog, clock);
    if (settings.plays) agent.channels = await agent.openChannels(clock);
    return agent;
  }

  private async openChannels(clock = () => Date.now() / 1000): Promise<AgentChannels> {
    const { context, client, wallet, eventLog, reviewer } = this;
    const { policy, place } = this.settings;
    const { sponsor } = policy.channels;
    const { folder, at } = await ChannelFiles.of(context, client.address);
    return AgentChannels.open({
      ...{ context, client, wallet, policy, reviewer, eventLog },
      moveStore: this.turns.moveStore,
      budget: sponsor && (await SponsorBudget.open(join(folder, "sponsored.json"), sponsor, clock)),
      place: place ?? (channelRelaysOf(context).length > 0 ? placeOf(context, at) : undefined),
      own: () => [...this.views.values()].filter((view) => this.isMine(view)),
      problem: () => this.problem,
    });
  }

  /** Plays until the signal aborts. @throws Error if the log cannot be written. */
  async run(signal: AbortSignal): Promise<void> {
    this.channels?.live(signal);
    const stop = new AbortController();
    const following = this.announcements.follow(AbortSignal.any([signal, stop.signal]));
    try {
      await this.tickUntil(signal);
    } finally {
      this.channels?.close();
      stop.abort();
      await following;
    }
  }

  /** Number of open matches that concern the agent. */
  get matches(): number {
    return this.views.size;
  }

  /**
   * Lists the reasons why the agent cannot work, one sentence each.
   * @param now Time on the machine's monotonic clock.
   */
  problems(now = performance.now()): string[] {
    const troubles = ["node", "health"].flatMap((about) => this.eventLog.troubleWith(about) ?? []);
    const silence = now - this.lastLook;
    const isSilent = silence > MAX_SILENCE;
    return [
      ...troubles,
      ...(isSilent ? [`I have not looked at the chain for ${Math.floor(silence / 1000)} s.`] : []),
      ...(this.channels?.problems(now) ?? []),
    ];
  }

  /** Milliseconds until the next read of the chain, unless something wakes the agent. */
  private pauseAfter(failures: number): number {
    const { pollingInterval } = this.context.provider;
    if (failures > 0) return pollingInterval * Math.min(2 ** failures, MAX_PAUSES);
    // The node that is read may lag behind one that announces.
    const isTold = this.announcements.isNoneAfter(this.tracker.head);
    return isTold && this.isQuiet ? Math.max(pollingInterval, REST) : pollingInterval;
  }

  /** Ticks until the signal aborts. @throws Error if the log cannot be written. */
  private async tickUntil(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted;) {
      this.channels?.failed.throwIfAborted();
      this.announcements.renew();
      let busy = false;
      try {
        busy = await this.tick();
        failures = 0;
        this.eventLog.reportTrouble("node", undefined);
      } catch (error) {
        failures++;
        this.eventLog.reportTrouble("node", `The node fails: ${this.context.tokens.explain(error)}`);
      }
      this.lastLook = performance.now();
      const time = this.pauseAfter(failures);
      const { stirred, failed } = this.channels ?? {};
      const others = [stirred, failed].filter((each) => each !== undefined);
      const woken = AbortSignal.any([signal, ...(failures > 0 ? [] : [this.announcements.signal]), ...others]);
      if (!busy) await pause(time, undefined, { signal: woken }).catch(() => undefined);
    }
  }

  /**
   * Reads the chain once, and sends the transactions of one kind that are due, up to a limit.
   * @returns whether there may be more to do at once.
   */
  async tick(): Promise<boolean> {
    const news = await this.tracker.refresh();
    const hasCalls = this.channels?.takeStir() ?? false;
    if (!news.isNew && !hasCalls && performance.now() < this.nextLook) return false;
    if (news.isNew) this.schedule.onNewBlock();
    this.nextLook = performance.now() + AGAIN;
    this.isQuiet = this.isCut = false;
    for (const matchId of news.changed) {
      this.views.delete(matchId);
      this.schedule.clear(matchId);
      this.schedule.clear(`view ${matchId}`);
      this.watchtower.forget(matchId);
      this.reviewer.reconsider(matchId);
    }
    await this.reportEnds(news);
    const problem = await this.reportProblems(news);
    this.problem = problem;
    // A transaction queued behind a stuck one would also wait, and might repeat the stuck transaction's action.
    await this.wallet.replaceStuck();
    if ((await this.wallet.queueState()) !== "empty") return false;
    const now = BigInt(await nextTime(this.context.provider));
    const isBusy =
      (await this.sendUrgent(now)) || (await this.considerChallenges(now, problem)) || (await this.payOut());
    if (isBusy) this.nextLook = 0;
    const isWaiting = this.isCut || !this.schedule.isEmpty || (this.channels?.hasCalls ?? false);
    // A watchtower acts when the clock of its player is short, which no event announces.
    const isWatching = this.tracker.open.some((each) => this.watchtower.mayWatch(each));
    this.isQuiet = !isBusy && !isWaiting && !isWatching;
    return isBusy;
  }

  /** Performs the next due action in an on-chain match or in a channel. The two kinds take turns at going first. */
  private async sendUrgent(now: bigint): Promise<boolean> {
    const inChannels = async () => (await this.channels?.sendNext()) ?? false;
    this.isTurnOfChannels = !this.isTurnOfChannels;
    if (this.isTurnOfChannels) return (await inChannels()) || (await this.actWhereDue(now));
    return (await this.actWhereDue(now)) || (await inChannels());
  }

  /** Performs the due steps of open matches, the most urgent first, until some have sent transactions. */
  private async actWhereDue(now: bigint): Promise<boolean> {
    const views = (await this.relevantViews()).filter(({ matchId }) => this.schedule.isDue(matchId));
    const act = async (view: MatchView) =>
      this.attempt(view.matchId, async () => {
        const step = await this.stepIn(view, now);
        await step?.();
        return step !== undefined;
      });
    const [due, quiet] = partition(views, (view) => this.mayBeDue(view, now));
    for (const { matchId } of quiet) this.settle(matchId);
    const sorted = due.toSorted((a, b) => Number(a.deadline - b.deadline));
    for (let at = 0; at < sorted.length; at += MAX_SENT) {
      const sent = await Promise.all(sorted.slice(at, at + MAX_SENT).map(act));
      if (sent.includes(true)) return true;
    }
    return false;
  }

  /** Returns false for a match of the agent in which nothing is due; a watched match must be looked at. */
  private mayBeDue(view: MatchView, now: bigint): boolean {
    if (!this.settings.plays || !this.isMine(view)) return true;
    const game = this.context.findGame(view.terms.game);
    return game !== undefined && dueOf(view, game, this.client.address, now) !== undefined;
  }

  /** Returns the step that is due in a match, or undefined. */
  private async stepIn(view: MatchView, now: bigint): Promise<(() => Promise<void>) | undefined> {
    const game = this.context.findGame(view.terms.game);
    if (!game) return undefined;
    if (this.settings.plays && this.isMine(view)) {
      const due = dueOf(view, game, this.client.address, now);
      return due && (() => this.turns[due](view));
    }
    if (!(await this.watchtower.mustAct(view, now))) return undefined;
    return () => this.turns.act(view);
  }

  /**
   * Decides on all challenges that can be read. Refuses most of them by their terms, and considers some of the others.
   * @returns whether something was sent, or more challenges can be read at once
   */
  private async considerChallenges(now: bigint, problem?: string): Promise<boolean> {
    if (!this.settings.plays) return false;
    const own = (await this.relevantViews()).filter((view) => this.isMine(view));
    const hidden = this.tracker.open.find((listed) => this.mayBeMine(listed) && !this.views.has(listed.matchId));
    const trouble = problem ?? (hidden && `I cannot read match ${hidden.matchId} now`);
    this.reviewer.startRound();
    const listed = this.tracker.open.filter((each) => this.isPending(each));
    const isMore = await this.readViews(listed);
    const channels = (token: string) => this.channels?.inChannels(token) ?? NOTHING;
    const state = { own, channels, now, problem: trouble, shared: new SharedFacts(this.context) };
    const wanted = await this.refuseMost(this.fromLast(listed), state);
    const consider = async (view: MatchView) =>
      this.attempt(view.matchId, async () => this.reviewer.consider(view, state));
    const sent = await Promise.all(wanted.map(consider));
    return sent.includes(true) || isMore;
  }

  /** Refuses challenges, and returns some of the others, which `consider` must decide. */
  private async refuseMost(listed: readonly ListedMatch[], state: ReviewedState): Promise<MatchView[]> {
    const wanted: MatchView[] = [];
    let reports = MAX_LOOKS;
    for (const { matchId } of listed) {
      const view = this.views.get(matchId);
      if (!view) continue;
      const mayReport = () => {
        if (reports > 0) this.lookedAt = matchId;
        else this.isCut = true;
        return reports-- > 0;
      };
      // What cannot be judged by its terms is considered, which reports the error.
      if (await this.reviewer.refuse(view, state, mayReport).catch(() => false)) this.settle(matchId);
      else {
        this.lookedAt = matchId;
        wanted.push(view);
        if (wanted.length === MAX_LOOKS) {
          this.isCut = true;
          break;
        }
      }
    }
    return wanted;
  }

  /** Returns challenges in the order of their numbers, beginning after the one that was looked at last. */
  private fromLast(listed: readonly ListedMatch[]): readonly ListedMatch[] {
    const next = Math.max(
      0,
      listed.findIndex(({ matchId }) => matchId > this.lookedAt),
    );
    return [...listed.slice(next), ...listed.slice(0, next)];
  }

  /** Returns whether a match is a challenge that should be considered now. */
  private isPending({ matchId, player1, player2, status }: ListedMatch): boolean {
    const { address: me } = this.client;
    if (status === undefined || status >= Status.AllDeposited) return false;
    if (player1 === me || (player2 ?? me) !== me) return false;
    return this.reviewer.isPending(matchId) && this.schedule.isDue(matchId);
  }

  /** Pays out the part of the purse above the amount to keep. */
  private async payOut(): Promise<boolean> {
    for (const { token, keep } of this.settings.policy.tokens.values()) {
      if (keep === undefined || !this.schedule.isDue(token.address)) continue;
      if (await this.attempt(token.address, () => this.payOutAbove(keep, token))) return true;
    }
    return false;
  }

  private async payOutAbove(keep: bigint, token: Token): Promise<boolean> {
    const promised = this.channels?.pendingIn(token.address) ?? 0n;
    const surplus = (await this.client.arena.purseOf(this.client.address, token.address)) - keep - promised;
    if (surplus <= 0n) return false;
    await this.client.withdraw(token.address, surplus).catch((error: unknown) => {
      throw new Error(`${amountText(surplus, token)} cannot be paid out: ${this.context.tokens.explain(error)}`);
    });
    this.eventLog.report({
      event: "withdrawn",
      text: `${amountText(surplus, token)} went from my purse to my wallet.`,
    });
    return true;
  }

  /** Attempts a step in a match or with a token, and reports each problem once. @returns whether something was sent. */
  private async attempt(about: bigint | string, step: () => Promise<boolean>): Promise<boolean> {
    try {
      const sent = await step();
      this.settle(about);
      return sent;
    } catch (error) {
      this.turns.moveStore.forget();
      if (typeof about === "bigint") this.views.delete(about);
      if (error instanceof NotYet) this.schedule.waitForBlock(about);
      else {
        this.schedule.recordFailure(about);
        this.reportTrouble(about, this.context.tokens.explain(error));
      }
      return false;
    }
  }

  /** Forgets the failures of steps in a match or with a token. */
  private settle(about: bigint | string): void {
    this.schedule.clear(about);
    this.reportTrouble(about, undefined);
  }

  private reportTrouble(about: bigint | string, text: string | undefined): void {
    this.eventLog.reportTrouble(about, text, typeof about === "bigint" ? about : undefined);
  }

  /** Returns the open matches that may concern the agent and that can be read; reads some new ones per tick. */
  private async relevantViews(): Promise<MatchView[]> {
    const listed = this.tracker.open.filter((each) => this.isRelevant(each));
    await this.readViews(listed);
    return listed.flatMap(({ matchId }) => this.views.get(matchId) ?? []);
  }

  /** Reads some of the matches that were not read yet. @returns whether more of them can be read at once */
  private async readViews(listed: readonly ListedMatch[]): Promise<boolean> {
    const fresh = listed.filter(({ matchId }) => !this.views.has(matchId) && this.schedule.isDue(`view ${matchId}`));
    const look = async ({ matchId }: ListedMatch) => {
      try {
        await this.view(matchId);
        this.schedule.clear(`view ${matchId}`);
      } catch (error) {
        this.schedule.recordFailure(`view ${matchId}`);
        this.reportTrouble(matchId, this.context.tokens.explain(error));
      }
    };
    await Promise.all(fresh.slice(0, MAX_READ).map(look));
    const isMore = fresh.length > MAX_READ;
    this.isCut ||= isMore;
    return isMore;
  }

  private async view(matchId: bigint): Promise<MatchView> {
    const view = this.views.get(matchId) ?? (await this.context.view(matchId));
    this.views.set(matchId, view);
    this.tracker.learn(view);
    return view;
  }

  private async reportProblems(news: MatchNews): Promise<string | undefined> {
    const problems = await this.health.problems(news.latest, news.reorganised);
    this.eventLog.reportTrouble(
      "health",
      problems.length > 0 ? `I take nothing new: ${problems.join(" ")}` : undefined,
    );
    return problems.at(0);
  }

  /** Reports how the matches that the agent plays or watches have ended. */
  private async reportEnds({ ended }: MatchNews): Promise<void> {
    for (const listed of ended) {
      this.reviewer.forget(listed.matchId);
      if (this.isRelevant(listed)) this.ends.set(listed.matchId, { listed, tries: 0 });
    }
    const due = [...this.ends.values()].filter(({ listed: { matchId } }) => this.schedule.isDue(matchId));
    // Matches whose clock runs must not wait until all ends are reported.
    const report = async (end: { listed: ListedMatch; tries: number }) => {
      const { matchId } = end.listed;
      await this.attempt(matchId, () => this.reportEnd(matchId));
      if (++end.tries < MAX_REPORTS) return;
      // The agent gives up reporting the end.
      this.ends.delete(matchId);
      this.schedule.clear(matchId);
    };
    this.isCut ||= due.length > MAX_READ;
    await Promise.all(due.slice(0, MAX_READ).map(report));
  }

  private async reportEnd(matchId: bigint): Promise<false> {
    const view = await this.context.view(matchId);
    const player = this.isMine(view) ? this.client.address : (await this.watchtower.playersIn(view)).at(0);
    if (!isOpen(view) && player !== undefined)
      this.eventLog.report(await endReport(this.context, view, player, player === this.client.address));
    this.ends.delete(matchId);
    return false;
  }

  /** Returns whether the agent may play or watch a match. */
  private isRelevant(listed: ListedMatch): boolean {
    return this.mayBeMine(listed) || this.watchtower.mayWatch(listed);
  }

  private mayBeMine({ status, ...match }: ListedMatch): boolean {
    return status === undefined || hasSeat(this.client.address, { ...match, status });
  }

  /** Returns whether the agent has taken a seat in a match. */
  private isMine(view: MatchView): boolean {
    return isSeated(this.context, view, this.client.address);
  }
}

/** Splits a list into the items with a property and the others. */
function partition<T>(items: readonly T[], has: (item: T) => boolean): [T[], T[]] {
  const [those, others]: [T[], T[]] = [[], []];
  for (const item of items) (has(item) ? those : others).push(item);
  return [those, others];
}
