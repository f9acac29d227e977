import { expect } from "chai";
import { perfectPlayers } from "../../../sdk/games/tic-tac-toe/bot.js";
import { chanceOf, everyWay } from "../../support/bots.js";

const LINES = ["012", "345", "678", "036", "147", "258", "048", "246"].map((line) => Array.from(line, Number));
const CELLS = [0, 1, 2, 3, 4, 5, 6, 7, 8];

/** Returns the winner by the rules: 1, 2, or 0 for nobody; undefined if the game is not over. */
function winnerOf(cells: readonly number[], ties: number): number | undefined {
  for (const side of [0, 1]) {
    const own = cells.filter((_, i) => i % 2 === side);
    if (LINES.some((line) => line.every((cell) => own.includes(cell)))) return side + 1;
  }
  if (cells.length < 9) return undefined;
  return ties === 0 ? 1 : 0;
}

const free = (cells: readonly number[]) => CELLS.filter((cell) => !cells.includes(cell));

/** Values of positions for a seat if both play perfectly: 1 for a win, 0 for a draw, -1 for a loss. */
class Book {
  private readonly known = new Map<string, number>();

  constructor(readonly ties: number) {}

  valueOf(cells: readonly number[], seat: number): number {
    const winner = winnerOf(cells, this.ties);
    if (winner !== undefined) return winner === 0 ? 0 : winner === seat ? 1 : -1;
    const key = [cells.filter((_, i) => i % 2 === 0).toSorted(), cells.filter((_, i) => i % 2 === 1).toSorted()].join(
      "/",
    );
    const known = this.known.get(`${seat} ${key}`);
    if (known !== undefined) return known;
    const values = free(cells).map((cell) => this.valueOf([...cells, cell], seat));
    const value = cells.length % 2 === seat - 1 ? Math.max(...values) : Math.min(...values);
    this.known.set(`${seat} ${key}`, value);
    return value;
  }
}

/** Returns the cells that the strategy can choose in a position, over all random choices. */
function choicesIn(cells: readonly number[], ties: number): number[] {
  return everyWay((source) => perfectPlayers[ties].choose(cells, source));
}

/** Plays all games of a seat: every choice of the strategy against every reply. */
function playAll(ties: number, seat: number) {
  const book = new Book(ties);
  const ends: Record<number, number> = { [-1]: 0, 0: 0, 1: 0 };
  const seen = { errors: 0, unpunished: 0, illegal: 0, lapses: 0 };
  const walk = (cells: readonly number[], hadChance: boolean) => {
    const before = book.valueOf(cells, seat);
    if (winnerOf(cells, ties) !== undefined) {
      ends[before]++;
      if (hadChance && before < 1) seen.unpunished++;
      return;
    }
    if (cells.length % 2 === seat - 1) {
      for (const cell of choicesIn(cells, ties)) {
        if (!free(cells).includes(cell)) seen.illegal++;
        else if (book.valueOf([...cells, cell], seat) < before) seen.lapses++;
        else walk([...cells, cell], hadChance);
      }
      return;
    }
    for (const cell of free(cells)) {
      const isError = book.valueOf([...cells, cell], seat) > before;
      if (isError) seen.errors++;
      walk([...cells, cell], hadChance || book.valueOf([...cells, cell], seat) === 1);
    }
  };
  walk([], false);
  return { ends, ...seen };
}

describe("Tic-tac-toe: strategy", () => {
  for (const [ties, rule] of [
    [1, "draws"],
    [0, "X's"],
  ] as const) {
    for (const seat of [1, 2]) {
      it(`never loses a drawn position, and wins every won position: player ${seat}, ties are ${rule}`, () => {
        const { ends, errors, unpunished, illegal, lapses } = playAll(ties, seat);
        expect([illegal, lapses, unpunished]).to.deep.equal([0, 0, 0]);
        if (ties === 0 && seat === 2) {
          // X wins whenever it plays perfectly, but an X that errs against the strategy loses.
          expect(ends[-1]).to.be.above(0);
          expect([errors > 0, ends[1] > 0]).to.deep.equal([true, true]);
        } else {
          expect(ends[-1]).to.equal(0);
          expect(ends[1]).to.be.above(0);
          expect(ends[0] > 0).to.equal(ties === 1);
        }
      });
    }
  }

  it("beats a player who marks at random in nine of ten games", () => {
    let [won, games] = [0, 0];
    const random = chanceOf("marks anything");
    for (; games < 400; games++) {
      const cells: number[] = [];
      const seat = 1 + (games % 2);
      while (winnerOf(cells, 1) === undefined) {
        const left = free(cells);
        const isOwn = cells.length % 2 === seat - 1;
        cells.push(isOwn ? perfectPlayers[1].choose(cells, random) : left[random.below(left.length)]);
      }
      if (winnerOf(cells, 1) === seat) won++;
    }
    expect(won / games).to.be.above(0.9);
  });

  it("plays for a draw, or for a fork if X wins draws", () => {
    // X is in two opposite corners, O in the middle. O can still draw by marking a side.
    expect(choicesIn([0, 4, 8], 1)).to.deep.equal([1, 3, 5, 7]);
    expect(choicesIn([0, 4, 8], 0)).to.deep.equal([2, 6]);
  });

  it("wins immediately if it can", () => {
    expect(choicesIn([0, 3, 1, 4], 1)).to.deep.equal([2]);
    expect(choicesIn([0, 3, 8, 4, 1], 1)).to.deep.equal([5]);
  });

  it("marks the same cell for the same position and random numbers", () => {
    const marks = (random = chanceOf("again")) =>
      [[], [4], [0, 4], [0, 4, 8]].map((cells) => perfectPlayers[1].choose(cells, random));
    expect(marks()).to.deep.equal(marks());
  });

  it("has no cell to mark when the game is over", () => {
    expect(() => perfectPlayers[1].choose([0, 3, 1, 4, 2], chanceOf("over"))).to.throw(RangeError);
  });
});
