import { expect } from "chai";
import Mocha from "mocha";
import type { LawGame, Table } from "../../sdk/laws/game.js";
import { testLaws } from "../../sdk/laws/laws.js";
import { FAULTS, lawBreaker } from "../support/laws/breaker.js";
import { derivedMiniGames } from "../support/laws/derived.js";
import { lawOptions } from "../support/laws/options.js";

/** Beginning of the title of the law that each fault breaks. */
const BROKEN: Record<string, string> = {
  AnyCaller: "answers its arena only",
  OtherFirstTurn: "starts with player 2 to move",
  ByTime: "decides by what the players sent",
  BySender: "decides by what the players sent",
  AnyLength: "takes every piece in its lengths only",
  AnyNumber: "refuses whatever is wrong when it is sent",
  UnnamedError: "refuses whatever is wrong when it is sent",
  StoppedByPlayer2: "lets nothing that player 2 does",
  DearByPlayer2: "lets nothing that player 2 does",
  ChangedByPlayer1: "reads nothing at joining",
  NoWayOut: "always has something",
  MuchGas: "costs under 4,000,000 gas",
  OtherLog: "is replayed by its engine",
  OtherResult: "is replayed by its engine",
  OtherTurn: "is followed by its engine",
  OtherView: "is followed by its engine",
  KeepsMoney: "holds no money",
  ByStakes: "never learns the stakes",
  ByOtherMatch: "plays on untouched",
};

/** Wrong descriptions of games, with the beginning of the title of the law that finds each. */
const MISTAKES: Record<string, [game: LawGame, change: Partial<Table>, title: string]> = {
  "a good mode is called bad": [lawBreaker("None"), { badModes: { good: "0x02" } }, "keeps modes"],
  "a legal committed move is called wrong": [misdescribed("0x01", "MoveOutOfBounds"), {}, "refuses what was committed"],
  "a wrong committed move is said to have another error": [
    misdescribed("0xc8", "WrongLength"),
    {},
    "refuses what was committed",
  ],
  "a legal answer is called wrong": [misdescribed("0x01", "MoveOutOfBounds"), {}, "refuses whatever is wrong"],
};

describe("The laws", () => {
  it("pass for a game that breaks none", async () => {
    expect(await failuresOf(lawBreaker("None"))).to.deep.equal([]);
  });

  it("are broken one by one", () => {
    expect(Object.keys(BROKEN)).to.have.members([...FAULTS.slice(1), "KeepsMoney"]);
  });

  for (const [fault, title] of Object.entries(BROKEN)) {
    it(`fail for a game that breaks one: ${fault}`, async () => {
      expect((await failuresOf(lawBreaker(fault), title)).join()).to.include(title);
    });
  }

  for (const [what, [game, change, title]] of Object.entries(MISTAKES)) {
    it(`fail for a wrong description: ${what}`, async () => {
      const wrong: LawGame = { ...game, deploy: async (world) => ({ ...(await game.deploy(world)), ...change }) };
      expect((await failuresOf(wrong, title)).join()).to.include(title);
    });
  }
});

/** Returns the mini-games with a move that is said to be against the rules. */
function misdescribed(move: string, error: string): LawGame {
  return derivedMiniGames({ "some move": { move, error } });
}

/** Runs the laws of a game in a Mocha of their own. @returns the titles of those that fail. */
async function failuresOf(game: LawGame, title = ""): Promise<string[]> {
  const inner = new Mocha({ reporter: Mocha.reporters.Base, timeout: 0 }).fgrep(title);
  const { describe, it, beforeEach } = globalThis;
  inner.suite.emit("pre-require", globalThis, "", inner);
  try {
    testLaws(game, lawOptions);
  } finally {
    Object.assign(globalThis, { describe, it, beforeEach });
  }
  const failures: string[] = [];
  await new Promise((ended) => inner.run(ended).on("fail", (test) => failures.push(test.title)));
  inner.dispose();
  return failures;
}
