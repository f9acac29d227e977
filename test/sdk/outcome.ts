import { expect } from "chai";
import { outcomeFor, outcomeText, payoffOf, settledOutcome } from "../../sdk/player/outcome.js";
import { Seat, Status } from "../../sdk/protocol/status.js";

const [WON, LOST] = [{ winner: Seat.One }, { winner: Seat.Two }];
const DRAW = { winner: Seat.None };
const stakes = { stake1: 5n, stake2: 7n };
const ratings = { rating1: 0n, rating2: 0n };

describe("The outcome of a match", () => {
  for (const [result, taker, own, spectators] of [
    [WON, Seat.One, "You win.", "Ada wins."],
    [
      WON,
      Seat.Two,
      "You win the duel, and the other player takes the pot.",
      "Ada wins the duel, and Bo takes the pot.",
    ],
    [WON, Seat.None, "You win the duel: both stakes go back.", "Ada wins the duel: both stakes go back."],
    [LOST, Seat.Two, "You lose.", "Ada loses."],
    [LOST, Seat.One, "You lose the duel, and take the pot.", "Ada loses the duel, and takes the pot."],
    [LOST, Seat.None, "You lose the duel: both stakes go back.", "Ada loses the duel: both stakes go back."],
    [DRAW, Seat.None, "A draw.", "A draw."],
    [DRAW, Seat.One, "A draw, and you take the pot.", "A draw, and Ada takes the pot."],
    [DRAW, Seat.Two, "A draw, and the other player takes the pot.", "A draw, and Bo takes the pot."],
  ] as const) {
    it(`is described as: ${own}`, () => {
      const outcome = outcomeFor({ ...result, taker }, Seat.One);
      expect(outcomeText(outcome)).to.equal(own);
      expect(outcomeText(outcome, "I")).to.equal(own.replace("You", "I").replace("and you", "and I"));
      expect(outcomeText(outcome, { name: "Ada", other: "Bo" })).to.equal(spectators);
    });
  }

  for (const [title, settlement, seat, text] of [
    ["a pot that the winner takes", { status: Status.P1Win, paid1: 10n, paid2: 0n, house: 2n }, Seat.One, "You win."],
    [
      "a pot that the loser takes",
      { status: Status.P1Win, paid1: 0n, paid2: 10n, house: 2n },
      Seat.One,
      "You win the duel, and the other player takes the pot.",
    ],
    [
      "stakes that go back",
      { status: Status.P1Win, paid1: 5n, paid2: 7n, house: 0n },
      Seat.Two,
      "You lose the duel: both stakes go back.",
    ],
    [
      "a clock that ran out",
      { status: Status.P2WinInactive, paid1: 0n, paid2: 12n, house: 0n },
      Seat.One,
      "You lose on time.",
    ],
    ["a draw", { status: Status.Draw, paid1: 5n, paid2: 7n, house: 0n }, Seat.One, "A draw."],
  ] as const) {
    it(`is taken from the settlement of ${title}`, () => {
      expect(outcomeText(settledOutcome({ ...settlement, ...ratings }, stakes, seat))).to.equal(text);
    });
  }

  it("is a plain win for the winner if nothing was staked", () => {
    const settlement = { status: Status.P2Win, paid1: 0n, paid2: 0n, house: 0n, ...ratings };
    expect(outcomeText(settledOutcome(settlement, { stake1: 0n, stake2: 0n }, Seat.Two))).to.equal("You win.");
  });

  it("has a net of the payment minus the stake", () => {
    const settlement = { status: Status.P2Win, paid1: 0n, paid2: 10n, house: 2n, ...ratings };
    expect(payoffOf(settlement, stakes, Seat.One)).to.deep.equal({ stake: 5n, pot: 12n, fee: 2n, paid: 0n, net: -5n });
    expect(payoffOf(settlement, stakes, Seat.Two)).to.deep.equal({ stake: 7n, pot: 12n, fee: 2n, paid: 10n, net: 3n });
  });
});
