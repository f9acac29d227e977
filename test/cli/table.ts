import { expect } from "chai";
import { tableOf } from "../../cli/shared/command/table.js";

const ADDRESS = "0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc";
const ROWS = [
  ["#", "player", "rating", "last duel"],
  ["1", ADDRESS, "1020", "yesterday at noon"],
  ["12", "you", "980", "never"],
];
const isNumeric = (column: number) => column === 0 || column === 2;

describe("A printed table", () => {
  it("aligns columns, with numbers to the right, and has no width limit without a terminal", () => {
    expect(tableOf(ROWS, { isNumeric, width: Infinity })).to.deep.equal([
      ` #  player                                      rating  last duel`,
      ` 1  ${ADDRESS}    1020  yesterday at noon`,
      `12  you                                            980  never`,
    ]);
  });

  it("shortens addresses if it is wider than the terminal", () => {
    expect(tableOf(ROWS, { isNumeric, width: 42 })).to.deep.equal([
      ` #  player       rating  last duel`,
      ` 1  0x9965…A4dc    1020  yesterday at noon`,
      `12  you             980  never`,
    ]);
  });

  it("breaks between columns only, at any width", () => {
    for (let width = 1; width < 42; width++) {
      const lines = tableOf(ROWS, { isNumeric, width });
      // Only a line with a single cell may be too long.
      for (const line of lines) if (line.length > width) expect(line.trim(), String(width)).not.to.include("  ");
      const cells = lines.flatMap((line) => line.trim().split(/ {2,}/));
      expect(cells).to.deep.equal(ROWS.flat().map((cell) => (cell === ADDRESS ? "0x9965…A4dc" : cell)));
    }
  });

  it("has no lines if it has no rows", () => {
    expect(tableOf([])).to.deep.equal([]);
  });
});
