import { concat, ZeroAddress } from "ethers";
import type { Terms } from "../../sdk/protocol/terms.js";
import { TicTacToe__factory } from "../../typechain-types/index.js";
import { byte } from "../../sdk/laws/bytes.js";
import { billed } from "./bill.js";
import { DAY, type Player } from "./chain.js";
import { hashFor, termsFor } from "./match.js";
import type { Costs, World } from "./world.js";

/** X wins with its third mark: no game is shorter. */
const SHORTEST = [0, 3, 1, 4, 2];
/** A draw with all nine marks: no game is longer. */
const LONGEST = [0, 2, 1, 3, 5, 4, 6, 8, 7];
const TIES_FOR_PLAYER_1 = "0x00";

/** Measures whole games, which are rated, for 10 against 10 FIGHT and with stored terms, and then modes. */
export async function ticTacToe(world: World): Promise<Costs> {
  const { alice, bob, carol, dave, gasOf, deployer } = world;
  const game = await new TicTacToe__factory(deployer).deploy(world.arena);
  const terms = await termsFor(world, { game: await game.getAddress() });
  await world.stranger.arena.create(terms, ZeroAddress, 0, "0x00");
  await play(world, [alice, bob], terms, SHORTEST);
  const ready = await world.takeSnapshot();
  const costs: Costs = {};
  for (const [length, cells] of [
    ["nine marks, a draw", LONGEST],
    ["five marks", SHORTEST],
  ] as const) {
    for (const [kind, players] of [
      ["first-time players", [carol, dave]],
      ["returning players", [alice, bob]],
    ] as const) {
      await ready.restore();
      const from = world.sent.length;
      costs[`whole game of tic-tac-toe, ${length}: ${kind}`] = await play(world, players, terms, cells);
      if (cells === LONGEST && players[0] === alice)
        Object.assign(costs, await billed(world, "a game of tic-tac-toe with nine marks", from));
    }
  }
  for (const kind of ["a new one", "a known one"]) {
    costs[`register a mode of tic-tac-toe: ${kind}`] = await gasOf(game.registerMode(TIES_FOR_PLAYER_1));
  }
  return costs;
}

/** The gas of a whole game. */
async function play(world: World, players: readonly [Player, Player], terms: Terms, cells: readonly number[]) {
  const [challenger, opponent] = players;
  const { arena } = challenger;
  const matchId = (await world.arena.matchCount()) + 1n;
  const firmUntil = (await world.now()) + DAY;
  let gas = await world.gasOf(arena.create(terms, opponent.address, firmUntil, byte(cells[0])));
  const hash = hashFor(terms, challenger, byte(cells[0]));
  gas += await world.gasOf(opponent.arena.join(matchId, hash, concat(cells.slice(0, 2).map(byte))));
  for (let mark = 3; mark <= cells.length; mark++) {
    const sent = players[(mark + 1) % 2].arena.act(matchId, concat([byte(mark), byte(cells[mark - 1])]));
    gas += await world.gasOf(sent);
  }
  return gas;
}
