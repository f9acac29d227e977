import { expect } from "chai";
import { Signature, type Contract } from "ethers";
import { COIN, deployed, deployMock, ethers, loadFixture, UNIT, type Player, type World } from "../support/index.js";
import { expectSolvent } from "../support/matches.js";
import { expectRefused } from "../support/refusals.js";

import { PERMIT_TYPES } from "../support/permit.js";

const PURSE = 1000n * UNIT;

/** A world with 100 wei in alice's purse, and 100 units of an odd token in those of alice and bob. */
async function rich() {
  const world = { ...(await deployed()), odd: await deployMock("TollToken") };
  const { arena, alice, bob, odd } = world;
  await arena.connect(alice).deposit(COIN, 100n, alice, { value: 100n });
  for (const player of [alice, bob]) {
    await odd.mint(player, 200n);
    await as(odd, player).approve(arena, 200n);
    await arena.connect(player).deposit(odd, 100n, player);
  }
  return world;
}

const as = (contract: Contract, player: Player) => contract.connect(player) as unknown as Contract;

describe("Purse: deposits", () => {
  for (const receiver of ["alice", "bob"] as const) {
    it(`given coin, when alice deposits it for ${receiver}, the purse of ${receiver} and the total grow`, async () => {
      const world = await loadFixture(deployed);
      const { arena, alice } = world;
      await expect(arena.connect(alice).deposit(COIN, 5n, world[receiver], { value: 5n }))
        .to.emit(arena, "Deposited")
        .withArgs(COIN, world[receiver].address, 5n);
      expect(await arena.purseOf(world[receiver], COIN)).to.equal(5n);
      await expectSolvent(world, COIN);
    });

    it(`given tokens, when alice deposits them for ${receiver}, the purse of ${receiver} and the total grow`, async () => {
      const world = await loadFixture(deployed);
      const { arena, fight, alice } = world;
      const token = await fight.getAddress();
      const sent = arena.connect(alice).deposit(fight, 5n, world[receiver]);
      await expect(sent).to.emit(arena, "Deposited").withArgs(token, world[receiver].address, 5n);
      expect(await arena.purseOf(world[receiver], fight)).to.equal(PURSE + 5n);
      expect(await fight.balanceOf(alice)).to.equal(PURSE - 5n);
      await expectSolvent(world, token);
    });
  }

  it("given a deposit with the wrong amount of coin, it is refused", async () => {
    const world = await loadFixture(deployed);
    const { arena, fight, alice } = world;
    for (const value of [0n, 4n, 6n]) {
      const send = () => arena.connect(alice).deposit(COIN, 5n, alice, { value });
      await expectRefused(world, send, `WrongValue(${value}, 5)`);
    }
    await expectRefused(world, () => arena.connect(alice).deposit(fight, 5n, alice, { value: 5n }), "WrongValue(5, 0)");
  });

  it("given a deposit for the zero address or the arena, it is refused", async () => {
    const world = await loadFixture(deployed);
    const { arena, fight, alice } = world;
    await expectRefused(world, () => arena.connect(alice).deposit(COIN, 5n, COIN, { value: 5n }), "BadReceiver(zero)");
    await expectRefused(world, () => arena.connect(alice).deposit(fight, 5n, COIN), "BadReceiver(zero)");
    await expectRefused(world, () => arena.connect(alice).deposit(fight, 5n, arena), "BadReceiver(arena)");
  });

  it("given too few tokens or no allowance, when a player deposits them, the token reverts", async () => {
    const world = await loadFixture(deployed);
    const { arena, fight, alice, stranger } = world;
    const deposit = (player: Player, amount: bigint) => arena.connect(player).deposit(fight, amount, player);
    const refusal = `ERC20InsufficientBalance(alice, ${PURSE}, ${PURSE + 1n})`;
    await expectRefused(world, () => deposit(alice, PURSE + 1n), refusal);
    await expectRefused(world, () => deposit(stranger, 1n), "ERC20InsufficientAllowance(arena, 0, 1)");
  });

  it("given a token address without a contract, when a player deposits the token, the arena refuses the deposit", async () => {
    const world = await loadFixture(deployed);
    const send = () => world.arena.connect(world.alice).deposit(world.bob, 5n, world.alice);
    await expectRefused(world, send, "SafeERC20FailedOperation(bob)");
  });

  it("given coin that is sent without a call, it is refused", async () => {
    const world = await loadFixture(deployed);
    await expectRefused(world, () => world.alice.sendTransaction({ to: world.arena, value: 1n }), "unnamed 0x");
  });

  it("given a token that takes a fee, when a player deposits it, the arena refuses", async () => {
    const world = await loadFixture(rich);
    const { arena, alice, odd } = world;
    await odd.set(1n, 0n);
    await expectRefused(world, () => arena.connect(alice).deposit(odd, 10n, alice), "NotReceived(odd, 9, 10)");
  });

  it("given a token of which the arena owns less than it owes, when a player deposits the token, the arena refuses the deposit", async () => {
    const world = await loadFixture(rich);
    const { arena, alice, odd } = world;
    await odd.set(100n, 0n);
    await expectRefused(world, () => arena.connect(alice).deposit(odd, 50n, alice), "NotReceived(odd, 0, 50)");
  });
});

describe("Purse: permits", () => {
  /** A world in which alice has approved nothing yet, and her signed permit for 5. */
  async function permitted(lifetime: bigint) {
    const world = await deployed();
    const { arena, fight, alice } = world;
    await fight.connect(alice).approve(arena, 0n);
    const [, name, version, chainId, verifyingContract] = await fight.eip712Domain();
    const deadline = BigInt((await ethers.provider.getBlock("latest"))!.timestamp) + lifetime;
    const permit = { owner: alice.address, spender: await arena.getAddress(), value: 5n, nonce: 0n, deadline };
    const signed = await alice.signTypedData({ name, version, chainId, verifyingContract }, PERMIT_TYPES, permit);
    const { v, r, s } = Signature.from(signed);
    const deposit = (player = alice) => arena.connect(player).depositWithPermit(fight, 5n, deadline, v, r, s);
    return { world, deposit, use: () => fight.permit(alice, arena, 5n, deadline, v, r, s) };
  }
  const fresh = () => permitted(1000n);
  const expired = () => permitted(-1n);

  async function expectDeposited({ arena, fight, alice }: World): Promise<void> {
    expect(await arena.purseOf(alice, fight)).to.equal(PURSE + 5n);
    expect(await fight.balanceOf(alice)).to.equal(PURSE - 5n);
  }

  it("given a permit, a deposit needs no allowance", async () => {
    const { world, deposit } = await loadFixture(fresh);
    const token = await world.fight.getAddress();
    await expect(deposit()).to.emit(world.arena, "Deposited").withArgs(token, world.alice.address, 5n);
    await expectDeposited(world);
    await expectSolvent(world, token);
  });

  it("given a permit that somebody else has already used, a deposit with the permit still succeeds", async () => {
    const { world, deposit, use } = await loadFixture(fresh);
    await use();
    await deposit();
    await expectDeposited(world);
  });

  it("given a permit of a player, when a stranger uses it, the arena refuses", async () => {
    const { world, deposit } = await loadFixture(fresh);
    await expectRefused(world, () => deposit(world.stranger), "ERC20InsufficientAllowance(arena, 0, 5)");
  });

  it("given an expired permit, when there is no allowance, the deposit is refused", async () => {
    const { world, deposit } = await loadFixture(expired);
    await expectRefused(world, deposit, "ERC20InsufficientAllowance(arena, 0, 5)");
  });

  it("given an expired permit, when there is an allowance, the deposit uses the allowance", async () => {
    const { world, deposit } = await loadFixture(expired);
    await world.fight.connect(world.alice).approve(world.arena, 5n);
    await deposit();
    await expectDeposited(world);
  });

  it("given a token address without a contract, when a player deposits with a permit, the arena refuses", async () => {
    const world = await loadFixture(deployed);
    const own = world.arena.connect(world.alice);
    const [v, r] = [27, ethers.ZeroHash];
    await expectRefused(world, () => own.depositWithPermit(world.bob, 5n, 0n, v, r, r), "NotAContract(bob)");
    await expectRefused(world, () => own.depositWithPermit(COIN, 5n, 0n, v, r, r), "NotAContract(zero)");
  });
});

describe("Purse: withdrawals", () => {
  for (const amount of [0n, 1n, 100n]) {
    it(`given a purse of 100 wei, when ${amount} are withdrawn, the receiver gets them`, async () => {
      const world = await loadFixture(rich);
      const { arena, alice, stranger } = world;
      const sent = () => arena.connect(alice).withdraw(COIN, amount, stranger);
      await expect(sent).to.changeEtherBalances(ethers, [arena, stranger], [-amount, amount]);
      const [withdrawn] = await arena.queryFilter(arena.filters.Withdrawn());
      expect([...withdrawn.args]).to.deep.equal([COIN, alice.address, stranger.address, amount]);
      expect(await arena.purseOf(alice, COIN)).to.equal(100n - amount);
      await expectSolvent(world, COIN);
    });

    it(`given a purse of 1000 FIGHT, when ${amount} FIGHT are withdrawn, the receiver gets them`, async () => {
      const world = await loadFixture(rich);
      const { arena, fight, alice, stranger } = world;
      const token = await fight.getAddress();
      await expect(arena.connect(alice).withdraw(token, 10n * amount * UNIT, stranger))
        .to.emit(arena, "Withdrawn")
        .withArgs(token, alice.address, stranger.address, 10n * amount * UNIT);
      expect(await fight.balanceOf(stranger)).to.equal(10n * amount * UNIT);
      expect(await arena.purseOf(alice, token)).to.equal(PURSE - 10n * amount * UNIT);
      await expectSolvent(world, token);
    });
  }

  it("given a purse, when its player withdraws more than the purse holds, or withdraws everything twice, the arena refuses", async () => {
    const world = await loadFixture(rich);
    const { arena, alice, bob } = world;
    const withdraw = (amount: bigint) => arena.connect(alice).withdraw(COIN, amount, alice);
    await arena.connect(bob).deposit(COIN, 500n, bob, { value: 500n });
    for (const amount of [101n, 600n, 2n ** 256n - 1n]) {
      await expectRefused(world, () => withdraw(amount), `PurseTooLow(alice, zero, 100, ${amount})`);
    }
    await withdraw(100n);
    await expectRefused(world, () => withdraw(100n), "PurseTooLow(alice, zero, 0, 100)");
  });

  it("given a purse, when its player withdraws to the zero address or to the arena, the arena refuses", async () => {
    const world = await loadFixture(rich);
    const { arena, fight, alice } = world;
    for (const token of [COIN, fight]) {
      await expectRefused(world, () => arena.connect(alice).withdraw(token, 1n, COIN), "BadReceiver(zero)");
      await expectRefused(world, () => arena.connect(alice).withdraw(token, 1n, arena), "BadReceiver(arena)");
    }
  });

  it("given a receiver that rejects coin, a withdrawal to that receiver is refused, and the purse keeps the credit", async () => {
    const world = await loadFixture(rich);
    const { arena, alice, scripted } = world;
    await expectRefused(world, () => arena.connect(alice).withdraw(COIN, 1n, scripted), "FailedCall()");
  });

  it("given a token that takes more than requested, a withdrawal is refused, even if the arena has a surplus of the token", async () => {
    const world = await loadFixture(rich);
    const { arena, alice, odd } = world;
    await odd.set(0n, 1n);
    for (const uninvited of [0n, 1n, 1000n]) {
      await odd.mint(arena, uninvited);
      await expectRefused(world, () => arena.connect(alice).withdraw(odd, 100n, alice), "Overdrawn(odd, 101, 100)");
    }
  });
});
