import type { Client } from "../../sdk/player/client.js";
import { Status } from "../../sdk/protocol/status.js";
import type { MatchView } from "../../sdk/player/match-view.js";
import { relaysOf } from "../shared/off-chain/relays.js";
import type { CommandContext } from "../shared/command/context.js";
import { withFullStop } from "../../sdk/protocol/text.js";
import type { EventLog } from "./event-log.js";
import { agentState, declineLowChance, decide, isToDecline, type Decision } from "../../sdk/player/policy-decision.js";
import type { Policy } from "../../sdk/player/policy.js";
import { challengeText } from "./reports.js";
import type { Turns } from "./turns.js";

/** Decides on challenges by the agent's policy, and reports each decision once. */
export class ChallengeReviewer {
  private readonly decisions = new Map<bigint, Decision>();

  constructor(
    private readonly context: CommandContext,
    private readonly client: Client,
    private readonly policy: Policy,
    private readonly turns: Turns,
    private readonly eventLog: EventLog,
  ) {}

  /** Marks a match that has changed for another decision. */
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
   * Takes, leaves or declines a challenge, and reports why.
   * @param own Open matches of the agent.
   * @param problem Reason why the agent accepts nothing at present.
   * @returns whether something was sent.
   */
  async consider(view: MatchView, own: readonly MatchView[], now: bigint, problem?: string): Promise<boolean> {
    const { risks, decision } = await this.decide(view, own, now, problem);
    this.report(view, decision);
    if (isToDecline(view, this.policy, { me: this.client.address, now }, decision)) {
      // Even if it cannot be declined now, it is considered again.
      this.reconsider(view.matchId);
      if (problem !== undefined) return false;
      await this.turns.decline(view);
      return true;
    }
    if (!decision.take) return false;
    // Even if sending fails, it is considered again.
    this.reconsider(view.matchId);
    await this.turns.take(view, risks);
    return true;
  }

  private async decide(view: MatchView, own: readonly MatchView[], now: bigint, problem?: string) {
    const known = { me: this.client.address, now, problem, hasRelays: relaysOf(this.context).length > 0 };
    const state = await agentState(this.context, view, own, known);
    const decision = decide(view, this.policy, state);
    if (decision.take && (await this.turns.mustWait(view))) {
      const why = "it is not final yet, and I answer in one step";
      return { risks: [], decision: { take: false, later: true, why } };
    }
    return {
      risks: state.risks.map(({ risk }) => risk),
      decision: decision.take ? await this.decideByMove(view, own, decision) : decision,
    };
  }

  /** Revises the decision to accept a challenge, once the agent has searched for a move. */
  private async decideByMove(view: MatchView, own: readonly MatchView[], decision: Decision): Promise<Decision> {
    const promised = promisedTeam(view, own, this.context);
    if (promised !== undefined) return { take: false, later: true, why: promised };
    const { obstacle, winProbability } = await this.turns.assess(view);
    if (obstacle !== undefined) return { take: false, later: true, why: obstacle };
    if (winProbability === undefined) return decision;
    return declineLowChance(view, this.policy, winProbability) ?? decision;
  }

  private report(view: MatchView, decision: Decision): void {
    const { matchId } = view;
    const last = this.decisions.get(matchId);
    this.decisions.set(matchId, decision);
    if (last?.why === decision.why) return;
    const said = withFullStop(`I ${decision.take ? "take" : "leave"} it: ${decision.why}`);
    const text = last === undefined ? [challengeText(view, this.client.address), said] : said;
    const { why, later = false } = decision;
    this.eventLog.report({ event: decision.take ? "taken" : "left", matchId, text, data: { why, later } });
  }
}

/** Returns an obstacle if the team is committed in another match and not revealed there yet. */
function promisedTeam({ terms }: MatchView, own: readonly MatchView[], context: CommandContext): string | undefined {
  if (!context.gameAt(terms.game).characters) return undefined;
  const other = own.find((match) => match.terms.game === terms.game && match.status === Status.AllDeposited);
  return other && `my team is promised to match ${other.matchId}`;
}
