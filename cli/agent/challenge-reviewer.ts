import type { Client } from "../../sdk/player/client.js";
import { Seat, Status } from "../../sdk/protocol/status.js";
import type { MatchView } from "../../sdk/player/match-view.js";
import type { CommandContext } from "../shared/command/context.js";
import { withFullStop } from "../../sdk/protocol/text.js";
import type { EventLog } from "./event-log.js";
import {
  agentState,
  declineLowChance,
  decide,
  isToDecline,
  ownStake,
  type AgentState,
  type ChallengeView,
  type Decision,
  type InChannels,
} from "../../sdk/player/policy-decision.js";
import type { Turn } from "../../sdk/games/moves.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import type { Policy } from "../../sdk/player/policy.js";
import { challengeText } from "./reports.js";
import type { SharedFacts } from "./shared-facts.js";
import type { Turns } from "./turns.js";

/** State of the agent when it makes a decision. */
export interface ReviewedState {
  /** The agent's open matches on chain. */
  own: readonly MatchView[];
  /** Returns the agent's amounts of a token in channels. */
  channels(token: string): InChannels;
  /** Time in seconds since 1970. */
  now: bigint;
  /** Reason why the agent accepts nothing at present. */
  problem?: string;
  /** Facts that the decisions of one round share; undefined for a single decision. */
  shared?: SharedFacts;
}

/** Match that the agent has decided to take. */
interface Taking {
  view: MatchView;
  /** True once the stake has left the purse. */
  isPaid: boolean;
}

/** Match in a channel, in the same form as a challenge; `matchId` identifies the match's offer. */
export interface ChannelOfferView extends ChallengeView, Pick<MatchView, "matchId" | "player1" | "trust"> {
  channel: Hex;
  seat: bigint;
}

/** Decides on challenges by the agent's policy, and reports each decision once. */
export class ChallengeReviewer {
  private readonly decisions = new Map<bigint, Decision>();
  private deciding: Promise<unknown> = Promise.resolve();
  /** Matches that the agent takes in this round; they are not among the agent's open matches yet. */
  private readonly taking = new Map<bigint, Taking>();

  constructor(
    private readonly context: CommandContext,
    private readonly client: Client,
    private readonly policy: Policy,
    private readonly turns: Turns,
    private readonly eventLog: EventLog,
  ) {}

  /** Marks a changed match for a new decision. */
  reconsider(matchId: bigint): void {
    const decision = this.decisions.get(matchId);
    if (decision) this.decisions.set(matchId, { ...decision, later: true });
  }

  /** Forgets a finished match. */
  forget(matchId: bigint): void {
    this.decisions.delete(matchId);
  }

  /** Returns whether a challenge awaits a decision. */
  isPending(matchId: bigint): boolean {
    const decision = this.decisions.get(matchId);
    return decision === undefined || decision.later === true;
  }

  /** Starts a round of decisions, once the agent has read the matches that it took in the previous round. */
  startRound(): void {
    this.taking.clear();
  }

  /**
   * Refuses a challenge if its terms, the policy and the agent's state suffice for that.
   * @param mayReport Called before a new reason to refuse it for now is reported; returns false to postpone the report.
   * @returns false if `consider` must decide
   */
  async refuse(view: MatchView, state: ReviewedState, mayReport: () => boolean): Promise<boolean> {
    const decision = decide(view, this.policy, await this.stateFor(view, state));
    if (decision.take || this.isToDecline(view, state, decision)) return false;
    if (!decision.later || this.isReported(view.matchId, decision) || mayReport()) this.report(view, decision);
    return true;
  }

  /**
   * Takes, ignores or declines a challenge, and reports why.
   * @returns whether something was sent.
   */
  async consider(view: MatchView, state: ReviewedState): Promise<boolean> {
    const { matchId } = view;
    const { risks, decision } = await this.alone(async () => {
      const decided = await this.decide(view, state);
      if (decided.decision.take) {
        this.taking.set(matchId, { view, isPaid: false });
        state.shared?.forget();
      }
      return decided;
    });
    this.report(view, decision);
    if (this.isToDecline(view, state, decision)) {
      // If declining fails, the challenge is considered again.
      this.reconsider(matchId);
      if (state.problem !== undefined) return false;
      await this.turns.decline(view);
      return true;
    }
    if (!decision.take) return false;
    // If sending fails, the challenge is considered again.
    this.reconsider(matchId);
    try {
      await this.turns.take(view, risks);
      this.taking.set(matchId, { view, isPaid: true });
      state.shared?.forget();
    } catch (error) {
      this.taking.delete(matchId);
      throw error;
    }
    return true;
  }

  /**
   * Decides on a match in a channel by the rules for challenges. Reports why, if the other player offers the match.
   * @param turn Turn of the first move.
   * @param onTake Called for a match that the agent will play, before anything else is decided.
   */
  async judge(
    offer: ChannelOfferView,
    turn: Turn,
    state: ReviewedState,
    onTake: () => void = () => undefined,
  ): Promise<Decision> {
    return this.alone(async () => {
      const decision = await this.judgeTerms(offer, state);
      const judged = decision.take ? await this.decideByMove(offer, turn, state, decision) : decision;
      if (offer.seat === Seat.Two) this.report(offer, judged);
      if (judged.take) onTake();
      return judged;
    });
  }

  /** Judges only the terms of a match in a channel. */
  async judgeTerms(offer: ChallengeView, state: ReviewedState): Promise<Decision> {
    const { purse, locked = 0n, ...facts } = await this.stateFor(offer, state);
    // The stake comes from the channel, not from the purse.
    return decide(offer, this.policy, { ...facts, purse: purse + locked });
  }

  /** Makes decisions one at a time, so that no two of them use up the same limit. */
  async alone<T>(decide: () => Promise<T>): Promise<T> {
    const decided = this.deciding.then(decide);
    this.deciding = decided.catch(() => undefined);
    return decided;
  }

  private async decide(view: MatchView, state: ReviewedState) {
    const facts = await this.stateFor(view, state);
    const decision = decide(view, this.policy, facts);
    if (decision.take && (await this.turns.mustWait(view))) {
      const why = "it is not final yet, and I answer in one step";
      return { risks: [], decision: { take: false, later: true, why } };
    }
    return {
      risks: facts.risks.map(({ risk }) => risk),
      decision: decision.take
        ? await this.decideByMove(view, await this.turns.joiningTurn(view), state, decision)
        : decision,
    };
  }

  private isToDecline(view: MatchView, { now }: ReviewedState, decision: Decision): boolean {
    return isToDecline(view, this.policy, { me: this.client.address, now }, decision);
  }

  /** Returns the agent's state for a decision. */
  private async stateFor(offer: ChallengeView, state: ReviewedState): Promise<AgentState> {
    const read = async () => this.readState(offer, state);
    return state.shared ? state.shared.stateFor(offer.terms, read) : read();
  }

  private async readState(
    offer: ChallengeView,
    { own, channels, now, problem, shared }: ReviewedState,
  ): Promise<AgentState> {
    const { addresses, games } = this.context;
    const { token } = offer.terms;
    const known = { me: this.client.address, now, problem };
    const taking = this.takingBeside(own);
    const matches = [...own, ...taking.map(({ view }) => view)];
    // Computed before the purse is read: a stake that is paid meanwhile may count twice, but never not at all.
    const unpaid = taking.filter(({ view, isPaid }) => !isPaid && view.terms.token === token);
    const promised = unpaid.reduce((sum, { view }) => sum + ownStake(view), 0n);
    const { arena, provider } = shared ?? this.context;
    const reader = { addresses, games, arena, provider };
    const { purse, ...facts } = await agentState(reader, offer, matches, known, channels(token));
    return { ...facts, purse: purse - promised };
  }

  /** Lists the matches that the agent takes and that are not among its open matches. */
  private takingBeside(own: readonly MatchView[]): Taking[] {
    const listed = new Set(own.map(({ matchId }) => matchId));
    return [...this.taking.values()].filter(({ view }) => !listed.has(view.matchId));
  }

  /** Revises the decision to play a match, once the agent has searched for a move. */
  private async decideByMove(
    offer: ChallengeView,
    turn: Turn,
    { own }: ReviewedState,
    decision: Decision,
  ): Promise<Decision> {
    const promised = promisedTeam(offer, own, this.takingBeside(own), this.context);
    if (promised !== undefined) return { take: false, later: true, why: promised };
    const { obstacle, winProbability } = await this.turns.assess(turn, ownStake(offer));
    if (obstacle !== undefined) return { take: false, later: true, why: obstacle };
    if (winProbability === undefined) return decision;
    return declineLowChance(offer, this.policy, winProbability) ?? decision;
  }

  /** Returns whether the reason for a decision is the one that was reported last. */
  private isReported(matchId: bigint, { why }: Decision): boolean {
    return this.decisions.get(matchId)?.why === why;
  }

  private report(view: MatchView | ChannelOfferView, decision: Decision): void {
    const { matchId } = view;
    const channel = "channel" in view ? view.channel : undefined;
    const isReported = this.isReported(matchId, decision);
    const isFirst = !this.decisions.has(matchId);
    this.decisions.set(matchId, decision);
    if (isReported) return;
    const said = withFullStop(`I ${decision.take ? "take" : "leave"} it: ${decision.why}`);
    const text = isFirst ? [challengeText(view, this.client.address), said] : said;
    const { why, later = false } = decision;
    const about = channel === undefined ? { matchId } : { channel };
    this.eventLog.report({ event: decision.take ? "taken" : "left", ...about, text, data: { why, later } });
  }
}

/** Returns an obstacle if the team is committed, but not revealed yet, in another match. */
function promisedTeam(
  { terms }: ChallengeView,
  own: readonly MatchView[],
  taking: readonly Taking[],
  context: CommandContext,
): string | undefined {
  if (!context.gameAt(terms.game).characters) return undefined;
  const committed = own.filter(({ status }) => status === Status.AllDeposited);
  const other = [...committed, ...taking.map(({ view }) => view)].find((match) => match.terms.game === terms.game);
  return other && `my team is promised to match ${other.matchId}`;
}
