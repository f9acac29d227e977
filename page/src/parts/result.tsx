import {
  outcomeFor,
  outcomeText,
  payoffOf,
  Seat,
  settledOutcome,
  winnerBy,
  type Frame,
  type FrameResult,
  type MatchOutcome,
  type Payoff,
  type Settlement,
  type Terms,
} from "duello";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { namesOf, type OpenMatch } from "../store/open-match.ts";
import { netText, stakeText } from "../store/present.ts";
import { courseOf } from "../store/rankings.ts";
import { PlayerMark } from "./player-name.tsx";
import { bandOf, ResultPicture, type Band } from "./result-picture.tsx";
import { Sentence } from "./sentence.tsx";
import { prefersReducedMotion } from "./use-playback.ts";
import "../styles/result.css";

/** Number of the player who looks at the match, 1 or 2; 0 for a spectator. */
type Viewer = 0 | 1 | 2;

/** How a match has ended for the viewer. Spectators see how it ended for the winner, or after a draw for player 1. */
export interface Ending {
  readonly headline: string;
  readonly duel: MatchOutcome["duel"];
  readonly band: Band;
  /** Player who has won; 0 for a draw. */
  readonly winner: Viewer;
  readonly viewer: Viewer;
  /** Reason for the result, in one line. */
  readonly cause: string;
  /** Payment; undefined for spectators, and without stakes. */
  readonly payment?: { readonly payoff: Payoff; readonly how: string; netText(net: bigint): string };
  readonly rating?: { readonly before: number; readonly after: number };
}

interface Seen {
  viewer: Viewer;
  names: readonly [string, string];
  frames: readonly Frame[];
}

/** Describes the end of a game by its last step. */
export function endingByRules({ winner, taker }: FrameResult, seen: Seen): Ending {
  const seat = BigInt(seen.viewer || winner || 1);
  return endingOf(outcomeFor({ winner: BigInt(winner), taker: BigInt(taker) }, seat), winner, seen);
}

/** Describes the end of a match by its settlement. */
export function endingBySettlement(settlement: Settlement, terms: Terms, seen: Seen): Ending {
  const winner = Number(winnerBy(settlement.status));
  return endingOf(settledOutcome(settlement, terms, BigInt(seen.viewer || winner || 1)), winner, seen);
}

/** Describes the end of a match on the chain, with payment and rating. */
export function endingOfMatch({ summary, seat, chain, frames }: OpenMatch): Ending {
  const { terms, player1, player2, matchId } = summary;
  const settlement = summary.settlement!;
  const viewer = Number(seat) as Viewer;
  const ending = endingBySettlement(settlement, terms, { viewer, names: namesOf(summary, viewer), frames });
  if (seat === Seat.None) return ending;
  const outcome = settledOutcome(settlement, terms, seat);
  const payoff = payoffOf(settlement, terms, seat);
  const own = seat === Seat.One ? player1 : player2!;
  const how = payoffText(outcome, payoff, (amount) => stakeText(chain, terms.token, amount));
  return {
    ...ending,
    ...(payoff.pot > 0n && { payment: { payoff, how, netText: (net) => netText(chain, terms.token, net) } }),
    rating: courseOf(chain, own, terms.game).find((point) => point.matchId === matchId),
  };
}

function endingOf(outcome: MatchOutcome, winner: number, { viewer, names, frames }: Seen): Ending {
  const seat = viewer || winner || 1;
  const [name, other] = seat === 1 ? names : names.toReversed();
  const last = frames.at(-1);
  const loser = names[2 - winner];
  const cause =
    winner === 0 || last?.result
      ? (last?.text ?? "")
      : outcome.isOnTime
        ? `${loser} ran out of time.`
        : `${loser} resigned.`;
  return {
    duel: outcome.duel,
    headline: outcomeText(outcome, viewer === 0 ? { name, other } : "You"),
    band: bandOf(outcome, viewer),
    winner: winner as Viewer,
    viewer,
    cause,
  };
}

/** Explains how a payment is made up. */
function payoffText(
  { isOnTime, pot: taker }: MatchOutcome,
  { stake, pot, fee, paid }: Payoff,
  text: (amount: bigint) => string,
): string {
  const yours = stake === 0n ? "You had no stake." : `Your stake was ${text(stake)}.`;
  if (taker === "none") return `Both stakes are back. No fee. ${yours}`;
  if (paid === 0n) return yours;
  if (fee > 0n) return `Pot ${text(pot)} − fee ${text(fee)} = ${text(paid)} to you. ${yours}`;
  return isOnTime ? `The pot, ${text(pot)}, is yours: no fee is taken when a clock runs out. ${yours}` : yours;
}

/** Shows the result in one line above the board. */
export function ResultLine({
  ending,
  again,
  onOpen,
}: {
  ending: Ending;
  /** The suggested next action. */
  again?: ComponentChildren;
  /** Opens the card. */
  onOpen: () => void;
}) {
  const { headline, winner, band, payment } = ending;
  return (
    <section class="result-line" aria-label="Result">
      <p class={band === "won" ? "result good" : "result"}>
        {winner !== 0 && <PlayerMark player={winner} />} {headline}
      </p>
      {payment && <b class={toneOf(payment.payoff.net)}>{payment.netText(payment.payoff.net)}</b>}
      <span class="row result-acts">
        {again}
        <button type="button" onClick={onOpen}>
          Show the result
        </button>
      </span>
    </section>
  );
}

/** Shows the result over the board, and takes the focus. */
export function ResultCard({
  ending,
  again,
  children,
  onClose,
}: {
  ending: Ending;
  again?: ComponentChildren;
  /** Further actions. */
  children?: ComponentChildren;
  onClose: () => void;
}) {
  const { headline, winner, viewer, band, cause, payment, rating } = ending;
  const id = useId();
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    // Keeps the result card below the page's header, even on a phone.
    card.current!.scrollIntoView({ block: "nearest" });
    // The focus is not taken from a person who is typing elsewhere.
    if (document.activeElement?.closest("input, textarea, select, dialog")) return;
    card.current!.querySelector<HTMLElement>("a, button")?.focus({ preventScroll: true });
  }, []);
  return (
    <div class="result-over">
      <section
        ref={card}
        class="result-card"
        role="dialog"
        aria-labelledby={`${id}-head`}
        aria-describedby={`${id}-told`}
      >
        <div class={`result-band is-${band}`}>
          <ResultPicture band={band} winner={winner} viewer={viewer} />
          <h2 class="result" id={`${id}-head`}>
            {headline}
          </h2>
          {cause !== "" && (
            <p>
              <Sentence text={cause} />
            </p>
          )}
        </div>
        <div class="result-body">
          {viewer !== 0 && (
            <div id={`${id}-told`}>
              {payment && <Sum net={payment.payoff.net} text={payment.netText} />}
              <p class="small muted">{payment ? payment.how : "Nothing was at stake."}</p>
            </div>
          )}
          {rating && (
            <p class="row apart result-rating">
              <span>Your rating</span>
              <b>
                <RatingChange {...rating} />
              </b>
            </p>
          )}
          <div class="result-acts">
            {again}
            <button type="button" onClick={onClose}>
              Look at the board
            </button>
            {children}
          </div>
        </div>
      </section>
    </div>
  );
}

function RatingChange({ before, after }: { before: number; after: number }) {
  if (before === after) return `${after}, unchanged`;
  return (
    <>
      {before} → {after} <span class={toneOf(after - before)}>{signed(after - before)}</span>
    </>
  );
}

/** Steps and milliseconds in which a sum counts up. */
const COUNTS = 10;
const COUNT_TIME = 50;

/** Shows a gain or loss, which counts up; screen readers get the sum at once. */
function Sum({ net, text }: { net: bigint; text: (net: bigint) => string }) {
  const [count, setCount] = useState(prefersReducedMotion() ? COUNTS : 0);
  useEffect(() => {
    if (count >= COUNTS) return undefined;
    const timer = setTimeout(() => setCount(count + 1), COUNT_TIME);
    return () => clearTimeout(timer);
  }, [count]);
  return (
    <p class={`result-sum ${toneOf(net)}`}>
      <span aria-hidden="true">{text((net * BigInt(count)) / BigInt(COUNTS))}</span>
      <span class="hidden">{text(net)}</span>
    </p>
  );
}

function toneOf(change: bigint | number): string {
  return change > 0 ? "good" : change < 0 ? "bad" : "";
}

function signed(change: number): string {
  return change < 0 ? `−${-change}` : `+${change}`;
}
