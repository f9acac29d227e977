import { expect } from "chai";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { patternOf, readDocument, ROOT } from "./documents/document.js";

/** The files that the page shows from their first line to their last. */
const BPS = [
  "contracts/games/tic-tac-toe/TicTacToe.sol",
  "sdk/games/tic-tac-toe/index.ts",
  "test/support/laws/tic-tac-toe.ts",
];

const source = (file: string) => readFileSync(join(ROOT, file), "utf8");

describe("The page that adds a game", () => {
  const pieces = readDocument("docs/adding-a-game.md").blocks.filter(({ file }) => file !== undefined);

  // As the page says: a blank line between two pieces.
  for (const whole of BPS) {
    it(`builds ${whole} as it is, to the letter`, () => {
      const text = pieces.filter(({ file }) => file === whole).map((piece) => piece.text);
      expect(text.join("\n").split("\n")).to.deep.equal(source(whole).split("\n"));
    });
  }

  for (const { at, file, text } of pieces.filter((piece) => !BPS.includes(piece.file!))) {
    it(`shows lines that are in ${file!} (${at})`, () => {
      expect(source(file!)).to.match(new RegExp(`^${patternOf(text.trimEnd())}$`, "m"));
    });
  }

  it("shows the lines that go into every list", () => {
    const files = new Set(pieces.map(({ file }) => file));
    expect(files).to.include.keys(...BPS, "sdk/chain/addresses.ts", "sdk/games/index.ts", "test/laws/laws.ts");
  });
});
