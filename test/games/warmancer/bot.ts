import { expect } from "chai";
import { id } from "ethers";
import { duel, playSeries, type Score } from "../../../scripts/bench-opponents.js";
import { SeededRandom } from "../../../sdk/bots/seeded-random.js";
import { priceOf } from "../../../sdk/games/warmancer/army.js";
import { CLASSIC, decodeMode, QUICK, SKIRMISH, type Mode } from "../../../sdk/games/warmancer/mode.js";
import { legalMoves, moveOf, NONE, STUCK, type Move } from "../../../sdk/games/warmancer/legal-moves.js";
import type { WarmancerMove } from "../../../sdk/games/warmancer/moves.js";
import { moveText, readMove, readSetup } from "../../../sdk/games/warmancer/notation.js";
import { startPosition } from "../../../sdk/games/warmancer/position.js";
import { tileOf } from "../../../sdk/games/warmancer/tiles.js";
import { warmancer } from "../../../sdk/games/warmancer/index.js";
import { NO_STATE } from "../../../sdk/protocol/commit-reveal.js";
import { Seat } from "../../../sdk/protocol/status.js";
import type { Chooser } from "../../../sdk/games/assessment.js";
import { QuickSource } from "../../../sdk/bots/source.js";
import { greedyWarmancer } from "../../../sdk/games/warmancer/bot/greedy.js";
import { PurposefulWarmancer } from "../../../sdk/games/warmancer/bot/purposeful.js";
import { suggestSetup } from "../../../sdk/games/warmancer/bot/setup.js";
import { Search, type Sample } from "../../../sdk/games/warmancer/bot/search.js";
import { randomWarmancer, type WarmancerStrategy, type WarmancerView } from "../../../sdk/games/warmancer/bot/view.js";
import { warmancerChooser } from "../../../sdk/games/warmancer/strategy.js";
import { Random } from "../../../sdk/laws/random.js";
import { anyBoard, SWITCHES } from "../../support/warmancer/boards.js";
import { Table } from "../../support/warmancer/table.js";

/** A computer player like the shipped one, but with less search. */
const hasty = new PurposefulWarmancer(40);
const chance = (seed: string) => new SeededRandom(id(seed));

/** Wraps a strategy so that `see` gets every view from which it chooses. */
function watched(strategy: WarmancerStrategy, see: (view: WarmancerView) => void): WarmancerStrategy {
  return {
    choose(view, source) {
      see(view);
      return strategy.choose(view, source);
    },
  };
}

/** A row of six tiles with two pawns at each end: a Scout behind its own Throne cannot move. */
const LANE: Mode = {
  ...QUICK,
  ...{ passable: 0b111111n, setup1: 0b11n, setup2: 0b110000n },
  army: [1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0],
};

const NO_SCOUTS = [1, 1, 0, 2, 2, 1, 1, 0, 1, 1, 1, 1];

const GAMES = 34;

describe("Warmancer: computer player", () => {
  const shipped = new PurposefulWarmancer();

  for (const [name, rival, percent] of [
    ["random", randomWarmancer, 97],
    ["greedy", greedyWarmancer, 65],
  ] as const)
    it(`wins at least ${percent} % of its games of Skirmish against a ${name} player`, () => {
      const wanted = Math.ceil((percent / 100) * GAMES);
      const isDecided = ({ won, drawn, lost }: Score) => won >= wanted || drawn + lost > GAMES - wanted;
      expect(playSeries(SKIRMISH, shipped, rival, GAMES, name, isDecided).won).to.be.at.least(wanted);
    });

  it("ends a Classic game before the turns run out", () => {
    const { turns, winner } = duel(CLASSIC, [shipped, shipped], chance("Classic"));
    expect(turns).to.be.lessThan(CLASSIC.maxTurns);
    expect(winner).to.be.greaterThan(0);
  });

  it("finds the same move for the same view and random numbers, and leaves the view unchanged", () => {
    const views: WarmancerView[] = [];
    const seen = watched(hasty, (view) => views.push(view));
    duel(SKIRMISH, [seen, seen], chance("views"));
    const moves = new Set<number>();
    for (const view of views) {
      const before = structuredClone(view);
      const [one, two, other] = ["a", "a", "b"].map((seed) => shipped.choose(view, chance(seed)));
      expect(one).to.equal(two);
      expect(view).to.deep.equal(before);
      if (one !== other) moves.add(one);
    }
    expect(moves.size).to.be.greaterThan(1);
  });

  it("predicts the known reply in a casual turn, no reply in a sequential turn, and a legal reply in any other turn", () => {
    const samplesIn = (switches: Partial<Mode>, moves: [Move, Move]): Sample[] => {
      const mode = { ...SKIRMISH, ...switches };
      const position = startPosition(mode, { roots: [NO_STATE, NO_STATE] });
      const own = Uint8Array.from(suggestSetup(mode, 0, chance("own")), (rank) => rank + 1);
      const view = { mode, board: { ...position, moves }, side: 0, known: [own, new Uint8Array(own.length)] as const };
      return new Search(view, new QuickSource(chance("quick"))).samples(40);
    };
    const repliesOf = (samples: Sample[]) => [...new Set(samples.map(({ reply }) => reply))];
    const a5a4 = moveOf(64, 48);
    expect(repliesOf(samplesIn({ sequential: true }, [NONE, NONE]))).to.deep.equal([NONE]);
    expect(repliesOf(samplesIn({ casual: true }, [NONE, a5a4]))).to.deep.equal([a5a4]);
    const committed = samplesIn({}, [NONE, NONE]);
    expect(repliesOf(committed).length).to.be.greaterThan(3);
    const board = startPosition(SKIRMISH, { roots: [NO_STATE, NO_STATE] });
    for (const { reply, world } of committed) expect(legalMoves(board, 1, world[1])).to.include(reply);
  });
});

describe("Warmancer: moves of the computer player", () => {
  const chooser = (seed: string) => warmancerChooser(hasty, chance(seed));
  const scripted =
    (setup: string): Chooser<WarmancerMove> =>
    async () =>
      readSetup([setup]);

  // Longer games test nothing that shorter ones do not.
  for (const [name, { content }] of Object.entries(warmancer.modes))
    it(`play a match to its end, at turn 40 at the latest: ${name}`, async () => {
      const mode = decodeMode(content);
      const table = new Table({ ...mode, maxTurns: Math.min(mode.maxTurns, 40) });
      await table.play([chooser("one"), chooser("two")]);
      expect(await table.turn()).to.equal(Seat.None);
    });

  it("end matches with any option, with bought and fixed armies, and on boards of any shape", async () => {
    const random = new Random("any board");
    const ends = new Set<bigint>();
    for (const switches of SWITCHES)
      for (const bought of [true, false]) {
        const any = anyBoard(random, { ...switches, maxTurns: 40 }, bought);
        for (const mode of [any, { ...SKIRMISH, ...switches, budget: bought ? priceOf(SKIRMISH.army) + 7 : 0 }])
          ends.add(await new Table(mode).play([chooser(random.word()), chooser(random.word())]));
      }
    expect([...ends].sort()).to.deep.equal([0n, 1n, 2n]);
  });

  it("do not depend on the hidden ranks", async () => {
    const said = await Promise.all(
      ["GEEKWH/TXCLAG", "GXEETL/AWCHGK"].map(async (setup) => {
        const table = new Table({ ...SKIRMISH, army: NO_SCOUTS });
        const own = chooser("the same");
        await table.begin([own, scripted(setup)]);
        const all: WarmancerMove[] = [];
        for (;;) {
          const seat = await table.turn();
          const { board } = (await table.player(seat)).foresee();
          // After the first battle, the public facts of the two matches differ.
          if (board === undefined || board.sides.some(({ ranks }) => ranks.some(Boolean))) return all;
          const grunt = board.sides[1].tiles[0];
          const march = readMove(grunt === tileOf("a5") ? "a5-a4" : "a4-a5");
          const next = seat === Seat.One ? await table.chosen(seat, own) : [march];
          if (seat === Seat.One) all.push(next!);
          await table.act(seat, next);
        }
      }),
    );
    expect(said[0].length).to.be.greaterThan(2);
    expect(said[0]).to.deep.equal(said[1]);
  });

  it("are as many as required: two for the second mover in a casual match", async () => {
    const table = new Table({ ...SKIRMISH, casual: true });
    await table.begin([chooser("one"), chooser("two")]);
    const counts: number[] = [];
    for (const seat of [Seat.One, Seat.Two, Seat.One]) {
      const chosen = await table.chosen(seat, chooser("any"));
      counts.push(chosen!.length);
      await table.act(seat, chosen);
    }
    expect(counts).to.deep.equal([1, 2, 2]);
  });

  it("claim Stuck if no pawn can move, and answer Stuck with any legal move", async () => {
    const table = new Table(LANE);
    await table.begin([scripted("ST"), chooser("two")]);
    const chosen: (WarmancerMove | undefined)[] = [];
    for (const seat of [Seat.One, Seat.Two]) {
      chosen.push(await table.chosen(seat, chooser("any")));
      await table.act(seat, chosen.at(-1));
    }
    expect(chosen[0]).to.deep.equal([STUCK]);
    expect(moveText(chosen[1]![0] as Move)).to.match(/^e1-[bcd]1$/);
    expect((await table.past()).state.winner).to.equal(Seat.Two);
  });

  it("are an empty list if no move is required", async () => {
    const moves: (WarmancerMove | undefined)[] = [];
    const noted: Chooser<WarmancerMove> = async (turn, secretStore) => {
      moves.push(await chooser("any")(turn, secretStore));
      return moves.at(-1);
    };
    await new Table(QUICK).play([noted, noted]);
    expect(moves.at(-1)).to.equal(undefined);
  });
});
