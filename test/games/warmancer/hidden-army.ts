import { expect } from "chai";
import { warmancer } from "../../../sdk/games/warmancer/index.js";
import { QUICK, type Mode } from "../../../sdk/games/warmancer/mode.js";
import { otherSide } from "../../../sdk/protocol/sides.js";
import { Seat } from "../../../sdk/protocol/status.js";
import type { Secret } from "../../../sdk/protocol/commitment.js";
import { WIDER } from "../../support/warmancer/contest.js";
import { WrittenMatch } from "../../support/warmancer/written.js";

const { mismatch, commitmentOf, draw } = warmancer.hidden;
const SETUPS = ["TG/SL", "LT/GS"] as [string, string];
const MEETING = ["b1-c1 e1-d1", "c1-d1 d1-c1"];
const { One, Two } = Seat;

/** Plays written turns, lets player 2 resign, and checks a setup that a side shows. @returns the mismatch, if any. */
async function shown(turns: string[], side: number, change: Partial<Secret> = {}, setups = SETUPS, mode: Mode = WIDER) {
  const match = new WrittenMatch(mode, setups, turns).play();
  const secret = { ...match.secret(side), ...change };
  return mismatch(match.record(true), side === 0 ? One : Two, secret, match.history);
}

describe("Warmancer: an army that is shown after a match", () => {
  it("is accepted from a player who followed the rules, even in a match without turns", async () => {
    for (const side of [0, 1]) {
      expect(await shown(MEETING, side)).to.equal(undefined);
      expect(await shown([], side)).to.equal(undefined);
    }
  });

  it("is drawn where it was set up, without the opponent's army", async () => {
    const match = new WrittenMatch(WIDER, SETUPS, MEETING).play();
    const lines = await draw(match.record(true), Two, match.secret(1), match.history, (text) => text);
    expect(lines.slice(0, 2)).to.deep.equal(["   2 ▲? ▲?  .  . ▽G ▽S", "   1 ▲? ▲?  .  . ▽L ▽T"]);
    expect(lines.at(-1)).to.equal("Setup of player 2: LT/GS");
  });

  it("is committed to in matches with hidden armies, once player 2 has joined", async () => {
    const hiding = new WrittenMatch(WIDER, SETUPS, []);
    const found = await commitmentOf(hiding.record(), Two, hiding.history);
    expect(found?.scheme?.(hiding.secret(1))).to.equal(found?.committed.slice(0, 66));
    const open = new WrittenMatch({ ...WIDER, casual: true }, SETUPS, []);
    expect(await commitmentOf(open.record(), Two, open.history)).to.equal(undefined);
    const offered = { ...hiding.record(), joinData: undefined };
    expect(await commitmentOf(offered, One, hiding.history)).to.equal(undefined);
  });

  describe("is refused with a reason:", () => {
    it("for a wrong number of pawns, or a wrong root", async () => {
      expect(await shown(MEETING, 1, { move: "0x0a0004" })).to.deep.equal({
        what: "number of pawns",
        expected: "4",
        found: "3",
      });
      for (const change of [{ salt: `0x${"01".repeat(32)}` }, { move: "0x0a000204" }, { move: "0x0a0004ff" }]) {
        const found = await shown(MEETING, 1, change);
        expect(found?.what).to.equal("root of the setup");
      }
    });

    it("for a rank that differs from the proved rank", async () => {
      expect(await shown(MEETING, 1, { move: "0x04000a02" })).to.deep.equal({
        what: "proved rank of the pawn set up on e1",
        expected: "Warlord",
        found: "Grunt",
      });
      expect(await shown(MEETING, 0, { move: "0x00ff020a" })).to.deep.equal({
        what: "proved rank of the pawn set up on b1",
        expected: "Grunt",
        found: "255, which is none",
      });
    });

    const traps = { ...WIDER, army: WIDER.army.with(4, 0).with(11, 1) };
    for (const [what, setups, turns, mode, rule] of [
      ["two Warlords", ["TL/SL", "LT/GS"], [], WIDER, "There are 0 pawns of rank 4, not between 1 and 1"],
      [
        "a moved Trap",
        ["TX/SL", "LT/XS"],
        ["b1-c1 e1-d1"],
        traps,
        "The pawn in slot 1 is of rank 11, which cannot move",
      ],
      [
        "a moved Throne",
        ["GT/SL", "LT/GS"],
        ["b1-c1 e1-d1"],
        WIDER,
        "The pawn in slot 1 is of rank 0, which cannot move",
      ],
      [
        "a Grunt that went far",
        SETUPS,
        ["b1-d1 e2-d2"],
        WIDER,
        "The pawn in slot 1 is of rank 4, which moves one step only",
      ],
    ] as [string, [string, string], string[], Mode, string][]) {
      it(`for ${what}, even if the army is the committed one`, async () => {
        expect(await shown(turns, 0, {}, setups, mode)).to.deep.equal({ what: `against the rules: ${rule}` });
        expect(await shown(turns, otherSide(0), {}, setups, mode)).to.equal(undefined);
      });
    }
  });

  it("is accepted on the smallest board", async () => {
    expect(await shown(["b2-c2 c2-b2"], 1, {}, ["TG/SL", "GT/LS"], QUICK)).to.equal(undefined);
  });
});
