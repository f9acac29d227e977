import type { Events } from "../chain/events.js";
import { expectedEnding, winnerBy, type Payment } from "../chain/settlement.js";
import { Seat, Status } from "../protocol/status.js";
import type { Scene } from "./scene.js";
import type { Standing } from "./standing.js";

/** Checks that a match could end as it did, then. */
export function checkEnding(scene: Scene, m: Standing, { status }: Events["Settled"]): void {
  if (m.isOver(scene)) return checkAtOnce(scene, m);
  const isLate = scene.time > m.deadline;
  if (status === Status.P1Canceled) {
    scene.check("the status before it", m.status <= Status.P1Deposited, "0 or 1", m.status);
    scene.check("the offer", !m.isFirm || isLate, "a soft or lapsed one", `a firm one until ${m.deadline}`);
  } else if (status === Status.P1Win || status === Status.P2Win) {
    scene.same("the status before it", Status.AllJoined, m.status);
    m.checkInTime(scene);
  } else {
    const waiting = waitingSeat(m);
    scene.check("the status before it", waiting !== Seat.None, "2 or 3", m.status);
    const inactive = waiting === Seat.One ? Status.P2WinInactive : Status.P1WinInactive;
    if (waiting !== undefined) scene.same("status", inactive, status);
    scene.check("the time", m.isVague || isLate, `after ${m.deadline}`, scene.time);
  }
}

/** What a game ends is settled at once. */
function checkAtOnce(scene: Scene, { matchId }: Standing): void {
  const isAtOnce = scene.follows("Acted", matchId) || scene.follows("Joined", matchId);
  const { last, event } = scene;
  const where = last?.transaction === event.transaction ? "the same" : "another";
  const expected = "the match's last action, in the same transaction";
  scene.check("the event before", isAtOnce, expected, `${last?.name} in ${where}`);
}

/** Checks what is paid in a match whose moves were not played again. */
export function checkPayment(scene: Scene, m: Standing, { status, paid1, paid2, house }: Events["Settled"]): void {
  const seats = [Seat.One, Seat.Two].filter((seat) => m.status >= seat);
  const record = { terms: m.terms, funded: seats.map((seat) => ({ seat, player: "" })) };
  // A game may give the pot to anyone.
  const takers = m.isOver(scene) ? [Seat.None, Seat.One, Seat.Two] : [undefined];
  const results = takers.map((taker) => (taker === undefined ? undefined : { winner: winnerBy(status), taker }));
  const possible = results.map((result) => expectedEnding(record, { status }, result));
  const texts = possible.map((each) => (typeof each === "string" ? each : paymentText(each)));
  const found = paymentText({ paid1, paid2, house });
  scene.check("what is paid", texts.includes(found), texts.join(" or "), found);
}

/** Whether a match counts for the ladder: not if it was called off, nor if only a token says that player 2 wanted it. */
export function isRated(m: Standing, { status, rating1, rating2 }: Events["Settled"]): boolean {
  if (!m.terms.rated || status === Status.P1Canceled) return false;
  if (m.status !== Status.AllDeposited) return true;
  // Who wins by the clock has a rating above zero.
  m.byTransfer ??= rating1 === 0n && rating2 === 0n;
  return !m.byTransfer;
}

/** The seat whose clock runs; None if there is none, undefined if nobody can tell. */
function waitingSeat({ status, turn }: Standing): bigint | undefined {
  if (status === Status.AllDeposited) return Seat.Two;
  return status === Status.AllJoined ? turn : Seat.None;
}

function paymentText({ paid1, paid2, house }: Payment): string {
  return `${paid1}, ${paid2} and ${house} to the house`;
}
