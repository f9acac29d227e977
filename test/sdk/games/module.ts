import { expect } from "chai";
import type { MatchRecord } from "../../../sdk/chain/record.js";
import type { History } from "../../../sdk/chain/history.js";
import { defineGame, type GameDefinition } from "../../../sdk/games/module.js";

const bare = {
  name: "three-in-a-row",
  modes: { default: { content: "0x" }, uneven: { content: "0x01", odds: [2n, 1n] } },
  decodeLog: async () => [{ cell: 4, finished: false }, { winner: 1 }],
} as unknown as GameDefinition;

describe("A game module that relies on defaults", () => {
  it("has a title made from its name, even odds, and no error sentences", () => {
    const { title, modes, errors } = defineGame(bare);
    expect([title, modes.default.odds, modes.uneven.odds, errors]).to.deep.equal([
      "Three-in-a-row",
      [1n, 1n],
      [2n, 1n],
      {},
    ]);
  });

  it("describes the match by its decoded log, field by field", async () => {
    const story = await defineGame(bare).story({} as MatchRecord, {} as unknown as History, (text) => text);
    expect(story).to.deep.equal(["1. cell 4, finished false", "2. winner 1"]);
  });

  it("keeps the title and sentences that it provides", () => {
    const own = { ...bare, title: "Rows", errors: { Full: "The board is full." } };
    expect(defineGame(own)).to.include({ title: "Rows", errors: own.errors });
  });
});
