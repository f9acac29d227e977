import { expect } from "chai";
import { BLOW, RESULT } from "../../sdk/games/pistols/log.js";
import { STATE } from "../../sdk/games/pistols/state.js";
import { BATTLE, ENTRY, KILL, MOVE, RESULT as WARMANCER_RESULT, REVEAL } from "../../sdk/games/warmancer/log.js";
import { MODE as WARMANCER_MODE } from "../../sdk/games/warmancer/mode.js";
import { POSITION, SIDE } from "../../sdk/games/warmancer/position.js";
import type { Layout } from "../../sdk/protocol/layout.js";
import { readDocument } from "../scripts/documents/document.js";
import { constantOf, numbersIn } from "../support/solidity.js";

/**
 * A layout, the Solidity file that packs the same, what its constants of it begin with, and the table of it: a page and
 * its heading.
 */
type Row = [what: string, fields: Layout, file: string, prefix: string, table?: [page: string, heading: string]];

const PISTOLS = "docs/games/pistols.md";
const WARMANCER = "docs/games/warmancer.md";
const DUEL_LOG = "contracts/games/pistols/DuelLog.sol";
const POSITIONS = "contracts/games/warmancer/Positions.sol";
const TURN_RESOLUTIONS = "contracts/games/warmancer/TurnResolutions.sol";

const ROWS: Row[] = [
  ["the state of pistols", STATE, "contracts/games/pistols/Pistols.sol", "STATE", [PISTOLS, "State"]],
  ["blows in the log of pistols", BLOW, DUEL_LOG, "BLOW", [PISTOLS, "Log"]],
  ["the result in the log of pistols", RESULT, DUEL_LOG, "RESULT", [PISTOLS, "Result"]],
  ["the modes of Warmancer", WARMANCER_MODE, POSITIONS, "MODE", [WARMANCER, "Mode"]],
  ["the head of a position of Warmancer", POSITION, POSITIONS, "POSITION", [WARMANCER, "Position"]],
  ["a side in a position of Warmancer", SIDE, POSITIONS, "SIDE", [WARMANCER, "Side"]],
  ["all entries in the log of Warmancer", ENTRY, TURN_RESOLUTIONS, "ENTRY", [WARMANCER, "Log"]],
  ["a move in the log of Warmancer", MOVE, TURN_RESOLUTIONS, "MOVE"],
  ["a reveal in the log of Warmancer", REVEAL, TURN_RESOLUTIONS, "REVEAL"],
  ["a battle in the log of Warmancer", BATTLE, TURN_RESOLUTIONS, "BATTLE"],
  ["a kill in the log of Warmancer", KILL, TURN_RESOLUTIONS, "KILL"],
  ["the result in the log of Warmancer", WARMANCER_RESULT, TURN_RESOLUTIONS, "RESULT"],
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
