import { expect } from "chai";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { patternOf, readDocument, ROOT } from "./documents/document.js";

/** Files that the page shows in full. */
const SHOWN_IN_FULL = [
  "contracts/games/tic-tac-toe/TicTacToe.sol",
  "sdk/games/tic-tac-toe/index.ts",
  "test/support/laws/tic-tac-toe.ts",
];

const source = (file: string) => readFileSync(join(ROOT, file), "utf8");

describe("The page that adds a game", () => {
  const pieces = readDocument("docs/adding-a-game.md").blocks.filter(({ file }) => file !== undefined);

  // The page separates two pieces by a blank line.
  for (const whole of SHOWN_IN_FULL) {
    it(`builds ${whole} as it is, to the letter`, () => {
      const text = pieces.filter(({ file }) => file === whole).map((piece) => piece.text);
      expect(text.join("\n").split("\n")).to.deep.equal(source(whole).split("\n"));
    });
  }

  for (const { at, file, text } of pieces.filter((piece) => !SHOWN_IN_FULL.includes(piece.file!))) {
    it(`shows lines that are in ${file!} (${at})`, () => {
      expect(source(file!)).to.match(new RegExp(`^${patternOf(text.trimEnd())}$`, "m"));
    });
  }

  it("shows the lines that go into every list", () => {
    const files = new Set(pieces.map(({ file }) => file));
    expect(files).to.include.keys(
      ...SHOWN_IN_FULL,
      "sdk/chain/addresses.ts",
      "sdk/games/index.ts",
      "test/laws/laws.ts",
    );
  });
});
