import type { Client } from "../../sdk/player/client.js";
import { gameNamed } from "../../sdk/games/index.js";
import { risksOf } from "../../sdk/player/risks.js";
import { Seat, Status } from "../../sdk/protocol/status.js";
import type { MatchView } from "../shared/match.js";
import type { Session } from "../shared/session.js";
import { amountText } from "../shared/tokens.js";
import type { Journal } from "./journal.js";
import { hopeless, judge, type Verdict } from "./judge.js";
import type { Policy } from "./policy.js";
import { challengeText } from "./telling.js";
import type { Turns } from "./turns.js";

/** What an agent makes of the challenges that it sees, and what it has told of them. */
export class Challenges {
  private readonly verdicts = new Map<bigint, Verdict>();

  constructor(
    private readonly session: Session,
    private readonly client: Client,
    private readonly policy: Policy,
    private readonly turns: Turns,
    private readonly journal: Journal,
  ) {}

  /** Something has happened to a match: what was thought of it may be no more. */
  renew(matchId: bigint): void {
    const verdict = this.verdicts.get(matchId);
    if (verdict) this.verdicts.set(matchId, { ...verdict, later: true });
  }

  /** A match is over. */
  forget(matchId: bigint): void {
    this.verdicts.delete(matchId);
  }

  /** Whether a challenge is to be looked at. */
  isPending(matchId: bigint): boolean {
    const verdict = this.verdicts.get(matchId);
    return verdict === undefined || verdict.later === true;
  }

  /**
   * Takes a challenge or leaves it, and says why.
   * @param own The agent's open matches.
   * @param ill What keeps it from taking anything.
   * @returns whether it has sent something.
   */
  async consider(view: MatchView, own: readonly MatchView[], now: bigint, ill?: string): Promise<boolean> {
    const { risks, verdict } = await this.judged(view, own, now, ill);
    this.tell(view, verdict);
    if (!verdict.take) return false;
    // Whatever comes of it, it is looked at again.
    this.renew(view.matchId);
    await this.turns.take(view, risks);
    return true;
  }

  private async judged(view: MatchView, own: readonly MatchView[], now: bigint, ill?: string) {
    const { terms } = view;
    const { address: me, arena, addresses } = this.client;
    const [purse, risks] = await Promise.all([
      arena.purseOf(me, terms.token),
      risksOf({ terms, seat: Seat.Two }, addresses, this.session.provider, (amount) => amountText(amount, view.token)),
    ]);
    const atRisk = own.reduce((sum, match) => sum + staked(match, me, terms.token), 0n);
    const verdict = judge(view, this.policy, { me, now, ill, open: own.length, purse, atRisk, risks });
    if (verdict.take && (await this.turns.mustWait(view))) {
      return { risks: [], verdict: { take: false, later: true, why: "it is not final yet, and I answer in one step" } };
    }
    return {
      risks: risks.map(({ risk }) => risk),
      verdict: verdict.take ? await this.tried(view, own, verdict) : verdict,
    };
  }

  /** What becomes of a challenge that would be taken once a move is looked for. */
  private async tried(view: MatchView, own: readonly MatchView[], verdict: Verdict): Promise<Verdict> {
    const promised = waitingTeam(view, own);
    const { obstacle, chance } = promised === undefined ? await this.turns.prospect(view) : { obstacle: promised };
    if (obstacle !== undefined) return { take: false, later: true, why: obstacle };
    return (chance === undefined ? undefined : hopeless(view, this.policy, chance)) ?? verdict;
  }

  private tell(view: MatchView, verdict: Verdict): void {
    const { matchId } = view;
    const last = this.verdicts.get(matchId);
    this.verdicts.set(matchId, verdict);
    if (last?.why === verdict.why) return;
    const said = verdict.take ? `I take it: ${verdict.why}.` : `I leave it: ${verdict.why.replace(/\.$/, "")}.`;
    const text = last === undefined ? [challengeText(view, this.client.address), said] : said;
    const { why, later = false } = verdict;
    this.journal.tell({ event: verdict.take ? "taken" : "left", matchId, text, data: { why, later } });
  }
}

/** What the agent has at stake in a match. */
function staked({ player1, status, terms }: MatchView, me: string, token: string): bigint {
  if (terms.token !== token || status === Status.Created) return 0n;
  return player1 === me ? terms.stake1 : terms.stake2;
}

/** A team that is promised to one match and not shown there yet can't go to another. */
function waitingTeam({ game }: MatchView, own: readonly MatchView[]): string | undefined {
  if (!gameNamed(game!).characters) return undefined;
  const other = own.find((match) => match.game === game && match.status === Status.AllDeposited);
  return other && `my team is promised to match ${other.matchId}`;
}
