import { expect } from "chai";
import { COIN, ethers, loadFixture, Seat, step, termsFor, UNIT, offerHashOf } from "../support/index.js";
import {
  RECEIVERS,
  WIN,
  as,
  attacked,
  changing,
  forceCoins,
  possibleCalls,
  sendWithData,
  type Attacked,
} from "../support/attacked.js";
import { inPlay, offered } from "../support/matches.js";
import { fundOrder } from "../support/orders.js";
import { FREE, expectRefused, expectReverted, expectUnchanged } from "../support/refusals.js";

describe("Known attacks: money", () => {
  let w: Attacked;
  beforeEach(async () => {
    w = await loadFixture(attacked);
  });

  describe("when somebody forges or forces an ERC-1363 transfer", () => {
    it("a caller that is not a contract, or is not a token, cannot credit any purse", async () => {
      const { arena, alice, bob, wild } = w;
      await expectReverted(w, () => arena.connect(bob).onTransferReceived(bob, bob, 1n, "0x", FREE));
      await expectReverted(w, () => arena.connect(bob).onTransferReceived(alice, alice, 0n, "0x", FREE));
      await expectRefused(w, () => as(wild, w)("onTransferReceived", [alice, alice, 1n, "0x"]), "NotReceived", [
        wild,
        0,
        1,
      ]);
    });

    it("a token that reports a transfer without making it cannot credit any purse", async () => {
      const { odd, alice, bob } = w;
      for (const from of [alice, bob, odd]) {
        const call = () => as(odd, w)("onTransferReceived", [bob, from, 1n, "0x"]);
        await expectRefused(w, call, "NotReceived", [odd, 0, 1]);
      }
    });

    it("a token that reports the zero address as the sender cannot credit any purse", async () => {
      await expectRefused(w, () => as(w.odd, w)("onTransferReceived", [w.bob, COIN, 0n, "0x"]), "BadReceiver", [COIN]);
    });

    it("a hostile token cannot use a victim's purse in another token to seat the victim", async () => {
      const { odd, bob } = w;
      const { id, hash, terms } = await offered(w);
      const call = () => as(odd, w)("onTransferReceived", [bob, bob, 0n, fundOrder(id, hash)]);
      await expectRefused(w, call, "WrongToken", [id, odd, terms.token]);
    });

    it("a stranger's transferFromAndCall of zero tokens on a victim's behalf cannot seat the victim", async () => {
      const { arena, fight, bob, stranger } = w;
      const token = fight.connect(stranger);
      for (const changes of [{}, { stake2: 0n }]) {
        const { id, hash } = await offered(w, changes);
        const send = () =>
          token["transferFromAndCall(address,address,uint256,bytes)"](bob, arena, 0n, fundOrder(id, hash), FREE);
        await expectRefused(w, send, "NotTheOwner", [stranger, bob]);
      }
      await expectUnchanged(w, () => token["transferFromAndCall(address,address,uint256)"](bob, arena, 0n, FREE));
    });

    it("a spender with an allowance can fill the owner's purse, but cannot seat the owner", async () => {
      const { arena, fight, bob, stranger } = w;
      const { id, hash } = await offered(w);
      await fight.connect(bob).approve(stranger, 50n * UNIT);
      const token = fight.connect(stranger);
      const send = () =>
        token["transferFromAndCall(address,address,uint256,bytes)"](bob, arena, 10n * UNIT, fundOrder(id, hash), FREE);
      await expectRefused(w, send, "NotTheOwner", [stranger, bob]);
      await token["transferFromAndCall(address,address,uint256)"](bob, arena, 10n * UNIT);
      expect(await arena.purseOf(bob, fight)).to.equal(1010n * UNIT);
      expect(await arena.purseOf(stranger, fight)).to.equal(0n);
    });

    it("a transfer of less than the stake does not take the rest from the sender's purse", async () => {
      const { bob } = w;
      const { id, hash, terms } = await offered(w);
      for (const value of [0n, terms.stake2 - 1n]) {
        const send = () => sendWithData(w, bob, value, fundOrder(id, hash));
        await expectRefused(w, send, "TransferTooSmall", [id, value, terms.stake2]);
      }
    });
  });

  describe("when somebody sends money that is not expected (CodeHawks RPS M-01)", () => {
    it("coins sent to any contract without a call are refused", async () => {
      const { arena, autoBattler, fight, fighters, bob } = w;
      for (const contract of [arena, autoBattler, fight, fighters]) {
        for (const data of ["0x", "0x12345678"]) {
          await expectReverted(w, () => bob.sendTransaction({ to: contract, value: 1n, data, ...FREE }));
        }
      }
    });

    it("coins sent with a function that is not payable are refused", async () => {
      const calls = await possibleCalls(w, w.puppet);
      await w.arena.transferOwnership(w.puppet);
      await as(w.puppet, w)("acceptOwnership", []);
      await w.owner.sendTransaction({ to: w.puppet, value: 10n });
      const unpaid = changing(w.arena).filter((fragment) => !fragment.payable && fragment.name !== "acceptOwnership");
      expect(unpaid.length).to.equal(13);
      for (const { name } of unpaid) await expectReverted(w, () => as(w.puppet, w)(name, calls[name], 1n));
    });

    it("coins sent together with a fighter are refused, although the standard makes these functions payable", async () => {
      const { fighters, owner, alice, bob } = w;
      await fighters.connect(owner).mint(bob, 1, [1, 1, 1, 1, 1, 1], false);
      const own = fighters.connect(bob);
      const paid = { value: 1n, ...FREE };
      for (const send of [
        () => own.approve(alice, 1n, paid),
        () => own.transferFrom(bob, alice, 1n, paid),
        () => own["safeTransferFrom(address,address,uint256)"](bob, alice, 1n, paid),
        () => own["safeTransferFrom(address,address,uint256,bytes)"](bob, alice, 1n, "0x", paid),
      ]) {
        await expectRefused(w, send, "CoinsSent", [1n]);
      }
      // Coins are refused before the approval is checked.
      await expectRefused(w, () => fighters.connect(alice).approve(alice, 1n, paid), "CoinsSent", [1n]);
    });

    it("coins forced in by selfdestruct are never credited or withdrawn, and do not disturb matches and withdrawals", async () => {
      const { arena, alice, bob, carol, stranger } = w;
      await forceCoins(stranger, arena.target as string, 50n);
      const total = await arena.totalOf(COIN);
      expect(await ethers.provider.getBalance(arena)).to.equal(total + 50n);
      await expectRefused(w, () => arena.connect(stranger).deposit(COIN, 50n, stranger, FREE), "WrongValue", [0, 50]);
      const tooMuch = () => arena.connect(stranger).deposit(COIN, 51n, stranger, { value: 1n, ...FREE });
      await expectRefused(w, tooMuch, "WrongValue", [1, 51]);
      await expectRefused(w, () => arena.connect(stranger).withdraw(COIN, 1n, stranger, FREE), "PurseTooLow", [
        stranger,
        COIN,
        0,
        1,
      ]);
      const { id, hash } = await offered(w, { token: COIN, stake1: 20n, stake2: 20n });
      await expectRefused(w, () => arena.connect(carol).fund(id, hash, FREE), "PurseTooLow", [carol, COIN, 0, 20]);
      await arena.connect(carol).fund(id, hash, { value: 25n });
      expect(await arena.purseOf(carol, COIN)).to.equal(5n);
      await arena.connect(carol).join(id, hash, step(Seat.None, Seat.Two));
      const purse = await arena.purseOf(carol, COIN);
      await arena.connect(carol).withdraw(COIN, purse, carol);
      await arena.connect(bob).withdraw(COIN, 100n, bob);
      await arena.connect(alice).withdraw(COIN, 80n, alice);
      expect(await ethers.provider.getBalance(arena)).to.equal((await arena.totalOf(COIN)) + 50n);
    });

    it("tokens sent by a plain transfer are credited to no purse", async () => {
      const { arena, fight, alice, stranger } = w;
      await fight.connect(alice).transfer(arena, 5n);
      const send = () => fight.connect(stranger)["transferAndCall(address,uint256)"](arena, 0n, FREE);
      await expectUnchanged(w, send);
      await expectReverted(w, () => arena.connect(stranger).deposit(fight, 5n, stranger, FREE));
      await expectRefused(w, () => as(w.puppet, w)("onTransferReceived", [alice, alice, 5n, "0x"]), "NotReceived");
      await arena.connect(alice).deposit(fight, 3n, alice);
      expect(await arena.purseOf(alice, fight)).to.equal(1000n * UNIT + 3n);
      expect(await fight.balanceOf(arena)).to.equal((await arena.totalOf(fight)) + 5n);
    });

    it("fighters sent to any contract with safeTransferFrom are refused", async () => {
      const { arena, autoBattler, scripted, fight, fighters, owner, bob } = w;
      await fighters.connect(owner).mint(bob, 1, [1, 1, 1, 1, 1, 1], false);
      const safely = fighters.connect(bob)["safeTransferFrom(address,address,uint256)"];
      for (const contract of [arena, autoBattler, scripted, fight, fighters]) {
        const send = () => safely(bob, contract, 1n, FREE);
        await expectRefused(w, send, "TransferToNonERC721ReceiverImplementer", []);
      }
    });

    it("coins forced into a game are credited to no purse and change no result", async () => {
      await forceCoins(w.stranger, w.scripted.target as string, 50n);
      const { id } = await inPlay(w);
      await w.arena.connect(w.alice).act(id, WIN);
      expect(await w.arena.purseOf(w.alice, w.fight)).to.equal(1006n * UNIT);
    });
  });

  describe("given a hostile receiver (CodeHawks RPS H-03)", () => {
    const coin = { token: COIN, stake1: 10n, stake2: 10n };
    /** Plays a match for coins with the puppet in the given role. Returns the expected amount in the puppet's purse. */
    const settled = async (role: string): Promise<bigint> => {
      const { arena, alice, bob, puppet } = w;
      if (role === "treasury") {
        await arena.setTreasury(puppet);
        const { id } = await inPlay(w, coin);
        await arena.connect(alice).act(id, WIN);
        return 104n;
      }
      const terms = await termsFor(w, coin);
      await as(puppet, w)("create", [terms, bob, 0, "0x"]);
      const id = await arena.matchCount();
      if (role === "refunded challenger") {
        await as(puppet, w)("cancel", [id]);
        return 100n;
      }
      if (role === "challenger of a declined offer") {
        await arena.connect(bob).decline(id);
        return 100n;
      }
      const hash = await offerHashOf(arena, id);
      await arena.connect(bob).fund(id, hash);
      await arena.connect(bob).join(id, hash, step(Seat.None, role === "winner" ? Seat.One : Seat.Two));
      return role === "winner" ? 106n : 90n;
    };

    for (const [manner, number] of Object.entries(RECEIVERS)) {
      for (const role of ["winner", "loser", "treasury", "refunded challenger", "challenger of a declined offer"]) {
        it(`a ${role} that ${manner} on receipt keeps its credit, and the settlement is not affected`, async () => {
          const { arena, bob, carol, puppet } = w;
          await puppet.behave(number);
          const purse = await settled(role);
          expect(await arena.purseOf(puppet, COIN)).to.equal(purse);
          await expectReverted(w, () => as(puppet, w)("withdraw", [COIN, purse, puppet]));
          const before = await ethers.provider.getBalance(carol);
          await as(puppet, w)("withdraw", [COIN, purse, carol]);
          expect(await ethers.provider.getBalance(carol)).to.equal(before + purse);
          await arena.connect(bob).withdraw(COIN, 1n, bob);
        });
      }
    }

    it("a receiver that returns a huge blob is paid", async () => {
      await w.puppet.behave(4);
      await as(w.puppet, w)("withdraw", [COIN, 100n, w.puppet]);
      expect(await ethers.provider.getBalance(w.puppet)).to.equal(100n);
    });

    it("a withdrawal cannot be paid twice", async () => {
      const { arena, alice } = w;
      await arena.connect(alice).withdraw(COIN, 100n, alice);
      await expectRefused(w, () => arena.connect(alice).withdraw(COIN, 1n, alice, FREE), "PurseTooLow", [
        alice,
        COIN,
        0,
        1,
      ]);
    });
  });
});
