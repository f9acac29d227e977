import { expect } from "chai";
import { FIGHTER } from "../../sdk/games/auto-battler/audit.js";
import { LOG as AUTO_BATTLER_LOG } from "../../sdk/games/auto-battler/log.js";
import { MODE as AUTO_BATTLER_MODE } from "../../sdk/games/auto-battler/mode.js";
import { LOG as GUARDIANS_LOG } from "../../sdk/games/guardians/log.js";
import { MODE as GUARDIANS_MODE } from "../../sdk/games/guardians/mode.js";
import { LOG as MINI_GAMES_LOG } from "../../sdk/games/mini-games/log.js";
import { MODE as MINI_GAMES_MODE } from "../../sdk/games/mini-games/mode.js";
import { LOG as TIC_TAC_TOE_LOG, POSITION } from "../../sdk/games/tic-tac-toe/log.js";
import { MODE as TIC_TAC_TOE_MODE } from "../../sdk/games/tic-tac-toe/mode.js";
import type { Layout } from "../../sdk/protocol/layout.js";
import { readDocument } from "../scripts/documents/document.js";
import { constantOf, numbersIn } from "../support/solidity.js";

/**
 * A layout, the Solidity file that packs the same fields, the prefix of its constants, and the table of the fields: its
 * page and heading.
 */
type Row = [what: string, fields: Layout, file: string, prefix: string, table?: [page: string, heading: string]];

const ROWS: Row[] = [
  [
    "the log of the auto-battler",
    AUTO_BATTLER_LOG,
    "contracts/games/auto-battler/AutoBattle.sol",
    "LOG",
    ["docs/games/auto-battler.md", "Log"],
  ],
  [
    "the modes of the auto-battler",
    AUTO_BATTLER_MODE,
    "contracts/games/auto-battler/AutoBattler.sol",
    "MODE",
    ["docs/games/auto-battler.md", "Mode"],
  ],
  [
    "the records of fighters",
    FIGHTER,
    "contracts/games/auto-battler/FighterRecords.sol",
    "FIGHTER",
    ["docs/games/auto-battler.md", "Records"],
  ],
  [
    "the log of guardians",
    GUARDIANS_LOG,
    "contracts/games/guardians/GuardianBattle.sol",
    "LOG",
    ["docs/games/guardians.md", "Log"],
  ],
  [
    "the modes of guardians",
    GUARDIANS_MODE,
    "contracts/games/guardians/Guardians.sol",
    "MODE",
    ["docs/games/guardians.md", "Mode"],
  ],
  [
    "the log of the mini-games",
    MINI_GAMES_LOG,
    "contracts/games/mini-games/MiniGames.sol",
    "LOG",
    ["docs/games/mini-games.md", "Log"],
  ],
  [
    "the modes of the mini-games",
    MINI_GAMES_MODE,
    "contracts/games/mini-games/MiniGames.sol",
    "MODE",
    ["docs/games/mini-games.md", "Modes"],
  ],
  [
    "the log of tic-tac-toe",
    TIC_TAC_TOE_LOG,
    "contracts/games/tic-tac-toe/TicTacToe.sol",
    "LOG",
    ["docs/games/tic-tac-toe.md", "Log"],
  ],
  [
    "the modes of tic-tac-toe",
    TIC_TAC_TOE_MODE,
    "contracts/games/tic-tac-toe/TicTacToe.sol",
    "MODE",
    ["docs/games/tic-tac-toe.md", "Mode"],
  ],
  [
    "the positions of tic-tac-toe",
    POSITION,
    "contracts/games/tic-tac-toe/TicTacToe.sol",
    "POSITION",
    ["docs/games/tic-tac-toe.md", "Position"],
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
