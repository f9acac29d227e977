import { setTimeout as pause } from "node:timers/promises";
import { Client } from "../../sdk/player/client.js";
import { explain } from "../../sdk/player/errors.js";
import { Status } from "../../sdk/protocol/status.js";
import { nextTime } from "../../sdk/chain/time.js";
import { isOpen, viewMatch, type MatchView } from "../shared/match.js";
import type { Session } from "../shared/session.js";
import { amountText, type Token } from "../shared/tokens.js";
import { Board, type Listed, type News } from "./board.js";
import { Challenges } from "./challenges.js";
import { Health } from "./health.js";
import type { Journal } from "./journal.js";
import type { Policy } from "./policy.js";
import { Schedule } from "./schedule.js";
import { Sender } from "./sender.js";
import { endOf } from "./reports.js";
import { Watchtower } from "./watchtower.js";
import { dueOf, NotYet, Turns, type Due } from "./turns.js";

/** A node that does not answer is asked again after so many times the usual pause, at most. */
const MAX_PAUSES = 32;

/** So many matches are looked at anew in a tick, so that whoever makes many keeps it from nothing that is due. */
const MAX_LOOKS = 10;

/** So often it is tried to tell how a match has ended. */
const MAX_REPORTS = 5;

/** How an agent plays. */
export interface Settings {
  policy: Policy;
  /** Whether it takes challenges, and plays its own matches. */
  plays: boolean;
  /** Files of exported secrets whose matches it watches. */
  secrets: readonly string[];
}

/**
 * A player that is a program. All that it knows of matches is on the chain; it can be stopped and started at any time.
 */
export class Agent {
  private readonly board: Board;
  private readonly health: Health;
  private readonly turns: Turns;
  private readonly challenges: Challenges;
  /** Open matches as they were last seen. */
  private readonly views = new Map<bigint, MatchView>();
  /** Matches that are over and still to be told of, and how often that was tried. */
  private readonly ends = new Map<bigint, { listed: Listed; tries: number }>();
  /** By the numbers of matches, by tokens, and by what is read. */
  private readonly schedule = new Schedule<bigint | string>();
  /** The challenge that was looked at last. */
  private lookedAt = 0n;

  private constructor(
    private readonly session: Session,
    private readonly client: Client,
    private readonly sender: Sender,
    private readonly settings: Settings,
    private readonly watchtower: Watchtower,
    private readonly journal: Journal,
    clock?: () => number,
  ) {
    const { policy } = settings;
    this.board = new Board(session);
    this.health = new Health(sender, policy.node, clock);
    this.turns = new Turns(session, client, journal);
    this.challenges = new Challenges(session, client, policy, this.turns, journal);
  }

  /** @param clock The time in seconds since 1970, if not the machine's. */
  static async open(session: Session, settings: Settings, journal: Journal, clock?: () => number): Promise<Agent> {
    const timeout = settings.policy.node.stuck * 1000;
    const sender = new Sender(await session.signer(), timeout);
    const client = await Client.connect(session.deployment.addresses, sender, { timeout });
    const watchtower = await Watchtower.over(session, client, settings.secrets, settings.policy.watchtower);
    return new Agent(session, client, sender, settings, watchtower, journal, clock);
  }

  /** Plays until it is told to stop. */
  async run(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted;) {
      const busy = await this.tick().then(
        (sent) => ((failures = 0), sent),
        (error: unknown) => (failures++, this.journal.trouble("node", `The node fails: ${explain(error)}`), false),
      );
      if (failures === 0) this.journal.trouble("node", undefined);
      const time = this.session.provider.pollingInterval * Math.min(2 ** failures, MAX_PAUSES);
      if (!busy) await pause(time, undefined, { signal }).catch(() => undefined);
    }
  }

  /** One look at the chain, and at most one thing sent. @returns whether something was. */
  async tick(): Promise<boolean> {
    const news = await this.board.look();
    if (!news.isNew && !this.schedule.isTime("all")) return false;
    this.schedule.wait("all");
    if (news.isNew) this.schedule.advance();
    for (const matchId of news.changed) {
      this.views.delete(matchId);
      this.watchtower.forget(matchId);
      this.challenges.renew(matchId);
    }
    await this.tellEnds(news);
    const ill = await this.tellIlls(news);
    // Whoever sends behind a transaction that waits only waits longer, and may send twice what is on its way already.
    await this.sender.clear();
    if ((await this.sender.queue()) !== "empty") return false;
    const now = BigInt(await nextTime(this.session.provider));
    const sent = (await this.duties(now)) || (await this.consider(now, ill)) || (await this.payOut());
    if (sent) this.schedule.clear("all");
    return sent;
  }

  /** Does what is due in open matches, the most urgent first, until something was sent. */
  private async duties(now: bigint): Promise<boolean> {
    const views = await this.seen();
    for (const view of views.toSorted((a, b) => Number(a.deadline - b.deadline))) {
      const act = async () => {
        const due = await this.dueIn(view, now);
        if (due !== undefined) await this.turns[due](view);
        return due !== undefined;
      };
      if (this.schedule.isTime(view.matchId) && (await this.attempt(view.matchId, act))) return true;
    }
    return false;
  }

  private async dueIn(view: MatchView, now: bigint): Promise<Due | undefined> {
    if (view.game === undefined) return undefined;
    if (this.settings.plays && this.isMine(view)) return dueOf(view, this.client.address, now);
    return (await this.watchtower.mustAct(view, now)) ? "act" : undefined;
  }

  /** Looks at some challenges, each time at the next ones, until one is taken. */
  private async consider(now: bigint, ill?: string): Promise<boolean> {
    if (!this.settings.plays) return false;
    const own = (await this.seen()).filter((view) => this.isMine(view));
    const hidden = this.board.open.find((listed) => this.mayBeMine(listed) && !this.views.has(listed.matchId));
    const trouble = ill ?? (hidden && `I cannot read match ${hidden.matchId} now`);
    const pending = this.board.open.filter((listed) => this.isPending(listed));
    const next = Math.max(
      0,
      pending.findIndex(({ matchId }) => matchId > this.lookedAt),
    );
    for (const { matchId } of [...pending.slice(next), ...pending.slice(0, next)].slice(0, MAX_LOOKS)) {
      this.lookedAt = matchId;
      const look = async () => this.challenges.consider(await this.view(matchId), own, now, trouble);
      if (await this.attempt(matchId, look)) return true;
    }
    return false;
  }

  /** Whether a match is a challenge to be looked at now. */
  private isPending({ matchId, player1, player2, opponent }: Listed): boolean {
    const { address: me } = this.client;
    if (player1 === undefined || player1 === me || player2 !== undefined || (opponent ?? me) !== me) return false;
    return this.challenges.isPending(matchId) && this.schedule.isTime(matchId);
  }

  /** Pays out what the purse holds above what it is to keep. */
  private async payOut(): Promise<boolean> {
    for (const { token, keep } of this.settings.policy.tokens.values()) {
      if (keep === undefined || !this.schedule.isTime(token.address)) continue;
      if (await this.attempt(token.address, () => this.payOutAbove(keep, token))) return true;
    }
    return false;
  }

  private async payOutAbove(keep: bigint, token: Token): Promise<boolean> {
    const surplus = (await this.client.arena.purseOf(this.client.address, token.address)) - keep;
    if (surplus <= 0n) return false;
    await this.client.withdraw(token.address, surplus).catch((error: unknown) => {
      throw new Error(`${amountText(surplus, token)} cannot be paid out: ${explain(error)}`);
    });
    this.journal.tell({ event: "withdrawn", text: `${amountText(surplus, token)} went from my purse to my wallet.` });
    return true;
  }

  /**
   * Tries something, in a match or with a token; what goes wrong there is told once. @returns whether something was
   * sent.
   */
  private async attempt(about: bigint | string, step: () => Promise<boolean>): Promise<boolean> {
    try {
      const sent = await step();
      this.schedule.clear(about);
      this.tellTrouble(about, undefined);
      return sent;
    } catch (error) {
      this.turns.moveStore.forget();
      if (typeof about === "bigint") this.views.delete(about);
      if (error instanceof NotYet) this.schedule.wait(about);
      else {
        this.schedule.fail(about);
        this.tellTrouble(about, explain(error));
      }
      return false;
    }
  }

  private tellTrouble(about: bigint | string, text: string | undefined): void {
    this.journal.trouble(about, text, typeof about === "bigint" ? about : undefined);
  }

  /** The open matches that it may have to do with, as far as they can be read: new ones a few at a time. */
  private async seen(): Promise<MatchView[]> {
    const listed = this.board.open.filter((each) => this.isRelevant(each));
    const fresh = listed.filter(({ matchId }) => !this.views.has(matchId) && this.schedule.isTime(`view ${matchId}`));
    const look = async ({ matchId }: Listed) => {
      try {
        await this.view(matchId);
        this.schedule.clear(`view ${matchId}`);
      } catch (error) {
        this.schedule.fail(`view ${matchId}`);
        this.tellTrouble(matchId, explain(error));
      }
    };
    await Promise.all(fresh.slice(0, MAX_LOOKS).map(look));
    return listed.flatMap(({ matchId }) => this.views.get(matchId) ?? []);
  }

  private async view(matchId: bigint): Promise<MatchView> {
    const view = this.views.get(matchId) ?? (await viewMatch(this.session, matchId));
    this.views.set(matchId, view);
    this.board.learn(view);
    return view;
  }

  private async tellIlls(news: News): Promise<string | undefined> {
    const ills = await this.health.ills(news.latest, news.reorganised);
    this.journal.trouble("health", ills.length > 0 ? `I take nothing new: ${ills.join(" ")}` : undefined);
    return ills.at(0);
  }

  /** Tells how its matches have ended, and those that it watches. */
  private async tellEnds({ ended }: News): Promise<void> {
    for (const listed of ended) {
      this.challenges.forget(listed.matchId);
      if (this.isRelevant(listed)) this.ends.set(listed.matchId, { listed, tries: 0 });
    }
    for (const end of this.ends.values()) {
      const { matchId } = end.listed;
      if (!this.schedule.isTime(matchId)) continue;
      // What cannot be told now and later is told no more.
      if (++end.tries === MAX_REPORTS) this.ends.delete(matchId);
      await this.attempt(matchId, () => this.tellEnd(matchId));
    }
  }

  private async tellEnd(matchId: bigint): Promise<false> {
    const view = await viewMatch(this.session, matchId);
    const player = this.isMine(view) ? this.client.address : (await this.watchtower.playersIn(view)).at(0);
    const who = player === this.client.address ? "I" : player!;
    if (!isOpen(view) && player !== undefined) this.journal.tell(await endOf(this.session, view, player, who));
    this.ends.delete(matchId);
    return false;
  }

  /** Whether a match may be one that it plays or watches. */
  private isRelevant(listed: Listed): boolean {
    return this.mayBeMine(listed) || this.watchtower.mayWatch(listed);
  }

  private mayBeMine({ player1, player2 }: Listed): boolean {
    return player1 === undefined || [player1, player2].includes(this.client.address);
  }

  /**
   * Whether it sits in a match. A seat that was only offered to it is not taken, nor one that a token says it wanted:
   * any contract can say so. Of FIGHT that is known to be true.
   */
  private isMine({ status, player1, player2, byTransfer, terms }: MatchView): boolean {
    if (player1 === this.client.address) return true;
    const isTaken = status >= Status.AllDeposited;
    const isOwn = !byTransfer || terms.token === this.session.deployment.addresses.FightToken;
    return player2 === this.client.address && isTaken && isOwn;
  }
}
