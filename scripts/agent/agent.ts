import { setTimeout as pause } from "node:timers/promises";
import { Client } from "../../sdk/client.js";
import { explain } from "../../sdk/errors.js";
import { Status } from "../../sdk/status.js";
import { viewMatch, type MatchView } from "../play/match.js";
import type { Session } from "../play/session.js";
import { amountText } from "../play/tokens.js";
import { Board, type Listed, type News } from "./board.js";
import { Challenges } from "./challenges.js";
import { Health } from "./health.js";
import type { Journal } from "./journal.js";
import type { Policy } from "./policy.js";
import { Schedule } from "./schedule.js";
import { Sender } from "./sender.js";
import { endOf } from "./telling.js";
import { Tower } from "./tower.js";
import { dueOf, NotYet, Turns, type Due } from "./turns.js";

/** A node that does not answer is asked again after so many times the usual pause, at most. */
const MOST_PAUSES = 32;

/** Who sits in a match, or is offered a seat. */
type Seats = Listed | MatchView;

/** How an agent plays. */
export interface Settings {
  policy: Policy;
  /** Whether it takes challenges, and plays its own matches. */
  plays: boolean;
  /** Files of exported secrets whose matches it watches. */
  secrets: readonly string[];
}

/** A player that is a program. All that it knows of matches is on the chain; it can be stopped and started at any time. */
export class Agent {
  private readonly board: Board;
  private readonly health: Health;
  private readonly turns: Turns;
  private readonly challenges: Challenges;
  /** Open matches as they were last seen. */
  private readonly views = new Map<bigint, MatchView>();
  private readonly schedule = new Schedule<bigint | "all">();

  private constructor(
    private readonly session: Session,
    private readonly client: Client,
    private readonly sender: Sender,
    private readonly settings: Settings,
    private readonly tower: Tower,
    private readonly journal: Journal,
    clock?: () => number,
  ) {
    const { policy } = settings;
    this.board = new Board(session.provider, session.deployment);
    this.health = new Health(sender, policy.node, clock);
    this.turns = new Turns(session, client, journal);
    this.challenges = new Challenges(session, client, policy, this.turns, journal);
  }

  /** @param clock The time in seconds since 1970, if not the machine's. */
  static async open(session: Session, settings: Settings, journal: Journal, clock?: () => number): Promise<Agent> {
    const patience = settings.policy.node.stuck * 1000;
    const sender = new Sender(await session.signer(), patience);
    const client = await Client.connect(session.deployment.addresses, sender, patience);
    const tower = await Tower.over(session, client, settings.secrets, settings.policy.tower);
    return new Agent(session, client, sender, settings, tower, journal, clock);
  }

  /** Plays until it is told to stop. */
  async run(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted;) {
      const busy = await this.tick().then(
        (sent) => ((failures = 0), sent),
        (error: unknown) => (failures++, this.journal.trouble("node", `The node fails: ${explain(error)}`), false),
      );
      if (failures === 0) this.journal.trouble("node", undefined);
      const time = this.session.provider.pollingInterval * Math.min(2 ** failures, MOST_PAUSES);
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
      this.challenges.renew(matchId);
    }
    await this.tellEnds(news);
    const ill = await this.tellIlls(news);
    // Whoever sends behind a transaction that waits only waits longer, and may send twice what is on its way already.
    await this.sender.clear();
    if ((await this.sender.queue()) !== "empty") return false;
    const now = await this.now(news);
    const sent = (await this.duties(now)) || (await this.consider(now, ill)) || (await this.payOut());
    if (sent) this.schedule.clear("all");
    return sent;
  }

  /** Does what is due in open matches, the most urgent first, until something was sent. */
  private async duties(now: bigint): Promise<boolean> {
    const isTo = (listed: Listed) => this.isMine(listed) || this.tower.playerIn(listed) !== undefined;
    const views = await Promise.all(this.board.open.filter(isTo).map(({ matchId }) => this.view(matchId)));
    for (const view of views.toSorted((a, b) => Number(a.deadline - b.deadline))) {
      const due = await this.dueIn(view, now);
      if (!due || !this.schedule.isTime(view.matchId)) continue;
      if (await this.attempt(view, () => this.turns[due](view).then(() => true))) return true;
    }
    return false;
  }

  private async dueIn(view: MatchView, now: bigint): Promise<Due | undefined> {
    if (view.game === undefined) return undefined;
    if (this.settings.plays && this.isMine(view)) return dueOf(view, this.client.address, now);
    return (await this.tower.watches(view)) && (await this.tower.mustAct(view, now)) ? "act" : undefined;
  }

  /** Looks at challenges until one is taken. */
  private async consider(now: bigint, ill?: string): Promise<boolean> {
    const { address: me } = this.client;
    const own = await Promise.all(
      this.board.open.filter((listed) => this.isMine(listed)).map(({ matchId }) => this.view(matchId)),
    );
    for (const { matchId, player1, player2, opponent = me } of this.settings.plays ? this.board.open : []) {
      if (player1 === me || player2 !== undefined || opponent !== me || !this.challenges.isPending(matchId)) continue;
      const view = await this.view(matchId);
      const sent = () => this.challenges.consider(view, own, now, ill);
      if (this.schedule.isTime(matchId) && (await this.attempt(view, sent))) return true;
    }
    return false;
  }

  /** Pays out what the purse holds above what it is to keep. */
  private async payOut(): Promise<boolean> {
    for (const { token, keep } of this.settings.policy.tokens.values()) {
      if (keep === undefined) continue;
      const surplus = (await this.client.arena.purseOf(this.client.address, token.address)) - keep;
      if (surplus <= 0n) continue;
      await this.client.withdraw(token.address, surplus);
      this.journal.tell({ event: "withdrawn", text: `${amountText(surplus, token)} went from my purse to my wallet.` });
      return true;
    }
    return false;
  }

  /** Tries something in a match; what goes wrong is told once. @returns whether something was sent. */
  private async attempt({ matchId }: MatchView, step: () => Promise<boolean>): Promise<boolean> {
    try {
      const sent = await step();
      this.schedule.clear(matchId);
      this.journal.trouble(matchId, undefined, matchId);
      return sent;
    } catch (error) {
      this.turns.hand.forget();
      this.views.delete(matchId);
      if (error instanceof NotYet) this.schedule.wait(matchId);
      else {
        this.schedule.fail(matchId);
        this.journal.trouble(matchId, explain(error), matchId);
      }
      return false;
    }
  }

  private async view(matchId: bigint): Promise<MatchView> {
    const view = this.views.get(matchId) ?? (await viewMatch(this.session, matchId));
    this.views.set(matchId, view);
    return view;
  }

  /** The time of the next block: on a quiet test chain the latest one may be long past. */
  private async now({ latest }: News): Promise<bigint> {
    const pending = await this.session.provider.getBlock("pending").catch(() => null);
    return BigInt(Math.max(latest.timestamp, pending?.timestamp ?? 0));
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
      const player = this.isMine(listed) ? this.client.address : this.tower.playerIn(listed);
      const who = player === this.client.address ? "I" : player!;
      if (player !== undefined) this.journal.tell(await endOf(this.session, listed.matchId, player, who));
    }
  }

  /** Whether it sits in a match; a seat that was only offered to it is not taken. */
  private isMine(seats: Seats): boolean {
    const { player1, player2 } = seats;
    const isTaken = !("status" in seats) || seats.status >= Status.AllDeposited;
    return player1 === this.client.address || (player2 === this.client.address && isTaken);
  }
}
