import { expect } from "chai";
import { layoutOf, placesIn, tileBeside } from "../../../page/src/games/warmancer/layout.js";
import { tileName, tilesOf } from "../../../sdk/games/warmancer/index.js";
import { BOARDS } from "../../../sdk/games/warmancer/mode.js";

const quick = tilesOf(BOARDS.quick.passable).map(tileName);

describe("The page: Warmancer's board", () => {
  it("has row 1 and column a next to player 1, and is turned for player 2", () => {
    expect(layoutOf(quick, false)).to.deep.equal([
      ["a2", "b2", "c2", "d2"],
      ["a1", "b1", "c1", "d1"],
    ]);
    expect(layoutOf(quick, true)).to.deep.equal([
      ["d1", "c1", "b1", "a1"],
      ["d2", "c2", "b2", "a2"],
    ]);
  });

  it("is the smallest rectangle around its tiles, including blocked ones", () => {
    expect(layoutOf(["c9", "d11"], false)).to.deep.equal([
      ["c11", "d11"],
      ["c10", "d10"],
      ["c9", "d9"],
    ]);
    for (const [board, size] of [
      [BOARDS.classic, 10],
      [BOARDS.grand, 12],
    ] as const) {
      const layout = layoutOf(tilesOf(board.passable).map(tileName), false);
      expect(layout.map((row) => row.length)).to.deep.equal(Array<number>(size).fill(size));
    }
  });

  it("moves by arrows from tile to tile as drawn, and stops at its edge", () => {
    for (const [isTurned, up, right] of [
      [false, "b2", "c1"],
      [true, "b1", "a1"],
    ] as const) {
      const layout = layoutOf(quick, isTurned);
      const from = (tile: string, key: string) => tileBeside(layout, placesIn(layout).get(tile)!, key);
      expect([from("b1", "ArrowUp"), from("b1", "ArrowRight")]).to.deep.equal([up, right]);
      expect(from(layout[0][0], "ArrowLeft")).to.equal(layout[0][0]);
      expect(from(layout[1][3], "ArrowDown")).to.equal(layout[1][3]);
      expect([from("b1", "Home"), from("b1", "End")]).to.have.members(["a1", "d1"]);
      expect(from("b1", "x")).to.equal(undefined);
    }
  });
});
