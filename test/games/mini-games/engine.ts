import { deepStrictEqual } from "node:assert";
import { expect } from "chai";
import { AbiCoder, id, keccak256, toBeHex, toBigInt, type BaseContract } from "ethers";
import fc from "fast-check";
import { previewContract } from "../../../cli/shared/match/preview.js";
import { miniGames } from "../../../sdk/games/mini-games/index.js";
import { decodeGame, encodeGame } from "../../../sdk/games/mini-games/log.js";
import type { Simulation } from "../../../sdk/games/mini-games/simulate.js";
import { InputError } from "../../../sdk/protocol/input.js";
import { hexWord } from "../../../sdk/protocol/word.js";

/** Valid moves by kind, as on the rules page. */
const MOVES: Record<number, number[]> = {
  0: [0, 1, 2],
  1: [1, 2, 3, 4, 5, 6],
  2: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  3: [0, 1],
  5: [0],
  6: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
};
const KINDS = Object.keys(MOVES).map(Number);
const [ROCK, PAPER, SCISSORS] = [0, 1, 2];
const SEED = id("a seed");

interface Input {
  seed: string;
  mode: { kind: number; ties: number };
  moves: number[];
}

/** Rolls a die as defined on the page: `lane(word(seed, 0), lane, sides)`. */
function die(seed: string, lane: number, sides: number): number {
  const entry = toBigInt(keccak256(AbiCoder.defaultAbiCoder().encode(["bytes32", "uint256"], [seed, 0])));
  return Number(((entry >> BigInt(64 * lane)) & 0xffff_ffff_ffff_ffffn) % BigInt(sides));
}

describe("Mini-games: engine", () => {
  let contract: BaseContract;
  let close: () => Promise<void>;

  before(async () => ({ contract, close } = await previewContract(miniGames)));
  after(() => close());

  /** Plays on both engines, and expects equal results. */
  async function play(kind: number, ties: number, moves: number[], seed = SEED): Promise<Simulation> {
    const input: Input = { seed, mode: { kind, ties }, moves };
    const [typescript, solidity] = await Promise.all([miniGames.simulate(input), miniGames.simulate(input, contract)]);
    deepStrictEqual(solidity, typescript);
    return typescript;
  }

  /** Plays every pair of a kind's moves under both tie rules; `better` gives the expected winner, 0 for a tie. */
  async function everyPair(kind: number, better: (one: number, two: number) => number): Promise<void> {
    for (const one of MOVES[kind]) {
      for (const two of MOVES[kind]) {
        const result = better(one, two);
        for (const ties of [0, 1]) {
          const game = await play(kind, ties, [one, two]);
          const what = `${one} against ${two}, ties ${ties}`;
          expect(game.values, what).to.deep.equal([one, two]);
          expect(game.tie, what).to.equal(result === 0);
          expect(game.winner, what).to.equal(result === 0 && ties === 0 ? 1 : result);
          expect(game.flip, what).to.equal(null);
        }
      }
    }
  }

  it("lets paper beat rock, scissors beat paper and rock beat scissors", async () => {
    const wins = [
      [PAPER, ROCK],
      [SCISSORS, PAPER],
      [ROCK, SCISSORS],
    ];
    const beats = (one: number, two: number) => wins.some(([winner, loser]) => winner === one && loser === two);
    await everyPair(0, (one, two) => (beats(one, two) ? 1 : beats(two, one) ? 2 : 0));
  });

  for (const [name, kind] of [
    ["dice", 1],
    ["strategy battle", 2],
  ] as const) {
    it(`lets the higher number win at ${name}`, () =>
      everyPair(kind, (one, two) => (one === two ? 0 : one > two ? 1 : 2)));
  }

  it("lets the lower number win at undercut if the numbers are neighbours, and the higher number otherwise", () =>
    everyPair(6, (one, two) => {
      if (one === two) return 0;
      const higher = one > two ? 1 : 2;
      return Math.abs(one - two) === 1 ? 3 - higher : higher;
    }));

  it("lets the only player who called the flip right win, and takes the flip from lane 0", async () => {
    const flips = new Set<number>();
    for (let n = 0; n < 16; n++) {
      const seed = id(`flip ${n}`);
      const flip = die(seed, 0, 2);
      flips.add(flip);
      for (const ties of [0, 1]) {
        const tied = ties === 0 ? 1 : 0;
        expect(await play(3, ties, [flip, 1 - flip], seed)).to.include({ winner: 1, tie: false, flip });
        expect(await play(3, ties, [1 - flip, flip], seed)).to.include({ winner: 2, tie: false, flip });
        for (const both of [0, 1]) {
          expect(await play(3, ties, [both, both], seed)).to.include({ winner: tied, tie: true, flip });
        }
      }
    }
    expect(flips.size).to.equal(2);
  });

  it("rolls player 1's die from lane 0 and player 2's die from lane 1, and lets the higher roll win", async () => {
    const results = new Set<number>();
    for (let n = 0; n < 60; n++) {
      const seed = id(`roll ${n}`);
      const rolls = [1 + die(seed, 0, 6), 1 + die(seed, 1, 6)];
      const result = rolls[0] === rolls[1] ? 0 : rolls[0] > rolls[1] ? 1 : 2;
      results.add(result);
      for (const ties of [0, 1]) {
        const { winner, tie, values, flip } = await play(5, ties, [0, 0], seed);
        expect([values, tie, flip]).to.deep.equal([rolls, result === 0, null]);
        expect(winner).to.equal(result === 0 && ties === 0 ? 1 : result);
      }
    }
    expect(results.size, "wins of both, and ties").to.equal(3);
  });

  it("packs its log entry as the documentation page shows", async () => {
    const seed = [0, 1, 2, 3].map((n) => id(`flip ${n}`)).find((each) => die(each, 0, 2) === 1)!;
    const word = async (...game: Parameters<typeof play>) => BigInt((await play(...game)).words[0]);
    expect((await play(3, 1, [1, 0], seed)).words).to.have.length(1);
    expect(await word(3, 1, [1, 0], seed), "heads lost").to.equal(0x5_03_01_00_01n);
    expect(await word(3, 1, [0, 0], seed), "neither called it").to.equal(0x0_03_01_00_00n);
    expect(await word(3, 0, [1, 1], seed), "both did, the challenger's").to.equal(0x4_03_01_01_01n);
    expect(await word(6, 0, [7, 6])).to.equal(0xa_06_00_06_07n);
    expect(await word(2, 1, [9, 9])).to.equal(0x0_02_00_09_09n);
    expect(await word(1, 0, [2, 5])).to.equal(0xa_01_00_05_02n);
  });

  it("reads back every log entry that it writes", async () => {
    for (const kind of KINDS) {
      for (const ties of [0, 1]) {
        const { words } = await play(kind, ties, [MOVES[kind][0], MOVES[kind].at(-1)!]);
        expect(hexWord(encodeGame(decodeGame(BigInt(words[0]))))).to.equal(words[0]);
      }
    }
  });

  it("plays 2,000 random games identically on both engines", async () => {
    const input = fc.constantFrom(...KINDS).chain((kind) =>
      fc.record({
        seed: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(hexWord),
        mode: fc.record({ kind: fc.constant(kind), ties: fc.integer({ min: 0, max: 1 }) }),
        moves: fc.array(fc.constantFrom(...MOVES[kind]), { minLength: 2, maxLength: 2 }),
      }),
    );
    const property = fc.asyncProperty(input, async (each) => {
      deepStrictEqual(await miniGames.simulate(each, contract), await miniGames.simulate(each));
    });
    await fc.assert(property, { numRuns: 2000, seed: 1 });
  });

  it("also rejects invalid modes and moves in the contract's preview", async () => {
    const preview = (mode: string, one: number, two: number) =>
      contract.getFunction("preview").staticCall(SEED, mode, one, two);
    const refused = (mode: string, one: number, two: number, error: string, ...values: number[]) =>
      expect(preview(mode, one, two), `${mode} ${one} ${two}`)
        .to.be.revertedWithCustomError(contract, error)
        .withArgs(...values);
    await refused("0x", 0, 0, "WrongLength", 0, 2, 2);
    await refused("0x00", 0, 0, "WrongLength", 1, 2, 2);
    await refused("0x000000", 0, 0, "WrongLength", 3, 2, 2);
    for (const kind of [4, 7, 255]) await refused(`${toBeHex(kind, 1)}00`, 0, 0, "UnknownKind", kind);
    for (const ties of [2, 255]) await refused(`0x00${toBeHex(ties, 1).slice(2)}`, 0, 0, "UnknownTieRule", ties);
    for (const kind of KINDS) {
      const mode = `${toBeHex(kind, 1)}01`;
      const [min, max] = [MOVES[kind][0], MOVES[kind].at(-1)!];
      const wrong = [max + 1, 255, ...(min > 0 ? [min - 1] : [])];
      for (const move of wrong) {
        await refused(mode, move, min, "MoveOutOfBounds", move, min, max);
        await refused(mode, max, move, "MoveOutOfBounds", move, min, max);
      }
    }
  });

  describe("given input for a simulation", () => {
    const good = { seed: SEED, mode: { kind: 0, ties: 1 }, moves: [0, 1] };
    const rows: [string, unknown, string][] = [
      ["nothing", null, "input: null is not an object"],
      ["no seed", { ...good, seed: undefined }, "seed: left out"],
      ["a short seed", { ...good, seed: "0x12" }, 'seed: "0x12" is not 0x and 64 hex digits'],
      ["no mode", { ...good, mode: undefined }, "mode: left out"],
      ["no kind", { ...good, mode: { ties: 0 } }, "mode.kind: left out"],
      ["no tie rule", { ...good, mode: { kind: 0 } }, "mode.ties: left out"],
      ["kind 4", { ...good, mode: { kind: 4, ties: 0 } }, "mode.kind: there is no kind 4; there are 0, 1, 2, 3, 5, 6"],
      ["a kind of 1.5", { ...good, mode: { kind: 1.5, ties: 0 } }, "mode.kind: 1.5 is not an integer"],
      ["a negative kind", { ...good, mode: { kind: -1, ties: 0 } }, "mode.kind: -1 is below 0"],
      ["tie rule 2", { ...good, mode: { kind: 0, ties: 2 } }, "mode.ties: 2 is above 1"],
      ["an unknown field in the mode", { ...good, mode: { kind: 0, ties: 0, house: 1 } }, "mode.house: unknown field"],
      ["an unknown field", { ...good, next: 1 }, "next: unknown field"],
      ["no moves", { ...good, moves: undefined }, "moves: left out"],
      ["one move", { ...good, moves: [0] }, "moves: 1 items instead of 2"],
      ["a move as a word", { ...good, moves: ["rock", 0] }, 'moves[0]: "rock" is not an integer'],
      ["a move of 3", { ...good, moves: [0, 3] }, "moves[1]: rock-paper-scissors takes 0 to 2, not 3"],
      ["a negative move", { ...good, moves: [-1, 0] }, "moves[0]: -1 is below 0"],
      ["a die of 0", { ...good, mode: { kind: 1, ties: 0 }, moves: [1, 0] }, "moves[1]: dice takes 1 to 6, not 0"],
      [
        "a chosen roll",
        { ...good, mode: { kind: 5, ties: 0 }, moves: [6, 0] },
        "moves[0]: rolled dice takes only 0, not 6",
      ],
    ];
    for (const [what, input, message] of rows) {
      it(`refuses ${what}`, async () => {
        const error: unknown = await miniGames.simulate(input).catch((reason: unknown) => reason);
        expect(error).to.be.instanceOf(InputError);
        expect((error as InputError).message).to.equal(message);
      });
    }

    it("accepts a seed of zero, and a seed in uppercase", async () => {
      const zero = await play(3, 1, [0, 1], hexWord(0n));
      expect(zero.flip).to.equal(die(hexWord(0n), 0, 2));
      expect(await play(5, 1, [0, 0], `0x${SEED.slice(2).toUpperCase()}`)).to.deep.equal(await play(5, 1, [0, 0]));
    });
  });
});
