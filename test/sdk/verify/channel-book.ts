import { expect } from "chai";
import type { AnyEvent, Events } from "../../../sdk/chain/events.js";
import { Seat, Status } from "../../../sdk/protocol/status.js";
import { CheckedEvent } from "../../../sdk/verify/checked-event.js";
import type { Referee } from "../../../sdk/verify/referee.js";
import { Judge } from "../../support/judge.js";
import {
  addressOf,
  ALICE,
  balanced,
  BOB,
  challenged,
  CHANNEL,
  CHANNELS,
  codeOf,
  END,
  eventOf,
  FIRST,
  matchIdOf,
  NOW,
  opened,
  played,
  playedUnder,
  settled,
  started,
  termsAdded,
  TOKEN,
  TREASURY,
  wordOf,
} from "../../support/made-up-events.js";

const UNKNOWN = wordOf(0x99);
const ID = matchIdOf();
const collected = (amount: bigint) => eventOf("Collected", { token: TOKEN, amount });
const voided = (matchId = ID) => eventOf("Voided", { matchId });

/** Plays a match that alice wins: of the pot of 16, she gets 13, and the house 3. */
const PLAYED = [playedUnder(), played({ code: { ratings: [1020n, 980n] } })];
/** Submits the first match to the arena, in place of `PLAYED`. */
const STARTED = [termsAdded(), challenged(), started()];

/** Returns the expected state of the channel, in the order of its fields. */
function stateIn(judge: Judge, channel = CHANNEL): unknown {
  const state = judge.answers("stateOf")[channel];
  return state && Object.values(state);
}

/** Returns the expected purses of the token by their owners. */
function pursesIn(judge: Judge): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(judge.answers("purseOf")).map(([key, amount]) => [key.split(" ")[0], amount]),
  );
}

const found = (...events: readonly AnyEvent[]) => new Judge(opened(), ...events).found;

describe("Expected money and ratings of channels", () => {
  describe("when a channel is opened", () => {
    it("takes the amounts out of the purses", () => {
      const judge = new Judge(opened());
      expect(judge.found).to.deep.equal([]);
      expect(stateIn(judge)).to.deep.equal([60n, 50n, BigInt(FIRST), false, END]);
      expect(pursesIn(judge)).to.deep.equal({ [ALICE]: 40n, [BOB]: 50n, [CHANNELS]: 110n });
    });

    it("accepts amounts of whole purses, and rejects more", () => {
      expect(new Judge(opened({ amount1: 100n, amount2: 100n })).found).to.deep.equal([]);
      const purse = (player: string) => `Opened: the purse of ${player}: expected 101 of ${TOKEN} at least, found 100`;
      expect(new Judge(opened({ amount1: 101n })).found).to.deep.equal([purse(ALICE)]);
      expect(new Judge(opened({ amount2: 101n })).found).to.deep.equal([purse(BOB)]);
    });

    it("rejects an open channel, a wrong fee, and an end that is not later", () => {
      const again = opened({ amount1: 0n, amount2: 0n });
      expect(found(again)).to.deep.equal([`Opened: the channel: expected one that is not open, found ${CHANNEL}`]);
      expect(new Judge(opened({ feeBps: 1999n })).found).to.deep.equal([
        "Opened: the fee of the channel: expected 2000, found 1999",
      ]);
      expect(new Judge(opened({ until: NOW })).found).to.deep.equal([
        "Opened: its end: expected after 1000, found 1000",
      ]);
      expect(new Judge(opened({ until: NOW + 1n })).found).to.deep.equal([]);
    });

    it("keeps another channel apart", () => {
      const judge = new Judge(opened(), opened({ channelId: UNKNOWN, amount1: 1n, amount2: 2n, nonce: 7n }), ...PLAYED);
      expect(judge.found).to.deep.equal([]);
      expect(stateIn(judge)).to.deep.equal([63n, 44n, BigInt(FIRST + 1), false, END]);
      expect(stateIn(judge, UNKNOWN)).to.deep.equal([1n, 2n, 7n, false, END]);
      const asked = judge.referee.expectedAnswers().filter(({ view }) => ["stateOf", "sharesOf"].includes(view));
      expect(asked.map(({ address }) => address)).to.deep.equal([CHANNELS, CHANNELS, CHANNELS]);
    });
  });

  describe("when a match is played in a channel", () => {
    it("pays the winner and keeps the house's share", () => {
      const judge = new Judge(opened(), ...PLAYED);
      expect(judge.found).to.deep.equal([]);
      expect(stateIn(judge)).to.deep.equal([63n, 44n, BigInt(FIRST + 1), false, END]);
      expect(judge.answers("sharesOf")).to.deep.equal({ [TOKEN]: 3n });
      expect(pursesIn(judge)).to.deep.equal({ [ALICE]: 40n, [BOB]: 50n, [CHANNELS]: 110n });
    });

    it("adds the shares of matches, and pays by seats if they are swapped", () => {
      const unrated = playedUnder({ rated: false });
      const judge = new Judge(opened(), ...PLAYED, unrated, played({ code: { nonce: FIRST + 1, swapped: true } }));
      expect(judge.found).to.deep.equal([]);
      // Bob, in seat One, has staked 10.
      expect(stateIn(judge)).to.deep.equal([57n, 47n, BigInt(FIRST + 2), false, END]);
      expect(judge.answers("sharesOf")).to.deep.equal({ [TOKEN]: 6n });
    });

    it("rejects wrong ratings of either seat, and ratings of an unrated match", () => {
      const rated = (one: bigint, two: bigint) => played({ code: { ratings: [one, two] } });
      const one = "Played: the rating of seat One: expected";
      const two = "Played: the rating of seat Two: expected";
      expect(found(playedUnder(), rated(1021n, 980n))).to.deep.equal([`${one} 1020, found 1021`]);
      expect(found(playedUnder(), rated(1020n, 0n))).to.deep.equal([`${two} 980, found 0`]);
      const unrated = playedUnder({ rated: false });
      expect(found(unrated, rated(1000n, 0n))).to.deep.equal([`${one} 0, found 1000`]);
      expect(found(unrated, rated(0n, 1000n))).to.deep.equal([`${two} 0, found 1000`]);
      expect(found(unrated, rated(0n, 0n))).to.deep.equal([]);
    });

    it("rates the players by their seats", () => {
      const next = (ratings: [bigint, bigint]) => played({ code: { nonce: FIRST + 1, swapped: true, ratings } });
      // Bob has 980 points, and alice 1020.
      expect(found(...PLAYED, playedUnder(), next([1002n, 1002n]))).to.deep.equal([]);
    });

    it("rejects an unknown channel, and a match without terms", () => {
      const channel = `the channel: expected one that is open, found ${UNKNOWN}`;
      const under = playedUnder({ channelId: UNKNOWN });
      expect(found(under, played({ channelId: UNKNOWN }))).to.deep.equal([
        `PlayedUnder: ${channel}`,
        `Played: ${channel}`,
      ]);
      const judge = new Judge(opened(), played());
      expect(judge.found).to.deep.equal(["Played: the terms: expected those of PlayedUnder, found undefined"]);
      expect(stateIn(judge)).to.deep.equal([60n, 50n, BigInt(FIRST), false, END]);
    });

    it("rejects another number than the next one", () => {
      for (const nonce of [FIRST - 1, FIRST + 1])
        expect(found(playedUnder({ rated: false }), played({ code: { nonce } }))).to.deep.equal([
          `Played: the number of the match: expected ${FIRST}, found ${nonce}`,
        ]);
    });

    it("rejects stakes above the amounts in the channel", () => {
      const stakes = (stake1: bigint, stake2: bigint) => found(playedUnder({ stake1, stake2, rated: false }), played());
      expect(stakes(60n, 50n)).to.deep.equal([]);
      expect(stakes(61n, 50n)).to.deep.equal(["Played: the amount: expected 61 at least, found 60"]);
      expect(stakes(60n, 51n)).to.deep.equal(["Played: the amount: expected 51 at least, found 50"]);
    });

    const unrated = playedUnder({ rated: false });
    const seats: [string, Parameters<typeof codeOf>[0]][] = [
      ["a winner of seat 3", { winner: 3n, taker: Seat.One }],
      ["a taker of seat 3", { taker: 3n }],
      ["a base with the turn of seat 3", { turn: 3n }],
      ["a forfeit that nobody wins", { winner: Seat.None, forfeit: true }],
      ["a forfeit whose winner does not take the pot", { taker: Seat.Two, forfeit: true }],
    ];
    for (const [what, code] of seats)
      it(`rejects a code with ${what}`, () => {
        const packed = codeOf(code);
        expect(found(unrated, played({ code: packed }))).to.deep.equal([
          `Played: the code: expected one of a result, found ${packed}`,
        ]);
      });

    it("rejects a code of more than 96 bits", () => {
      for (const code of [1n << 96n, codeOf() | (1n << 96n), codeOf() | (1n << 255n)]) {
        expect(found(unrated, played({ code }))).to.deep.equal([
          `Played: the code: expected one of a result, found ${code}`,
        ]);
      }
      expect(found(playedUnder(), played({ code: codeOf() | ((1n << 96n) - (1n << 32n)) }))).to.deep.equal([
        `Played: the rating of seat One: expected 1020, found ${2n ** 32n - 1n}`,
      ]);
    });

    it("accepts codes of all results", () => {
      for (const code of [
        { winner: Seat.Two, turn: Seat.Two },
        { winner: Seat.Two, taker: Seat.One },
        { winner: Seat.Two, forfeit: true },
        { winner: Seat.One, forfeit: true },
        { winner: Seat.None },
      ])
        expect(
          found(unrated, played({ code })),
          JSON.stringify(code, (_, each) => String(each)),
        ).to.deep.equal([]);
    });
  });

  describe("when a match goes to the arena", () => {
    it("moves the stakes to the match, and back when the channel withdraws it", () => {
      const judge = new Judge(opened(), ...STARTED);
      expect(judge.found).to.deep.equal([]);
      expect(stateIn(judge)).to.deep.equal([50n, 44n, BigInt(FIRST + 1), true, END]);
      expect(pursesIn(judge)).to.include({ [CHANNELS]: 94n });
      judge.apply(voided());
      expect(judge.found).to.deep.equal([]);
      expect(stateIn(judge)).to.deep.equal([60n, 50n, BigInt(FIRST), true, END]);
      expect(pursesIn(judge)).to.include({ [CHANNELS]: 110n });
      judge.apply(...PLAYED);
      expect(judge.found).to.deep.equal([]);
      expect(stateIn(judge)).to.deep.equal([63n, 44n, BigInt(FIRST + 1), false, END]);
    });

    it("takes the stakes by seats if they are swapped, and gives them back", () => {
      const swapped = challenged({ code: { winner: Seat.None, swapped: true } });
      const judge = new Judge(opened(), termsAdded(), swapped, started({ player1: BOB, player2: ALICE }));
      expect(judge.found).to.deep.equal([]);
      expect(stateIn(judge)).to.deep.equal([54n, 40n, BigInt(FIRST + 1), true, END]);
      judge.apply(voided());
      expect(judge.found).to.deep.equal([]);
      expect(stateIn(judge)).to.deep.equal([60n, 50n, BigInt(FIRST), true, END]);
    });

    it("rejects other players, and another number than the next one", () => {
      const other = addressOf(0x77);
      const rejected = (...[changes, nonce = FIRST]: [Partial<Events["Started"]>, number?]) =>
        found(termsAdded(), challenged({ code: { winner: Seat.None, nonce } }), started({ ...changes }));
      expect(rejected({ player1: other })).to.deep.equal([`Started: player 1: expected ${ALICE}, found ${other}`]);
      expect(rejected({ player2: other })).to.deep.equal([`Started: player 2: expected ${BOB}, found ${other}`]);
      expect(rejected({ matchId: matchIdOf(FIRST + 1) }, FIRST + 1)).to.deep.equal([
        `Started: the number of the match: expected ${FIRST}, found ${FIRST + 1}`,
      ]);
    });

    it("rejects a match without the challenge of its channel", () => {
      expect(found(termsAdded(), started())).to.deep.equal([`Started: the match: expected undefined, found ${ID}`]);
      const other = matchIdOf(FIRST + 1);
      expect(found(termsAdded(), challenged(), started({ matchId: other }))).to.deep.equal([
        `Started: the match: expected ${ID}, found ${other}`,
      ]);
      const channel = `the channel: expected one that is open, found ${UNKNOWN}`;
      expect(found(termsAdded(), challenged({ channelId: UNKNOWN }), started())).to.deep.equal([
        `Challenged: ${channel}`,
        `Started: ${channel}`,
      ]);
    });

    it("rejects terms that were never added, and takes no stakes", () => {
      const judge = new Judge(opened(), termsAdded(), challenged(), started({ termsId: 2n }));
      expect(judge.found).to.deep.equal(["Started: the terms: expected ones that were added, found undefined"]);
      expect(stateIn(judge)).to.deep.equal([60n, 50n, BigInt(FIRST), false, END]);
      expect(judge.referee.openMatches()).to.deep.equal([]);
    });

    it("rejects an invalid code, and stakes above the amounts in the channel", () => {
      const code = codeOf({ winner: 3n, taker: 0n });
      expect(found(termsAdded(), challenged({ code }), started())).to.deep.equal([
        `Started: the code: expected one of a result, found ${code}`,
      ]);
      expect(found(termsAdded({ stake2: 51n }), challenged(), started())).to.deep.equal([
        "Started: the amount: expected 51 at least, found 50",
      ]);
    });

    it("rejects the withdrawal of a match that the arena does not have, or that has ended", () => {
      expect(found(voided())).to.deep.equal([`Voided: the match: expected one that was created, found ${ID}`]);
      const judge = new Judge(opened(), ...STARTED);
      const ending = { status: Status.P2WinInactive, paid2: 16n, rating1: 980n, rating2: 1020n };
      const end = settled(ending, { block: Number(NOW) + 3601 });
      judge.settle(end, [Seat.One]);
      const before = [50n, 44n, BigInt(FIRST + 1), true, END];
      expect(stateIn(judge)).to.deep.equal(before);
      judge.apply(voided());
      expect(judge.found).to.deep.equal([
        `Voided: the match: expected one that waits for its first action, found ${ID}`,
      ]);
    });

    it("forgets a match that has ended or that it has withdrawn", () => {
      for (const forget of [
        ({ channels }: Referee) => channels.settle(ID),
        ({ channels }: Referee) => channels.takeBack(new CheckedEvent(voided(), NOW), { matchId: ID }),
      ]) {
        const judge = new Judge(opened(), ...STARTED);
        forget(judge.referee);
        const state = stateIn(judge);
        const checked = new CheckedEvent(voided(), NOW);
        judge.referee.channels.takeBack(checked, { matchId: ID });
        expect(checked.mismatch).to.include({ what: "the match", expected: "one in play", found: String(ID) });
        expect(stateIn(judge)).to.deep.equal(state);
      }
    });
  });

  describe("when the players agree on a balance", () => {
    const balance = { nonce: BigInt(FIRST + 5), amount1: 70n, amount2: 37n, house: 3n };

    it("applies the amounts and the number, and keeps the house's share", () => {
      const judge = new Judge(opened(), ...STARTED, voided(), balanced(balance));
      expect(judge.found).to.deep.equal([]);
      expect(stateIn(judge)).to.deep.equal([70n, 37n, BigInt(FIRST + 5), false, END]);
      expect(judge.answers("sharesOf")).to.deep.equal({ [TOKEN]: 3n });
      expect(pursesIn(judge)).to.deep.equal({ [ALICE]: 40n, [BOB]: 50n, [CHANNELS]: 110n });
    });

    it("pays the players and the house if it closes the channel, which then does not exist", () => {
      const judge = new Judge(opened(), ...PLAYED, balanced({ ...balance, house: 0n, closed: true }));
      expect(judge.found).to.deep.equal([]);
      expect(judge.answers("stateOf")).to.deep.equal({});
      expect(judge.answers("sharesOf")).to.deep.equal({ [TOKEN]: 3n });
      expect(pursesIn(judge)).to.include({ [ALICE]: 110n, [BOB]: 87n, [CHANNELS]: 3n });
      const closed = `the channel: expected one that is open, found ${CHANNEL}`;
      judge.apply(balanced(), challenged());
      expect(judge.found).to.deep.equal([`Balanced: ${closed}`, `Challenged: ${closed}`]);
    });

    it("pays the house at once if it closes the channel", () => {
      const judge = new Judge(opened(), balanced({ ...balance, closed: true }));
      expect(judge.found).to.deep.equal([]);
      expect(judge.answers("sharesOf")).to.deep.equal({});
      expect(pursesIn(judge)).to.deep.equal({ [ALICE]: 110n, [BOB]: 87n, [CHANNELS]: 0n, [TREASURY]: 3n });
    });

    it("rejects amounts with another sum", () => {
      for (const field of ["amount1", "amount2", "house"] as const)
        expect(found(balanced({ ...balance, [field]: balance[field] + 1n }))).to.deep.equal([
          "Balanced: the sum of the amounts: expected 110, found 111",
        ]);
    });

    it("rejects payments that the purse of the channels contract does not hold", () => {
      const all = { amount1: 111n, amount2: 0n, closed: true };
      const judge = new Judge(opened(), balanced(all));
      expect(judge.found).to.deep.equal(["Balanced: the sum of the amounts: expected 110, found 111"]);
      expect(pursesIn(judge)).to.include({ [CHANNELS]: -1n, [ALICE]: 151n });
    });

    it("gives the state before and after it, unless it changes nothing", () => {
      const { channels } = new Judge(opened()).referee;
      const args = (changes: Partial<Events["Balanced"]>) => balanced(changes).args as Events["Balanced"];
      expect(channels.balanceFacts(args({}))).to.equal(undefined);
      expect(channels.balanceFacts(args({ channelId: UNKNOWN, amount1: 61n }))).to.equal(undefined);
      const { player1, player2, key1, key2, token, feeBps } = opened().args as Events["Opened"];
      const before = { nonce: FIRST, amounts: [60n, 50n] };
      for (const [changes, after] of [
        [{ nonce: BigInt(FIRST + 1) }, { nonce: FIRST + 1, amounts: [60n, 50n] }],
        [{ amount1: 61n }, { nonce: FIRST, amounts: [61n, 50n] }],
        [{ amount2: 49n }, { nonce: FIRST, amounts: [60n, 49n] }],
      ] as const)
        expect(channels.balanceFacts(args(changes))).to.deep.equal({
          channel: { player1, player2, key1, key2, token, feeBps },
          before,
          after,
        });
    });
  });

  describe("when the house collects its shares", () => {
    it("pays them to the treasury", () => {
      const judge = new Judge(opened(), ...PLAYED, collected(3n));
      expect(judge.found).to.deep.equal([]);
      expect(judge.answers("sharesOf")).to.deep.equal({});
      expect(pursesIn(judge)).to.include({ [CHANNELS]: 107n, [TREASURY]: 3n });
    });

    it("rejects any other amount, and a second time", () => {
      const shares = (expected: bigint, amount: bigint) =>
        `Collected: the shares: expected ${expected}, found ${amount}`;
      expect(found(...PLAYED, collected(2n))).to.deep.equal([shares(3n, 2n)]);
      expect(found(...PLAYED, collected(3n), collected(3n))).to.deep.equal([shares(0n, 3n)]);
    });
  });
});
