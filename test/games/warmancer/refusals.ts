import { expect } from "chai";
import {
  concat,
  dataLength,
  dataSlice,
  hexlify,
  keccak256,
  MaxUint256,
  toBeHex,
  ZeroHash,
  type Contract,
} from "ethers";
import { encodeAction } from "../../../sdk/games/warmancer/encode-action.js";
import { legalMoves, moveOf, STUCK } from "../../../sdk/games/warmancer/legal-moves.js";
import { CLASSIC, encodeMode, QUICK, type Mode } from "../../../sdk/games/warmancer/mode.js";
import { copyOf, encodePosition, Phase, positionLength } from "../../../sdk/games/warmancer/position.js";
import { RANKS } from "../../../sdk/games/warmancer/ranks.js";
import { encodeSetup } from "../../../sdk/games/warmancer/setup.js";
import { Kind, stateHashIn } from "../../../sdk/games/warmancer/state.js";
import { maskOf } from "../../../sdk/games/warmancer/tiles.js";
import { Random } from "../../../sdk/laws/random.js";
import { NO_STATE, stateHashOf } from "../../../sdk/protocol/commit-reveal.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { Seat } from "../../../sdk/protocol/status.js";
import { deployMock, ethers, loadFixture } from "../../support/index.js";
import { EngineDriver } from "../../support/warmancer.js";

const SEQUENTIAL: Mode = { ...QUICK, sequential: true };
const CASUAL: Mode = { ...QUICK, casual: true };
const SHORT: Mode = { ...CASUAL, maxTurns: 1 };
/** Board of Quick, by tiles: a1 b1 a2 b2 of player 1 are 0 1 16 17, c1 d1 c2 d2 of player 2 are 2 3 18 19. */
const [A1, B1, C1, D1, B2, C2, D2] = [0, 1, 2, 3, 17, 18, 19];
const [THRONE, SCOUT, GRUNT, WARLORD] = [0, 2, 4, 10];
/** Length of the kind and the position in an action, and of a setup. */
const HEAD = 1 + positionLength(4);
const SETUP = 32 + 4;

type Call = Promise<unknown>;

/** Deploys the game with an account as its arena, which can send any position. */
async function withGame() {
  const [arena, player1, player2] = await ethers.getSigners();
  const game = await deployMock("Warmancer", arena);
  for (const mode of [QUICK, SEQUENTIAL, CASUAL, SHORT]) await game.registerMode(encodeMode(mode));
  const preview = await deployMock("WarmancerPreview");
  return { game, preview, address: await game.getAddress(), players: [player1.address, player2.address] as const };
}

function refused(contract: Contract, call: Call, error: string, ...values: unknown[]): Promise<unknown> {
  return expect(call, error)
    .to.be.revertedWithCustomError(contract, error)
    .withArgs(...values);
}

/** A match in the engine, whose next step is called on the contract without changing it. */
class Bench {
  private constructor(
    readonly game: Contract,
    readonly driver: EngineDriver,
  ) {}

  static async of(mode: Mode, seed = "bench"): Promise<Bench> {
    const { game, address, players } = await loadFixture(withGame);
    return new Bench(game, EngineDriver.of(mode, new Random(seed), undefined, { game: address, players }));
  }

  create(data: Hex): Call {
    return this.game.create.staticCall(this.duel(NO_STATE), data);
  }

  /** Joins a match that was created with the first bytes of the engine's match. */
  join(data: Hex): Call {
    const [created] = this.driver.sent;
    return this.game.join.staticCall(this.duel(stateHashIn(created.outcome.state)), data);
  }

  /** Acts with a body of any kind, in the position of the engine's match. */
  body(kind: number, body: Hex): Call {
    return this.act(encodeAction(kind, this.driver.position, body));
  }

  /** Acts in the position of the engine's match, or in another one. */
  act(data: Hex, { seat, position }: { seat?: bigint; position?: Hex } = {}): Call {
    const { state } = this.driver;
    return this.game.act.staticCall(this.duel(position ?? stateHashIn(state)), seat ?? state.turn, data);
  }

  /** Sends an action in a transaction. */
  send(data: Hex): Call {
    const { state } = this.driver;
    return this.game.act(this.duel(stateHashIn(state)), state.turn, data);
  }

  refused(call: Call, error: string, ...values: unknown[]): Promise<unknown> {
    return refused(this.game, call, error, ...values);
  }

  private duel(position: Hex): unknown[] {
    const { matchId, mode, rated, players } = this.driver.match;
    return [matchId, keccak256(encodeMode(mode)), rated, ...players, position];
  }
}

describe("Warmancer: refusals by the contract", () => {
  it("accepts the steps of an honest match: create, join, commitment and answer", async () => {
    const bench = await Bench.of(QUICK);
    const { driver } = bench;
    const steps = (answer: unknown) => [...(answer as unknown[])];
    driver.start().step();
    const [created, joined, committed] = driver.sent.map(({ outcome: { step, state } }) => {
      return [step.turn, step.winner, step.taker, stateHashIn(state)];
    });
    expect(steps(await bench.create(driver.sent[0].data))).to.deep.equal(created);
    expect(steps(await bench.join(driver.sent[1].data))).to.deep.equal(joined);
    const position = joined[3] as Hex;
    const answer = await bench.act(driver.sent[2].data, { seat: Seat.One, position });
    expect(steps(answer)).to.deep.equal(committed);
  });

  it("refuses another position than that of the match for a commitment, a move and a setup", async () => {
    for (const mode of [QUICK, SEQUENTIAL]) {
      const bench = await Bench.of(mode);
      const { driver } = bench;
      const expectWrong = (data: Hex) =>
        bench.refused(bench.act(data, { position: NO_STATE }), "WrongRound", 7, stateHashIn(driver.state), NO_STATE);
      driver.start();
      await expectWrong(driver.next().data);
      driver.send(Seat.One, encodeAction(Kind.Concede, driver.position, "0x"));
      await expectWrong(driver.next().data);
    }
  });
  it("checks the length of a root with its note", async () => {
    const bench = await Bench.of(QUICK);
    const root = toBeHex(1, 32);
    await bench.create(concat([root, new Uint8Array(96)]));
    await bench.refused(bench.create(concat([root, new Uint8Array(97)])), "WrongLength", 129, 32, 128);
    await bench.refused(bench.create(dataSlice(root, 1)), "WrongLength", 31, 32, 128);
    await bench.refused(bench.create(ZeroHash), "ZeroRoot");
    bench.driver.start();
    const data = dataSlice(bench.driver.sent[1].data, 0, 64);
    await bench.join(concat([data, new Uint8Array(96)]));
    await bench.refused(bench.join(concat([data, new Uint8Array(97)])), "WrongLength", 161, 64, 160);
    await bench.refused(bench.join(dataSlice(data, 0, 63)), "WrongLength", 63, 64, 160);
    await bench.refused(bench.join(concat([dataSlice(data, 0, 32), ZeroHash])), "ZeroRoot");
  });

  it("reports the position of a join for another root, and the expected position", async () => {
    const bench = await Bench.of(QUICK);
    const { match, sent } = bench.driver.start();
    const state = keccak256("0x");
    const told = stateHashOf({ round: 0, state }, NO_STATE);
    const expected = stateHashIn(sent[0].outcome.state);
    await bench.refused(bench.join(concat([state, state])), "WrongRound", match.matchId, told, expected);
  });

  it("checks the length of a casual army before its ranks", async () => {
    const bench = await Bench.of(CASUAL);
    await bench.refused(bench.create("0x00020c"), "WrongLength", 3, 4, 4);
    await bench.refused(bench.create("0x00020a0404"), "WrongLength", 5, 4, 4);
    await bench.refused(bench.create("0x00020c04"), "UnknownRank", 2, 12);
    const { sent } = bench.driver.start();
    // The length is checked before the ranks of player 1, too.
    for (const data of [dataSlice(sent[1].data, 0, 7), concat([sent[1].data, "0x00"]), "0x0a020004"]) {
      await bench.refused(bench.join(data), "WrongLength", dataLength(data), 8, 8);
    }
  });

  it("refuses an action that is too short for its position", async () => {
    const bench = await Bench.of(QUICK);
    const { position } = bench.driver.start();
    const action = encodeAction(Kind.Commit, position, "0x");
    await bench.refused(bench.act("0x"), "WrongLength", 0, 1, MaxUint256);
    for (const [length, min] of [
      [1, 60],
      [59, 60],
      [60, HEAD],
      [HEAD - 1, HEAD],
    ]) {
      await bench.refused(bench.act(dataSlice(action, 0, length)), "WrongLength", length, min, MaxUint256);
    }
    await bench.refused(bench.act(action), "WrongLength", 0, 32, 128);
  });

  it("checks the length of a concession, then the position", async () => {
    const bench = await Bench.of(QUICK);
    const { driver } = bench;
    for (const length of [0, 32, 34]) {
      if (length === 0) driver.start();
      else driver.step();
      const concession = encodeAction(Kind.Concede, driver.position, driver.concession());
      await bench.act(concession);
      const longer = bench.act(concat([concession, "0x00"]), { position: NO_STATE });
      await bench.refused(longer, "WrongLength", length + 1, length, length);
      const { matchId } = driver.match;
      const wrong = bench.act(concession, { position: NO_STATE });
      await bench.refused(wrong, "WrongRound", matchId, stateHashIn(driver.state), NO_STATE);
    }
  });

  it("checks the length of a setup, sent alone or with another action", async () => {
    const bench = await Bench.of(QUICK);
    const { driver } = bench;
    driver.start();
    driver.send(Seat.One, encodeAction(Kind.Concede, driver.position, "0x"));
    expect(driver.position.phase).to.equal(Phase.Won);
    const setup = encodeAction(Kind.Setup, driver.position, encodeSetup(driver.setups[1]));
    await bench.act(setup);
    const length = HEAD + SETUP;
    await bench.refused(bench.act(dataSlice(setup, 0, -1)), "WrongLength", length - 1, length, length);
    await bench.refused(bench.act(concat([setup, "0x00"])), "WrongLength", length + 1, length, length);
    const riding = concat([toBeHex(0x80 + Kind.Move, 1), dataSlice(setup, 1, length - 1)]);
    await bench.refused(bench.act(riding), "WrongLength", length - 1, length, MaxUint256);
  });

  it("refuses an illegal answer, and accepts Stuck", async () => {
    const bench = await Bench.of(QUICK);
    const { driver } = bench;
    driver.start().step();
    const answer = (move: number) => {
      const body = concat([driver.state.commitment, toBeHex(move, 2)]);
      return bench.act(encodeAction(Kind.Answer, driver.position, body));
    };
    for (const length of [33, 35]) {
      const body = concat([driver.state.commitment, new Uint8Array(length - 32)]);
      await bench.refused(bench.body(Kind.Answer, body), "WrongLength", length, 34, 34);
    }
    await bench.refused(answer(moveOf(B1, C1)), "NoOwnPawn", B1);
    await bench.refused(answer(moveOf(C1, D2)), "OwnPawnThere", D2);
    await bench.refused(answer(moveOf(C1, B2)), "NotInLine", C1, B2);
    await bench.refused(answer(moveOf(D1, A1)), "Blocked", D1, A1, C1);
    await answer(moveOf(C1, B1));
    await answer(STUCK);
  });

  it("allows up to one more move after the second move of a casual turn, even if the move ends the game", async () => {
    const bench = await Bench.of(SHORT);
    const { driver } = bench;
    driver.start().step();
    const { data } = driver.next();
    const body = (bytes: Hex) => bench.act(concat([dataSlice(data, 0, HEAD), bytes]));
    const move = dataSlice(data, HEAD, HEAD + 2);
    for (const rest of ["0x", "0x00", "0x0000"]) await body(concat([move, rest]));
    await bench.refused(body(concat([move, "0x000000"])), "WrongLength", 5, 2, 4);
    await bench.refused(body("0x00"), "WrongLength", 1, 2, 4);
  });

  it("requires exactly one move from the player who moves first in a casual turn", async () => {
    const bench = await Bench.of(CASUAL);
    const { driver } = bench;
    const { data } = driver.start().next();
    const move = dataSlice(data, HEAD);
    await bench.act(data);
    await bench.refused(bench.body(Kind.Move, "0x00"), "WrongLength", 1, 2, 2);
    await bench.refused(bench.body(Kind.Move, concat([move, "0x00"])), "WrongLength", 3, 2, 2);
    driver.step();
    const second = dataSlice(driver.next().data, HEAD, HEAD + 2);
    await bench.refused(bench.body(Kind.Move, second), "WrongLength", 0, 2, 2);
  });

  it("refuses bytes beyond the proofs that are due in a sequential turn, before a move or Stuck", async () => {
    const bench = await Bench.of(SEQUENTIAL);
    bench.driver.start();
    const stuck = toBeHex(STUCK, 2);
    const [move] = legalMoves(bench.driver.position, 0, new Uint8Array(4)).filter((each) =>
      [B1, B2].includes(each >> 8),
    );
    const body = (length: number, end: Hex) => bench.body(Kind.Move, concat([new Uint8Array(length), end]));
    await bench.refused(bench.body(Kind.Move, "0x00"), "WrongLength", 1, 2, 228);
    await bench.refused(body(227, stuck), "WrongLength", 229, 2, 228);
    for (const length of [1, 226]) await bench.refused(body(length, stuck), "WrongLength", length + 2, 2, 2);
    await body(0, stuck);
    await bench.refused(body(225, toBeHex(move, 2)), "WrongLength", 225, 226, MaxUint256);
  });

  it("checks the length and the move of a reply to Stuck", async () => {
    const bench = await Bench.of(QUICK);
    const { driver } = bench;
    driver.start();
    driver.send(Seat.One, encodeAction(Kind.Commit, driver.position, ZeroHash));
    expect(driver.position.phase).to.equal(Phase.Reply);
    const move = toBeHex(moveOf(C1, B1), 2);
    await bench.refused(bench.body(Kind.Move, "0xff"), "WrongLength", 1, 2, 2);
    await bench.refused(bench.body(Kind.Move, concat([move, "0x00"])), "WrongLength", 3, 2, 2);
    await bench.refused(bench.body(Kind.Move, toBeHex(moveOf(B1, C1), 2)), "NoOwnPawn", B1);
    await bench.refused(bench.body(Kind.Move, toBeHex(moveOf(D1, A1), 2)), "Blocked", D1, A1, C1);
    await bench.body(Kind.Move, move);
  });

  it("logs the last turn of a match, and refuses a setup with it in a casual match", async () => {
    const bench = await Bench.of(SHORT);
    const { driver, game } = bench;
    const { data } = driver.start().play(1).next();
    const riding = encodeAction(Kind.Move, driver.position, dataSlice(data, HEAD), driver.setups[1]);
    await bench.refused(bench.act(riding), "SetupNotDue");
    const sent = bench.send(data);
    driver.step();
    const [{ round, entries }] = driver.sent.at(-1)!.outcome.logs;
    await expect(sent).to.emit(game, "Log").withArgs(driver.match.matchId, round, entries);
  });

  it("refuses a proved rank that does not exist, in a position that two players made up", async () => {
    const bench = await Bench.of(SEQUENTIAL);
    const position = copyOf(bench.driver.start().position);
    // Player 1 attacks c2 from b2, and its pawn's rank is proved; player 2's pawn has shown its rank before.
    const made = (rank: number) => {
      const [, { ranks }] = position.sides;
      ranks[2] = GRUNT + 1;
      const [phase, proved] = [Phase.Prove, (rank + 1) << 4];
      const moves: [number, number] = [moveOf(B2, C2), 0];
      return { ...position, phase, proved, moves, sides: position.sides };
    };
    const prove = (rank: number) => {
      const action = encodeAction(Kind.Prove, made(rank), toBeHex(STUCK, 2));
      const state = keccak256(encodePosition(made(rank)));
      return bench.act(action, { seat: Seat.Two, position: stateHashOf({ round: 1, state }, NO_STATE) });
    };
    const [slot] = [...position.sides[0].tiles.keys()].filter((each) => position.sides[0].tiles[each] === B2);
    await prove(RANKS.length - 2);
    for (const rank of [12, 13, 14]) await bench.refused(prove(rank), "UnknownRank", slot, rank);
  });

  describe("given a mode", () => {
    /** Expects the contract to refuse Quick with changes. */
    async function check(changes: Partial<Mode>, error: string, ...values: unknown[]): Promise<void> {
      const { game } = await loadFixture(withGame);
      const call = game.registerMode.staticCall(encodeMode({ ...QUICK, ...changes }));
      await refused(game, call, error, ...values);
    }

    it("refuses turns out of bounds, and an army of another size than the setups", async () => {
      await check({ maxTurns: 2001 }, "ModeOutOfBounds", 111, 2001, 0, 2000);
      await check({ army: QUICK.army.with(GRUNT, 2) }, "ArmySize", 5, 4);
    });

    it("refuses setups off the board, on the same tiles, or of unequal or wrong size", async () => {
      await check({ setup2: maskOf([C1, D1, C2, 99]) }, "SetupOutsideBoard", maskOf([99]));
      await check({ setup1: maskOf([A1, B1, B2, 99]) }, "SetupOutsideBoard", maskOf([99]));
      await check({ setup1: maskOf([A1, B1, B2, C2]) }, "SetupsOverlap", maskOf([C2]));
      await check({ setup1: maskOf([A1, B1, B2]) }, "UnequalSetups", 3, 4);
      await check({ setup1: maskOf([A1]), setup2: maskOf([C1]) }, "UnequalSetups", 1, 1);
      await check({ setup1: 0n, setup2: 0n }, "UnequalSetups", 0, 0);
      const [many, whole] = [2n ** 65n - 1n, 2n ** 256n - 1n];
      await check({ passable: whole, setup1: many, setup2: many << 65n }, "UnequalSetups", 65, 65);
    });

    /** A winding corridor from b1 to d1 that leads up, left, up, right and down. */
    const corridor = [1, 17, 16, 32, 48, 49, 50, 51, 35, 19, 3];
    const ends = { setup1: maskOf([1, 17]), setup2: maskOf([3, 19]), army: [1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0] };

    it("accepts a board that is connected only step by step", async () => {
      const { game } = await loadFixture(withGame);
      await game.registerMode.staticCall(encodeMode({ ...QUICK, ...ends, passable: maskOf(corridor) }));
      for (let i = 2; i < corridor.length - 2; i++) {
        const gap = maskOf(corridor.toSpliced(i, 1));
        await check({ ...ends, passable: gap }, "Disconnected", maskOf(corridor.slice(0, i)), gap);
      }
    });

    it("refuses a board that only its edges or corners connect", async () => {
      const apart = QUICK.passable | (1n << 40n);
      await check({ passable: apart }, "Disconnected", QUICK.passable, apart);
      const moved = { passable: (QUICK.passable << 2n) | 1n, setup1: QUICK.setup1 << 2n, setup2: QUICK.setup2 << 2n };
      await check(moved, "Disconnected", 1n, moved.passable);
      const army = ends.army;
      for (const [one, two] of [
        [
          [0, 16],
          [15, 31],
        ],
        [
          [14, 15],
          [16, 17],
        ],
        [
          [0, 1],
          [18, 34],
        ],
        [
          [2, 3],
          [17, 33],
        ],
      ]) {
        const [setup1, setup2] = [maskOf(one), maskOf(two)];
        await check({ setup1, setup2, passable: setup1 | setup2, army }, "Disconnected", setup1, setup1 | setup2);
      }
    });
  });
});

describe("Warmancer: the preview", () => {
  const setup = (...ranks: number[]) => hexlify(new Uint8Array(ranks));
  /** Player 1 has the Throne on a1, the Scout on b1, the Grunt on a2 and the Warlord on b2; so has player 2 from c1. */
  const OWN = setup(THRONE, SCOUT, GRUNT, WARLORD);

  async function previewed(mode: Mode | undefined, setups: readonly Hex[], ...moves: number[]) {
    const { preview } = await loadFixture(withGame);
    const content = mode ? encodeMode(mode) : "0x";
    return { preview, call: preview.preview.staticCall(content, ...setups, moves) as Promise<unknown[]> };
  }

  it("refuses an illegal move by the true ranks, in both kinds of turns", async () => {
    const illegal = async (mode: Mode, moves: number[], error: string, ...values: unknown[]) => {
      const { preview, call } = await previewed(mode, [OWN, OWN], ...moves);
      await refused(preview, call, error, ...values);
    };
    const [fair1, fair2] = [moveOf(B2, C2), moveOf(C2, B2)];
    await illegal(QUICK, [moveOf(B2, D2), fair2], "RankCannotMoveFar", 3, WARLORD);
    await illegal(QUICK, [fair1, moveOf(C1, B1)], "RankCannotMove", 0, THRONE);
    await illegal(QUICK, [moveOf(A1, C1), fair2], "RankCannotMove", 0, THRONE);
    await illegal(QUICK, [STUCK, moveOf(C1, B1)], "RankCannotMove", 0, THRONE);
    await illegal(SEQUENTIAL, [moveOf(B2, D2)], "RankCannotMoveFar", 3, WARLORD);
    await illegal(SEQUENTIAL, [fair1, moveOf(C1, B1)], "RankCannotMove", 0, THRONE);
    const scouts = [setup(SCOUT, THRONE, GRUNT, WARLORD), OWN] as const;
    const { preview, call } = await previewed(SEQUENTIAL, scouts, moveOf(A1, C1));
    await refused(preview, call, "Blocked", A1, C1, B1);
  });

  it("refuses an invalid mode, and an army of either player that the mode does not allow", async () => {
    const wrong = setup(THRONE, SCOUT, GRUNT, GRUNT);
    for (const [mode, setups, error, ...values] of [
      [{ ...QUICK, maxTurns: 2001 }, [OWN, OWN], "ModeOutOfBounds", 111, 2001, 0, 2000],
      [QUICK, [wrong, OWN], "WrongArmy", GRUNT, 2, 1, 1],
      [QUICK, [OWN, wrong], "WrongArmy", GRUNT, 2, 1, 1],
      [QUICK, [OWN, dataSlice(OWN, 1)], "WrongLength", 3, 4, 4],
    ] as const) {
      const { preview, call } = await previewed(mode, setups);
      await refused(preview, call, error, ...values);
    }
  });

  it("plays the default mode if it gets no mode", async () => {
    const army = setup(...CLASSIC.army.flatMap((count, rank) => Array<number>(count).fill(rank)));
    const { call } = await previewed(undefined, [army, army], STUCK, STUCK);
    const [over, winner, played, position] = await call;
    expect([over, winner, played]).to.deep.equal([true, Seat.None, 1n]);
    expect(dataSlice(position as Hex, 0, 32)).to.equal(dataSlice(encodeMode(CLASSIC), 0, 32));
  });
});
