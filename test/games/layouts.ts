import { expect } from "chai";
import { FIGHTER } from "../../sdk/games/auto-battler/audit.js";
import { LOG as AUTO_BATTLER_LOG } from "../../sdk/games/auto-battler/log.js";
import { MODE as AUTO_BATTLER_MODE } from "../../sdk/games/auto-battler/mode.js";
import type { Layout } from "../../sdk/protocol/layout.js";
import { readDocument } from "../scripts/documents/document.js";
import { constantOf, numbersIn } from "../support/solidity.js";

/**
 * A layout, the Solidity file that packs the same, what its constants of it begin with, and the table of it: a page and
 * its heading.
 */
type Row = [what: string, fields: Layout, file: string, prefix: string, table?: [page: string, heading: string]];

const AUTO_BATTLER = "docs/games/auto-battler.md";

const ROWS: Row[] = [
  [
    "the log of the auto-battler",
    AUTO_BATTLER_LOG,
    "contracts/games/auto-battler/AutoBattle.sol",
    "LOG",
    [AUTO_BATTLER, "Log"],
  ],
  [
    "the modes of the auto-battler",
    AUTO_BATTLER_MODE,
    "contracts/games/auto-battler/AutoBattler.sol",
    "MODE",
    [AUTO_BATTLER, "Mode"],
  ],
  [
    "the records of fighters",
    FIGHTER,
    "contracts/games/auto-battler/FighterRecords.sol",
    "FIGHTER",
    [AUTO_BATTLER, "Records"],
  ],
];

/** Range of a field as a page writes it, e.g. `0–6`, or `7` for a single bit or byte. */
function rangeOf(at: number, width: number): string {
  return width === 1 ? String(at) : `${at}–${at + width - 1}`;
}

/**
 * Range and field, the first two columns, of the rows of the first table of bits or bytes below a heading. A field is
 * in backticks there, named as in the code.
 */
function tableIn(page: string, heading: string): [range: string, field: string][] {
  const [, section = ""] = readDocument(page).text.split(new RegExp(`^#+ ${heading}$`, "m"));
  const [, rows = ""] = /^\| (?:bits|bytes) .*\n\| -.*\n((?:\|.*\n)*)/m.exec(section.split(/^#+ /m)[0]) ?? [];
  return rows
    .trimEnd()
    .split("\n")
    .map((row) => {
      const [, range, field] = row.split("|").map((cell) => cell.trim());
      return [range, field];
    });
}

describe("Packed layouts", () => {
  for (const [what, fields, file, prefix] of ROWS) {
    it(`start each field where the constants of the contract do: ${what}`, () => {
      const constants = [...numbersIn(file)].filter(([name]) => name.startsWith(`_${prefix}_`) && name.endsWith("_AT"));
      const expected = Object.entries(fields).map(([name, { at }]) => [constantOf(prefix, name), at]);
      expect(Object.fromEntries(constants)).to.deep.equal(Object.fromEntries(expected));
    });
  }

  for (const [what, fields, , , table] of ROWS) {
    if (!table) continue;
    it(`are as the page says: ${what}`, () => {
      const expected = Object.entries(fields).map(([name, { at, width }]) => [rangeOf(at, width), `\`${name}\``]);
      expect(tableIn(...table)).to.deep.equal(expected);
    });
  }
});
