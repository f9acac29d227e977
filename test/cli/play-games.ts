import { expect } from "chai";
import { ZeroHash } from "ethers";
import { Client } from "../../sdk/player/client.js";
import { demoOf, modeHash } from "../../sdk/games/modes.js";
import { games } from "../../sdk/games/index.js";
import { strategyOf } from "../../sdk/games/assessment.js";
import { foresee } from "../../sdk/games/pistols/replay.js";
import { pistolsGame } from "../../sdk/games/pistols/index.js";
import { History } from "../../sdk/chain/history.js";
import { walletSecretStore } from "../../sdk/player/secrets.js";
import { Seat, Status } from "../../sdk/protocol/status.js";
import { startWorld, type PlayWorld } from "../support/play-support.js";

/** Accounts that have not fought in the demonstration. */
const PLAYERS = [4, 5];

describe("npm run play: every game", () => {
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
      const secretStores = await Promise.all(
        signers.map(async (signer) =>
          walletSecretStore(await Client.connect(addresses, games, signer), addresses[game.contract]),
        ),
      );
      const suggest = async (seat: bigint, matchId?: bigint) => {
        const record = matchId === undefined ? undefined : await history.match(matchId);
        const player = signers[Number(seat) - 1].address;
        const turn = { seat, player, game: addresses[game.contract], mode: modeHash(content), record, history };
        return game.moves.args(await strategyOf(game)(turn, secretStores[Number(seat) - 1]), turn);
      };
      const created = await alice.end(
        "create",
        game.name,
        ...(await suggest(Seat.One)),
        "--opponent",
        signers[1].address,
        "--mode",
        game.demo ?? Object.keys(game.modes)[0],
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

  it("requires blades with the reveal of a duel only if the duel continues, and accepts blades that are not needed", async () => {
    const { arena, provider, addresses } = world;
    const { moves } = pistolsGame;
    const [signer1, signer2] = await Promise.all(PLAYERS.map((account) => provider.getSigner(account)));
    const [alice, bob] = await Promise.all(
      [signer1, signer2].map((signer) => Client.connect(addresses, games, signer)),
    );
    const history = new History(provider, addresses);
    const secretStore = await walletSecretStore(alice, addresses.Pistols);
    const challenger = { seat: Seat.One, player: alice.address, game: addresses.Pistols };
    const free = { token: addresses.FightToken, stake1: 0n, stake2: 0n };
    const offer = await alice.create({
      terms: { game: addresses.Pistols, mode: ZeroHash, clock: 86_400n, rated: true, ...free },
      opponent: bob.address,
      data: await moves.create(10, { ...challenger, mode: ZeroHash, history }, secretStore),
    });
    const { matchId } = offer;
    const terminal = await world.terminal(["--account", String(PLAYERS[0])]);
    const open = ["act", String(matchId)];
    for (const ends of [true, false]) {
      const snapshot: unknown = await provider.send("evm_snapshot", []);
      await joined(ends);
      const before: unknown = await provider.send("evm_snapshot", []);
      await terminal.run(...open, "light", "block");
      expect(await arena.statusOf(matchId)).to.satisfy((status: bigint) => ends === status > Status.AllJoined);
      await provider.send("evm_revert", [before]);
      if (ends) {
        expect(await terminal.run(...open)).to.match(/^It is over: /);
      } else {
        const line =
          /^move: round 1 leaves player 1 with [123] of 3 health, player 2 with [123]: your move of the next /;
        expect(await terminal.fail(2, ...open)).to.match(line);
        expect((await arena.matchOf(matchId)).turn).to.equal(Seat.One);
      }
      await provider.send("evm_revert", [snapshot]);
    }

    /** Lets Bob join offers until a duel ends with the pistols, or until one does not. */
    async function joined(ends: boolean) {
      for (;;) {
        const snapshot: unknown = await provider.send("evm_snapshot", []);
        const record = await history.match(matchId);
        const turn = { seat: Seat.Two, player: bob.address, game: addresses.Pistols, mode: ZeroHash, record, history };
        await bob.join(offer, await moves.join(10, turn, secretStore));
        const answered = await history.match(matchId);
        const { over } = await foresee(answered, await secretStore.reveal(answered.createData), history);
        if (over === ends) return;
        await provider.send("evm_revert", [snapshot]);
      }
    }
  });
});
