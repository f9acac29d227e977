import { expect } from "chai";
import { ZeroHash } from "ethers";
import type { Archive } from "../../../sdk/chain/archive.js";
import type { AnyEvent } from "../../../sdk/chain/events.js";
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
      for (const { player, rating, wins, losses, draws, agreed, opponents, net } of wanted) {
        const numbers = { wins: Number(wins), losses: Number(losses), draws: Number(draws) };
        const standing = found.find((each) => each.player === player);
        expect(standing).to.deep.equal({ player, rating, ...numbers, agreed, opponents, net });
      }
    }
  });

  it("counts matches with an agreed result for both players", () => {
    const [first] = countedMatches(archive.all);
    const { matchId, terms, player1, player2 } = first;
    const fields = { winner: 1n, until: 0n, record: ZeroHash, signature1: "0x", signature2: "0x" } as const;
    const events = archive.all.flatMap((event): AnyEvent[] => {
      if (event.name !== "Settled" || event.args.matchId !== matchId) return [event];
      return [{ ...event, name: "Agreed", args: { matchId, ...fields } }, event];
    });
    const counted = countedMatches(events);
    expect(counted.filter(({ isAgreed }) => isAgreed)).to.deep.equal([{ ...first, isAgreed: true }]);
    const marked = standingsOf(counted, terms.game).filter(({ agreed }) => agreed > 0);
    expect(marked.map(({ player, agreed }) => [player, agreed])).to.have.deep.members([
      [player1, 1],
      [player2, 1],
    ]);
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

  it("excludes matches that do not count", () => {
    const events = archive.all.map((event) =>
      event.name === "Settled" ? { ...event, args: { ...event.args, rating1: 0n, rating2: 0n } } : event,
    );
    expect(countedMatches(events)).to.deep.equal([]);
  });
});
