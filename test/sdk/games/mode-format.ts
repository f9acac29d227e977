import { expect } from "chai";
import { keccak256, ZeroHash } from "ethers";
import { formatOf, modeContent, modeHash, modeNamed } from "../../../sdk/games/modes.js";
import { stockGame, games } from "../../../sdk/games/index.js";
import { encodeMode } from "../../../sdk/games/warmancer/mode.js";
import type { History } from "../../../sdk/chain/history.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { InputError } from "../../../sdk/protocol/input.js";
import { Random } from "../../../sdk/laws/random.js";
import { anyBoard, SWITCHES } from "../../support/warmancer/boards.js";

const format = (game: string) => formatOf(stockGame(game));
const own = games.filter(({ modeFormat }) => modeFormat !== undefined);

/** The Quick mode, as its JSON fields. */
const quick = {
  board: ["1122", "1122"],
  army: { Throne: 1, Scout: 1, Grunt: 1, Warlord: 1 },
  budget: 0,
  casual: false,
  alwaysHidden: false,
  sequential: false,
  maxTurns: 50,
};

describe("The format of modes", () => {
  it("exists for every game except pistols, which reports that it has only a default mode", () => {
    expect(games.filter((game) => !own.includes(game)).map(({ name }) => name)).to.deep.equal(["pistols"]);
    expect(() => format("pistols")).to.throw(InputError, "mode: Pistols has no mode but its default");
  });

  for (const { name, modes, modeFormat } of own) {
    it(`decodes and encodes every published mode without loss, and describes it in a few lines: ${name}`, () => {
      for (const [mode, { content }] of Object.entries(modes)) {
        const values = modeFormat!.decode(content);
        expect(modeFormat!.encode(JSON.parse(JSON.stringify(values))), mode).to.equal(content);
        const lines = modeFormat!.describe(content);
        expect(lines.length, mode).to.be.within(1, 30);
        for (const line of lines) expect(line.length, line).to.be.within(1, 300);
      }
      const told = Object.values(modes).map(({ content }) => modeFormat!.describe(content).join("\n"));
      expect(new Set(told).size).to.equal(told.length);
    });
  }

  it("encodes the default mode as empty content, even with all fields given", () => {
    for (const name of ["auto-battler", "guardians", "tic-tac-toe", "warmancer"]) {
      const { encode, decode } = format(name);
      expect(encode(decode("0x")), name).to.equal("0x");
    }
    expect(format("guardians").encode({})).to.equal("0x");
    expect(format("tic-tac-toe").encode({ ties: 1 })).to.equal("0x");
    expect(() => format("mini-games").decode("0x")).to.throw("mode: 0 bytes instead of 2");
  });

  it("encodes fields in the documented order and widths", () => {
    expect(format("guardians").encode({ teamSize: 2, maxTurns: 258, dodgeCap: 5 })).to.equal("0x0201020005");
    expect(format("mini-games").decode("0x0100")).to.deep.equal({ kind: 1, ties: 0 });
    expect(format("auto-battler").decode("0x")).to.deep.include({ healthValues: [4, 8, 16], cooldownSecs: 86_400 });
    expect(format("warmancer").decode(stockGame("warmancer").modes.quick.content)).to.deep.equal(quick);
  });

  for (const [game, value, message] of [
    ["auto-battler", { dodgeMaxRandom: 1 }, /^dodgeMaxRandom: 1 is below 2; a dodge is rolled from 0 to this number/],
    ["auto-battler", { healthValues: [4, 3, 5] }, /^healthValues\[1\]: 3 is below the 4 before it; a higher tier /],
    ["auto-battler", { cooldownSecs: 2_592_001 }, /^cooldownSecs: .* is above 2592000; fighters rest for 30 days at /],
    ["auto-battler", { rangeFactors: [1, 2, 3] }, /^rangeFactors\[1\]: 2 is above the 1 before it; they are basis /],
    ["auto-battler", { luck: 3 }, /^luck: unknown field$/],
    ["guardians", { teamSize: 6 }, /^teamSize: 6 is above 5; a team has 1 to 5 cards$/],
    ["guardians", { maxTurns: 0 }, /^maxTurns: 0 is below 1; a battle has 1 to 500 attacks, so that it fits into /],
    ["guardians", [], /^input: a list is not an object$/],
    [
      "mini-games",
      { kind: 4, ties: 0 },
      /^kind: there is no kind 4; .*; the kinds are 0 rock-paper-scissors, 1 dice, /,
    ],
    ["mini-games", { kind: 1 }, /^ties: left out; 0 gives ties to player 1, 1 makes them draws$/],
    ["tic-tac-toe", { ties: 2 }, /^ties: 2 is above 1; 0 gives ties to player 1, 1 makes them draws$/],
    [
      "warmancer",
      { ...quick, board: ["112", "1122"] },
      /^board\[1\]: 4 signs instead of 3 as in the first row; up to /,
    ],
    [
      "warmancer",
      { ...quick, board: ["1122", "11x2"] },
      /^board\[1\]: "x" is none of the signs 1, 2, \. and #; up to 16/,
    ],
    ["warmancer", { ...quick, board: [] }, /^board: The setups have 0 and 0 tiles: /],
    ["warmancer", { ...quick, board: Array(17).fill("1") }, /^board: more than 16 items; up to 16 rows /],
    ["warmancer", { ...quick, board: ["1".repeat(17)] }, /^board\[0\]: 17 signs are more than 16; up to 16 rows /],
    ["warmancer", { ...quick, board: ["1122", "112."] }, /^board: The setups have 4 and 3 tiles: they must be as many/],
    ["warmancer", { ...quick, board: ["1122", "1122", "####", "...."] }, /^board: a3 cannot be reached from a1; /],
    ["warmancer", { ...quick, army: { Throne: 1, Scout: 2 } }, /^army: The army has 3 pawns for 4 tiles; an army has /],
    ["warmancer", { ...quick, army: { T: 2, S: 2 } }, /^army\.Throne: 2 is not between 1 and 1; it has one Throne; /],
    ["warmancer", { ...quick, army: { T: 1, X: 3 } }, /^army: No pawn of the army can move; an army has one /],
    ["warmancer", { ...quick, army: { T: 1, S: 1, scout: 1 } }, /^army\.scout: Scout is there twice; /],
    ["warmancer", { ...quick, army: { King: 1 } }, /^army\.King: no rank has this name; they are Throne, Assassin, /],
    ["warmancer", { ...quick, army: { Throne: 65 } }, /^army\.Throne: 65 is above 64; /],
    ["warmancer", { ...quick, budget: 16 }, /^budget: 16 is below 17, the price of the mode's own army; it is 0 for /],
    ["warmancer", { ...quick, budget: 65_536 }, /^budget: 65536 is above 65535; /],
    ["warmancer", { ...quick, casual: true, alwaysHidden: true }, /^alwaysHidden: the mode is casual, .*; ranks are /],
    ["warmancer", { ...quick, maxTurns: 2001 }, /^maxTurns: 2001 is above 2000; the game is a draw after so many /],
    ["warmancer", { ...quick, army: undefined }, /^army: undefined is not an object|^army: left out/],
  ] as const) {
    it(`in its error, names the field, the bound and the reason for the bound: ${game}, ${JSON.stringify(value).slice(0, 100)}`, () => {
      expect(() => format(game).encode(value)).to.throw(InputError, message);
    });
  }

  it("allows at most eight pawns of a rank", () => {
    const wide = { ...quick, board: ["2222222222", "1111111111"] };
    expect(() => format("warmancer").encode({ ...wide, army: { T: 1, S: 9 }, budget: 27 })).to.throw(
      InputError,
      /^army\.Scout: 9 is not between 0 and 8; for a budget at most 8 pawns of this rank are sold; /,
    );
    expect(() => format("warmancer").encode({ ...wide, army: { T: 1, S: 9 } })).not.to.throw();
  });

  it("decodes any board into fields that encode to the same board, and describes it in at most 27 lines", () => {
    const random = new Random("drawings");
    const { encode, decode, describe: tell } = format("warmancer");
    for (let n = 0; n < 60; n++) {
      const content = encodeMode(anyBoard(random, { ...SWITCHES[n % SWITCHES.length], maxTurns: n }, n % 2 === 0));
      expect(encode(JSON.parse(JSON.stringify(decode(content))))).to.equal(content);
      expect(tell(content).length).to.be.at.most(27);
    }
  });

  it("refuses content that the game would not register", () => {
    for (const { name, modeFormat } of own) {
      for (const content of ["0xff", `0x${"ff".repeat(113)}`, "0x0104"] satisfies Hex[]) {
        expect(() => modeFormat!.decode(content), name).to.throw();
        expect(() => modeFormat!.describe(content), name).to.throw();
      }
    }
  });

  it("returns the mode in a match's terms: a published mode without a request, any other mode from the chain", async () => {
    const asked: string[] = [];
    const history = {
      mode: async (...args: string[]) => {
        asked.push(args.join(" "));
        return "0x0101010005";
      },
    } as unknown as History;
    const guardians = stockGame("guardians");
    const { content } = guardians.modes["1v1"];
    expect(await modeContent(guardians, { game: "here", mode: ZeroHash }, history)).to.equal("0x");
    expect(await modeContent(guardians, { game: "here", mode: modeHash(content) }, history)).to.equal(content);
    expect(asked).to.deep.equal([]);
    const mode = keccak256("0x0101010005");
    expect(await modeContent(guardians, { game: "here", mode }, history)).to.equal("0x0101010005");
    expect(asked).to.deep.equal([`here ${mode}`]);
    expect([modeNamed(guardians, mode), modeNamed(guardians, ZeroHash)]).to.deep.equal([undefined, "default"]);
  });
});
