import { expect } from "chai";
import {
  channelOf,
  isMirrored,
  isSoughtIn,
  locksTooLong,
  readSeek,
  type Seek,
} from "../../../sdk/protocol/channels/seek.js";
import { InputError } from "../../../sdk/protocol/input.js";
import { COIN } from "../../../sdk/protocol/terms.js";
import { keyOf } from "../../support/channels.js";

const NOW = 1_800_000_000;
const DAY = 86_400;

describe("Searches for players", () => {
  it("are rejected if a player searches for itself", () => {
    const [player, opponent, key] = ["alice", "bob", "key 1"].map((name) => keyOf(name).address);
    const amounts = { amount: "1", otherAmount: "50" };
    const signature = `0x${"00".repeat(65)}`;
    const seek = { player, key, opponent, token: COIN, feeBps: 2000, ...amounts, until: NOW, expires: NOW, signature };
    expect(readSeek(seek, "seek")).to.include({ player, opponent, amount: 1n });
    for (const [path, field] of [
      ["seek", "seek.opponent"],
      ["", "opponent"],
    ]) {
      const error = `${field}: ${player} is the player itself`;
      expect(() => readSeek({ ...seek, opponent: player }, path)).to.throw(InputError, new RegExp(`^${error}$`));
    }
  });

  it("may be answered by anybody or only by the named opponent, but never by the player itself", () => {
    const isSought = (opponent: string) =>
      ["alice", "bob", "carol"].map((name) => isSoughtIn({ player: "alice", opponent } as Seek, name));
    expect(isSought(COIN)).to.deep.equal([false, true, true]);
    expect(isSought("bob")).to.deep.equal([false, true, false]);
    const seek = { player: "alice", key: "key 1", token: COIN, feeBps: 2000n } as Seek;
    const players = { player1: "alice", key1: "key 1", player2: "bob", key2: "key 2" };
    expect(channelOf(seek, "bob", "key 2")).to.deep.equal({ ...players, token: COIN, feeBps: 2000n });
  });

  it("would lock money for too long if the channel would end in more than 31 days", () => {
    const untils = [NOW, NOW + 31 * DAY, NOW + 31 * DAY + 1, 2 ** 32 - 1];
    expect(untils.map((until) => locksTooLong({ until }, NOW))).to.deep.equal([false, false, true, true]);
  });

  it("mirror each other if their amounts match and the opponent's ends at most an hour later", () => {
    const own = { amount: 1n, otherAmount: 50n, until: NOW };
    const other = { amount: 50n, otherAmount: 1n, until: NOW };
    const changes = [{}, { until: NOW - DAY }, { until: NOW + 3600 }, { until: NOW + 3601 }];
    const isSame = [...changes, { amount: 51n }, { otherAmount: 2n }].map((each) =>
      isMirrored(own, { ...other, ...each }),
    );
    expect(isSame).to.deep.equal([true, true, true, false, false, false]);
  });
});
