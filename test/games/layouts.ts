import { expect } from "chai";
import { Interface } from "ethers";
import { FIGHTER } from "../../sdk/games/auto-battler/audit.js";
import { LOG as AUTO_BATTLER_LOG } from "../../sdk/games/auto-battler/log.js";
import { MODE as AUTO_BATTLER_MODE } from "../../sdk/games/auto-battler/mode.js";
import { LOG as GUARDIANS_LOG } from "../../sdk/games/guardians/log.js";
import { MODE as GUARDIANS_MODE } from "../../sdk/games/guardians/mode.js";
import { LOG as MINI_GAMES_LOG } from "../../sdk/games/mini-games/log.js";
import { MODE as MINI_GAMES_MODE } from "../../sdk/games/mini-games/mode.js";
import { LOG as TIC_TAC_TOE_LOG, POSITION as TIC_TAC_TOE_POSITION } from "../../sdk/games/tic-tac-toe/log.js";
import { MODE as TIC_TAC_TOE_MODE } from "../../sdk/games/tic-tac-toe/mode.js";
import { BLOW, RESULT } from "../../sdk/games/pistols/log.js";
import { STATE } from "../../sdk/games/pistols/state.js";
import { BATTLE, ENTRY, KILL, MOVE, RESULT as WARMANCER_RESULT, REVEAL } from "../../sdk/games/warmancer/log.js";
import { MODE as WARMANCER_MODE } from "../../sdk/games/warmancer/mode.js";
import { POSITION, SIDE } from "../../sdk/games/warmancer/position.js";
import { TRAITS } from "../../sdk/games/auto-battler/fighters.js";
import { CARD } from "../../sdk/games/guardians/cards.js";
import type { Layout } from "../../sdk/protocol/layout.js";
import { games } from "../../sdk/games/index.js";
import { readDocument } from "../../scripts/document.js";
import { constantOf, numbersIn } from "../support/solidity.js";

/**
 * A layout, the Solidity file that packs the same fields, the prefix of its constants, and the page and heading of the
 * table of the fields.
 */
type Row = [what: string, fields: Layout, file: string, prefix: string, table?: [page: string, heading: string]];

const AUTO_BATTLER = "docs/games/auto-battler.md";
const GUARDIANS = "docs/games/guardians.md";
const MINI_GAMES = "docs/games/mini-games.md";
const PISTOLS = "docs/games/pistols.md";
const TIC_TAC_TOE = "docs/games/tic-tac-toe.md";
const WARMANCER = "docs/games/warmancer.md";
const AUTO_BATTLE = "contracts/games/auto-battler/AutoBattle.sol";
const MINI_GAMES_CONTRACT = "contracts/games/mini-games/MiniGames.sol";
const DUEL_LOG = "contracts/games/pistols/DuelLog.sol";
const TIC_TAC_TOE_CONTRACT = "contracts/games/tic-tac-toe/TicTacToe.sol";
const POSITIONS = "contracts/games/warmancer/Positions.sol";
const TURN_RESOLUTIONS = "contracts/games/warmancer/TurnResolutions.sol";

const ROWS: Row[] = [
  ["the traits of fighters", TRAITS, "contracts/tokens/Fighters.sol", "TRAITS"],
  ["the stats of guardians' cards", CARD, "contracts/tokens/GuardianCards.sol", "CARD"],
  ["the log of the auto-battler", AUTO_BATTLER_LOG, AUTO_BATTLE, "LOG", [AUTO_BATTLER, "Log"]],
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
  ["the log of guardians", GUARDIANS_LOG, "contracts/games/guardians/GuardianBattle.sol", "LOG", [GUARDIANS, "Log"]],
  ["the modes of guardians", GUARDIANS_MODE, "contracts/games/guardians/Guardians.sol", "MODE", [GUARDIANS, "Mode"]],
  ["the log of the mini-games", MINI_GAMES_LOG, MINI_GAMES_CONTRACT, "LOG", [MINI_GAMES, "Log"]],
  ["the modes of the mini-games", MINI_GAMES_MODE, MINI_GAMES_CONTRACT, "MODE", [MINI_GAMES, "Modes"]],
  ["the log of tic-tac-toe", TIC_TAC_TOE_LOG, TIC_TAC_TOE_CONTRACT, "LOG", [TIC_TAC_TOE, "Log"]],
  ["the modes of tic-tac-toe", TIC_TAC_TOE_MODE, TIC_TAC_TOE_CONTRACT, "MODE", [TIC_TAC_TOE, "Mode"]],
  ["the positions of tic-tac-toe", TIC_TAC_TOE_POSITION, TIC_TAC_TOE_CONTRACT, "POSITION", [TIC_TAC_TOE, "Position"]],
  ["the state of pistols", STATE, "contracts/games/pistols/Pistols.sol", "STATE", [PISTOLS, "State"]],
  ["blows in the log of pistols", BLOW, DUEL_LOG, "BLOW", [PISTOLS, "Log"]],
  ["the result in the log of pistols", RESULT, DUEL_LOG, "RESULT", [PISTOLS, "Result"]],
  ["the modes of Warmancer", WARMANCER_MODE, POSITIONS, "MODE", [WARMANCER, "Mode"]],
  ["the header of a position of Warmancer", POSITION, POSITIONS, "POSITION", [WARMANCER, "Position"]],
  ["a side in a position of Warmancer", SIDE, POSITIONS, "SIDE", [WARMANCER, "Side"]],
  ["all entries in the log of Warmancer", ENTRY, TURN_RESOLUTIONS, "ENTRY", [WARMANCER, "Log"]],
  ["a move in the log of Warmancer", MOVE, TURN_RESOLUTIONS, "MOVE"],
  ["a reveal in the log of Warmancer", REVEAL, TURN_RESOLUTIONS, "REVEAL"],
  ["a battle in the log of Warmancer", BATTLE, TURN_RESOLUTIONS, "BATTLE"],
  ["a kill in the log of Warmancer", KILL, TURN_RESOLUTIONS, "KILL"],
  ["the result in the log of Warmancer", WARMANCER_RESULT, TURN_RESOLUTIONS, "RESULT"],
];

/** Fields of the logs by game, in the order of the tables. */
const LOGS: Record<string, readonly Layout[]> = {
  "auto-battler": [AUTO_BATTLER_LOG],
  guardians: [GUARDIANS_LOG],
  "mini-games": [MINI_GAMES_LOG],
  pistols: [BLOW, RESULT],
  "tic-tac-toe": [TIC_TAC_TOE_LOG],
  warmancer: [ENTRY, MOVE, REVEAL, BATTLE, KILL, WARMANCER_RESULT],
};

/** Fields that a decoder does not take from the log, by game. */
const JOINED: Record<string, readonly string[]> = {
  "auto-battler": ["attackerAssetId", "attackerCharId", "defenderAssetId", "defenderCharId"],
};

/** Range of a field as written on a page, e.g. `0–6`, or `7` for a single bit or byte. */
function rangeOf(at: number, width: number): string {
  return width === 1 ? String(at) : `${at}–${at + width - 1}`;
}

/**
 * Returns range and field, the first two columns, of the first table of bits or bytes below a heading. Fields are in
 * backticks, named as in the code.
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

describe("Layout of packed fields", () => {
  for (const [what, fields, file, prefix] of ROWS) {
    it(`starts each field where the constants of the contract do: ${what}`, () => {
      const constants = [...numbersIn(file)].filter(([name]) => name.startsWith(`${prefix}_`) && name.endsWith("_AT"));
      const expected = Object.entries(fields).map(([name, { at }]) => [constantOf(prefix, name), at]);
      expect(Object.fromEntries(constants)).to.deep.equal(Object.fromEntries(expected));
    });
  }

  for (const { name, decoder } of games) {
    if (!decoder) continue;
    it(`has the same field names in the decoder and on the documentation page: ${name}`, () => {
      const { outputs } = new Interface(decoder.abi).getFunction("decode")!;
      const names = outputs[0].arrayChildren!.components!.map((component) => component.name);
      const joined = JOINED[name] ?? [];
      expect(names).to.deep.equal([...new Set([...LOGS[name].flatMap(Object.keys), ...joined])]);
      // Most tables of logs are compared with the layouts above. Other names occur in sentences or other tables.
      const { prose } = readDocument(`docs/games/${name}.md`);
      for (const field of names) expect(prose).to.include(`\`${field}\``);
    });
  }

  for (const [what, fields, , , table] of ROWS) {
    if (!table) continue;
    it(`places each field where the documentation page says: ${what}`, () => {
      const expected = Object.entries(fields).map(([name, { at, width }]) => [rangeOf(at, width), `\`${name}\``]);
      expect(tableIn(...table)).to.deep.equal(expected);
    });
  }
});
