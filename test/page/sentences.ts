import { expect } from "chai";
import { fromViewer, subjectOf } from "../../page/src/games/shared/grammar.js";
import { placeOf } from "../../page/src/games/tic-tac-toe/places.js";

const NAMES = ["You", "Iron Willow"] as const;

describe("Sentences of the page", () => {
  it("address the viewer directly, and name other players", () => {
    expect(subjectOf(1, 1, NAMES).does("win")).to.equal("You win");
    expect(subjectOf(2, 1, NAMES).does("win")).to.equal("Iron Willow wins");
    expect(subjectOf(1, 1, NAMES).alsoDoes("go", "goes")).to.equal("you go");
    expect(subjectOf(2, 1, NAMES).alsoDoes("go", "goes")).to.equal("Iron Willow goes");
    expect([0, 1, 2].map(fromViewer)).to.deep.equal([
      [1, 2],
      [1, 2],
      [2, 1],
    ]);
    expect(subjectOf(2, 1, NAMES).object).to.equal("Iron Willow");
    expect(subjectOf(1, 1, NAMES).object).to.equal("you");
    expect(subjectOf(1, 0, ["Ruby Rigel", "Iron Willow"]).does("win")).to.equal("Ruby Rigel wins");
  });

  it("describe cells of tic-tac-toe by position, not by number", () => {
    expect(Array.from({ length: 9 }, (_, cell) => placeOf(cell))).to.deep.equal([
      "top left",
      "top middle",
      "top right",
      "middle left",
      "the centre",
      "middle right",
      "bottom left",
      "bottom middle",
      "bottom right",
    ]);
  });
});
