import type { Events } from "../chain/events.js";
import { expectedEnding, type Payment } from "../chain/settlement.js";
import { Seat, Status, winnerBy } from "../protocol/status.js";
import type { CheckedEvent } from "./checked-event.js";
import type { ExpectedMatch } from "./expected-match.js";

/** Statuses of a match that ends after its deadline, by the seat in turn. */
const INACTIVE: ReadonlyMap<bigint, bigint> = new Map([
  [Seat.One, Status.P2WinInactive],
  [Seat.Two, Status.P1WinInactive],
]);

/** Checks that a match could end with this status at this time. */
export function checkEnding(checked: CheckedEvent, match: ExpectedMatch, { status }: Events["Settled"]): void {
  if (checked.followsDeclining(match.matchId)) return checked.checkEqual("status", Status.P1Canceled, status);
  if (match.isOver(checked)) return checkAtOnce(checked, match);
  const isLate = checked.time > match.deadline;
  if (status === Status.P1Canceled) {
    checked.check("the status before it", match.status <= Status.P1Deposited, "0 or 1", match.status);
    checked.check("the offer", !match.isFirm || isLate, "a soft or lapsed one", `a firm one until ${match.deadline}`);
  } else if (status === Status.P1Win || status === Status.P2Win) {
    checked.checkEqual("the status before it", Status.AllJoined, match.status);
    match.checkInTime(checked);
    // Before its first action, only the seat in turn can resign a match that a channel submitted.
    if (match.isPosted) checked.checkEqual("status", match.turn === Seat.One ? Status.P2Win : Status.P1Win, status);
  } else {
    const waiting = waitingSeat(match);
    checked.check("the status before it", waiting !== Seat.None, "2 or 3", match.status);
    const possible = waiting === undefined ? [...INACTIVE.values()] : [INACTIVE.get(waiting)];
    checked.check("status", possible.includes(status), possible.join(" or "), status);
    checked.check("the time", match.isVague || isLate, `after ${match.deadline}`, checked.time);
  }
}

/** Checks that a match is settled immediately when its game ends. */
function checkAtOnce(checked: CheckedEvent, { matchId }: ExpectedMatch): void {
  const isAtOnce = checked.followsAction(matchId);
  const { last, event } = checked;
  const where = last!.transaction === event.transaction ? "the same" : "another";
  const expected = "the match's last action, in the same transaction";
  checked.check("the event before", isAtOnce, expected, `${last!.name} in ${where}`);
}

/** Checks the payment of a match that was not replayed. */
export function checkPayment(
  checked: CheckedEvent,
  match: ExpectedMatch,
  { status, paid1, paid2, house }: Events["Settled"],
): void {
  const funded: { seat: bigint; player: string }[] = [];
  if (match.status >= Status.P1Deposited) funded.push({ seat: Seat.One, player: match.player1 });
  if (match.status >= Status.AllDeposited) funded.push({ seat: Seat.Two, player: match.player2 });
  const record = { terms: match.terms, funded };
  const winner = winnerBy(status);
  // A game may award the pot to either player, or to neither.
  const results = [Seat.None, Seat.One, Seat.Two].map((taker) => ({ winner, taker }));
  const possible = (match.isOver(checked) ? results : [undefined]).map((result) => {
    return expectedEnding(record, { status }, result);
  });
  const texts = possible.map((each) => (typeof each === "string" ? each : paymentText(each)));
  const found = paymentText({ paid1, paid2, house });
  checked.check("what is paid", texts.includes(found), texts.join(" or "), found);
}

/** Returns the seat whose clock runs: None if no clock runs, undefined if events do not determine it. */
function waitingSeat({ status, turn }: ExpectedMatch): bigint | undefined {
  return status === Status.AllDeposited ? Seat.Two : turn;
}

function paymentText({ paid1, paid2, house }: Payment): string {
  return `${paid1}, ${paid2} and ${house} to the house`;
}
