import { deepStrictEqual } from "node:assert/strict";
import { expect } from "chai";
import { id } from "ethers";
import { Chance } from "../sdk/edges.js";
import { gameAtRandom } from "../sdk/games/warmancer/chance.js";
import { CLASSIC, encodeMode, QUICK, SKIRMISH, type Mode } from "../sdk/games/warmancer/mode.js";
import type { Move } from "../sdk/games/warmancer/moves.js";
import { Phase, type Position } from "../sdk/games/warmancer/position.js";
import { wordOfState } from "../sdk/games/warmancer/protocol.js";
import { simulateWarmancer } from "../sdk/games/warmancer/simulate.js";
import { Random } from "./laws/random.js";
import { deployed, ethers, loadFixture, receiptOf, Seat, Status, termsFor, termsHash, time } from "./support.js";
import { Campaign, fierce } from "./warmancer-support.js";
import { anyBoard, biggestBoard, SWITCHES } from "./warmancer/boards.js";
import { Walkthrough, triedIn } from "./warmancer/walkthrough.js";

const KINDS = ["sealed", "always hidden", "sequential", "sequential, hidden", "casual", "casual, sequential"];
/** On stock boards, of which big ones are cut short. */
const STOCK: [board: Mode, games: number][] = [
  [QUICK, 4],
  [{ ...QUICK, budget: 25 }, 2],
  [SKIRMISH, 2],
  [{ ...SKIRMISH, budget: 80, maxTurns: 30 }, 1],
  [{ ...CLASSIC, maxTurns: 16 }, 1],
];
const CUSTOM_GAMES = 8;
const LIBRARY_TURNS = 5000;

/** A match whose players attack when they can; their setups ride where they may in every other. */
function played(mode: Mode, random: Random, place?: Parameters<typeof Campaign.of>[3]): Campaign {
  const campaign = Campaign.of(mode, random, fierce(random), place);
  campaign.rides = random.below(2) === 0;
  return campaign.start().play();
}

describe("Warmancer's engines say the same", () => {
  let walkthrough: Walkthrough;

  before(async () => {
    walkthrough = await Walkthrough.open();
  });

  for (const [kind, switches] of SWITCHES.entries()) {
    it(`word for word, step for step, log for log: stock boards, ${KINDS[kind]}`, async () => {
      const random = new Random(`stock ${kind}`);
      for (const [board, games] of STOCK) {
        const mode = { ...board, ...switches };
        await walkthrough.register(mode);
        for (let n = 0; n < games; n++) {
          const campaign = played(mode, random, walkthrough.place());
          await walkthrough.expectAlike(campaign.match, triedIn(campaign));
        }
      }
    });

    it(`word for word, step for step, log for log: boards of all shapes, ${KINDS[kind]}`, async () => {
      const random = new Random(`shapes ${kind}`);
      const biggest = biggestBoard({ ...switches, maxTurns: 4 });
      const any = () => anyBoard(random, { ...switches, maxTurns: 1 + random.below(25) }, random.below(2) === 0);
      for (const mode of [biggest, ...Array.from({ length: CUSTOM_GAMES }, any)]) {
        await walkthrough.register(mode);
        const campaign = played(mode, random, walkthrough.place());
        await walkthrough.expectAlike(campaign.match, triedIn(campaign));
      }
    });
  }

  it("of games without a match, 5,000 turns", async () => {
    const random = new Random("library");
    let turns = 0;
    for (let n = 0; turns < LIBRARY_TURNS; n++) {
      const switches = { ...SWITCHES[n % 4], maxTurns: 60 };
      const board = n % 3 === 0 ? anyBoard(random, switches, false) : [QUICK, SKIRMISH, CLASSIC][(n % 7) % 3];
      const input = gameAtRandom(encodeMode({ ...board, ...switches }), new Chance(id(`game ${n}`)));
      const twin = await simulateWarmancer(input);
      deepStrictEqual(await simulateWarmancer(input, walkthrough.game), twin, `game ${n}`);
      turns += twin.turns;
    }
  });

  it("of a sealed and a casual game with the same moves, on the same board turn by turn", async () => {
    const random = new Random("same moves");
    let compared = 0;
    for (let n = 0; n < 12; n++) {
      const board = { ...[QUICK, SKIRMISH][n % 2], ...SWITCHES[n % 4] };
      const moves: Record<string, Move> = {};
      const key = ({ turn }: Position, side: number) => `${turn} ${side}`;
      const choose = fierce(random);
      const sealed = Campaign.of(board, random, (legal, p, side) => (moves[key(p, side)] = choose(legal, p, side)));
      const again = { ...walkthrough.place(), rated: false, mode: { ...board, casual: true, alwaysHidden: false } };
      const { setups } = sealed.start().play();
      const casual = new Campaign({ ...sealed.match, ...again }, setups, random, (legal, p, side) => {
        return moves[key(p, side)] ?? legal[0];
      });
      await walkthrough.register(again.mode);
      await walkthrough.expectAlike(casual.match, triedIn(casual.start().play()));
      const [hidden, open] = [boardsOf(sealed), boardsOf(casual)];
      for (const [turn, board] of hidden) {
        if (!open.has(turn)) continue;
        expect(open.get(turn), `game ${n}, turn ${turn}`).to.deep.equal(board);
        compared++;
      }
    }
    expect(compared).to.be.greaterThan(300);
  });

  // Last: its fixture takes the chain back to before the walkthrough.
  it("through the arena, whose turn and end are the game's", async () => {
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
        else if (i === 1) await receiptOf(by.join(matchId, termsHash(terms), data));
        else await receiptOf(by.act(matchId, data));
        const { turn, status } = await arena.matchOf(matchId);
        const { step, state } = outcome;
        deepStrictEqual(await game.getFunction("wordOf")(matchId), wordOfState(state), `action ${i}`);
        deepStrictEqual(turn, i === 0 ? Seat.None : step.turn);
        if (i > 0 && turn === Seat.None)
          deepStrictEqual(status, [Status.Draw, Status.P1Win, Status.P2Win][Number(step.winner)]);
      }
    }
  });
});

/** Who lives and stands where when a turn begins, by its number; one that is over within an action is left out. */
function boardsOf({ sent }: Campaign): Map<number, unknown> {
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
