import { expect } from "chai";
import { InputError } from "../../../sdk/protocol/input.js";
import { checkedMove, readMove } from "../../../sdk/games/pistols/moves.js";
import { decodeState, encodeState } from "../../../sdk/games/pistols/state.js";
import { pistolsGame } from "../../../sdk/games/pistols/index.js";
import { refusalsBy } from "../../support/input.js";

const SEEDS = [`0x${"3c".repeat(32)}`, `0x${"2b".repeat(32)}`];
const DUELIST = { archetype: 0, m: 0 };
const BLADES = [
  [1, 1],
  [0, 2],
];
/** Input of a duel in which both survive the pistols. */
const good = { seeds: SEEDS, paces: [10, 10], blades: BLADES, duelists: [DUELIST, DUELIST] };
const { expectRefused, refuses } = refusalsBy(pistolsGame.simulate);

const without = (...keys: string[]) => Object.fromEntries(Object.entries(good).filter(([key]) => !keys.includes(key)));

describe("Pistols: input", () => {
  refuses("input that is not a duel", (value) => value, [
    [null, "input: null is not an object"],
    [[], "input: a list is not an object"],
    [{}, "seeds: left out"],
    [without("paces"), "paces: left out"],
    [without("duelists"), "duelists: left out"],
    [{ ...good, blade: 1 }, "blade: unknown field"],
    [{ ...good, duelists: [{ ...DUELIST, luck: 1 }, DUELIST] }, "duelists[0].luck: unknown field"],
  ]);

  refuses("invalid seeds", (seeds) => ({ ...good, seeds }), [
    [SEEDS[0], `seeds: "${SEEDS[0]}" is not a list`],
    [[], "seeds: 0 items instead of 1 or 2"],
    [[...SEEDS, SEEDS[0]], "seeds: 3 items instead of 1 or 2"],
    [[SEEDS[0], "0x12"], 'seeds[1]: "0x12" is not 0x and 64 hex digits'],
    [[null], "seeds[0]: null is not 0x and 64 hex digits"],
  ]);

  refuses("invalid paces", (paces) => ({ ...good, paces }), [
    [[1], "paces: 1 items instead of 2"],
    [[0, 4], "paces[0]: 0 is below 1"],
    [[4, 11], "paces[1]: 11 is above 10"],
    [[2.5, 4], "paces[0]: 2.5 is not an integer"],
    [["2", 4], 'paces[0]: "2" is not an integer'],
  ]);

  refuses("invalid duelists", (duelist) => ({ ...good, duelists: [DUELIST, duelist] }), [
    [{ archetype: 4, m: 0 }, "duelists[1].archetype: 4 is above 3"],
    [{ archetype: -1, m: 0 }, "duelists[1].archetype: -1 is below 0"],
    [{ archetype: 1, m: 101 }, "duelists[1].m: 101 is above 100"],
    [{ archetype: 1 }, "duelists[1].m: left out"],
    [7, "duelists[1]: 7 is not an object"],
  ]);

  const withBlades = (blades: unknown) => ({ ...good, blades: [BLADES[0], blades] });
  refuses("invalid blades", withBlades, [
    [[1], "blades[1]: 1 items instead of 2"],
    [[7, 0], "blades[1][0]: 7 is above 6"],
    [[0, -1], "blades[1][1]: -1 is below 0"],
    [[2, 0], "blades[1]: 2, 0 is none of the thirteen moves"],
    [[1, 2], "blades[1]: 1, 2 is none of the thirteen moves"],
    [[4, 1], "blades[1]: 4, 1 is none of the thirteen moves"],
    [[0, 6], "blades[1]: 0, 6 is none of the thirteen moves"],
  ]);

  it("requires blades and a second seed only if both duelists survive round 1", async () => {
    expect(await pistolsGame.simulate(good)).to.include({ rounds: 2 });
    await expectRefused(without("blades"), "blades: left out, but both survive round 1");
    await expectRefused({ ...good, seeds: [SEEDS[0]] }, "seeds[1]: left out, but both survive round 1");
    const { paces, duelists } = good;
    const seeds = [`0x${"1a".repeat(32)}`, SEEDS[1]];
    const over = { ...good, seeds };
    const whole = await pistolsGame.simulate(over);
    expect(whole).to.include({ rounds: 1 });
    expect(await pistolsGame.simulate({ seeds: [seeds[0]], paces, duelists })).to.deep.equal(whole);
    await expectRefused({ ...over, blades: [[2, 0], BLADES[1]] }, "blades[0]: 2, 0 is none of the thirteen moves");
    await expectRefused({ ...over, seeds: [seeds[0], "0x"] }, 'seeds[1]: "0x" is not 0x and 64 hex digits');
  });

  refuses("invalid honours", (value) => value, [
    [{ honours: [101] }, "honours[0]: 101 is above 100"],
    [{ honours: [1, -1] }, "honours[1]: -1 is below 0"],
    [{ honours: [1, 0.5] }, "honours[1]: 0.5 is not an integer"],
    [{ honours: 7 }, "honours: 7 is not a list"],
    [{ ...good, honours: [7] }, "seeds: unknown field"],
  ]);
});

describe("Pistols: moves and state", () => {
  it("reads moves as paces, or as the names of one or two slots", () => {
    const rows = [
      ["1", 1],
      ["10", 10],
      ["light block", [1, 3]],
      ["Idle HEAVY", [0, 2]],
      ["idle", [0, 0]],
      ["flee", [4, 0]],
      ["steal idle", [5, 0]],
      ["seppuku", [6, 0]],
    ] as const;
    for (const [words, move] of rows)
      expect(checkedMove(readMove(words.split(" ")), typeof move === "number" ? 1 : 2), words).to.deep.equal(move);
  });

  it("rejects arguments that are not a move", () => {
    for (const [words, message] of [
      ["0", "paces: 0 is not between 1 and 10"],
      ["11", "paces: 11 is not between 1 and 10"],
      ["heavy", "blades: heavy, then idle is no move"],
      ["light heavy", "blades: light, then heavy is no move"],
      ["flee light", "blades: flee, then light is no move"],
      ["punch", "blades: punch is none of idle, light, heavy, block, flee, steal, seppuku"],
      ["1 2", "blades: 1 is none of idle, light, heavy, block, flee, steal, seppuku"],
      ["light light light", "move: 3 words instead of 1 or 2"],
    ]) {
      expect(() => checkedMove(readMove(words.split(" ")), 1), words).to.throw(InputError, message);
    }
    expect(() => readMove([])).to.throw(InputError, "move: 0 words instead of 1 or 2");
    expect(() => checkedMove([1, 0], 1)).to.throw(InputError, "move: it is paces, 1 to 10");
    expect(() => checkedMove(5, 2)).to.throw(InputError, "move: it is blades");
  });

  it("packs a state with its bits in the documented positions", () => {
    const duelists = [
      { archetype: 3, strength: 100 },
      { archetype: 2, strength: 77 },
    ] as const;
    const state = { duelists, health: [3, 1], paces: [10, 7] } as const;
    const bits = 3n + (100n << 2n) + (2n << 9n) + (77n << 11n) + (3n << 18n) + (1n << 20n) + (10n << 22n) + (7n << 26n);
    expect(BigInt(encodeState(state))).to.equal(bits);
    expect(encodeState(state)).to.have.length(66);
    expect(decodeState(encodeState(state))).to.deep.equal(state);
  });
});
