import { expect } from "chai";
import { concat, toBeHex, type Contract } from "ethers";
import { play } from "../../../sdk/games/tic-tac-toe/engine.js";
import { deployed, ethers, loadFixture, Seat, Status, termsFor, time, UNIT, offerHashOf } from "../../support/index.js";
import { expectSettled } from "../../support/matches.js";
import { expectRefused } from "../../support/refusals.js";
import { byte } from "../../../sdk/laws/bytes.js";
import { hexWord } from "../../../sdk/protocol/word.js";

const PLAYER1_TIES = ethers.keccak256("0x00");
/** Marks of a full board without a row: X X O, O O X, X X O. */
const DRAWN = [0, 2, 1, 3, 5, 4, 6, 8, 7];
const STAKE = 10n * UNIT;

/** Deploys everything that a match needs, with the game and its mode in which player 1 wins ties. */
async function withGame() {
  const world = await deployed();
  const game = (await ethers.deployContract("TicTacToe", [world.arena])) as unknown as Contract;
  await game.getFunction("registerMode")("0x00");
  return { ...world, game };
}

type Table = Awaited<ReturnType<typeof withGame>>;

/** Starts a match of alice against bob, and sends these marks. */
async function begun(world: Table, cells: readonly number[], mode = ethers.ZeroHash) {
  const { arena, alice, bob } = world;
  const terms = await termsFor(world, { game: await world.game.getAddress(), mode, rated: false });
  await arena.connect(alice).create(terms, bob, (await time.latest()) + 3600, toBeHex(cells[0], 1));
  const id = await arena.matchCount();
  const played = { id, hash: await offerHashOf(arena, id), terms };
  if (cells.length > 1) await arena.connect(bob).join(played.id, played.hash, concat(cells.slice(0, 2).map(byte)));
  for (let i = 2; i < cells.length; i++) await act(world, played.id, i + 1, cells[i]);
  return played;
}

function act({ arena, alice, bob }: Table, id: bigint, number: number, cell: number) {
  return arena.connect(number % 2 === 1 ? alice : bob).act(id, concat([byte(number), byte(cell)]));
}

describe("Tic-tac-toe: matches", () => {
  let world: Table;
  beforeEach(async () => (world = await loadFixture(withGame)));

  it("pays and reports the winner of three in a row, for either player", async () => {
    for (const [cells, status, paid] of [
      [[0, 3, 1, 4, 2], Status.P1Win, [16n * UNIT, 0n, 4n * UNIT]],
      [[0, 2, 1, 4, 8, 6], Status.P2Win, [0n, 16n * UNIT, 4n * UNIT]],
    ] as const) {
      const match = await begun(world, cells.slice(0, -1));
      await expectSettled(world, match, () => act(world, match.id, cells.length, cells.at(-1)!), status, [...paid]);
    }
  });

  it("returns the stakes for a full board, or pays player 1 in the mode in which it wins ties", async () => {
    for (const [mode, status, paid] of [
      [ethers.ZeroHash, Status.Draw, [STAKE, STAKE, 0n]],
      [PLAYER1_TIES, Status.P1Win, [16n * UNIT, 0n, 4n * UNIT]],
    ] as const) {
      const match = await begun(world, DRAWN.slice(0, -1), mode);
      await expectSettled(world, match, () => act(world, match.id, 9, DRAWN[8]), status, [...paid]);
    }
  });

  it("logs an entry per mark, with the number of the mark as the round, and stores the position", async () => {
    const cells = [4, 0, 2];
    await begun(world, cells);
    const logs = await world.game.queryFilter(world.game.filters.Log(1));
    const written = logs.map((log) => ("args" in log ? [log.args.round, ...log.args.logEntries] : []));
    expect(written).to.deep.equal(play(cells, 1).map((entry, i) => [BigInt(i + 1), entry]));
    expect(await world.arena.positionOf(1)).to.equal(hexWord(0b10100n | (1n << 9n)));
  });

  it("refuses to create a match in an unknown mode, then one without exactly one cell on the board", async () => {
    const { arena, alice, bob, game } = world;
    const create = async (data: string, mode = ethers.ZeroHash) => {
      const terms = await termsFor(world, { game: await game.getAddress(), mode, rated: false });
      const firmUntil = (await time.latest()) + 3600;
      return () => arena.connect(alice).create(terms, bob, firmUntil, data);
    };
    const unknown = ethers.id("unknown");
    await expectRefused(world, await create("0x", unknown), `UnknownMode(${unknown})`);
    await expectRefused(world, await create("0x"), "WrongLength(0, 1, 1)");
    await expectRefused(world, await create("0x0102"), "WrongLength(2, 1, 1)");
    await expectRefused(world, await create("0x09"), "UnknownCell(9)");
  });

  it("refuses a mark on a taken cell, off the board, or for another position, and then accepts a legal mark", async () => {
    const { arena, bob } = world;
    const match = await begun(world, [4]);
    const join = (data: string) => () => arena.connect(bob).join(match.id, match.hash, data);
    await expectRefused(world, join("0x0400ff"), "WrongLength(3, 2, 2)");
    await expectRefused(world, join("0x0404"), "OccupiedCell(4, 16)");
    await expectRefused(world, join("0x0409"), "UnknownCell(9)");
    await expectRefused(world, join("0x0500"), "NotTheFirstCell(1, 5, 16)");
    await expectRefused(world, join("0xff00"), "NotTheFirstCell(1, 255, 16)");
    await join("0x0400")();
    await expectRefused(world, () => act(world, 1n, 3, 4), "OccupiedCell(4, 528)");
    await expectRefused(world, () => act(world, 1n, 3, 0), "OccupiedCell(0, 528)");
    await expectRefused(world, () => act(world, 1n, 3, 255), "UnknownCell(255)");
    await expectRefused(world, () => arena.connect(world.alice).act(1, "0x0401"), "NotTheNextMark(1, 4, 3)");
    await expectRefused(world, () => arena.connect(world.alice).act(1, "0x03"), "WrongLength(1, 2, 2)");
    await act(world, 1n, 3, 1);
    expect((await arena.matchOf(1)).turn).to.equal(Seat.Two);
    await act(world, 1n, 4, 2);
    await expectRefused(world, () => act(world, 1n, 3, 5), "NotTheNextMark(1, 3, 5)");
  });
});
