import { expect } from "chai";
import { getCreateAddress } from "ethers";
import { Arena__factory, AutoBattler__factory } from "../../typechain-types/index.js";
import {
  COIN,
  deployMock,
  ethers,
  HOUR,
  loadFixture,
  networkHelpers,
  Seat,
  Status,
  step,
  termsFor,
  time,
  UNIT,
  ZERO_HASH,
} from "../support/index.js";
import { ANSWERS_RAW, GAMES, WIN, attacked, type Attacked } from "../support/attacked.js";
import { inPlay, offered, taken } from "../support/matches.js";
import { FREE, expectRefused, expectReverted } from "../support/refusals.js";

describe("Known attacks: games", () => {
  let w: Attacked;
  beforeEach(async () => {
    w = await loadFixture(attacked);
  });

  describe("given a hostile game", () => {
    it("every function accepts the legal steps of a game, and refuses all others", async () => {
      const { arena, alice, bob } = w;
      const terms = await termsFor(w);
      const { id: play } = await inPlay(w);
      const { id: funded, hash } = await taken(w);
      await networkHelpers.mine();
      for (const turn of Object.values(Seat)) {
        for (const winner of Object.values(Seat)) {
          for (const taker of Object.values(Seat)) {
            const lie = step(turn, winner, taker);
            const data = turn === Seat.Two && winner + taker === 0n;
            const later = turn === Seat.None || winner + taker === 0n;
            const sends: [boolean, () => Promise<unknown>][] = [
              [data, () => arena.connect(alice).create.staticCall(terms, COIN, 0, lie)],
              [later, () => arena.connect(bob).join.staticCall(funded, hash, lie)],
              [later, () => arena.connect(alice).act.staticCall(play, lie)],
            ];
            for (const [lawful, send] of sends) {
              if (lawful) await send();
              else await expect(send()).to.be.revertedWithCustomError(arena, "BadStep");
            }
          }
        }
      }
      await expectRefused(w, () => arena.connect(alice).act(play, step(Seat.One, Seat.One), FREE), "BadStep", [
        play,
        [1n, 1n, 1n, ZERO_HASH],
      ]);
    });

    it("a value that a game returns is refused if it is not a step", async () => {
      const { arena, alice, wild } = w;
      const { id } = await inPlay(w, { game: wild.target as string });
      const word = (n: number) => ethers.toBeHex(n, 32);
      for (const words of [[], [1], [1, 0, 0], [4, 0, 0, 0], [0, 256, 0, 0], [0, 0, 2 ** 40, 0]]) {
        await wild.behave(ANSWERS_RAW, ethers.concat(words.map(word)));
        await expectReverted(w, () => arena.connect(alice).act(id, "0x", FREE));
      }
    });

    it("extra data after the step that a game returns is ignored", async () => {
      const { arena, alice, wild } = w;
      const { id } = await inPlay(w, { game: wild.target as string });
      const position = `0x${"ab".repeat(32)}`;
      for (const more of ["0x01", ethers.toBeHex(3, 32), `0x${"ff".repeat(10_000)}`]) {
        await wild.behave(ANSWERS_RAW, ethers.concat([ethers.toBeHex(1, 32), ZERO_HASH, ZERO_HASH, position, more]));
        await arena.connect(alice).act(id, "0x", FREE);
        const { status, turn } = await arena.matchOf(id);
        expect([status, turn]).to.deep.equal([Status.AllJoined, Seat.One]);
        expect(await arena.positionOf(id)).to.equal(position);
      }
    });

    it("a game's position is stored unchanged, and affects no other match", async () => {
      const { arena, alice, wild } = w;
      const game = { game: wild.target as string };
      const [match, beside, other] = [await inPlay(w, game), await inPlay(w, game), await inPlay(w)];
      const position = `0x${"ff".repeat(32)}`;
      await wild.behave(ANSWERS_RAW, ethers.concat([ethers.toBeHex(1, 32), ZERO_HASH, ZERO_HASH, position]));
      const before = await Promise.all([match, beside, other].map(({ id }) => arena.matchOf(id)));
      await arena.connect(alice).act(match.id, "0x");
      const positions = await Promise.all([match, beside, other].map(({ id }) => arena.positionOf(id)));
      expect(positions).to.deep.equal([position, ZERO_HASH, ZERO_HASH]);
      const after = await Promise.all([match, beside, other].map(({ id }) => arena.matchOf(id)));
      expect(after.slice(1)).to.deep.equal(before.slice(1));
      expect([after[0].player1, after[0].player2, after[0].turn]).to.deep.equal([
        before[0].player1,
        before[0].player2,
        Seat.One,
      ]);
    });

    for (const [what, manner] of Object.entries(GAMES)) {
      it(`a game that ${what} in every function does not affect other matches, or prevent a timeout, resignation, cancellation or decline`, async () => {
        const { arena, alice, bob, wild, fight, stranger, treasury } = w;
        const game = { game: wild.target as string };
        const played = await inPlay(w, game);
        const given = await inPlay(w, game);
        const open = await offered(w, game);
        const firm = await offered(w, { ...game, opponent: bob, firmFor: HOUR });
        const other = await inPlay(w);
        const { id, hash, terms } = await taken(w, game);
        await wild.behave(manner, "0x");
        const gas = { ...FREE, gasLimit: what === "loops for ever" ? 1_000_000n : FREE.gasLimit };
        await expectReverted(w, () => arena.connect(alice).create(terms, COIN, 0, "0x", gas));
        await expectReverted(w, () => arena.connect(bob).join(id, hash, "0x", gas));
        await expectReverted(w, () => arena.connect(alice).act(played.id, "0x", gas));
        await arena.connect(alice).act(other.id, WIN);
        await arena.connect(bob).resign(given.id);
        await arena.connect(alice).cancel(open.id);
        await arena.connect(bob).decline(firm.id);
        await time.increase(HOUR + 1n);
        await arena.connect(stranger).timeout(id);
        await arena.connect(stranger).timeout(played.id);
        const statuses = await Promise.all([played, given, open, firm, other, { id }].map((m) => arena.statusOf(m.id)));
        expect(statuses).to.deep.equal([10n, 6n, 8n, 8n, 6n, 9n]);
        expect(await arena.purseOf(alice, fight)).to.equal((1000n - 60n + 20n + 2n * 16n + 20n) * UNIT);
        expect(await arena.purseOf(bob, fight)).to.equal((1000n - 40n + 20n) * UNIT);
        expect(await arena.purseOf(treasury, fight)).to.equal(8n * UNIT);
      });
    }

    it("strangers cannot call a game's create, join and act directly", async () => {
      const { arena, autoBattler, scripted, alice, owner, stranger } = w;
      const { id } = await inPlay(w);
      const duel = { id, mode: ZERO_HASH, rated: true, player1: w.alice, player2: w.bob, position: ZERO_HASH };
      for (const game of [autoBattler, AutoBattler__factory.connect(scripted.target as string)]) {
        for (const caller of [alice, owner, stranger]) {
          const connected = game.connect(caller);
          for (const call of [
            () => connected.create(duel, "0x", FREE),
            () => connected.join(duel, "0x", FREE),
            () => connected.act(duel, Seat.One, "0x", FREE),
          ]) {
            await expectRefused(w, call, "NotTheArena", [caller, arena]);
          }
        }
      }
    });

    it("another arena cannot call a game that is not deployed for it", async () => {
      const { alice, owner, arena } = w;
      const foreign = Arena__factory.connect((await deployMock("Arena", owner, owner)).target as string, alice);
      const terms = await termsFor(w, { stake1: 0n, stake2: 0n });
      const create = () => foreign.create(terms, COIN, 0, "0x", FREE);
      await expectRefused(w, create, "NotTheArena", [foreign, arena]);
    });

    it("a game address without a contract is refused", async () => {
      const { arena, alice } = w;
      const game = getCreateAddress({ from: alice.address, nonce: 1000 });
      const terms = await termsFor(w, { game });
      await expectRefused(w, () => arena.connect(alice).create(terms, COIN, 0, "0x", FREE), "NotAContract", [game]);
    });
  });
});
