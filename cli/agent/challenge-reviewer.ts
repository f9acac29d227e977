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
  /** Match that the agent is about to take; it is not among the agent's open matches yet. */
  private taking?: MatchView;

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

  /**
   * Takes, ignores or declines a challenge, and reports why.
   * @returns whether something was sent.
   */
  async consider(view: MatchView, state: ReviewedState): Promise<boolean> {
    const { risks, decision } = await this.alone(async () => {
      const decided = await this.decide(view, state);
      if (decided.decision.take) this.taking = view;
      return decided;
    });
    this.report(view, decision);
    if (isToDecline(view, this.policy, { me: this.client.address, now: state.now }, decision)) {
      // If declining fails, the challenge is considered again.
      this.reconsider(view.matchId);
      if (state.problem !== undefined) return false;
      await this.turns.decline(view);
      return true;
    }
    if (!decision.take) return false;
    // If sending fails, the challenge is considered again.
    this.reconsider(view.matchId);
    await this.turns.take(view, risks).finally(() => (this.taking = undefined));
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

  private async stateFor(offer: ChallengeView, { own, channels, now, problem }: ReviewedState): Promise<AgentState> {
    const known = { me: this.client.address, now, problem };
    const matches = this.taking ? [...own, this.taking] : own;
    return agentState(this.context, offer, matches, known, channels(offer.terms.token));
  }

  /** Revises the decision to play a match, once the agent has searched for a move. */
  private async decideByMove(
    offer: ChallengeView,
    turn: Turn,
    { own }: ReviewedState,
    decision: Decision,
  ): Promise<Decision> {
    const promised = promisedTeam(offer, own, this.context);
    if (promised !== undefined) return { take: false, later: true, why: promised };
    const { obstacle, winProbability } = await this.turns.assess(turn, ownStake(offer));
    if (obstacle !== undefined) return { take: false, later: true, why: obstacle };
    if (winProbability === undefined) return decision;
    return declineLowChance(offer, this.policy, winProbability) ?? decision;
  }

  private report(view: MatchView | ChannelOfferView, decision: Decision): void {
    const { matchId } = view;
    const channel = "channel" in view ? view.channel : undefined;
    const last = this.decisions.get(matchId);
    this.decisions.set(matchId, decision);
    if (last?.why === decision.why) return;
    const said = withFullStop(`I ${decision.take ? "take" : "leave"} it: ${decision.why}`);
    const text = last === undefined ? [challengeText(view, this.client.address), said] : said;
    const { why, later = false } = decision;
    const about = channel === undefined ? { matchId } : { channel };
    this.eventLog.report({ event: decision.take ? "taken" : "left", ...about, text, data: { why, later } });
  }
}

/** Returns an obstacle if the team is committed, but not revealed yet, in another match. */
function promisedTeam(
  { terms }: ChallengeView,
  own: readonly MatchView[],
  context: CommandContext,
): string | undefined {
  if (!context.gameAt(terms.game).characters) return undefined;
  const other = own.find((match) => match.terms.game === terms.game && match.status === Status.AllDeposited);
  return other && `my team is promised to match ${other.matchId}`;
}
