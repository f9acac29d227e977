import { expect } from "chai";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { patternOf, readDocument, ROOT } from "../../scripts/document.js";

const MAX_LINES = 300;

/** Files that the author of a new game writes or extends, for an open game and for a game with commitments. */
const FILES = [
  "contracts/games/tic-tac-toe/TicTacToe.sol",
  "contracts/games/tic-tac-toe/TicTacToeLog.sol",
  "contracts/games/mini-games/MiniGames.sol",
  "sdk/games/index.ts",
  "sdk/games/tic-tac-toe/log.ts",
  "sdk/games/tic-tac-toe/index.ts",
  "sdk/games/mini-games/moves.ts",
  "sdk/games/mini-games/index.ts",
  "test/games/layouts.ts",
  "test/support/laws/tic-tac-toe.ts",
  "test/support/laws/mini-games.ts",
  "test/laws/laws.ts",
];

describe("The guide to adding a game", () => {
  const page = readDocument("docs/adding-a-game.md");
  const excerptsIn = ({ blocks }: typeof page) => blocks.filter(({ file }) => file !== undefined);
  const excerpts = excerptsIn(page);

  for (const { at, file, text } of [...excerpts, ...excerptsIn(readDocument("docs/testing-a-game.md"))]) {
    it(`quotes consecutive lines of ${file!} (${at})`, () => {
      const source = readFileSync(join(ROOT, file!), "utf8");
      expect(source).to.match(new RegExp(`^${patternOf(text.trimEnd())}$`, "m"));
    });
  }

  it("quotes every file that a game writes or extends", () => {
    expect([...new Set(excerpts.map(({ file }) => file))]).to.have.members(FILES);
  });

  it(`has at most ${MAX_LINES} lines`, () => {
    expect(page.text.split("\n").length).to.be.at.most(MAX_LINES);
  });
});
