import { expect } from "chai";
import { simulateWarmancer } from "../../../sdk/games/warmancer/simulate.js";
import { refusalsBy } from "../../support/input.js";

const SETUP = [0, 10, 2, 4];
const hex = (mask: number) => `0x${mask.toString(16).padStart(64, "0")}`;
const ARMY = [1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 0];
const BOARD = { passable: hex(0xf000f), setup1: hex(0x30003), setup2: hex(0xc000c), army: ARMY };
/** Input with player 1's Warlord and Grunt, and player 2's Throne and Scout, in front. */
const good = { board: "quick", setups: [SETUP, SETUP], turns: [] as unknown[] };
const { expectRefused, refuses } = refusalsBy(simulateWarmancer);

const without = (key: keyof typeof good) => Object.fromEntries(Object.entries(good).filter(([name]) => name !== key));
const withMode = (mode: unknown) => ({ ...good, mode });
const withBoard = (changes: unknown) => ({ ...good, board: { ...BOARD, ...(changes as object) } });
const withSetup = (setup: unknown) => ({ ...good, setups: [SETUP, setup] });
const withTurns = (turns: unknown) => ({ ...good, turns });

describe("Warmancer: input", () => {
  refuses("input that is not a game", (value) => value, [
    [null, "input: null is not an object"],
    [without("board"), "board: left out"],
    [without("setups"), "setups: left out"],
    [without("turns"), "turns: left out"],
    [{ ...good, seed: 1 }, "seed: unknown field"],
    [{ ...good, board: "chess" }, 'board: "chess" is none of classic, skirmish, quick, grand'],
    [{ ...good, board: "toString" }, 'board: "toString" is none of classic, skirmish, quick, grand'],
    [{ ...good, board: 7 }, "board: 7 is not an object"],
  ]);

  refuses("invalid modes", withMode, [
    [null, "mode: null is not an object"],
    [{ casual: false }, "mode.casual: unknown field"],
    [{ budget: 65_536 }, "mode.budget: 65536 is above 65535"],
    [{ budget: -1 }, "mode.budget: -1 is below 0"],
    [{ maxTurns: 2001 }, "mode.maxTurns: 2001 is above 2000"],
    [{ maxTurns: 0.5 }, "mode.maxTurns: 0.5 is not an integer"],
    [{ sequential: 1 }, "mode.sequential: 1 is not true or false"],
    [{ alwaysHidden: "no" }, 'mode.alwaysHidden: "no" is not true or false'],
    [{ budget: 16 }, "mode.budget: The army costs 17; the budget is 16."],
  ]);

  refuses("invalid boards", withBoard, [
    [{ passable: "0xf" }, 'board.passable: "0xf" is not 0x and 64 hex digits'],
    [{ width: 4 }, "board.width: unknown field"],
    [{ army: [1] }, "board.army: 1 items instead of 12"],
    [{ army: ARMY.with(3, 256) }, "board.army[3]: 256 is above 255"],
    [{ army: ARMY.with(0, 2) }, "board.army: There are 2 pawns of rank 0, not between 1 and 1."],
    [{ army: ARMY.with(3, 1) }, "board.army: The army has 5 pawns for 4 tiles."],
    [{ army: [1, ...Array<number>(10).fill(0), 3] }, "board.army: No pawn of the army can move."],
    [{ setup1: hex(0x30083) }, "board.setup1: Tiles of a setup cannot be entered: h1."],
    [{ setup2: hex(0xc0080) }, "board.setup2: Tiles of a setup cannot be entered: h1."],
    [{ setup2: hex(0xc0006) }, "board.setup2: Both setups have the tiles b1."],
    [{ setup2: hex(0xc0008) }, "board.setup2: The setups have 4 and 3 tiles: they must be as many, from 2 to 64."],
    [
      { setup1: hex(1), setup2: hex(2) },
      "board.setup1: The setups have 1 and 1 tiles: they must be as many, from 2 to 64.",
    ],
    [{ passable: hex(0x8f000f) }, "board.passable: From the first tile only 983055 can be reached of 9371663."],
  ]);

  refuses("invalid setups", withSetup, [
    [undefined, "setups[1]: left out"],
    [[0, 10, 2], "setups[1]: 3 items instead of 4"],
    [[0, 10, 2, "4"], 'setups[1][3]: "4" is not an integer'],
    [[0, 10, 2, 12], "setups: player 2: There is no rank 12, in slot 3; they are 0 to 11."],
    [[0, 10, -1, 4], "setups: player 2: There is no rank -1, in slot 2; they are 0 to 11."],
    [[0, 10, 2, 2], "setups: player 2: There are 2 pawns of rank 2, not between 1 and 1."],
  ]);

  const forward = [17, 18];
  refuses("invalid turns", withTurns, [
    [7, "turns: 7 is not a list"],
    [[[forward]], "turns[0]: 1 items instead of 2"],
    [[[forward, [18]]], "turns[0][1]: 1 items instead of 2"],
    [[[forward, [18, null]]], "turns[0][1][1]: null is not an integer"],
    [[["Stuck", forward]], 'turns[0][0]: "Stuck" is not a list'],
  ]);

  const one = (move: unknown) => withTurns([[move, [18, 17]]]);
  refuses("illegal moves of player 1", one, [
    [[18, 17], "turn 1, player 1: There is no living pawn of one's own on c2."],
    [[300, 17], "turn 1, player 1: There is no living pawn of one's own on tile 300."],
    [[-1, 17], "turn 1, player 1: There is no living pawn of one's own on tile -1."],
    [[17, 33], "turn 1, player 1: Nobody can enter b3."],
    [[17, 273], "turn 1, player 1: Nobody can enter tile 273."],
    [[17, 1], "turn 1, player 1: On b1 stands a pawn of one's own."],
    [[17, 17], "turn 1, player 1: On b2 stands a pawn of one's own."],
    [[17, 2], "turn 1, player 1: No line leads from b2 to c1."],
    [[17, 19], "turn 1, player 1: The pawn in slot 3 is of rank 4, which moves one step only."],
    [[16, 18], "turn 1, player 1: On the way from a2 to c2, b2 is not free."],
  ]);

  it("rejects illegal moves of player 2 and of Thrones, and turns after the end", async () => {
    await expectRefused(
      withTurns([[forward, [17, 18]]]),
      "turn 1, player 2: There is no living pawn of one's own on b2.",
    );
    const setups = [[10, 0, 2, 4], SETUP];
    const stands = "turn 1, player 1: The pawn in slot 1 is of rank 0, which cannot move.";
    await expectRefused(
      {
        ...good,
        setups,
        turns: [
          [
            [1, 2],
            [18, 17],
          ],
        ],
      },
      stands,
    );
    const over = [
      ["stuck", "stuck"],
      ["stuck", "stuck"],
    ];
    await expectRefused(withTurns(over), "turn 2, player 1: the game is over");
  });

  it("defaults missing fields to 0 or false, and accepts masks in uppercase", async () => {
    const plain = await simulateWarmancer(good);
    expect(plain).to.deep.include({ winner: null, turns: 0, words: [] });
    const full = { budget: 0, alwaysHidden: false, sequential: false, maxTurns: 0 };
    for (const input of [withMode({}), withMode(full), withMode({ maxTurns: 2000 }), withBoard({})]) {
      expect(await simulateWarmancer(input)).to.deep.equal(plain);
    }
    const loud = { ...BOARD, passable: `0x${BOARD.passable.slice(2).toUpperCase()}` };
    expect(await simulateWarmancer({ ...good, board: loud })).to.deep.equal(plain);
  });

  it("names the turn of a sequential entry, which is the same for Stuck and its reply", async () => {
    const sequential = (...turns: unknown[]) => ({ ...good, mode: { sequential: true }, turns });
    const nobody = "There is no living pawn of one's own on a1.";
    await expectRefused(sequential([17, 18], [0, 1]), `turn 2, player 2: ${nobody}`);
    await expectRefused(sequential("stuck", [0, 1]), `turn 1, player 2: ${nobody}`);
    await expectRefused(sequential("stuck", "stuck", [0, 1]), "turn 2, player 1: the game is over");
    expect(await simulateWarmancer(sequential("stuck"))).to.deep.include({ winner: null, turns: 0, words: [] });
    expect(await simulateWarmancer(sequential("stuck", "stuck"))).to.deep.include({ winner: 0, turns: 1 });
    expect(await simulateWarmancer(sequential("stuck", [18, 17]))).to.deep.include({ winner: 2, turns: 1 });
  });
});
