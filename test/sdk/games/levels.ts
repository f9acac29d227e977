import { expect } from "chai";
import { Random } from "../../../scripts/soak/random.js";
import { stockGame } from "../../../sdk/games/index.js";
import { hasLevels, strategyAt, type Level } from "../../../sdk/games/levels.js";
import { chooseIn, Practice } from "../../../sdk/player/practice.js";
import { otherSeat } from "../../../sdk/protocol/sides.js";
import { Seat, Status } from "../../../sdk/protocol/status.js";

/** Plays matches of two levels in alternating seats. @returns the points of the first: 1 for a win, 1/2 for a draw */
async function pointsOf(levels: readonly [Level, Level], name: string, mode: string, matches: number): Promise<number> {
  let points = 0;
  for (let n = 0; n < matches; n++) {
    const status = await new Random(`${name} ${levels.join(" ")} ${n}`).instead(() => statusOf(levels, name, mode, n));
    const won = n % 2 === 0 ? Status.P1Win : Status.P2Win;
    points += status === Status.Draw ? 1 / 2 : Number(status === won);
  }
  return points;
}

async function statusOf([one, other]: readonly [Level, Level], name: string, mode: string, n: number): Promise<bigint> {
  const game = stockGame(name);
  const seat = n % 2 === 0 ? Seat.One : Seat.Two;
  const practice = await Practice.start(game, { mode: game.modes[mode].content, seat: otherSeat(seat) });
  for (let turn = await practice.turn(); turn; turn = await practice.turn()) {
    await practice.play(await chooseIn(practice, turn.seat === seat ? one : other));
  }
  return (await practice.record()).settlement!.status;
}

describe("The computer opponent", () => {
  for (const [name, mode, matches, part] of [
    ["tic-tac-toe", "default", 40, 0.8],
    ["warmancer", "skirmish", 20, 0.75],
    ["mini-games", "undercut", 60, 0.6],
  ] as const) {
    it(`at hard, wins at least ${100 * part} % of the points of ${name} against easy`, async () => {
      expect(await pointsOf(["hard", "easy"], name, mode, matches)).to.be.at.least(part * matches);
    });
  }

  it("at the usual level, is weaker than at hard and stronger than at easy", async () => {
    expect(await pointsOf(["hard", "usual"], "tic-tac-toe", "default", 40)).to.be.at.least(24);
    expect(await pointsOf(["usual", "easy"], "tic-tac-toe", "default", 40)).to.be.at.least(24);
  });

  it("at hard, plays the full strategy of the game", async () => {
    const { bot, moves } = stockGame("tic-tac-toe");
    const suggest = async () => expect.fail("any move");
    const choose = strategyAt("hard", { bot: { ...bot!, strategy: async () => 4 }, moves: { ...moves, suggest } });
    for (let n = 0; n < 20; n++) expect(await choose({} as never, {} as never)).to.equal(4);
  });

  it("has no levels in games of luck, and in games without a bot", () => {
    const game = stockGame("mini-games");
    const modes = Object.entries(game.modes).filter(([, { content }]) => hasLevels(game, content));
    expect(modes.map(([name]) => name)).to.have.members(
      ["dice", "strategy", "undercut"].flatMap((kind) => [kind, `${kind}-challenger`]),
    );
    const ticTacToe = stockGame("tic-tac-toe");
    expect([hasLevels(ticTacToe, "0x"), hasLevels({ ...ticTacToe, bot: undefined }, "0x")]).to.deep.equal([
      true,
      false,
    ]);
  });
});
