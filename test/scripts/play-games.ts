import { expect } from "chai";
import { games, modeHash } from "../../sdk/games/index.js";
import { History } from "../../sdk/history.js";
import { Seat, Status } from "../../sdk/status.js";
import { startWorld, type PlayWorld } from "./play-support.js";

/** Accounts that have not fought in the tour. */
const PLAYERS = [4, 5];

describe("npm run play, of every game", function () {
  this.timeout(120_000);
  let world: PlayWorld;

  before(async () => {
    world = await startWorld();
  });
  after(() => world.close());

  for (const game of games) {
    it(`plays a whole match from two terminals and replays it: ${game.name}`, async () => {
      const { arena, provider, addresses } = world;
      const signers = await Promise.all(PLAYERS.map((account) => provider.getSigner(account)));
      const [alice, bob] = await Promise.all(PLAYERS.map((account) => world.terminal(["--account", String(account)])));
      const history = new History(provider, addresses);
      const [{ content }] = Object.values(game.modes);
      const suggest = async (seat: bigint, matchId?: bigint) => {
        const record = matchId === undefined ? undefined : await history.match(matchId);
        const player = signers[Number(seat) - 1].address;
        return game.moves.suggest({ seat, player, mode: modeHash(content), record, history });
      };
      const created = await alice.end(
        "create",
        game.name,
        ...(await suggest(Seat.One)),
        "--opponent",
        signers[1].address,
        "--json",
      );
      expect(created.code, created.stderr).to.equal(0);
      const { matchId: id } = JSON.parse(created.stdout) as { matchId: string };
      const matchId = BigInt(id);
      const joined = await bob.end("join", id, ...(await suggest(Seat.Two, matchId)));
      expect(joined.code, joined.stderr).to.equal(0);
      for (;;) {
        const { turn } = await arena.matchOf(matchId);
        if (turn === Seat.None) break;
        await (turn === Seat.One ? alice : bob).run("act", id, ...(await suggest(turn, matchId)));
      }
      expect(await arena.statusOf(matchId)).to.be.oneOf([Status.P1Win, Status.P2Win, Status.Draw]);
      expect(await bob.run("replay", id)).to.match(/every payment are identical\.$/);
    });
  }
});
