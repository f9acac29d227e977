import { expect } from "chai";
import {
  COIN,
  ethers,
  HOUR,
  loadFixture,
  networkHelpers,
  receiptOf,
  Seat,
  Status,
  step,
  UNIT,
} from "../support/index.js";
import { WIN, attacked, changing, encode, possibleCalls, sendWithData, type Attacked } from "../support/attacked.js";
import { inPlay, offered, taken, type Offer } from "../support/matches.js";
import { fundOrder } from "../support/orders.js";
import { expectRefused, FREE, outcomeOf } from "../support/refusals.js";

describe("Known attacks: strangers", () => {
  let w: Attacked;
  beforeEach(async () => {
    w = await loadFixture(attacked);
  });

  describe("given a match in which the caller must not act", () => {
    it("every function refuses unknown match ids, including the views", async () => {
      const { arena, alice } = w;
      const { hash } = await offered(w);
      const player = arena.connect(alice);
      for (const id of [0n, 2n, 2n ** 40n + 1n, 2n ** 64n + 1n, ethers.MaxUint256]) {
        for (const call of [
          () => player.fund(id, hash, FREE),
          () => player.join(id, hash, WIN, FREE),
          () => player.act(id, WIN, FREE),
          () => player.cancel(id, FREE),
          () => player.decline(id, FREE),
          () => player.resign(id, FREE),
          () => player.timeout(id, FREE),
          () => sendWithData(w, alice, 10n * UNIT, fundOrder(id, hash)),
          () => arena.matchOf(id),
          () => arena.statusOf(id),
          () => arena.positionOf(id),
        ]) {
          await expectRefused(w, call, "UnknownMatch", [id]);
        }
      }
    });

    it("every function refuses finished matches, both for their players and for strangers", async () => {
      const { arena, alice, bob, stranger } = w;
      for (const turn of [Seat.One, Seat.Two]) {
        const { id, hash } = await inPlay(w, {}, turn);
        await arena.connect(turn === Seat.One ? alice : bob).act(id, WIN);
        for (const caller of [alice, bob, stranger]) {
          const connected = arena.connect(caller);
          for (const call of [
            () => connected.fund(id, hash, FREE),
            () => connected.join(id, hash, WIN, FREE),
            () => connected.act(id, WIN, FREE),
            () => connected.decline(id, FREE),
            () => connected.resign(id, FREE),
            () => connected.timeout(id, FREE),
          ]) {
            await expectRefused(w, call, "WrongStatus", [id, Status.P1Win]);
          }
        }
        await expectRefused(w, () => arena.connect(alice).cancel(id, FREE), "WrongStatus", [id, Status.P1Win]);
        const order = () => sendWithData(w, bob, 10n * UNIT, fundOrder(id, hash));
        await expectRefused(w, order, "WrongStatus", [id, Status.P1Win]);
      }
    });

    it("every function refuses callers who are not players of the match, even the owner and the treasury", async () => {
      const { arena, alice, bob, carol, owner, treasury, stranger } = w;
      const offer = await offered(w, { opponent: bob, firmFor: HOUR });
      const seat = await taken(w);
      const play = await inPlay(w);
      for (const caller of [owner, treasury, carol, stranger]) {
        const connected = arena.connect(caller);
        const { id, hash } = offer;
        await expectRefused(w, () => connected.fund(id, hash, FREE), "NotTheOpponent", [id, bob, caller]);
        await expectRefused(w, () => connected.join(id, hash, WIN, FREE), "NotTheOpponent", [id, bob, caller]);
        await expectRefused(w, () => connected.decline(id, FREE), "NotTheOpponent", [id, bob, caller]);
        await expectRefused(w, () => connected.join(seat.id, hash, WIN, FREE), "NotTheOpponent", [
          seat.id,
          bob,
          caller,
        ]);
        for (const match of [offer, seat, play]) {
          await expectRefused(w, () => connected.cancel(match.id, FREE), "NotTheChallenger", [match.id, alice, caller]);
          await expectRefused(w, () => connected.timeout(match.id, FREE), "TooEarly");
        }
        await expectRefused(w, () => connected.act(play.id, WIN, FREE), "NotYourTurn", [play.id, alice, caller]);
        await expectRefused(w, () => connected.resign(play.id, FREE), "NotAPlayer", [play.id, caller]);
      }
      await expectRefused(w, () => arena.connect(bob).act(play.id, WIN, FREE), "NotYourTurn", [play.id, alice, bob]);
    });

    it("an operator can only act", async () => {
      const { arena, alice, stranger, fight, carol } = w;
      await arena.connect(alice).allow(stranger, 2n ** 40n - 1n);
      const offer = await offered(w, { by: carol, opponent: alice });
      const own = await offered(w);
      const play = await inPlay(w);
      const operator = arena.connect(stranger);
      await expectRefused(w, () => operator.fund(offer.id, offer.hash, FREE), "NotTheOpponent");
      await expectRefused(w, () => operator.join(offer.id, offer.hash, WIN, FREE), "NotTheOpponent");
      await expectRefused(w, () => operator.decline(offer.id, FREE), "NotTheOpponent");
      await expectRefused(w, () => operator.cancel(own.id, FREE), "NotTheChallenger");
      await expectRefused(w, () => operator.resign(play.id, FREE), "NotAPlayer");
      await expectRefused(w, () => operator.withdraw(fight, 1n, stranger, FREE), "PurseTooLow");
      await operator.act(play.id, WIN);
    });

    describe("given a match id that another match has after a reorganisation", () => {
      const instead: Record<string, () => Offer> = {
        "with other terms": () => ({ stake2: 100n * UNIT }),
        "with the same terms but another challenger": () => ({ by: w.carol }),
        "with the same terms and challenger, but other data": () => ({ data: step(Seat.Two) }),
      };
      for (const [what, change] of Object.entries(instead)) {
        it(`the arena takes no stake for a match ${what}, neither by fund, nor in one step, nor by a transfer`, async () => {
          const { arena, bob } = w;
          const firm = { opponent: bob, firmFor: HOUR };
          const before = await networkHelpers.takeSnapshot();
          const seen = await offered(w, firm);
          await before.restore();
          const other = await offered(w, { ...firm, ...change() });
          expect(other.id).to.equal(seen.id);
          const wrong = [seen.id, seen.hash, other.hash];
          const order = (hash: string) => sendWithData(w, bob, 10n * UNIT, fundOrder(seen.id, hash));
          await expectRefused(w, () => arena.connect(bob).fund(seen.id, seen.hash, FREE), "WrongOffer", wrong);
          await expectRefused(w, () => arena.connect(bob).join(seen.id, seen.hash, WIN, FREE), "WrongOffer", wrong);
          await expectRefused(w, () => order(seen.hash), "WrongOffer", wrong);
          await arena.connect(bob).join(other.id, other.hash, WIN);
        });
      }
    });
  });

  describe("given an owner", () => {
    const OWNERS = ["renounceOwnership", "setFeeBps", "setTreasury", "transferOwnership"];

    it("only the owner can call the documented owner functions, and there are no further owner functions", async () => {
      const calls = await possibleCalls(w, w.puppet);
      const guarded: string[] = [];
      for (const { name } of changing(w.arena)) {
        const data = await encode(w, name, calls[name]);
        const outcome = await outcomeOf(w, w.puppet.run.staticCall(w.arena, 0, data));
        if (outcome === "OwnableUnauthorizedAccount(puppet)") guarded.push(name);
      }
      expect(guarded.filter((name) => name !== "acceptOwnership").sort()).to.deep.equal(OWNERS);
      expect(guarded).to.include("acceptOwnership");
    });

    it("the owner has no power over a stake, a purse or a live match", async () => {
      const { arena, owner, treasury, alice, bob, carol, stranger } = w;
      const people = [owner, treasury, alice, bob, carol, stranger];
      const matches = [await offered(w), await offered(w, { firmFor: HOUR }), await taken(w), await inPlay(w)];
      const powers: Record<string, unknown[][]> = {
        renounceOwnership: [[]],
        setFeeBps: [[0], [1], [2000]],
        setTreasury: [[owner], [stranger]],
        transferOwnership: [[stranger], [owner]],
      };
      expect(Object.keys(powers).sort()).to.deep.equal(OWNERS);
      const read = async () => {
        const seen: unknown[] = [];
        for (const { id } of matches) {
          const m = await arena.matchOf(id);
          seen.push([...m], [...(await arena.termsOf(m.termsId))]);
        }
        for (const token of [COIN, w.fight, w.odd]) {
          seen.push(await arena.totalOf(token));
          for (const player of people) seen.push(await arena.purseOf(player, token));
        }
        return seen;
      };
      const before = await read();
      const snapshot = await networkHelpers.takeSnapshot();
      for (const [name, all] of Object.entries(powers)) {
        for (const args of all) {
          await owner.sendTransaction({ to: arena, data: await encode(w, name, args), ...FREE });
          expect(await read(), name).to.deep.equal(before);
          if (name === "renounceOwnership") await snapshot.restore();
        }
      }
      await expectRefused(w, () => arena.setFeeBps(2001, FREE), "FeeTooHigh", [2001, 2000]);
      await expectRefused(w, () => arena.setTreasury(COIN, FREE), "BadTreasury", [COIN]);
    });

    it("a change of the fee during a match does not change what that match pays", async () => {
      const { arena, alice, bob, fight, treasury } = w;
      const offer = await offered(w);
      const { id } = await inPlay(w);
      await arena.setFeeBps(100);
      await arena.connect(alice).act(id, WIN);
      expect(await arena.purseOf(treasury, fight)).to.equal(4n * UNIT);
      await expectRefused(
        w,
        () => arena.connect(alice).create(offer.terms, COIN, 0, "0x", FREE),
        "WrongFee",
        [2000, 100],
      );
      await arena.connect(bob).fund(offer.id, offer.hash);
      await arena.connect(bob).join(offer.id, offer.hash, WIN);
      expect(await arena.purseOf(treasury, fight)).to.equal(8n * UNIT);
      await inPlay(w, { feeBps: 100n });
      const receipt = await receiptOf(arena.connect(bob).resign(await arena.matchCount()));
      expect(receipt.status).to.equal(1);
      expect(await arena.purseOf(treasury, fight)).to.equal(8n * UNIT + UNIT / 5n);
    });

    it("an arena whose owner has renounced keeps working", async () => {
      const { arena, alice, fight } = w;
      const { id } = await inPlay(w);
      await arena.renounceOwnership();
      await arena.connect(alice).act(id, WIN);
      await arena.connect(alice).withdraw(fight, 996n * UNIT, alice);
      await inPlay(w);
    });
  });
});
