import { expect } from "chai";
import { addStakes, duelsOf, experienceOf, levelOf, NEWCOMER, NO_STAKES } from "../../../sdk/protocol/ladder.js";
import { isOpen, Status, statusName } from "../../../sdk/protocol/status.js";

describe("A player's record", () => {
  it("counts duels with any result, and forfeits only among the losses", () => {
    expect(duelsOf({ ...NEWCOMER, wins: 3n, losses: 5n, draws: 7n, forfeits: 2n })).to.equal(15n);
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

  it("is open until the match is over", () => {
    const open = Object.entries(Status).filter(([, status]) => isOpen({ status }));
    expect(open.map(([name]) => name)).to.deep.equal(["Created", "P1Deposited", "AllDeposited", "AllJoined"]);
  });
});
