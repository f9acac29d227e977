import { expect } from "chai";
import { Archive } from "../../../sdk/chain/archive.js";
import { History } from "../../../sdk/chain/history.js";
import { unfolded } from "../../../sdk/games/channel-match.js";
import { games } from "../../../sdk/games/index.js";
import { findGame } from "../../../sdk/games/list.js";
import { toldEvents } from "../../../sdk/player/match-events.js";
import { viewOfRecord } from "../../../sdk/player/match-view.js";
import { Tokens } from "../../../sdk/player/tokens.js";
import { channelIdOf } from "../../../sdk/protocol/channels/messages.js";
import { Status } from "../../../sdk/protocol/status.js";
import { replay } from "../../../sdk/verify/replay.js";
import { livedChannel, type ChannelLife } from "../../support/channel-life.js";
import { ethers, loadFixture } from "../../support/index.js";

describe("Matches from channels, read from their events", () => {
  let life: ChannelLife;
  let history: History;

  before(async () => {
    life = await loadFixture(livedChannel);
    history = new History(ethers.provider, life.addresses);
  });

  it("are found on a node and in an archive, and replayed with the same result", async () => {
    const archive = await Archive.read(ethers.provider, life.addresses);
    for (const name of life.nonces.keys()) {
      const matchId = life.matchId(name);
      const record = await history.match(matchId);
      expect(await archive.match(matchId), name).to.deep.equal(record);
      expect(record.settlement, name).to.not.equal(undefined);
      const replays = await Promise.all([history, archive].map((each) => replay(each, games, matchId)));
      expect(replays[0].mismatch, name).to.equal(undefined);
      expect(replays[0], name).to.deep.equal(replays[1]);
    }
  });

  it("are shown with their channel, their result and every action", async () => {
    const { matchId, record, events } = await shown("gone on");
    const view = await viewOfRecord(record, reader(), life.addresses);
    expect(view).to.include({ matchId, game: "pistols", mode: "default", turn: 0n, status: record.settlement!.status });
    expect(channelIdOf(record.channel!.shown!.channel)).to.equal(life.pair.id);
    expect(events[0].text).to.contain(`in channel ${life.pair.id} as number ${life.nonces.get("gone on")}`);
    expect(events.map(({ event }) => event)).to.deep.equal([
      "created",
      "joined",
      ...record.actions.map(() => "acted"),
      "settled",
    ]);
  });

  it("state that the game refused the last action", async () => {
    const { record, events } = await shown("refused");
    expect(record.settlement!.status).to.equal(Status.P2WinInactive);
    expect(events.at(-1)!.text).to.match(/player 2 won: the game refused an action of player 1/);
  });

  it("state that their beginning is not on chain if they start from a base", async () => {
    const { record, events } = await shown("from a base");
    expect(record.actions.length).to.equal(2);
    expect(events[0].text).to.match(/is not on chain/);
  });

  it("are not found under a number that no channel has used on chain", async () => {
    const matchId = life.pair.matchIdOf(2 ** 14 + 1000);
    const error = await history.match(matchId).catch((thrown: unknown) => thrown);
    expect((error as Error).message).to.equal(`There is no match ${matchId} that a channel brought to the chain.`);
  });

  async function shown(name: string) {
    const matchId = life.matchId(name);
    const read = await history.match(matchId);
    const game = findGame(read.terms.game, games, life.addresses)!;
    const { record } = await unfolded(read, game, history);
    const token = await reader().tokens.at(record.terms.token);
    return { matchId, record, events: await toldEvents(record, token, game, history) };
  }
  const reader = () => ({ games, tokens: new Tokens(ethers.provider, life.addresses) });
});
