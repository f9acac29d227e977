import { expect } from "chai";
import { COIN, ethers, HOUR, loadFixture, networkHelpers, Status, time, UNIT } from "../support/index.js";
import { TOKENS, WIN, as, attacked, encode, type Attacked } from "../support/attacked.js";
import { inPlay, offered } from "../support/matches.js";
import { fundOrder } from "../support/orders.js";
import { FREE, expectRefused } from "../support/refusals.js";

describe("Known attacks: tokens", () => {
  let w: Attacked;
  beforeEach(async () => {
    w = await loadFixture(attacked);
  });

  describe("given an odd token", () => {
    it("a token that seats a victim in a match and lets the clock run out cannot cost the victim any rating", async () => {
      const { arena, alice, bob, odd, scripted, fight, stranger } = w;
      const { id, hash } = await offered(w, { token: odd.target as string, stake1: 0n, stake2: 1n });
      await odd.mint(arena, 1n);
      await as(odd, w)("onTransferReceived", [bob, bob, 1n, fundOrder(id, hash)]);
      expect((await arena.matchOf(id)).player2).to.equal(bob.address);
      await time.increase(HOUR + 1n);
      const before = [
        [...(await arena.recordOf(scripted, bob))],
        await arena.purseOf(bob, fight),
        await arena.purseOf(bob, COIN),
      ];
      await arena.connect(stranger).timeout(id);
      expect(await arena.statusOf(id)).to.equal(Status.P1WinInactive);
      const after = [
        [...(await arena.recordOf(scripted, bob))],
        await arena.purseOf(bob, fight),
        await arena.purseOf(bob, COIN),
      ];
      expect(after).to.deep.equal(before);
      expect((await arena.recordOf(scripted, alice)).wins).to.equal(0n);
    });

    it("a token that reverts, calls back or lies cannot stop a player from declining, because that calls no token", async () => {
      const { arena, alice, bob, odd } = w;
      const again = [await encode(w, "withdraw", [odd, 1n, alice])];
      for (const habit of [TOKENS.reverts, TOKENS.false, TOKENS.hides, TOKENS.boasts]) {
        const { id } = await offered(w, { token: odd.target as string, stake1: 5n, opponent: bob, firmFor: HOUR });
        await odd.adopt(habit);
        for (const moment of ["transfer", "transferFrom", "balanceOf"])
          await odd.arm(moment, arena, again, "0x00000000");
        const before = await arena.purseOf(alice, odd);
        await arena.connect(bob).decline(id);
        expect(await arena.purseOf(alice, odd)).to.equal(before + 5n);
        expect(await odd.answers()).to.deep.equal([]);
        await odd.adopt(0);
      }
    });

    it("a deposit of a token that takes fees is refused", async () => {
      await w.odd.adopt(TOKENS.fees);
      await expectRefused(w, () => w.arena.connect(w.alice).deposit(w.odd, 100n, w.alice, FREE), "NotReceived", [
        w.odd,
        90,
        100,
      ]);
    });

    it("a token that returns no value works", async () => {
      await w.odd.adopt(TOKENS.nothing);
      await w.arena.connect(w.alice).deposit(w.odd, 100n, w.alice);
      await w.arena.connect(w.alice).withdraw(w.odd, 600n, w.carol);
      expect(await w.odd.balanceOf(w.carol)).to.equal(600n);
      expect(await w.arena.purseOf(w.alice, w.odd)).to.equal(0n);
    });

    it("a token that returns false is refused, whether it moved tokens or not", async () => {
      for (const habit of [TOKENS.false, TOKENS.falseAnyway]) {
        await w.odd.adopt(habit);
        const asAlice = w.arena.connect(w.alice);
        await expectRefused(w, () => asAlice.deposit(w.odd, 1n, w.alice, FREE), "SafeERC20FailedOperation", [w.odd]);
        await expectRefused(w, () => asAlice.withdraw(w.odd, 1n, w.alice, FREE), "SafeERC20FailedOperation", [w.odd]);
      }
    });

    it("if a token blocklists a receiver, the money stays in the purse and can be withdrawn to another account", async () => {
      await w.odd.blockAccount(w.alice, true);
      const asAlice = w.arena.connect(w.alice);
      await expectRefused(w, () => asAlice.withdraw(w.odd, 500n, w.alice, FREE), "Blocked", [w.alice]);
      await asAlice.withdraw(w.odd, 500n, w.carol);
      expect(await w.odd.balanceOf(w.carol)).to.equal(500n);
    });

    it("a token that understates balances allows no deposits, but all withdrawals", async () => {
      await w.odd.adopt(TOKENS.hides);
      const asAlice = w.arena.connect(w.alice);
      await expectRefused(w, () => asAlice.deposit(w.odd, 1n, w.alice, FREE), "NotReceived", [w.odd, 0, 1]);
      await asAlice.withdraw(w.odd, 500n, w.alice);
      expect(await w.odd.trueBalanceOf(w.alice)).to.equal(1000n);
    });

    it("a token that takes tokens away from the arena affects only its own purses, which are paid in the order of withdrawals", async () => {
      const { arena, alice, bob, odd, fight } = w;
      await odd.take(arena, 400n);
      await arena.connect(bob).withdraw(odd, 500n, bob);
      const rest = () => arena.connect(alice).withdraw(odd, 500n, alice, FREE);
      await expectRefused(w, rest, "ERC20InsufficientBalance", [arena, 100, 500]);
      await arena.connect(alice).withdraw(odd, 100n, alice);
      expect(await arena.purseOf(alice, odd)).to.equal(400n);
      await arena.connect(alice).withdraw(fight, 1000n * UNIT, alice);
      await arena.connect(alice).withdraw(COIN, 100n, w.carol);
    });

    it("a token that takes one unit away from the arena delays only the last withdrawal, and no deposit fills the gap", async () => {
      const { arena, alice, bob, odd } = w;
      await odd.take(arena, 1n);
      for (const amount of [0n, 1n, 2n, 400n]) {
        const short = [odd, amount === 0n ? 0n : amount - 1n, amount];
        await expectRefused(w, () => arena.connect(bob).deposit(odd, amount, bob, FREE), "NotReceived", short);
        const sent = () => as(odd, w)("onTransferReceived", [bob, bob, amount, "0x"]);
        await expectRefused(w, sent, "NotReceived", [odd, 0, amount]);
      }
      await arena.connect(alice).withdraw(odd, 500n, alice);
      await arena.connect(bob).withdraw(odd, 499n, bob);
      expect([await arena.totalOf(odd), await odd.balanceOf(arena)]).to.deep.equal([1n, 0n]);
      // The gap can only be filled by a transfer that is not a deposit, and credits nobody.
      await odd.mint(arena, 1n);
      await arena.connect(bob).withdraw(odd, 1n, bob);
    });

    it("an odd token does not affect purses in other tokens, and its matches still end correctly", async () => {
      const { arena, alice, bob, odd, fight, treasury } = w;
      const oddStakes = { token: odd.target as string, stake1: 10n, stake2: 10n };
      for (const [name, habit] of Object.entries(TOKENS)) {
        const snapshot = await networkHelpers.takeSnapshot();
        const { id } = await inPlay(w, oddStakes);
        const others = await inPlay(w);
        await odd.adopt(habit);
        const money = async () => {
          const sums: bigint[] = [];
          for (const token of [COIN, fight]) {
            sums.push(await arena.totalOf(token));
            for (const player of [alice, bob, treasury, odd]) sums.push(await arena.purseOf(player, token));
          }
          return [...sums, await fight.balanceOf(arena), await ethers.provider.getBalance(arena)];
        };
        const before = await money();
        for (const call of [
          () => arena.connect(alice).deposit(odd, 7n, alice, FREE),
          () => arena.connect(alice).withdraw(odd, 7n, alice, FREE),
          () => as(odd, w)("onTransferReceived", [alice, alice, 10n ** 6n, "0x"]),
        ]) {
          await call().catch(() => undefined);
        }
        await arena.connect(alice).act(id, WIN);
        expect(await arena.purseOf(treasury, odd), name).to.equal(4n);
        expect(await money(), name).to.deep.equal(before);
        await arena.connect(alice).act(others.id, WIN);
        expect(await arena.purseOf(alice, fight), name).to.equal(1006n * UNIT);
        await snapshot.restore();
      }
    });
  });
});
