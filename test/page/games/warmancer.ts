import { expect } from "chai";
import { layoutOf, placesIn, tileBeside } from "../../../page/src/games/warmancer/layout.js";
import { tileName, tilesOf } from "../../../sdk/games/warmancer/index.js";
import { BOARDS } from "../../../sdk/games/warmancer/mode.js";

const quick = tilesOf(BOARDS.quick.passable).map(tileName);

describe("The page: Warmancer's board", () => {
  it("puts row 1 next to player 1, and is turned for player 2", () => {
    const tiles = ["a1", "b1", "a2", "b2", "a3", "b3"];
    expect(layoutOf(tiles, false)).to.deep.equal([
      ["a3", "b3"],
      ["a2", "b2"],
      ["a1", "b1"],
    ]);
    expect(layoutOf(tiles, true)).to.deep.equal([
      ["b1", "a1"],
      ["b2", "a2"],
      ["b3", "a3"],
    ]);
  });

  it("puts the viewer's army at the bottom, even if the armies start left and right", () => {
    expect(layoutOf(quick, false)).to.deep.equal([
      ["d2", "d1"],
      ["c2", "c1"],
      ["b2", "b1"],
      ["a2", "a1"],
    ]);
    expect(layoutOf(quick, true)).to.deep.equal([
      ["a1", "a2"],
      ["b1", "b2"],
      ["c1", "c2"],
      ["d1", "d2"],
    ]);
    for (const [isTurned, own] of [
      [false, BOARDS.quick.setup1],
      [true, BOARDS.quick.setup2],
    ] as const) {
      const setup = tilesOf(own).map(tileName);
      expect(layoutOf(quick, isTurned).slice(2).flat()).to.have.members(setup);
    }
  });

  it("is the smallest rectangle around its passable tiles, with blocked tiles in between", () => {
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

  it("moves the focus with arrow keys to the next tile on the screen, and stops at the edge", () => {
    for (const [isTurned, up, right] of [
      [false, "c1", "b1"],
      [true, "a1", "b2"],
    ] as const) {
      const layout = layoutOf(quick, isTurned);
      const from = (tile: string, key: string) => tileBeside(layout, placesIn(layout).get(tile)!, key);
      expect([from("b1", "ArrowUp"), from("b1", "ArrowRight")]).to.deep.equal([up, right]);
      expect(from(layout[0][0], "ArrowLeft")).to.equal(layout[0][0]);
      expect(from(layout[3][1], "ArrowDown")).to.equal(layout[3][1]);
      expect([from("b1", "Home"), from("b1", "End")]).to.have.members(["b1", "b2"]);
      expect(from("b1", "x")).to.equal(undefined);
    }
  });
});
