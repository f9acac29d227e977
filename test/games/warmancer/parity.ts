import { deepStrictEqual } from "node:assert/strict";
import { expect } from "chai";
import { concat, dataLength, dataSlice, hexlify, id, toBeHex } from "ethers";
import { SeededRandom } from "../../../sdk/bots/seeded-random.js";
import { gameAtRandom } from "../../../sdk/games/warmancer/random-game.js";
import { CLASSIC, decodeMode, encodeMode, QUICK, SKIRMISH, type Mode } from "../../../sdk/games/warmancer/mode.js";
import { moveOf, STUCK, type Move } from "../../../sdk/games/warmancer/legal-moves.js";
import { Phase, type Position } from "../../../sdk/games/warmancer/position.js";
import { stateHashIn } from "../../../sdk/games/warmancer/state.js";
import { ContractError } from "../../../sdk/games/warmancer/contract-error.js";
import { simulateWarmancer } from "../../../sdk/games/warmancer/simulate.js";
import { NO_STATE } from "../../../sdk/protocol/commit-reveal.js";
import { Random } from "../../../sdk/laws/random.js";
import {
  deployed,
  ethers,
  loadFixture,
  receiptOf,
  Seat,
  Status,
  termsFor,
  time,
  offerHashOf,
} from "../../support/index.js";
import { EngineDriver, fierce } from "../../support/warmancer.js";
import { anyBoard, anyContent, biggestBoard, SWITCHES } from "../../support/warmancer/boards.js";
import { refusedBy, triedIn, verdictOf, Walkthrough, type Refused } from "../../support/warmancer/walkthrough.js";

const KINDS = ["committed", "always hidden", "sequential", "sequential, hidden", "casual", "casual, sequential"];
/** Stock boards with the number of games on each; on big boards games are cut short. */
const STOCK: [board: Mode, games: number][] = [
  [QUICK, 4],
  [{ ...QUICK, budget: 25 }, 2],
  [SKIRMISH, 2],
  [{ ...SKIRMISH, budget: 80, maxTurns: 30 }, 1],
  [{ ...CLASSIC, maxTurns: 16 }, 1],
];
const MODE_ERRORS = [
  ...["ArmySize", "CasualHidesNothing", "Disconnected", "ModeOutOfBounds", "NoPawnMoves", "OverBudget"],
  ...["SetupOutsideBoard", "SetupsOverlap", "UnequalSetups", "WrongArmy", "WrongLength", "none"],
];
const MOVE_ERRORS = [
  ...["Blocked", "Impassable", "NoOwnPawn", "NotInLine"],
  ...["OwnPawnThere", "RankCannotMove", "RankCannotMoveFar"],
];
const WRONG_MOVES = 10;
const CUSTOM_GAMES = 8;
const LIBRARY_TURNS = 5000;

/** Plays a match whose players attack if they can. About every second match includes setups in actions if allowed. */
function played(mode: Mode, random: Random, place?: Parameters<typeof EngineDriver.of>[3]): EngineDriver {
  const driver = EngineDriver.of(mode, random, fierce(random), place);
  driver.rides = random.below(2) === 0;
  return driver.start().play();
}

describe("Warmancer: parity", () => {
  let walkthrough: Walkthrough;

  before(async () => {
    walkthrough = await Walkthrough.open();
  });

  for (const [kind, switches] of SWITCHES.entries()) {
    it(`gives the same entries, steps and logs on both engines: stock boards, ${KINDS[kind]}`, async () => {
      const random = new Random(`stock ${kind}`);
      for (const [board, games] of STOCK) {
        const mode = { ...board, ...switches };
        await walkthrough.register(mode);
        for (let n = 0; n < games; n++) {
          const driver = played(mode, random, walkthrough.place());
          await walkthrough.expectAlike(driver.match, triedIn(driver));
        }
      }
    });

    it(`gives the same entries, steps and logs on both engines: boards of all shapes, ${KINDS[kind]}`, async () => {
      const random = new Random(`shapes ${kind}`);
      const biggest = biggestBoard({ ...switches, maxTurns: 4 });
      const any = () => anyBoard(random, { ...switches, maxTurns: 1 + random.below(25) }, random.below(2) === 0);
      for (const mode of [biggest, ...Array.from({ length: CUSTOM_GAMES }, any)]) {
        await walkthrough.register(mode);
        const driver = played(mode, random, walkthrough.place());
        await walkthrough.expectAlike(driver.match, triedIn(driver));
      }
    });
  }

  it("accepts and rejects the same modes on both engines, with the same errors and values", async () => {
    const random = new Random("modes");
    const contents = Array.from({ length: 600 }, () => anyContent(random));
    const refusals = contents.map((content) => refusalOf(() => decodeMode(content)));
    deepStrictEqual(await walkthrough.refusalsOfModes(contents), refusals);
    const errors = new Set(refusals.map((refusal) => refusal?.error ?? "none"));
    expect([...errors].sort()).to.deep.equal(MODE_ERRORS);
  });

  it("accepts and rejects the same moves on both engines, with the same errors and values", async () => {
    const random = new Random("wrong moves");
    const errors = new Set<string>();
    for (const board of [QUICK, SKIRMISH, CLASSIC]) {
      for (const sequential of [false, true]) {
        const mode = { ...board, casual: true, sequential, maxTurns: 20 };
        await walkthrough.register(mode);
        const driver = EngineDriver.of(mode, random, undefined, walkthrough.place()).start();
        const tried = triedIn(driver);
        while (!driver.over) {
          const { seat, data } = driver.next();
          for (let n = 0; n < WRONG_MOVES; n++) {
            const wrong = concat([dataSlice(data, 0, dataLength(data) - 2), toBeHex(anyMove(driver, random), 2)]);
            const engine = driver.attempt(wrong);
            if (!(engine instanceof ContractError)) continue;
            errors.add(engine.error);
            tried.push({ entry: "act", seat, data: wrong, engine: verdictOf(engine, stateHashIn(driver.state)) });
          }
          driver.send(seat, data);
          tried.push(triedIn(driver).at(-1)!);
        }
        await walkthrough.expectAlike(driver.match, tried);
      }
    }
    expect([...errors].sort()).to.deep.equal(MOVE_ERRORS);
  });

  it("rejects a rated casual match", async () => {
    const mode = { ...QUICK, casual: true };
    await walkthrough.register(mode);
    const driver = EngineDriver.of(mode, new Random("rated"), undefined, { ...walkthrough.place(), rated: true });
    const refusal = refusalOf(() => driver.start())!;
    expect(refusal.error).to.equal("CasualIsUnrated");
    const engine = { ...refusal, position: NO_STATE, logs: [] };
    await walkthrough.expectAlike(driver.match, [{ entry: "create", seat: Seat.One, data: "0x", engine }]);
  });

  it("returns the same 5,000 turns of games outside matches on both engines", async () => {
    const random = new Random("library");
    let turns = 0;
    for (let n = 0; turns < LIBRARY_TURNS; n++) {
      const switches = { ...SWITCHES[n % 4], maxTurns: 60 };
      const board = n % 3 === 0 ? anyBoard(random, switches, false) : [QUICK, SKIRMISH, CLASSIC][(n % 7) % 3];
      const input = gameAtRandom(encodeMode({ ...board, ...switches }), new SeededRandom(id(`game ${n}`)));
      const engine = await simulateWarmancer(input);
      deepStrictEqual(await simulateWarmancer(input, walkthrough.preview), engine, `game ${n}`);
      turns += engine.turns;
    }
  });

  it("rejects a move after the end of a game outside matches, and half a turn", async () => {
    const ranks = [
      [0, 2, 10, 4],
      [0, 2, 10, 4],
    ].map((setup) => hexlify(new Uint8Array(setup)));
    const preview = (...moves: Move[]) => {
      return walkthrough.preview.getFunction("preview").staticCall(encodeMode(QUICK), ...ranks, moves);
    };
    const refused = (sent: Promise<unknown>, error: string, index: number) =>
      expect(sent).to.be.revertedWithCustomError(walkthrough.preview, error).withArgs(index);
    await preview(STUCK, STUCK);
    await refused(preview(STUCK), "HalfATurn", 0);
    await refused(preview(STUCK, STUCK, STUCK, STUCK), "GameIsOver", 2);
  });

  it("has the same board turn by turn in a committed and a casual game with the same moves", async () => {
    const random = new Random("same moves");
    let compared = 0;
    for (let n = 0; n < 12; n++) {
      const board = { ...[QUICK, SKIRMISH][n % 2], ...SWITCHES[n % 4] };
      const moves: Record<string, Move> = {};
      const key = ({ turn }: Position, side: number) => `${turn} ${side}`;
      const choose = fierce(random);
      const committed = EngineDriver.of(
        board,
        random,
        (legal, p, side) => (moves[key(p, side)] = choose(legal, p, side)),
      );
      const again = { ...walkthrough.place(), rated: false, mode: { ...board, casual: true, alwaysHidden: false } };
      const { setups } = committed.start().play();
      const casual = new EngineDriver({ ...committed.match, ...again }, setups, random, (legal, p, side) => {
        return moves[key(p, side)] ?? legal[0];
      });
      await walkthrough.register(again.mode);
      await walkthrough.expectAlike(casual.match, triedIn(casual.start().play()));
      const [hidden, open] = [boardsOf(committed), boardsOf(casual)];
      for (const [turn, board] of hidden) {
        if (!open.has(turn)) continue;
        expect(open.get(turn), `game ${n}, turn ${turn}`).to.deep.equal(board);
        compared++;
      }
    }
    expect(compared).to.be.greaterThan(300);
  });

  // This test must be last, because its fixture reverts the chain to before the walkthrough.
  it("has the same positions, turns and result in the arena as in the SDK's engine", async () => {
    const world = await loadFixture(deployed);
    const { arena, alice, bob } = world;
    const game = await ethers.deployContract("Warmancer", [arena]);
    const random = new Random("arena");
    for (const switches of SWITCHES) {
      const mode = { ...QUICK, ...switches, maxTurns: 10 };
      await game.getFunction("registerMode")(encodeMode(mode));
      const changes = { game: await game.getAddress(), mode: ethers.keccak256(encodeMode(mode)), rated: !mode.casual };
      const terms = await termsFor(world, changes);
      const matchId = (await arena.matchCount()) + 1n;
      const place = { matchId, game: terms.game, players: [alice.address, bob.address] } as const;
      for (const [i, { seat, data, outcome }] of played(mode, random, place).sent.entries()) {
        const by = arena.connect(seat === Seat.One ? alice : bob);
        if (i === 0) await receiptOf(by.create(terms, bob, (await time.latest()) + 3600, data));
        else if (i === 1) await receiptOf(by.join(matchId, await offerHashOf(arena, matchId), data));
        else await receiptOf(by.act(matchId, data));
        const { turn, status } = await arena.matchOf(matchId);
        const { step, state } = outcome;
        deepStrictEqual(await arena.positionOf(matchId), stateHashIn(state), `action ${i}`);
        deepStrictEqual(turn, i === 0 ? Seat.None : step.turn);
        if (i > 0 && turn === Seat.None)
          deepStrictEqual(status, [Status.Draw, Status.P1Win, Status.P2Win][Number(step.winner)]);
      }
    }
  });
});

function refusalOf(check: () => unknown): Refused | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof ContractError) return refusedBy(error);
    throw error;
  }
}

/** Returns a random move, usually in a line, and usually of a pawn of the side in turn. */
function anyMove({ position, side }: EngineDriver, random: Random): Move {
  const from = random.below(8) === 0 ? random.below(256) : random.pick([...position.sides[side].tiles]);
  const to = random.below(256);
  const bend = random.below(4);
  return moveOf(from, bend === 0 ? to : bend % 2 === 0 ? (from & 15) | (to & 240) : (from & 240) | (to & 15));
}

/** Returns living pawns and their tiles at the start of each turn, without turns that end within one action. */
function boardsOf({ sent }: EngineDriver): Map<number, unknown> {
  const boards = new Map<number, unknown>();
  for (const { outcome } of sent.slice(1)) {
    const { turn, phase, sides } = outcome.state.position!;
    if (outcome.step.turn !== Seat.None && phase < Phase.Won)
      boards.set(
        turn,
        sides.map(({ alive, tiles }) => [[...alive], [...tiles]]),
      );
  }
  return boards;
}
