import { expect } from "chai";
import {
  addStakes,
  applyResult,
  duelsOf,
  experienceOf,
  levelOf,
  NEWCOMER,
  NO_STAKES,
  ratingChange,
  resultsBy,
} from "../../../sdk/protocol/ladder.js";
import { isForfeit, isOpen, Seat, Status, statusName, winnerBy } from "../../../sdk/protocol/status.js";

describe("A player's record", () => {
  it("counts duels with any result, and forfeits only among the losses", () => {
    expect(duelsOf({ ...NEWCOMER, wins: 3n, losses: 5n, draws: 7n, forfeits: 2n })).to.equal(15n);
  });

  it("changes by one duel as the arena's rules say", () => {
    expect([1000n, 1100n, 1400n, 1500n, 600n, 500n].map((opponent) => ratingChange(1000n, opponent))).to.deep.equal([
      20n,
      25n,
      40n,
      40n,
      0n,
      0n,
    ]);
    const after = (result: "win" | "loss" | "draw" | "forfeit", rating = 1000n) =>
      applyResult({ ...NEWCOMER, rating }, 1100n, result, 9n);
    const newcomer = { ...NEWCOMER, lastDuel: 9n };
    expect(after("win")).to.deep.equal({ ...newcomer, rating: 1025n, experience: 50n, wins: 1n });
    expect(after("draw")).to.deep.equal({ ...newcomer, experience: 20n, draws: 1n });
    expect(after("loss")).to.deep.equal({ ...newcomer, rating: 975n, experience: 20n, losses: 1n });
    expect(after("forfeit")).to.deep.equal({ ...newcomer, rating: 975n, losses: 1n, forfeits: 1n });
    expect(after("loss", 30n).rating).to.equal(0n);
  });

  it("reaches a level for each hundred points of experience", () => {
    expect([0n, 99n, 100n, 250n].map(levelOf)).to.deep.equal([1n, 1n, 2n, 3n]);
    const gained = (["win", "loss", "draw", "forfeit"] as const).map(experienceOf);
    expect(gained).to.deep.equal([50n, 20n, 20n, 0n]);
  });

  it("caps sums of stakes at the largest value that the arena can store", () => {
    const max = 2n ** 128n - 1n;
    expect(addStakes(NO_STAKES, { staked: 3n, won: 2n })).to.deep.equal({ staked: 3n, won: 2n });
    expect(addStakes({ staked: max - 1n, won: max }, { staked: 1n, won: 1n })).to.deep.equal({ staked: max, won: max });
    expect(addStakes({ staked: max, won: 5n }, { staked: max, won: 1n })).to.deep.equal({ staked: max, won: 6n });
  });
});

describe("The status of a match", () => {
  it("has a name, and a number if it is unknown", () => {
    expect([Status.Created, Status.Draw, 200n].map(statusName)).to.deep.equal(["Created", "Draw", "200"]);
  });

  it("names the winner, a forfeit, and the results of both players", () => {
    const over = [Status.P1Win, Status.P2Win, Status.P1WinInactive, Status.P2WinInactive, Status.Draw];
    expect(over.map(winnerBy)).to.deep.equal([Seat.One, Seat.Two, Seat.One, Seat.Two, Seat.None]);
    expect(over.map(isForfeit)).to.deep.equal([false, false, true, true, false]);
    expect(over.map(resultsBy)).to.deep.equal([
      ["win", "loss"],
      ["loss", "win"],
      ["win", "forfeit"],
      ["forfeit", "win"],
      ["draw", "draw"],
    ]);
  });

  it("is open until the match is over", () => {
    const open = Object.entries(Status).filter(([, status]) => isOpen({ status }));
    expect(open.map(([name]) => name)).to.deep.equal(["Created", "P1Deposited", "AllDeposited", "AllJoined"]);
  });
});
