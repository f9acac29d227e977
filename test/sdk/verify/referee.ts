import { expect } from "chai";
import { ZeroAddress } from "ethers";
import type { AnyEvent, Events } from "../../../sdk/chain/events.js";
import { MismatchError } from "../../../sdk/chain/mismatch.js";
import { fingerprintOf } from "../../../sdk/protocol/offer.js";
import { Seat, Status } from "../../../sdk/protocol/status.js";
import { COIN, MAX_CLOCK, OFFER_LIFE, termsHash, type Terms } from "../../../sdk/protocol/terms.js";
import { CheckedEvent } from "../../../sdk/verify/checked-event.js";
import { Judge } from "../../support/judge.js";
import {
  acted,
  addressOf,
  ALICE,
  ARENA,
  BOB,
  challenged,
  created,
  declined,
  deposited,
  eventOf,
  funded,
  GAME,
  joined,
  matchIdOf,
  NOW,
  opened,
  settled,
  started,
  TERMS,
  termsAdded,
  TOKEN,
  TREASURY,
  withdrawn,
  wordOf,
} from "../../support/made-up-events.js";

const { One, Two, None } = Seat;
const OTHER = addressOf(0x77);
const CLOCK = Number(TERMS.clock);
const NOW_ = Number(NOW);
/** Seconds that an action returns to the clock. */
const INCREMENT = Math.floor(CLOCK / 32);
/** End of a firm offer. */
const FIRM = NOW + 500n;
/** Places of events by their times, each in its own transaction. */
const at = (block: number | bigint) => ({ block: Number(block), transaction: wordOf(2) });
/** Times of the opponent's funding and join. */
const [FUNDED_AT, JOINED_AT] = [NOW_ + 10, NOW_ + 20];

const firm = (changes: Partial<Events["Created"]> = {}) => created({ opponent: BOB, firmUntil: FIRM, ...changes });
const end = (status: bigint, paid: readonly [bigint, bigint, bigint] = [0n, 0n, 0n], block: number | bigint = NOW) => {
  const [paid1, paid2, house] = paid;
  return settled({ matchId: 1n, status, paid1, paid2, house }, at(block));
};
const nextTerms = (changes: Partial<Terms>, termsId: bigint) => termsAdded({ clock: 61n, ...changes }, termsId);

/** Returns the mismatches of events after the terms were added. */
const found = (...events: readonly AnyEvent[]) => new Judge(termsAdded({ rated: false }), ...events).found;
/** Unrated terms, so that no test must compute ratings. */
const unrated = { ...TERMS, rated: false };
const offer = (changes: Partial<Events["Created"]> = {}) => created({ termsHash: termsHash(unrated), ...changes });
const firmOffer = (changes: Partial<Events["Created"]> = {}) => firm({ termsHash: termsHash(unrated), ...changes });
/** A match in play, in two steps. */
const IN_PLAY = [offer(), funded({}, at(FUNDED_AT)), joined({}, at(JOINED_AT))];
/** Purse that is too small. */
const purse = (name: string, player: string, needed: bigint, held: bigint) =>
  `${name}: the purse of ${player}: expected ${needed} of ${TOKEN} at least, found ${held}`;

describe("An event that is checked", () => {
  const event = end(Status.P1Win);
  /** Returns whether the event follows an action or a decline of the first match. */
  const follows = (last?: AnyEvent, matchId = 1n) => {
    const checked = new CheckedEvent(event, NOW, last);
    return [checked.followsAction(matchId), checked.followsDeclining(matchId)];
  };

  it("follows an action or a decline of the match in the same transaction", () => {
    const place = at(NOW);
    for (const last of [acted(One, {}, place), joined({}, place)]) expect(follows(last)).to.deep.equal([true, false]);
    expect(follows(declined({}, place))).to.deep.equal([false, true]);
    const others = [undefined, created({}, place), funded({}, place), deposited(BOB, 1n, place)];
    for (const last of others) expect(follows(last)).to.deep.equal([false, false]);
  });

  it("follows nothing in another transaction, or about another match", () => {
    for (const last of [acted(One), joined(), declined()]) {
      expect(follows(last)).to.deep.equal([false, false]);
      expect(follows({ ...last, transaction: event.transaction }, 2n)).to.deep.equal([false, false]);
    }
  });

  it("keeps only its first mismatch", () => {
    const checked = new CheckedEvent(event, NOW);
    checked.checkEqual("one", 1n, 1n);
    expect(checked.mismatch).to.equal(undefined);
    checked.checkEqual("two", 2n, 3n);
    checked.checkEqual("three", 3n, 4n);
    expect(checked.mismatch).to.include({ what: "two", expected: "2", found: "3" });
  });
});

describe("The referee of an arena", () => {
  it("locates a mismatch by its match, event and block", () => {
    const { referee } = new Judge();
    expect(() => referee.apply(funded({ matchId: 5n }), NOW))
      .to.throw(MismatchError)
      .with.property("mismatch")
      .that.deep.equals({
        matchId: 5n,
        at: "Funded",
        block: NOW_,
        what: "the match",
        expected: "one that was created",
        found: "5",
      });
  });

  describe("about the house", () => {
    it("accepts a fee of 20 % at most, and keeps the last one", () => {
      const fee = (feeBps: bigint) => eventOf("FeeChanged", { feeBps });
      const judge = new Judge(fee(1n));
      expect(judge.found).to.deep.equal([]);
      expect(judge.answers("feeBps")).to.deep.equal({ "": 1n });
      expect(judge.apply(fee(2001n)).found).to.deep.equal(["FeeChanged: the fee: expected at most 2000, found 2001"]);
    });

    it("accepts any treasury but the zero address and the arena", () => {
      const treasury = (address: string) => eventOf("TreasuryChanged", { treasury: address });
      const judge = new Judge(treasury(OTHER));
      expect(judge.found).to.deep.equal([]);
      expect(judge.answers("treasury")).to.deep.equal({ "": OTHER });
      expect(judge.apply(treasury(ZeroAddress), treasury(ARENA)).found).to.deep.equal(
        [ZeroAddress, ARENA].map((each) => `TreasuryChanged: the treasury: expected another address, found ${each}`),
      );
    });

    it("keeps the approvals of operators", () => {
      const allowed = (operator: string, until: bigint) =>
        eventOf("OperatorAllowed", { player: ALICE, operator, until });
      const judge = new Judge(allowed(OTHER, 5n), allowed(BOB, 6n), allowed(OTHER, 7n));
      expect(judge.found).to.deep.equal([]);
      expect(judge.answers("operatorUntil")).to.deep.equal({ [`${ALICE} ${OTHER}`]: 7n, [`${ALICE} ${BOB}`]: 6n });
    });
  });

  describe("about purses", () => {
    it("adds deposits and subtracts withdrawals, also from the arena's total", () => {
      const judge = new Judge(withdrawn({ amount: 30n }), withdrawn({ player: BOB, to: OTHER }));
      expect(judge.found).to.deep.equal([]);
      expect(judge.answers("purseOf")).to.deep.equal({ [`${ALICE} ${TOKEN}`]: 70n, [`${BOB} ${TOKEN}`]: 0n });
      expect(judge.answers("totalOf")).to.deep.equal({ [TOKEN]: 70n });
    });

    it("rejects a withdrawal of more than the purse", () => {
      expect(found(withdrawn({ amount: 101n }))).to.deep.equal([purse("Withdrawn", ALICE, 101n, 100n)]);
    });

    it("rejects the zero address and the arena as a player or receiver", () => {
      for (const each of [ZeroAddress, ARENA]) {
        expect(found(deposited(each, 1n))).to.deep.equal([
          `Deposited: the player: expected another address, found ${each}`,
        ]);
        expect(found(withdrawn({ to: each }))).to.deep.equal([
          `Withdrawn: the receiver: expected another address, found ${each}`,
        ]);
      }
    });
  });

  describe("about terms", () => {
    it("accepts new terms with the next number", () => {
      const judge = new Judge(termsAdded({}, 1n), nextTerms({}, 2n));
      expect(judge.found).to.deep.equal([]);
      expect(judge.answers("termsIdOf")).to.deep.equal({
        [termsHash(TERMS)]: 1n,
        [termsHash({ ...TERMS, clock: 61n })]: 2n,
      });
    });

    it("rejects another number, and terms that are known", () => {
      for (const id of [1n, 3n])
        expect(found(nextTerms({}, id))).to.deep.equal([
          `TermsAdded: the number of the terms: expected 2, found ${id}`,
        ]);
      const number = "TermsAdded: the number of the terms: expected 1, found 2";
      expect(new Judge(termsAdded({}, 2n)).found).to.deep.equal([number]);
      expect(found(nextTerms({}, 2n), nextTerms({}, 3n))).to.deep.equal([
        "TermsAdded: the terms: expected new ones, found those of number 2",
      ]);
    });

    it("accepts clocks from a minute to 30 days", () => {
      for (const clock of [60n, MAX_CLOCK]) expect(found(nextTerms({ clock }, 2n))).to.deep.equal([]);
      for (const clock of [59n, MAX_CLOCK + 1n])
        expect(found(nextTerms({ clock }, 2n))).to.deep.equal([
          `TermsAdded: the clock: expected 60 to 2592000, found ${clock}`,
        ]);
    });
  });

  describe("about offers", () => {
    it("takes the stake, and adds the player to the ladder of the game", () => {
      const judge = new Judge(termsAdded(), created());
      expect(judge.found).to.deep.equal([]);
      expect(judge.answers("purseOf")).to.include({ [`${ALICE} ${TOKEN}`]: 90n });
      expect(Object.keys(judge.answers("recordOf"))).to.deep.equal([`${GAME} ${ALICE}`]);
      expect(judge.answers("matchCount")).to.deep.equal({ "": 1n });
      expect(judge.answers("totalOf")).to.deep.equal({ [TOKEN]: 200n });
      expect(judge.referee.openMatches()).to.deep.equal([1n]);
      expect([judge.referee.isOpen(1n, GAME), judge.referee.isOpen(1n, OTHER)]).to.deep.equal([true, false]);
      expect(judge.referee.isOpen(2n, GAME)).to.equal(false);
    });

    it("rejects another number than the next one", () => {
      for (const matchId of [0n, 2n])
        expect(found(offer({ matchId }))).to.deep.equal([
          `Created: the number of the match: expected 1, found ${matchId}`,
        ]);
    });

    it("rejects unknown terms, and terms of another fee", () => {
      const judge = new Judge(termsAdded(), created({ termsHash: wordOf(9) }));
      expect(judge.found).to.deep.equal([`Created: the terms: expected ones that were added, found ${wordOf(9)}`]);
      expect(judge.referee.openMatches()).to.deep.equal([]);
      const other = { ...unrated, feeBps: 1999n };
      expect(found(termsAdded(other, 2n), created({ termsHash: termsHash(other) }))).to.deep.equal([
        "Created: the fee of the terms: expected 2000, found 1999",
      ]);
    });

    it("accepts a firm offer for 30 days at most", () => {
      for (const firmUntil of [NOW + 1n, NOW + OFFER_LIFE]) expect(found(firmOffer({ firmUntil }))).to.deep.equal([]);
      for (const firmUntil of [1n, NOW, NOW + OFFER_LIFE + 1n])
        expect(found(firmOffer({ firmUntil }))).to.deep.equal([
          `Created: firmUntil: expected after 1000 and by ${NOW + OFFER_LIFE}, found ${firmUntil}`,
        ]);
    });

    it("rejects an offer to the challenger itself", () => {
      expect(found(offer({ opponent: ALICE }))).to.deep.equal([
        `Created: the opponent: expected another player, found ${ALICE}`,
      ]);
    });

    it("takes the stake if and only if the purse holds it", () => {
      const stake = (stake1: bigint, isFunded: boolean) => {
        const terms = { ...unrated, stake1 };
        return found(termsAdded(terms, 2n), created({ termsHash: termsHash(terms), funded: isFunded }));
      };
      expect([stake(100n, true), stake(101n, false)]).to.deep.equal([[], []]);
      expect(stake(100n, false)).to.deep.equal(["Created: funded: expected true, found false"]);
      expect(stake(101n, true)).to.deep.equal(["Created: funded: expected false, found true"]);
    });

    it("are declined by the named opponent until their deadline, and settled at once", () => {
      const nobody = "the offer: expected one that names its opponent, found one to anyone";
      const decline = (one: AnyEvent, changes: Partial<Events["Declined"]> = {}, block: bigint = NOW) =>
        found(one, declined(changes, at(block)), end(Status.P1Canceled, [10n, 0n, 0n], block));
      expect(decline(firmOffer(), {}, FIRM)).to.deep.equal([]);
      expect(decline(firmOffer(), {}, FIRM + 1n)).to.deep.equal(["Declined: the time: expected by 1500, found 1501"]);
      expect(decline(firmOffer(), { opponent: OTHER })).to.deep.equal([
        `Declined: the opponent: expected ${BOB}, found ${OTHER}`,
      ]);
      expect(decline(offer(), { opponent: ZeroAddress })).to.deep.equal([`Declined: ${nobody}`]);
      const taken = found(firmOffer(), funded({}, at(NOW)), declined({}, at(NOW)));
      expect(taken).to.deep.equal(["Declined: the status before it: expected 0 or 1, found 2"]);
      expect(found(declined({ matchId: 2n }))).to.deep.equal([
        "Declined: the match: expected one that was created, found 2",
      ]);
    });

    it("pay nothing back if they are declined before they were funded", () => {
      const poor = [withdrawn({ amount: 91n }), firmOffer({ funded: false }), declined({}, at(NOW))];
      expect(found(...poor, end(Status.P1Canceled))).to.deep.equal([]);
      expect(found(...poor, end(Status.P1Canceled, [10n, 0n, 0n]))).to.deep.equal([
        "Settled: what is paid: expected 0, 0 and 0 to the house, found 10, 0 and 0 to the house",
      ]);
    });

    it("cannot be declined without a settlement in the same transaction", () => {
      const next = (event: AnyEvent) => found(firmOffer(), declined({}, at(NOW)), event);
      const text = "the event after Declined: expected Settled of match 1, in the same transaction, found";
      expect(next(end(Status.P1Canceled, [10n, 0n, 0n]))).to.deep.equal([]);
      expect(next(deposited(ALICE, 1n, at(NOW)))).to.deep.equal([`Deposited: ${text} Deposited`]);
      expect(next(acted(One, {}, at(NOW)))).to.deep.equal([`Acted: ${text} Acted`]);
      expect(next(deposited(ALICE, 1n))).to.deep.equal([`Deposited: ${text} in another: Deposited`]);
      // The offer is firm, and only its opponent can decline it.
      const late = { ...end(Status.P1Canceled, [10n, 0n, 0n]), transaction: wordOf(3) };
      expect(next(late)).to.deep.equal([`Settled: ${text} in another: Settled`]);
      const other = [firmOffer({ matchId: 2n }), declined({}, at(NOW)), settled({ matchId: 2n }, at(NOW))];
      expect(found(firmOffer(), ...other)).to.deep.equal([`Settled: ${text} Settled`]);
    });

    it("are withdrawn while they are soft, or once they have lapsed", () => {
      const back = [10n, 0n, 0n] as const;
      expect(found(offer(), end(Status.P1Canceled, back))).to.deep.equal([]);
      expect(found(firmOffer(), end(Status.P1Canceled, back, FIRM + 1n))).to.deep.equal([]);
      expect(found(firmOffer(), end(Status.P1Canceled, back, FIRM))).to.deep.equal([
        "Settled: the offer: expected a soft or lapsed one, found a firm one until 1500",
      ]);
      expect(found(offer(), end(Status.P1Canceled))).to.deep.equal([
        "Settled: what is paid: expected 10, 0 and 0 to the house, found 0, 0 and 0 to the house",
      ]);
      const taken = found(offer(), funded(), end(Status.P1Canceled, back));
      expect(taken).to.deep.equal(["Settled: the status before it: expected 0 or 1, found 2"]);
    });
  });

  describe("about funding", () => {
    it("takes the stake of a seat, and adds the player to the ladder", () => {
      const judge = new Judge(termsAdded(), created(), funded());
      expect(judge.found).to.deep.equal([]);
      expect(judge.answers("purseOf")).to.include({ [`${ALICE} ${TOKEN}`]: 90n, [`${BOB} ${TOKEN}`]: 94n });
      expect(Object.keys(judge.answers("recordOf"))).to.deep.equal([`${GAME} ${ALICE}`, `${GAME} ${BOB}`]);
    });

    it("takes the challenger's stake later if the offer was not funded", () => {
      const poor = [withdrawn({ amount: 91n }), offer({ funded: false })];
      const fund = (amount: bigint, player: string = ALICE) =>
        found(...poor, deposited(ALICE, amount), funded({ seat: One, player }));
      expect(fund(1n)).to.deep.equal([]);
      expect(fund(0n)).to.deep.equal([purse("Funded", ALICE, 10n, 9n)]);
      const named = [poor[0], firmOffer({ funded: false }), deposited(ALICE, 1n)];
      expect(found(...named, funded({ seat: One, player: ALICE }))).to.deep.equal([]);
      expect(fund(1n, BOB)).to.deep.equal([`Funded: the player: expected ${ALICE}, found ${BOB}`]);
    });

    it("rejects other seats, and seats out of order", () => {
      for (const seat of [None, 3n])
        expect(found(offer(), funded({ seat }))).to.deep.equal([`Funded: the seat: expected 1 or 2, found ${seat}`]);
      const status = "Funded: the status before it: expected";
      expect(found(offer(), funded({ seat: One, player: ALICE }))).to.deep.equal([`${status} 0, found 1`]);
      const poor = [withdrawn({ amount: 91n }), offer({ funded: false })];
      expect(found(...poor, funded())).to.deep.equal([`${status} 1, found 0`]);
      expect(found(offer(), funded(), funded())).to.deep.equal([`${status} 1, found 2`]);
    });

    it("accepts any other player, unless the offer names one", () => {
      const player = "Funded: the player: expected";
      expect(found(offer(), deposited(OTHER, 6n), funded({ player: OTHER }))).to.deep.equal([]);
      expect(found(offer(), funded({ player: ALICE }))).to.deep.equal([`${player} not the challenger, found ${ALICE}`]);
      expect(found(firmOffer(), deposited(OTHER, 6n), funded({ player: OTHER }))).to.deep.equal([
        `${player} ${BOB}, found ${OTHER}`,
      ]);
    });

    it("rejects a stake that the purse does not hold", () => {
      expect(found(offer(), withdrawn({ player: BOB, amount: 94n }), funded())).to.deep.equal([]);
      expect(found(offer(), withdrawn({ player: BOB, amount: 95n }), funded())).to.deep.equal([
        purse("Funded", BOB, 6n, 5n),
      ]);
    });

    it("is possible until the deadline of the offer", () => {
      expect(found(firmOffer(), funded({}, at(FIRM)))).to.deep.equal([]);
      expect(found(firmOffer(), funded({}, at(FIRM + 1n)))).to.deep.equal([
        "Funded: the time: expected by 1500, found 1501",
      ]);
      const latest = NOW + OFFER_LIFE;
      expect(found(offer(), funded({}, at(latest)))).to.deep.equal([]);
      expect(found(offer(), funded({}, at(latest + 1n)))).to.deep.equal([
        `Funded: the time: expected by ${latest}, found ${latest + 1n}`,
      ]);
    });
  });

  describe("about joining", () => {
    it("takes the stake of the opponent of a firm offer in the same step", () => {
      const judge = new Judge(termsAdded(), firm(), joined({}, at(FIRM)));
      expect(judge.found).to.deep.equal([]);
      expect(judge.answers("purseOf")).to.include({ [`${BOB} ${TOKEN}`]: 94n });
      expect(Object.keys(judge.answers("recordOf"))).to.include(`${GAME} ${BOB}`);
    });

    it("takes no stake a second time after funding", () => {
      const judge = new Judge(termsAdded(), created(), funded({}, at(FUNDED_AT)), joined({}, at(JOINED_AT)));
      expect(judge.found).to.deep.equal([]);
      expect(judge.answers("purseOf")).to.include({ [`${BOB} ${TOKEN}`]: 94n });
    });

    it("rejects an offer that is not firm or names nobody, unless it was funded before", () => {
      const one = ["Joined: the offer: expected a firm one by name, found one to be funded before"];
      expect(found(offer({ opponent: BOB }), joined())).to.deep.equal(one);
      const anyone = "the player: expected";
      const [first] = found(firmOffer({ opponent: ZeroAddress }), joined());
      expect(first).to.equal(one[0]).and.to.not.include(anyone);
      const poor = [withdrawn({ amount: 91n }), firmOffer({ funded: false })];
      expect(found(...poor, joined())).to.deep.equal(["Joined: the status before it: expected 2, found 0"]);
      expect(found(...IN_PLAY, joined({}, at(JOINED_AT)))).to.deep.equal([
        "Joined: the status before it: expected 2, found 3",
      ]);
    });

    it("rejects a join at the time of funding, by another player, or after the clock", () => {
      const join = (block: number, player2: string = BOB) =>
        found(offer(), funded({}, at(FUNDED_AT)), joined({ player2 }, at(block)));
      expect(join(FUNDED_AT + 1)).to.deep.equal([]);
      expect(join(FUNDED_AT)).to.deep.equal(["Joined: the time: expected after 1010, found 1010"]);
      expect(join(JOINED_AT, OTHER)).to.deep.equal([`Joined: the player: expected ${BOB}, found ${OTHER}`]);
      expect(join(FUNDED_AT + CLOCK)).to.deep.equal([]);
      expect(join(FUNDED_AT + CLOCK + 1)).to.deep.equal(["Joined: the time: expected by 4610, found 4611"]);
      expect(found(firmOffer(), joined({}, at(FIRM + 1n)))).to.deep.equal([
        "Joined: the time: expected by 1500, found 1501",
      ]);
    });

    it("rejects a stake that the purse does not hold", () => {
      expect(found(withdrawn({ player: BOB, amount: 95n }), firmOffer(), joined())).to.deep.equal([
        purse("Joined", BOB, 6n, 5n),
      ]);
    });

    it("rejects a match that does not exist or is over", () => {
      expect(found(joined({ matchId: 2n }))).to.deep.equal([
        "Joined: the match: expected one that was created, found 2",
      ]);
      const judge = new Judge(termsAdded(), created());
      judge.referee.close(1n);
      const over = "the match: expected one that is not over, found 1";
      judge.apply(funded(), joined(), acted(One), end(Status.P1Win));
      expect(judge.found).to.deep.equal(["Funded", "Joined", "Acted", "Settled"].map((name) => `${name}: ${over}`));
    });
  });

  describe("about actions", () => {
    /** Applies actions, each a second after the one before, and then the turns. */
    const played = (seats: readonly bigint[], turns: readonly (bigint | undefined)[], start = JOINED_AT + 1) => {
      const judge = new Judge(termsAdded({ rated: false }), ...IN_PLAY);
      judge.apply(...seats.map((seat, i) => acted(seat, {}, at(start + i))));
      return judge.applyActions(1n, turns).found;
    };

    it("rejects an action before the match is in play", () => {
      expect(found(offer(), funded(), acted(One))).to.deep.equal(["Acted: the status before it: expected 3, found 2"]);
      expect(found(acted(One, { matchId: 3n }))).to.deep.equal([
        "Acted: the match: expected one that was created, found 3",
      ]);
    });

    it("rejects an action out of turn", () => {
      expect(played([One, Two, Two], [One, Two, Two, One])).to.deep.equal([]);
      expect(played([Two], [One, Two])).to.deep.equal(["Acted: the seat: expected 1, found 2"]);
      expect(played([One, One], [One, Two, One])).to.deep.equal(["Acted: the seat: expected 2, found 1"]);
      expect(played([One, Two], [One, None])).to.deep.equal(["Acted: the seat: expected 0, found 2"]);
      // Without known turns, any seat may act.
      expect(played([Two, Two, One], [])).to.deep.equal([]);
    });

    it("rejects an action after the clock, and adds the increment to the clock", () => {
      expect(played([One], [One], JOINED_AT + CLOCK)).to.deep.equal([]);
      expect(played([One], [One], JOINED_AT + CLOCK + 1)).to.deep.equal([
        "Acted: the time: expected by 4620, found 4621",
      ]);
      // The same seat is in turn again: a part of the clock comes back.
      const late = JOINED_AT + CLOCK;
      const again = (block: number) => {
        const judge = new Judge(termsAdded({ rated: false }), ...IN_PLAY);
        judge.apply(acted(One, {}, at(late)), acted(One, {}, at(block)));
        return judge.applyActions(1n, [One, One, Two]).found;
      };
      expect(again(late + INCREMENT)).to.deep.equal([]);
      expect(again(late + INCREMENT + 1)).to.deep.equal(["Acted: the time: expected by 4732, found 4733"]);
    });

    it("checks no time once the seat in an earlier turn was unknown", () => {
      expect(played([One, Two], [undefined, Two, One], JOINED_AT + CLOCK + 100)).to.deep.equal([]);
    });

    it("checks actions only while the match is in play", () => {
      const judge = new Judge(termsAdded({ rated: false }), offer());
      expect(judge.applyActions(1n, [One]).applyActions(7n, [One]).found).to.deep.equal([]);
      expect(judge.referee.close(1n)[0].answer[0]).to.include({ turn: None });
    });
  });

  describe("about the end of a match in play", () => {
    const [won1, won2, draw] = [
      [13n, 0n, 3n],
      [0n, 13n, 3n],
      [10n, 6n, 0n],
    ] as const;
    const [late1, late2] = [
      [16n, 0n, 0n],
      [0n, 16n, 0n],
    ] as const;
    const LATE = JOINED_AT + CLOCK + 1;
    /** Ends a match in play. @param turns Turns of the match; without them its game is unknown. */
    const ended = (event: AnyEvent, turns?: readonly (bigint | undefined)[], ...before: readonly AnyEvent[]) =>
      new Judge(termsAdded({ rated: false }), ...IN_PLAY, ...before).settle(event, turns).found;

    it("accepts a resignation of either player until the deadline", () => {
      for (const [status, paid] of [
        [Status.P1Win, won1],
        [Status.P2Win, won2],
      ] as const) {
        expect(ended(end(status, paid, LATE - 1), [One])).to.deep.equal([]);
        expect(ended(end(status, paid, LATE), [One])).to.deep.equal([
          "Settled: the time: expected by 4620, found 4621",
        ]);
      }
      expect(
        new Judge(termsAdded({ rated: false }), offer(), funded()).settle(end(Status.P1Win, won1), []).found,
      ).to.deep.equal(["Settled: the status before it: expected 3, found 2"]);
    });

    it("accepts a timeout against the seat in turn after the deadline", () => {
      expect(ended(end(Status.P2WinInactive, late2, LATE), [One])).to.deep.equal([]);
      expect(ended(end(Status.P1WinInactive, late1, LATE), [Two])).to.deep.equal([]);
      expect(ended(end(Status.P1WinInactive, late1, LATE), [One])).to.deep.equal([
        "Settled: status: expected 10, found 9",
      ]);
      expect(ended(end(Status.P2WinInactive, late2, LATE - 1), [One])).to.deep.equal([
        "Settled: the time: expected after 4620, found 4620",
      ]);
      expect(ended(end(Status.Draw, draw, LATE), [One])).to.deep.equal(["Settled: status: expected 10, found 11"]);
    });

    it("accepts a timeout against either seat if the turn is unknown, at any time", () => {
      const elsewhere = (...how: Parameters<typeof end>) => ended({ ...end(...how), transaction: wordOf(3) });
      expect(elsewhere(Status.P1WinInactive, late1, JOINED_AT)).to.deep.equal([]);
      expect(elsewhere(Status.P2WinInactive, late2, JOINED_AT)).to.deep.equal([]);
      expect(elsewhere(Status.Draw, draw, LATE)).to.deep.equal(["Settled: status: expected 10 or 9, found 11"]);
    });

    it("accepts a timeout against the opponent who has funded, but not joined", () => {
      const silent = (event: AnyEvent) => found(offer(), funded({}, at(FUNDED_AT)), event);
      const after = FUNDED_AT + CLOCK + 1;
      expect(silent(end(Status.P1WinInactive, late1, after))).to.deep.equal([]);
      expect(silent(end(Status.P1WinInactive, late1, after - 1))).to.deep.equal([
        "Settled: the time: expected after 4610, found 4610",
      ]);
      expect(silent(end(Status.P2WinInactive, late2, after))).to.deep.equal(["Settled: status: expected 9, found 10"]);
    });

    it("rejects a timeout of an offer", () => {
      expect(found(offer(), end(Status.P1WinInactive, [10n, 0n, 0n], NOW + OFFER_LIFE + 1n))[0]).to.equal(
        "Settled: the status before it: expected 2 or 3, found 1",
      );
    });

    it("is at once and in the same transaction if the game ends the match", () => {
      const last = (event: AnyEvent, turns: readonly bigint[] | undefined, ...between: readonly AnyEvent[]) =>
        ended(event, turns, acted(One, {}, at(JOINED_AT + 1)), ...between);
      const over = end(Status.Draw, draw, JOINED_AT + 1);
      expect(last(over, [One, None])).to.deep.equal([]);
      const text = "Settled: the event before: expected the match's last action, in the same transaction, found";
      const elsewhere = { ...over, transaction: wordOf(3) };
      expect(last(elsewhere, [One, None])).to.deep.equal([`${text} Acted in another`]);
      const deposit = deposited(ALICE, 1n, at(JOINED_AT + 1));
      expect(last(over, [One, None], deposit)).to.deep.equal([`${text} Deposited in the same`]);
      const other = { ...acted(One, {}, at(JOINED_AT + 1)), args: { matchId: 2n, seat: One, data: "0x" } } as AnyEvent;
      expect(last(over, [One, None], other).at(-1)).to.equal(`${text} Acted in the same`);
      // A join may end a match, too.
      expect(ended(end(Status.Draw, draw, JOINED_AT), [None])).to.deep.equal([]);
    });

    it("is judged by the event before it if the game is unknown", () => {
      const over = (status: bigint, paid: readonly [bigint, bigint, bigint], change: Partial<AnyEvent> = {}) => {
        const event = { ...end(status, paid, JOINED_AT + 1), ...change } as AnyEvent;
        return ended(event, undefined, acted(One, {}, at(JOINED_AT + 1)));
      };
      // The pot of a draw or a win may go to either player, or to neither.
      for (const paid of [won1, won2, draw]) {
        for (const status of [Status.P1Win, Status.P2Win, Status.Draw]) expect(over(status, paid)).to.deep.equal([]);
      }
      const all = [draw, won1, won2].map(([a, b, c]) => `${a}, ${b} and ${c} to the house`).join(" or ");
      expect(over(Status.Draw, [10n, 6n, 1n])).to.deep.equal([
        `Settled: what is paid: expected ${all}, found 10, 6 and 1 to the house`,
      ]);
      // In another transaction, it is a resignation or a timeout.
      const elsewhere = { transaction: wordOf(3) };
      expect(over(Status.P2Win, won2, elsewhere)).to.deep.equal([]);
      expect(over(Status.P2Win, won1, elsewhere)).to.deep.equal([
        "Settled: what is paid: expected 0, 13 and 3 to the house, found 13, 0 and 3 to the house",
      ]);
    });

    it("pays the players and the house", () => {
      const judge = new Judge(termsAdded(), created(), funded({}, at(FUNDED_AT)), joined({}, at(JOINED_AT)));
      const event = settled({
        matchId: 1n,
        status: Status.P2Win,
        paid2: 13n,
        house: 3n,
        rating1: 980n,
        rating2: 1020n,
      });
      judge.settle(event, [One]);
      expect(judge.found).to.deep.equal([]);
      expect(judge.answers("purseOf")).to.deep.equal({
        [`${ALICE} ${TOKEN}`]: 90n,
        [`${BOB} ${TOKEN}`]: 107n,
        [`${TREASURY} ${TOKEN}`]: 3n,
      });
      expect(judge.answers("stakesOf")).to.deep.equal({
        [`${ALICE} ${TOKEN}`]: { staked: 10n, won: 0n },
        [`${BOB} ${TOKEN}`]: { staked: 6n, won: 13n },
      });
      const records = judge.answers("recordOf") as Record<string, object>;
      const common = { lastDuel: NOW, draws: 0n, forfeits: 0n };
      expect(records).to.deep.equal({
        [`${GAME} ${ALICE}`]: { ...common, rating: 980n, experience: 20n, wins: 0n, losses: 1n },
        [`${GAME} ${BOB}`]: { ...common, rating: 1020n, experience: 50n, wins: 1n, losses: 0n },
      });
    });

    it("pays player 1, both players, or only what the replay confirms", () => {
      const paid = (event: AnyEvent) => {
        const judge = new Judge(termsAdded({ rated: false }), ...IN_PLAY).settle(event, [One]);
        expect(judge.found).to.deep.equal([]);
        const purses = judge.answers("purseOf");
        return [ALICE, BOB, TREASURY].map((player) => purses[`${player} ${TOKEN}`]);
      };
      expect(paid(end(Status.P1Win, won1, JOINED_AT))).to.deep.equal([103n, 94n, 3n]);
      expect(paid(end(Status.P1Win, [1n, 2n, 0n], JOINED_AT))).to.deep.equal([91n, 96n, undefined]);
    });

    it("forgets the match in its channel", () => {
      const judge = new Judge(termsAdded({ rated: false }), opened(), challenged(), started());
      const ID = matchIdOf();
      judge.settle(settled({ matchId: ID, status: Status.P2Win, paid2: 13n, house: 3n }), [One]);
      expect(judge.found).to.deep.equal([]);
      const checked = new CheckedEvent(eventOf("Voided", { matchId: ID }), NOW);
      judge.referee.channels.takeBack(checked, { matchId: ID });
      expect(checked.mismatch).to.include({ what: "the match", expected: "one in play" });
    });

    it("creates no purse for whom nothing is paid", () => {
      const poor = offer({ player1: OTHER, funded: false });
      const canceled = new Judge(termsAdded({ rated: false }), poor, end(Status.P1Canceled));
      expect(canceled.found).to.deep.equal([]);
      expect(Object.keys(canceled.answers("purseOf"))).to.deep.equal([`${ALICE} ${TOKEN}`, `${BOB} ${TOKEN}`]);
      const free = { ...unrated, stake1: 0n, stake2: 0n, token: COIN };
      const events = [termsAdded(free, 2n), created({ termsHash: termsHash(free) }), funded({}, at(FUNDED_AT))];
      const judge = new Judge(termsAdded({ rated: false }), ...events, joined({}, at(JOINED_AT)));
      judge.settle(end(Status.P1Win, [0n, 0n, 0n], JOINED_AT), [One]);
      expect(judge.found).to.deep.equal([]);
      expect(Object.keys(judge.answers("purseOf"))).to.not.include(`${TREASURY} ${COIN}`);
    });

    it("rejects wrong ratings", () => {
      const rated = (rating1: bigint, rating2: bigint) => {
        const judge = new Judge(termsAdded(), created(), funded({}, at(FUNDED_AT)), joined({}, at(JOINED_AT)));
        return judge.settle(settled({ matchId: 1n, paid1: 13n, house: 3n, rating1, rating2 }), [One]).found;
      };
      expect(rated(1020n, 980n)).to.deep.equal([]);
      expect(rated(1021n, 980n)).to.deep.equal(["Settled: rating1: expected 1020, found 1021"]);
      expect(rated(1020n, 981n)).to.deep.equal(["Settled: rating2: expected 980, found 981"]);
      const free = { ...end(Status.P1Win, won1, JOINED_AT) };
      Object.assign(free.args, { rating1: 1020n });
      expect(ended(free, [One])).to.deep.equal(["Settled: rating1: expected 0, found 1020"]);
    });
  });

  describe("expects of the arena", () => {
    /** Returns the expected answers about the first match. */
    const about = (judge: Judge) =>
      judge.referee.close(1n).map(({ address, ...rest }) => {
        expect(address).to.equal(ARENA);
        return rest;
      });
    const match: Record<string, unknown> = {
      player1: ALICE,
      deadline: NOW + OFFER_LIFE,
      reserve: 0n,
      status: Status.P1Deposited,
      turn: None,
      player2: ZeroAddress,
      termsId: 1n,
      firm: false,
      byTransfer: false,
      fingerprint: fingerprintOf("0x"),
      posted: false,
    };
    const expected = (...[one, other = one]: object[]) => [
      { matchId: 1n, view: "matchOf", args: [1n], answer: [one], or: [other] },
    ];

    it("nothing of an unknown match", () => {
      expect(new Judge().referee.close(1n)).to.deep.equal([]);
    });

    it("the state of an offer, once", () => {
      const judge = new Judge(termsAdded(), firm({ data: "0x01" }));
      const wanted = { ...match, deadline: FIRM, player2: BOB, firm: true, fingerprint: fingerprintOf("0x01") };
      expect(about(judge)).to.deep.equal(expected(wanted));
      expect(about(judge)).to.deep.equal([]);
    });

    it("the state of a match that is funded or in play", () => {
      const taken = { ...match, player2: BOB, status: Status.AllDeposited, deadline: BigInt(FUNDED_AT + CLOCK) };
      const judge = new Judge(termsAdded(), created(), funded({}, at(FUNDED_AT)));
      expect(about(judge)).to.deep.equal(expected(taken));
      const playing = new Judge(termsAdded(), created(), funded({}, at(FUNDED_AT)), joined({}, at(JOINED_AT)));
      playing.apply(acted(One, {}, at(JOINED_AT + 5))).applyActions(1n, [One, Two]);
      const state = { status: Status.AllJoined, turn: Two, deadline: BigInt(JOINED_AT + 5 + CLOCK), reserve: 3600n };
      expect(about(playing)).to.deep.equal(expected({ ...taken, ...state }));
    });

    it("either of two answers if a transfer may have taken the seat", () => {
      const judge = new Judge(termsAdded(), firm(), deposited(BOB, 6n, at(FUNDED_AT)), funded({}, at(FUNDED_AT)));
      const status = { player2: BOB, status: Status.AllDeposited, deadline: BigInt(FUNDED_AT + CLOCK), firm: true };
      const wanted = { ...match, ...status };
      expect(about(judge)).to.deep.equal(expected({ ...wanted, byTransfer: false }, { ...wanted, byTransfer: true }));
    });

    it("only the status if the turn is unknown", () => {
      const judge = new Judge(termsAdded(), created(), funded({}, at(FUNDED_AT)), joined({}, at(JOINED_AT)));
      expect(about(judge.applyActions(1n))).to.deep.equal([
        { matchId: 1n, view: "statusOf", args: [1n], answer: [Status.AllJoined] },
      ]);
    });
  });

  describe("about a match that a channel submitted", () => {
    const ID = matchIdOf();
    const brought = (code: Parameters<typeof challenged>[0] = {}, start: Partial<Events["Started"]> = {}) =>
      new Judge(termsAdded({ rated: false }), opened(), challenged(code), started(start));
    const about = (judge: Judge) => judge.referee.close(ID)[0];
    const state = {
      player1: ALICE,
      deadline: NOW + TERMS.clock,
      reserve: TERMS.clock,
      status: Status.AllJoined,
      turn: One,
      player2: BOB,
      termsId: 1n,
      firm: false,
      byTransfer: false,
      fingerprint: "0x0000000004",
      posted: true,
    };
    const winner = None;

    it("expects full clocks, and a fingerprint of the actions, the last mover and the seats", () => {
      const one = brought();
      expect(one.found).to.deep.equal([]);
      expect(about(one.applyActions(ID, [One]))).to.deep.equal({
        address: ARENA,
        matchId: ID,
        view: "matchOf",
        args: [ID],
        answer: [{ ...state, fingerprint: "0x0000000006" }],
        or: [{ ...state, fingerprint: "0x0000000006" }],
      });
      const two = brought({ actions: ["0x01", "0x02"] }, { turn: Two });
      expect(about(two.applyActions(ID, [Two])).answer).to.deep.equal([
        { ...state, turn: Two, fingerprint: "0x0000000008" },
      ]);
      const swapped = brought({ code: { winner, swapped: true } }, { player1: BOB, player2: ALICE });
      expect(about(swapped.applyActions(ID, [One])).answer).to.deep.equal([
        { ...state, player1: BOB, player2: ALICE, fingerprint: "0x0000000007" },
      ]);
    });

    it("expects only the status if the match starts from a base", () => {
      const judge = brought({ code: { winner, turn: Two } });
      expect(about(judge.applyActions(ID, [One]))).to.deep.include({ view: "statusOf", answer: [Status.AllJoined] });
    });

    it("starts with the turn in the arena, whatever the replay says", () => {
      const judge = brought({}, { turn: Two }).applyActions(ID, [One]);
      expect(about(judge).answer[0]).to.include({ turn: Two });
    });

    it("waits for its first action", () => {
      const judge = brought();
      judge.apply(acted(One, { matchId: ID })).applyActions(ID, [One, Two]);
      expect(judge.found).to.deep.equal([]);
      expect(about(judge).answer[0]).to.include({ turn: Two, posted: false });
    });

    it("can be withdrawn until its first action or its deadline", () => {
      const voided = (block: bigint) => eventOf("Voided", { matchId: ID }, at(block));
      const deadline = NOW + TERMS.clock;
      expect(brought().apply(voided(deadline)).found).to.deep.equal([]);
      expect(brought().apply(voided(deadline + 1n)).found).to.deep.equal([
        "Voided: the time: expected by 4600, found 4601",
      ]);
      expect(brought().apply(acted(One, { matchId: ID }), voided(NOW)).found).to.deep.equal([
        `Voided: the match: expected one that waits for its first action, found ${ID}`,
      ]);
      const judge = brought().apply(voided(NOW));
      expect(judge.referee.openMatches()).to.deep.equal([]);
    });

    it("can be resigned only by the seat in turn until its first action", () => {
      const resigned = (turn: bigint, status: bigint, ...before: readonly AnyEvent[]) => {
        const [paid1, paid2] = status === Status.P1Win ? [13n, 0n] : [0n, 13n];
        const event = settled({ matchId: ID, status, paid1, paid2, house: 3n });
        return brought({}, { turn })
          .apply(...before)
          .settle(event, [turn, turn]).found;
      };
      expect(resigned(One, Status.P2Win)).to.deep.equal([]);
      expect(resigned(Two, Status.P1Win)).to.deep.equal([]);
      expect(resigned(One, Status.P1Win)).to.deep.equal(["Settled: status: expected 7, found 6"]);
      expect(resigned(Two, Status.P2Win)).to.deep.equal(["Settled: status: expected 6, found 7"]);
      expect(resigned(One, Status.P1Win, acted(One, { matchId: ID }))).to.deep.equal([]);
    });
  });
});
