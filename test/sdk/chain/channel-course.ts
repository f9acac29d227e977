import { expect } from "chai";
import { ChannelCourse } from "../../../sdk/chain/channel-course.js";
import type { AnyEvent } from "../../../sdk/chain/events.js";
import { Seat, Status } from "../../../sdk/protocol/status.js";
import { termsHash } from "../../../sdk/protocol/terms.js";
import {
  addressOf,
  ALICE,
  balanced,
  BOB,
  challenged,
  eventOf,
  FIRST,
  logged,
  matchIdOf,
  opened,
  played,
  playedUnder,
  settled,
  started,
  TERMS,
  termsAdded,
  wordOf,
} from "../../support/made-up-events.js";

const ID = matchIdOf();
const voided = eventOf("Voided", { matchId: ID });
/** Place of the event that submits a match. */
const AT = { block: 7, index: 3, transaction: wordOf(7) };
const ANSWER = "0xa0";
const [MOVE, REPLY] = ["0x01", "0x0203"];

/** Returns the events that a course makes of the last events. @param before Events that it takes first. */
function courseOf(before: readonly AnyEvent[], ...events: readonly AnyEvent[]) {
  const course = new ChannelCourse();
  for (const event of before) course.take(event);
  return events.flatMap((event) => course.take(event));
}

/** Returns an event in the place of the event that submits a match. */
const there = (name: Parameters<typeof eventOf>[0], args: object, isRefused = false) => {
  const { address } = played();
  return { ...eventOf(name, args as never, { ...AT, address }), ...(isRefused && { isRefused: true }) };
};

/** The events of an ordinary match up to its offer. */
function offer({ player1 = ALICE, opponent = BOB, terms = TERMS, matchId = ID } = {}) {
  const created = { matchId, player1, opponent, termsHash: termsHash(terms), firmUntil: 0n, funded: true };
  return [there("TermsAdded", { termsId: 0n, terms }), there("Created", { ...created, data: "0x" })];
}
const joined = (data: string, isRefused = false, player2 = BOB) =>
  there("Joined", { matchId: ID, player2, data }, isRefused);
const acted = (data: string, isRefused = false) => there("Acted", { matchId: ID, seat: Seat.None, data }, isRefused);
const WON = { status: Status.P1Win, paid1: 13n, paid2: 0n, house: 3n };
const ended = (changes: object = {}) => there("Settled", { matchId: ID, ...WON, rating1: 0n, rating2: 0n, ...changes });

describe("Events of channel matches as events of ordinary matches", () => {
  const actions = [ANSWER, MOVE, REPLY];
  const open = [opened(), playedUnder()];

  it("leave all other events as they are", () => {
    const others = [
      opened(),
      playedUnder(),
      termsAdded(),
      balanced(),
      balanced({ closed: true }),
      logged(5n),
      settled({ matchId: 5n }),
      eventOf("Acted", { matchId: 5n, seat: Seat.One, data: "0x" }),
    ];
    for (const event of others) expect(courseOf([], event)).to.deep.equal([event]);
  });

  it("are the offer, the answer, the actions, the logs and the end of a match settled in its channel", () => {
    const log = logged(ID);
    const found = courseOf(open, log, played({ actions, code: { ratings: [1020n, 980n] } }, AT));
    expect(found).to.deep.equal([
      ...offer(),
      joined(ANSWER),
      acted(MOVE),
      acted(REPLY),
      log,
      ended({ rating1: 1020n, rating2: 980n }),
    ]);
  });

  it("are about the players by their seats, and about the terms of the match", () => {
    const code = { swapped: true, winner: Seat.None };
    const changed = [opened({ feeBps: 5n }), playedUnder({ stake1: 7n })];
    const terms = { ...TERMS, stake1: 7n, feeBps: 5n };
    expect(courseOf(changed, played({ actions: [ANSWER], code }, AT))).to.deep.equal([
      ...offer({ player1: BOB, opponent: ALICE, terms }),
      joined(ANSWER, false, ALICE),
      ended({ status: Status.Draw, paid1: 7n, paid2: 6n, house: 0n }),
    ]);
  });

  it("have no answer if the match starts from a later position", () => {
    const code = { turn: Seat.Two };
    expect(courseOf(open, played({ actions: [MOVE, REPLY], code }, AT))).to.deep.equal([
      ...offer(),
      acted(MOVE),
      acted(REPLY),
      ended(),
    ]);
  });

  it("mark the action that the game refused, and omit a message after it", () => {
    const forfeit = { ...WON, status: Status.P1WinInactive, paid1: 16n, house: 0n };
    const refused = (sent: readonly string[], ...wanted: readonly AnyEvent[]) =>
      expect(courseOf(open, played({ actions: sent, code: { forfeit: true } }, AT))).to.deep.equal([
        ...offer(),
        ...wanted,
        ended(forfeit),
      ]);
    refused([ANSWER], joined(ANSWER, true));
    refused([ANSWER, "0x"], joined(ANSWER, true));
    refused([ANSWER, MOVE, REPLY], joined(ANSWER), acted(MOVE), acted(REPLY, true));
    refused([ANSWER, MOVE, REPLY, "0x"], joined(ANSWER), acted(MOVE), acted(REPLY, true));
  });

  it("contain only the logs of the match, each once", () => {
    const [own, other] = [logged(ID), logged(matchIdOf(FIRST + 1))];
    const course = new ChannelCourse();
    for (const event of open) course.take(event);
    expect([own, other].flatMap((log) => course.take(log))).to.deep.equal([]);
    const first = course.take(played({ actions: [ANSWER] }, AT));
    expect(first).to.deep.equal([...offer(), joined(ANSWER), own, ended()]);
    const again = course.take(played({ actions: [ANSWER] }, AT));
    expect(again).to.deep.equal([...offer(), joined(ANSWER), ended()]);
  });

  it("do not exist for a match of an unknown or closed channel, or without terms", () => {
    const match = played({ actions }, AT);
    expect(courseOf([], match)).to.deep.equal([]);
    expect(courseOf([playedUnder()], match)).to.deep.equal([]);
    expect(courseOf([opened()], match)).to.deep.equal([]);
    expect(courseOf([...open, balanced({ closed: true })], match)).to.deep.equal([]);
    expect(courseOf([...open, balanced()], match)).to.have.length(6);
  });

  describe("if the match goes on in the arena", () => {
    const challenge = challenged({ actions: [ANSWER] }, AT);
    const before = [opened(), termsAdded({}, 1n), termsAdded({ stake1: 9n }, 2n), challenge];

    it("are those up to the challenge, and then the arena's own", () => {
      const [log, later] = [logged(ID), logged(ID, { block: 9 })];
      const move = eventOf("Acted", { matchId: ID, seat: Seat.One, data: MOVE });
      const end = settled();
      const course = new ChannelCourse();
      const taken = [log, ...before, started(), move, later, end].map((event) => [event.name, course.take(event)]);
      expect(taken.slice(-5)).to.deep.equal([
        ["Challenged", []],
        ["Started", [...offer(), joined(ANSWER), log]],
        ["Acted", [move]],
        ["Log", [later]],
        ["Settled", [end]],
      ]);
      // Later logs would belong to another match with this number.
      expect(course.take(later)).to.deep.equal([]);
    });

    it("have the terms with the number in the arena", () => {
      const found = courseOf(before, started({ termsId: 2n }));
      expect(found).to.deep.equal([...offer({ terms: { ...TERMS, stake1: 9n } }), joined(ANSWER)]);
    });

    it("do not exist without a challenge, a channel or terms", () => {
      expect(courseOf([opened(), termsAdded()], started())).to.deep.equal([]);
      expect(courseOf([termsAdded(), challenge], started())).to.deep.equal([]);
      expect(courseOf(before, started({ termsId: 3n }))).to.deep.equal([]);
    });

    it("end with a withdrawn offer if the channel withdraws the match", () => {
      const nothing = { paid1: 0n, paid2: 0n, house: 0n, rating1: 0n, rating2: 0n };
      const end = { ...voided, name: "Settled", args: { matchId: ID, status: Status.P1Canceled, ...nothing } };
      const course = new ChannelCourse();
      for (const event of [...before, started()]) course.take(event);
      expect(course.take(voided)).to.deep.equal([end]);
      // The match is no longer in the arena: its logs wait for the next event about it.
      expect(course.take(logged(ID))).to.deep.equal([]);
    });

    it("are those of the channel that submitted it", () => {
      const other = opened({ channelId: wordOf(0x51), player1: addressOf(0x71) });
      expect(courseOf([opened(), other, ...before.slice(1)], started())).to.deep.equal([...offer(), joined(ANSWER)]);
    });
  });
});
