import { expect } from "chai";
import { dataLength } from "ethers";
import {
  BOARDS,
  CLASSIC,
  decodeMode,
  encodeMode,
  QUICK,
  SKIRMISH,
  type Mode,
} from "../../../sdk/games/warmancer/mode.js";
import { maskOf, NEIGHBOURS, tileName, tileOf } from "../../../sdk/games/warmancer/tiles.js";
import { expectContractError } from "../../support/warmancer.js";

/** Draws a board, row 1 last: 1 and 2 are set-up tiles, . is passable, # is not. */
function drawing({ passable, setup1, setup2 }: Mode, width: number, height: number): string[] {
  const has = (mask: bigint, tile: number) => ((mask >> BigInt(tile)) & 1n) === 1n;
  const sign = (tile: number) => (has(setup1, tile) ? "1" : has(setup2, tile) ? "2" : has(passable, tile) ? "." : "#");
  const row = (y: number) => Array.from({ length: width }, (_, x) => sign(y * 16 + x)).join("");
  return Array.from({ length: height }, (_, y) => row(height - 1 - y));
}

const altered = (changes: Partial<Mode>) => () => decodeMode(encodeMode({ ...QUICK, ...changes }));
const army = (counts: Record<number, number>) => Array.from({ length: 12 }, (_, rank) => counts[rank] ?? 0);

describe("Warmancer: modes", () => {
  it("have the documented boards", () => {
    const [four, two] = ["1111111111", "2222222222"];
    const lakes = "..##..##..";
    expect(drawing(CLASSIC, 10, 10)).to.deep.equal([two, two, two, two, lakes, lakes, four, four, four, four]);
    expect(drawing(SKIRMISH, 6, 6)).to.deep.equal(["222222", "222222", ".#..#.", ".#..#.", "111111", "111111"]);
    expect(drawing(QUICK, 4, 2)).to.deep.equal(["1122", "1122"]);
    for (const [board, tiles] of Object.entries({ classic: 92, skirmish: 32, quick: 8 })) {
      expect(BOARDS[board as keyof typeof BOARDS].passable.toString(2).replaceAll("0", "")).to.have.length(tiles);
    }
  });

  it("have the documented armies", () => {
    expect(CLASSIC.army).to.deep.equal(
      army({ 0: 1, 1: 1, 2: 8, 3: 5, 4: 4, 5: 4, 6: 4, 7: 3, 8: 2, 9: 1, 10: 1, 11: 6 }),
    );
    expect(SKIRMISH.army).to.deep.equal(army({ 0: 1, 1: 1, 2: 2, 3: 1, 4: 1, 5: 1, 6: 1, 8: 1, 9: 1, 10: 1, 11: 1 }));
    expect(QUICK.army).to.deep.equal(army({ 0: 1, 2: 1, 4: 1, 10: 1 }));
  });

  it("are encoded in 113 bytes, with each field in its documented place", () => {
    const mode = { ...QUICK, budget: 0x1234, alwaysHidden: true, sequential: true, maxTurns: 0x0567 };
    const bytes = encodeMode(mode).slice(2);
    const masks = ["000f000f", "00030003", "000c000c"].map((mask) => mask.padStart(64, "0"));
    expect(bytes).to.equal(`${masks.join("")}0100010001000000000001001234060567`);
    expect(dataLength(encodeMode(CLASSIC))).to.equal(113);
    expect(decodeMode("0x")).to.deep.equal(CLASSIC);
    const flags = [false, true].flatMap((casual) =>
      [false, true].flatMap((alwaysHidden) =>
        [false, true].map((sequential) => ({ casual, alwaysHidden, sequential })),
      ),
    );
    for (const switches of flags.filter(({ casual, alwaysHidden }) => !casual || !alwaysHidden)) {
      for (const stock of [CLASSIC, SKIRMISH, { ...QUICK, budget: 17 }]) {
        const each = { ...stock, ...switches };
        expect(decodeMode(encodeMode(each))).to.deep.equal(each);
      }
    }
  });

  it("accept up to 2000 turns, or 0 for the maximum, and an army that costs exactly the budget", () => {
    for (const maxTurns of [0, 1, 2000]) expect(altered({ maxTurns })()).to.include({ maxTurns });
    expect(altered({ budget: 17 })()).to.include({ budget: 17 });
  });

  it("are refused with another length, or with flags or turns out of bounds", () => {
    const bytes = encodeMode(QUICK);
    expectContractError(() => decodeMode(`${bytes}00`), "WrongLength", 114, 113, 113);
    expectContractError(() => decodeMode(bytes.slice(0, -2)), "WrongLength", 112, 113, 113);
    expectContractError(() => decodeMode(`${bytes.slice(0, 222)}08ffff`), "ModeOutOfBounds", 110, 8, 0, 7);
    expectContractError(
      altered({ maxTurns: 2001, casual: true, alwaysHidden: true }),
      "ModeOutOfBounds",
      111,
      2001,
      0,
      2000,
    );
    expectContractError(altered({ casual: true, alwaysHidden: true, setup1: 1n << 99n }), "CasualHidesNothing");
  });

  it("are refused if set-up tiles are off the board, belong to both sides, or have an unequal or wrong number", () => {
    const tiles = (...each: number[]) => maskOf(each);
    expectContractError(
      altered({ setup1: tiles(0, 1, 16, 99), setup2: tiles(0, 99, 200) }),
      "SetupOutsideBoard",
      tiles(99, 200),
    );
    expectContractError(altered({ setup1: tiles(0, 1, 16, 18) }), "SetupsOverlap", tiles(18));
    expectContractError(altered({ setup1: tiles(0, 1, 16) }), "UnequalSetups", 3, 4);
    expectContractError(altered({ setup1: tiles(0), setup2: tiles(2) }), "UnequalSetups", 1, 1);
    expectContractError(altered({ setup1: 0n, setup2: 0n }), "UnequalSetups", 0, 0);
    const whole = 2n ** 256n - 1n;
    const [many1, many2] = [2n ** 65n - 1n, (2n ** 65n - 1n) << 65n];
    expectContractError(altered({ passable: whole, setup1: many1, setup2: many2 }), "UnequalSetups", 65, 65);
    const max = {
      passable: whole,
      setup1: 2n ** 64n - 1n,
      setup2: (2n ** 64n - 1n) << 64n,
      army: army({ 0: 1, 11: 62, 9: 1 }),
    };
    expect(altered(max)()).to.deep.include(max);
  });

  it("are refused if the army has no movable pawn, not exactly one Throne, a price above the budget, or a wrong size", () => {
    expectContractError(altered({ army: army({ 11: 4 }) }), "WrongArmy", 0, 0, 1, 1);
    expectContractError(altered({ army: army({ 0: 2, 4: 2 }) }), "WrongArmy", 0, 2, 1, 1);
    expectContractError(altered({ army: army({ 0: 1, 11: 9 }) }), "NoPawnMoves");
    expectContractError(altered({ army: army({ 0: 1, 11: 9 }), budget: 1 }), "NoPawnMoves");
    expectContractError(altered({ army: army({ 0: 1, 4: 4 }), budget: 15 }), "OverBudget", 16, 15);
    expectContractError(altered({ army: army({ 0: 1, 4: 4 }), budget: 16 }), "ArmySize", 5, 4);
    expectContractError(altered({ army: army({ 0: 1, 4: 4 }) }), "ArmySize", 5, 4);
    const wide = { setup1: 0x3ffn, setup2: 0x3ffn << 16n, passable: 0x3ff03ffn };
    expectContractError(altered({ ...wide, army: army({ 0: 1, 2: 9 }), budget: 1 }), "WrongArmy", 2, 9, 0, 8);
    expectContractError(altered({ ...wide, army: army({ 0: 1, 11: 8, 10: 1 }), budget: 41 }), "OverBudget", 42, 41);
    expect(altered({ ...wide, army: army({ 0: 1, 2: 9 }) })()).to.include({ budget: 0 });
    expect(altered({ ...wide, army: army({ 0: 1, 11: 8, 10: 1 }), budget: 42 })()).to.include({ budget: 42 });
  });

  it("are refused for a disconnected board, on which the end of a row does not touch the start of the next row", () => {
    const apart = QUICK.passable | (1n << 40n);
    expectContractError(altered({ passable: apart }), "Disconnected", QUICK.passable, apart);
    const [row, next] = [0xfn << 12n, 0xfn << 16n];
    const wrapped = { passable: row | next, setup1: row, setup2: next };
    expectContractError(altered(wrapped), "Disconnected", row, row | next);
    expect(altered({ ...wrapped, passable: row | next | (0xffffn << 16n) })()).to.deep.include({ setup1: row });
  });

  it("count only tiles in the same row or column as neighbours", () => {
    for (let tile = 0; tile < 256; tile++) {
      const beside = Array.from({ length: 256 }, (_, other) => other).filter(
        (other) => Math.abs((tile & 15) - (other & 15)) + Math.abs((tile >> 4) - (other >> 4)) === 1,
      );
      expect([...NEIGHBOURS[tile]].sort((a, b) => a - b)).to.deep.equal(beside);
    }
  });

  it("name tiles by column and row", () => {
    for (const [tile, name] of [
      [0, "a1"],
      [15, "p1"],
      [16, "a2"],
      [0x43, "d5"],
      [255, "p16"],
    ] as const) {
      expect(tileName(tile)).to.equal(name);
      expect(tileOf(name)).to.equal(tile);
    }
    for (const name of ["", "a0", "a17", "q1", "A1", "a01", "a1 ", "11"])
      expect(tileOf(name), name).to.equal(undefined);
  });
});
