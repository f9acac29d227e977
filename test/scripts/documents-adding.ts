import { expect } from "chai";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { patternOf, readDocument, ROOT } from "./documents/document.js";

/** The files that the page shows from their first line to their last. */
const WHOLE = ["contracts/games/TicTacToe.sol", "sdk/games/tic-tac-toe.ts", "test/laws/tic-tac-toe.ts"];

const source = (file: string) => readFileSync(join(ROOT, file), "utf8");
const withoutBlankLines = (text: string) => text.split("\n").filter((line) => line.trim() !== "");

describe("The page that adds a game", () => {
  const pieces = readDocument("docs/adding-a-game.md").blocks.filter(({ file }) => file !== undefined);

  for (const whole of WHOLE) {
    it(`builds ${whole} as it is, to the letter`, () => {
      const text = pieces.filter(({ file }) => file === whole).map((piece) => piece.text);
      expect(withoutBlankLines(text.join(""))).to.deep.equal(withoutBlankLines(source(whole)));
    });
  }

  for (const { at, file, text } of pieces.filter((piece) => !WHOLE.includes(piece.file!))) {
    it(`shows lines that are in ${file!} (${at})`, () => {
      expect(source(file!)).to.match(new RegExp(`^${patternOf(text.trimEnd())}$`, "m"));
    });
  }

  it("shows the lines that go into every list", () => {
    const files = new Set(pieces.map(({ file }) => file));
    expect(files).to.include.keys(...WHOLE, "sdk/addresses.ts", "sdk/games/index.ts", "test/laws.ts");
  });
});
