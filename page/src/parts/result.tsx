import {
  outcomeFor,
  outcomeText,
  payoffOf,
  Seat,
  settledOutcome,
  winnerBy,
  type FrameResult,
  type MatchOutcome,
  type Payoff,
} from "duello";
import { namesOf, type OpenMatch } from "../store/open-match.ts";
import { netText, stakeText } from "../store/present.ts";
import { courseOf } from "../store/rankings.ts";
import { PlayerMark } from "./player-name.tsx";

/** Player who looks on, 1 or 2; 0 for a spectator. */
type Viewer = 0 | 1 | 2;

/** Result of a game without stakes, or before its payment is known. */
export function ResultLine({
  result: { winner, taker },
  viewer,
  names,
}: {
  result: FrameResult;
  viewer: Viewer;
  names: readonly [string, string];
}) {
  // For a spectator, the line is about the winner; after a draw, about player 1.
  const seat = viewer === 0 ? winner || 1 : viewer;
  const outcome = outcomeFor({ winner: BigInt(winner), taker: BigInt(taker) }, BigInt(seat));
  return <Headline {...{ outcome, winner, seat, viewer, names }} />;
}

/** Result, payment and rating of a match, from its settlement. */
export function Result({ match }: { match: OpenMatch }) {
  const { summary, seat, chain, frames } = match;
  const { terms, player1, player2, matchId } = summary;
  const settlement = summary.settlement!;
  const viewer = Number(seat) as Viewer;
  const names = namesOf(summary, viewer);
  const winner = Number(winnerBy(settlement.status));
  const told = seat === Seat.None ? BigInt(winner || 1) : seat;
  const outcome = settledOutcome(settlement, terms, told);
  const payoff = payoffOf(settlement, terms, seat);
  const own = seat === Seat.One ? player1 : player2!;
  const rating =
    seat === Seat.None ? undefined : courseOf(chain, own, terms.game).find((point) => point.matchId === matchId);
  return (
    <section class="card stack tight" aria-label="Result">
      {winner !== 0 && !frames.at(-1)?.result && (
        <p class="muted small">
          {names[2 - winner]} {outcome.isOnTime ? "ran out of time" : "resigned"}.
        </p>
      )}
      <Headline {...{ outcome, winner, seat: Number(told), viewer, names }} />
      {seat !== Seat.None && payoff.pot > 0n && (
        <p>
          <strong class={payoff.net > 0n ? "sum good" : "sum"}>{netText(chain, terms.token, payoff.net)}</strong>{" "}
          <span class="muted small">
            {payoffText(outcome, payoff, (amount) => stakeText(chain, terms.token, amount))}
          </span>
        </p>
      )}
      {rating && (
        <p class="small">
          Your rating: {rating.before} → {rating.after} ({signed(rating.after - rating.before)})
        </p>
      )}
    </section>
  );
}

function Headline({
  outcome,
  winner,
  seat,
  viewer,
  names,
}: {
  outcome: MatchOutcome;
  winner: number;
  /** Player of whom the outcome is. */
  seat: number;
  viewer: Viewer;
  names: readonly [string, string];
}) {
  const isGood = viewer !== 0 && outcome.duel === "won" && outcome.pot !== "other";
  const [name, other] = seat === 1 ? names : names.toReversed();
  return (
    <p class={isGood ? "result good" : "result"}>
      {winner !== 0 && <PlayerMark player={winner as 1 | 2} />}{" "}
      {outcomeText(outcome, viewer === 0 ? { name, other } : "You")}
    </p>
  );
}

/** Says how a payment is made up. */
function payoffText(
  { isOnTime }: MatchOutcome,
  { stake, pot, fee, paid }: Payoff,
  text: (amount: bigint) => string,
): string {
  const yours = stake === 0n ? "You had no stake." : `Your stake was ${text(stake)}.`;
  if (paid === 0n) return yours;
  if (fee > 0n) return `Pot ${text(pot)} − fee ${text(fee)} = ${text(paid)} to you. ${yours}`;
  return isOnTime ? `The pot, ${text(pot)}, is yours: no fee is taken when a clock runs out. ${yours}` : yours;
}

function signed(change: number): string {
  return change < 0 ? `−${-change}` : `+${change}`;
}
