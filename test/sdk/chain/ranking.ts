import { expect } from "chai";
import type { Archive } from "../../../sdk/chain/archive.js";
import { countedMatches, standingsOf, winningsOf } from "../../../sdk/chain/ranking.js";
import { games } from "../../../sdk/games/index.js";
import { expectedRows, type ExpectedRows } from "../../../sdk/verify/expected-rows.js";
import { recorded } from "../../support/recorded.js";

describe("A ranking from events", () => {
  let archive: Archive;
  let rows: ExpectedRows;

  before(async () => {
    ({ archive } = await recorded());
    rows = await expectedRows(archive, games);
  });

  it("follows from the ladder's rules", () => {
    const counted = countedMatches(archive.all);
    expect(counted).to.have.length(rows.match.filter(({ isCounted }) => isCounted).length);
    for (const game of new Set(rows.record.map((record) => record.game))) {
      const wanted = rows.record.filter((record) => record.game === game);
      const found = standingsOf(counted, game);
      expect(found).to.have.length(wanted.length);
      for (const { player, rating, wins, losses, draws, opponents, net } of wanted) {
        const numbers = { wins: Number(wins), losses: Number(losses), draws: Number(draws) };
        const standing = found.find((each) => each.player === player);
        expect(standing).to.deep.equal({ player, rating, ...numbers, opponents, net });
      }
    }
  });

  it("sums the amounts staked and won in a token", () => {
    const counted = countedMatches(archive.all);
    const [{ token }] = rows.stake;
    const found = winningsOf(counted, token);
    expect(found).to.have.length(rows.stake.length);
    for (const { player, staked, won, net } of rows.stake) {
      expect(found.find((each) => each.player === player)).to.deep.equal({ player, staked, won, net });
    }
    expect(winningsOf(counted, archive.addresses.Arena)).to.deep.equal([]);
  });

  it("excludes a win that leaves both ratings at zero", () => {
    const events = archive.all.map((event) =>
      event.name === "Settled" ? { ...event, args: { ...event.args, rating1: 0n, rating2: 0n } } : event,
    );
    expect(countedMatches(events)).to.deep.equal([]);
  });
});
