import { expect } from "chai";
import {
  countPairs,
  MIN_OPPONENTS,
  netStandings,
  pairKey,
  pointsText,
  type RatedMatch,
} from "../../../sdk/protocol/net-ranking.js";

const [ANN, BEN, CLEO, DAN, EVE, SOCK] = ["0xA1", "0xb2", "0xC3", "0xd4", "0xE5", "0xF6"];
const POINT = 1_000_000n;

/** Matches that the first of two players has won, lost and drawn. */
function between(player1: string, player2: string, wins: number, losses = 0, draws = 0): RatedMatch[] {
  const some = (count: number, winner: number) => Array.from({ length: count }, () => ({ player1, player2, winner }));
  return [...some(wins, 1), ...some(losses, 2), ...some(draws, 0)];
}

/** Matches in which four players have met each other, all drawn. */
const everybody = [ANN, BEN, CLEO, DAN].flatMap((one, i, all) =>
  all.slice(i + 1).flatMap((other) => between(one, other, 0, 0, 1)),
);

describe("The zero-sum ranking", () => {
  it("gives the winner of a pair the share of wins minus losses, and takes as much from the loser", () => {
    const standings = netStandings([...everybody, ...between(BEN, ANN, 2, 0), ...between(ANN, BEN, 1)]);
    expect(standings.get(BEN)).to.deep.equal({ opponents: MIN_OPPONENTS, net: POINT / 4n });
    expect(standings.get(ANN)).to.deep.equal({ opponents: MIN_OPPONENTS, net: -POINT / 4n });
    expect(standings.get(CLEO)!.net).to.equal(0n);
  });

  it("always sums to zero", () => {
    const players = [ANN, BEN, CLEO, DAN, EVE, SOCK];
    const matches = players.flatMap((one, i) =>
      players.slice(i + 1).flatMap((other, k) => between(one, other, (i * 7 + k * 3) % 5, (i + k) % 4, k % 2)),
    );
    const nets = [...netStandings(matches).values()].map(({ net }) => net);
    expect(nets.some((net) => net > POINT)).to.equal(true);
    expect(nets.reduce((sum, net) => sum + net, 0n)).to.equal(0n);
  });

  it("gives no points for farming a second account, however often", () => {
    const honest = [...everybody, ...between(ANN, CLEO, 3), ...between(BEN, DAN, 1)];
    const fair = netStandings(honest);
    const farmed = netStandings([...honest, ...between(BEN, SOCK, 10_000), ...between(SOCK, BEN, 0, 10_000)]);
    for (const player of [ANN, BEN, CLEO, DAN]) expect(farmed.get(player)!.net).to.equal(fair.get(player)!.net);
    expect(farmed.get(SOCK)).to.deep.equal({ opponents: 1, net: 0n });
    const first = "0x0F"; // whose address comes before all others
    const others = netStandings([...honest, ...between(BEN, first, 10_000)]);
    expect([others.get(BEN)!.net, others.get(first)!.net]).to.deep.equal([fair.get(BEN)!.net, 0n]);
  });

  it("gives at most one point for farming a second account that has met enough opponents to count", () => {
    const met = [ANN, CLEO].flatMap((other) => between(SOCK, other, 0, 1));
    const farmed = netStandings([...everybody, ...met, ...between(BEN, SOCK, 10_000)]);
    expect(farmed.get(SOCK)!.opponents).to.equal(MIN_OPPONENTS);
    expect(farmed.get(BEN)!.net).to.equal(POINT);
    expect(farmed.get(SOCK)!.net).to.equal(-3n * POINT);
  });

  it("writes points with their sign and three digits", () => {
    expect([3n * POINT, POINT / 2n, 0n, -POINT / 3n].map(pointsText)).to.deep.equal([
      "+3.000",
      "+0.500",
      "0.000",
      "-0.333",
    ]);
  });

  it("counts the matches of a pair in both seats together, under the address that comes first in any case", () => {
    expect(pairKey(BEN, ANN)).to.deep.equal({ low: ANN, high: BEN });
    expect(countPairs([...between(ANN, BEN, 2, 1), ...between(BEN, ANN, 4, 0, 5)])).to.deep.equal([
      { low: ANN, high: BEN, winsLow: 2, winsHigh: 5, draws: 5 },
    ]);
  });
});
