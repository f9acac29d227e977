import { expect } from "chai";
import { ZeroHash } from "ethers";
import { Archive } from "../../sdk/chain/archive.js";
import { IndexClient } from "../../sdk/chain/index-client.js";
import { countedMatches, standingsOf } from "../../sdk/chain/ranking.js";
import { locatedMismatchText } from "../../sdk/chain/mismatch.js";
import { games } from "../../sdk/games/index.js";
import { expectedRows, type ExpectedRows } from "../../sdk/verify/expected-rows.js";
import { compareIndex } from "../../sdk/verify/index-comparison.js";
import { livedChannel, type ChannelLife } from "../support/channel-life.js";
import type { FakeRows } from "../support/fake-index.js";
import { indexOf } from "../support/indexed.js";
import { ethers, loadFixture } from "../support/index.js";
import { rowsBy } from "../support/row-map.js";

describe("Rows of channels in an index", () => {
  let life: ChannelLife;
  let archive: Archive;
  let rows: ExpectedRows;

  before(async () => {
    life = await loadFixture(livedChannel);
    archive = await Archive.read(ethers.provider, life.addresses);
    rows = await expectedRows(archive, games);
  });

  it("are the same whether the index's handlers or the comparison's rules compute them", async () => {
    const { deployment: _, ...found } = await rowsBy(archive, ZeroHash);
    expect(await mismatchIn(found)).to.equal(undefined);
  });

  it("include every match that is on chain, and mark the rated matches as counted", () => {
    const ended = rows.channelMatch.map(({ matchId }) => matchId);
    expect(new Set(ended)).to.deep.equal(new Set([...life.nonces.keys()].map((name) => life.matchId(name))));
    expect(rows.channelMatch.filter(({ isInArena }) => isInArena).map(({ matchId }) => matchId)).to.have.members(
      ["gone on", "timed out", "over and timed out"].map((name) => life.matchId(name)),
    );
    const counted = rows.channelMatch.filter(({ isCounted }) => isCounted).map(({ matchId }) => matchId);
    expect(counted).to.have.members(ended);
    const changed = new Set(rows.ratingChange.map(({ matchId }) => matchId));
    expect(counted.every((matchId) => changed.has(matchId))).to.equal(true);
  });

  it("lead to the same ranking of players as the events", () => {
    const counted = countedMatches(archive.all);
    expect(new Set(counted.map(({ matchId }) => matchId))).to.deep.equal(
      new Set(rows.ratingChange.map(({ matchId }) => matchId)),
    );
    for (const { game, player, rating, wins, losses, draws, net } of rows.record) {
      const standing = standingsOf(counted, game).find((each) => each.player === player);
      expect(standing, player).to.include({
        rating,
        wins: Number(wins),
        losses: Number(losses),
        draws: Number(draws),
        net,
      });
    }
  });

  it("contain the same amounts, ratings and purses as the contracts", async () => {
    const { pair, world } = life;
    const { amount1, amount2, nonce } = await pair.state();
    expect(rows.channel[0]).to.include({ channelId: pair.id, amount1, amount2, nonce, isOpen: true });
    for (const { player, token, amount } of rows.purse)
      if (amount >= 0n) expect(amount, player).to.equal(await world.arena.purseOf(player, token));
    for (const { game, player, rating, wins } of rows.record) {
      const record = await world.arena.recordOf(game, player);
      expect([BigInt(rating), wins]).to.deep.equal([record.rating, record.wins]);
    }
    const total = rows.token.find(({ token }) => token === pair.channel.token)!;
    const purses = rows.purse
      .filter(({ token }) => token === total.token)
      .reduce((sum, { amount }) => sum + amount, 0n);
    expect(total.total).to.equal(purses + total.inMatches);
  });

  for (const [table, column, value] of [
    ["channelMatch", "winner", 2],
    ["channelMatch", "rating1", 1n],
    ["channel", "amount1", 1n],
    ["channelBalance", "house", 1n],
  ] as const)
    it(`are compared with those of an index: ${table}.${column}`, async () => {
      const changed = rows[table].map((row) => ({ ...row, [column]: value }));
      expect(await mismatchIn({ [table]: changed })).to.match(new RegExp(`${table}\\(.*${column}: expected`));
    });

  /** Compares the expected rows with an index whose rows differ in some tables. */
  async function mismatchIn(changed: FakeRows): Promise<string | undefined> {
    const { index } = await indexOf(archive);
    index.rows = { ...index.rows, ...changed };
    try {
      const deployment = { chainId: Number(archive.chainId), addresses: archive.addresses };
      const { mismatch } = await compareIndex(await IndexClient.open(index.url, deployment), rows);
      return mismatch && locatedMismatchText(mismatch);
    } finally {
      await index.stop();
    }
  }
});
