import { expect } from "chai";
import { ZeroHash } from "ethers";
import Mocha from "mocha";
import type { Replayed } from "../../sdk/chain/record.js";
import { miniGames } from "../../sdk/games/mini-games/index.js";
import type { GameModule } from "../../sdk/games/module.js";
import type { LawGame, Table } from "../../sdk/laws/game.js";
import { testLaws } from "../../sdk/laws/laws.js";
import { testModule } from "../../sdk/laws/test-game.js";
import { FAULTS, lawBreaker } from "../support/laws/breaker.js";
import { derivedMiniGames } from "../support/laws/derived.js";
import { lawOptions } from "../support/laws/options.js";

/** Beginning of the title of the law that each fault breaks. */
const BROKEN: Record<string, string> = {
  AnyCaller: "answers its arena only",
  OtherFirstTurn: "starts with player 2 to move",
  ByTime: "decides by what the players sent",
  BySender: "decides by what the players sent",
  AnyLength: "accepts data in its documented lengths",
  AnyNumber: "rejects invalid data when it is sent",
  UnnamedError: "rejects invalid data when it is sent",
  StoppedByPlayer2: "lets nothing that player 2 does",
  DearByPlayer2: "lets nothing that player 2 does",
  ChangedByPlayer1: "reads nothing at joining",
  NoWayOut: "always has a legal action",
  MuchGas: "costs under 4,000,000 gas",
  OtherLog: "is replayed by its engine",
  OtherResult: "is replayed by its engine",
  OtherTurn: "agrees with its engine",
  OtherPosition: "agrees with its engine",
  KeepsMoney: "holds no money",
  ByStakes: "never learns the stakes",
  ByOtherMatch: "is unaffected by an earlier match",
  AnswerVoidedByOtherEnd: "accepts the same data after another match",
  RevealVoidedByOtherEnd: "accepts the same data after another match",
  FreeEnd: "has one end",
  EndOfAnotherKind: "has one end",
  ChannelRecord: "changes no state in a match of a channel",
};

/** Wrong descriptions of games, with the beginning of the title of the law that finds each. */
const MISTAKES: Record<string, [game: LawGame, change: Partial<Table>, title: string]> = {
  "a valid mode is described as invalid": [lawBreaker("None"), { badModes: { good: "0x02" } }, "stores modes"],
  "a legal committed move is described as illegal": [
    misdescribed("0x01", "MoveOutOfBounds"),
    {},
    "rejects an illegal committed move",
  ],
  "an illegal committed move is described with the wrong error": [
    misdescribed("0xc8", "WrongLength"),
    {},
    "rejects an illegal committed move",
  ],
  "a legal answer is described as illegal": [misdescribed("0x01", "MoveOutOfBounds"), {}, "rejects invalid data"],
};

/** Parts of a module that are wrong, with the beginning of the title of the test that finds each. */
const WRONG_PARTS: Record<string, [change: Partial<GameModule>, title: string]> = {
  "its engine computes another result than the contract": [
    { simulate: async (input, contract) => (contract ? miniGames.simulate(input, contract) : {}) },
    "computes random matches",
  ],
  "its replay has another log": [replaying({ logs: [{ round: 1n, entries: [1n] }] }), "is played at random"],
  "its replay has another result": [replaying({ result: { winner: 0n, taker: 0n } }), "is played at random"],
  "its replay expects another position": [replaying({ position: ZeroHash.replace(/0$/, "1") }), "is played at random"],
  "it decodes only some of the log entries": [{ decodeLog: async () => [] }, "is played at random"],
  "its description of a match is empty": [{ story: async () => [] }, "is played at random"],
  "it does not describe what each player did": [{ actionTexts: async () => [] }, "is played at random"],
};

describe("The suite of laws", () => {
  it("passes for a game that breaks no law", async () => {
    expect(await failuresOf(lawsFor(lawBreaker("None")))).to.deep.equal([]);
  });

  it("has, for every law, a game that breaks the law", () => {
    expect(Object.keys(BROKEN)).to.have.members([...FAULTS.slice(1), "KeepsMoney"]);
  });

  for (const [fault, title] of Object.entries(BROKEN)) {
    it(`fails for a game that breaks one law: ${fault}`, async () => {
      expect((await failuresOf(lawsFor(lawBreaker(fault)), title)).join()).to.include(title);
    });
  }

  for (const [what, [game, change, title]] of Object.entries(MISTAKES)) {
    it(`fails for a wrong description: ${what}`, async () => {
      const wrong: LawGame = { ...game, deploy: async (world) => ({ ...(await game.deploy(world)), ...change }) };
      expect((await failuresOf(lawsFor(wrong), title)).join()).to.include(title);
    });
  }
});

describe("The test suite of a module", () => {
  for (const [what, [change, title]] of Object.entries(WRONG_PARTS)) {
    it(`fails if ${what}`, async () => {
      const game = derivedMiniGames();
      const wrong = { ...game, module: { ...game.module!, ...change } };
      const failures = await failuresOf(() => testModule(wrong, { ...lawOptions, previews: 1 }), title);
      expect(failures.join()).to.include(title);
    });
  }
});

/** Returns a part of the mini-games with a changed replay. */
function replaying(change: Partial<Replayed>): Partial<GameModule> {
  return { replay: async (record, history) => ({ ...(await miniGames.replay(record, history)), ...change }) };
}

/** Returns the mini-games with a move that is described as illegal. */
function misdescribed(move: string, error: string): LawGame {
  return derivedMiniGames({ "some move": { move, error } });
}

function lawsFor(game: LawGame): () => void {
  return () => testLaws(game, lawOptions);
}

/** Runs tests in a separate Mocha. @param title Beginning of the titles to run. @returns the titles of failed tests. */
async function failuresOf(declare: () => void, title = ""): Promise<string[]> {
  const inner = new Mocha({ reporter: Mocha.reporters.Base, timeout: 0 }).fgrep(title);
  const { describe, it, beforeEach } = globalThis;
  inner.suite.emit("pre-require", globalThis, "", inner);
  try {
    declare();
  } finally {
    Object.assign(globalThis, { describe, it, beforeEach });
  }
  const failures: string[] = [];
  await new Promise((ended) => inner.run(ended).on("fail", (test) => failures.push(test.title)));
  inner.dispose();
  return failures;
}
