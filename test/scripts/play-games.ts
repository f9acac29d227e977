import { expect } from "chai";
import { demoOf, games, modeHash } from "../../sdk/games/index.js";
import { History } from "../../sdk/history.js";
import { keeperWith, walletKey } from "../../sdk/secrets.js";
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
      const { content } = demoOf(game);
      const keepers = await Promise.all(
        signers.map(async (signer) => {
          const by = { chainId: 31337, game: addresses[game.contract], player: signer.address };
          return keeperWith(await walletKey(signer, by.chainId, addresses.Arena), by);
        }),
      );
      const suggest = async (seat: bigint, matchId?: bigint) => {
        const record = matchId === undefined ? undefined : await history.match(matchId);
        const player = signers[Number(seat) - 1].address;
        return game.moves.suggest(
          { seat, player, mode: modeHash(content), record, history },
          keepers[Number(seat) - 1],
        );
      };
      const created = await alice.start(
        "create",
        game.name,
        ...(await suggest(Seat.One)),
        "--opponent",
        signers[1].address,
        "--mode",
        game.demo ?? Object.keys(game.modes)[0],
        "--json",
      ).ended;
      expect(created.code, created.stderr).to.equal(0);
      const { matchId: id } = JSON.parse(created.stdout) as { matchId: string };
      const matchId = BigInt(id);
      const joined = await bob.start("join", id, ...(await suggest(Seat.Two, matchId))).ended;
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
