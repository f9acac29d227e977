import { expect } from "chai";
import { FightToken__factory } from "../../typechain-types/index.js";
import { COIN, deployed, deployMock, loadFixture, Status, UNIT, type Player, type World } from "../support/index.js";
import { expectSolvent, offered } from "../support/matches.js";
import { fundOrder } from "../support/orders.js";
import { contractsIn, expectRefused, expectUnchanged } from "../support/refusals.js";

const STAKES = { stake1: 10n, stake2: 30n, rated: false };

describe("Purse: ERC-1363 transfers", () => {
  const transfer = ({ fight, arena }: World, player: Player, value: bigint, data: string) =>
    fight.connect(player)["transferAndCall(address,uint256,bytes)"](arena, value, data);

  it("given no order to take a seat, when tokens are transferred, they are credited to the sender's purse", async () => {
    const world = await loadFixture(deployed);
    const { arena, fight, alice } = world;
    const token = await fight.getAddress();
    const sent = fight.connect(alice)["transferAndCall(address,uint256)"](arena, 5n);
    await expect(sent).to.emit(arena, "Deposited").withArgs(token, alice.address, 5n);
    expect(await arena.purseOf(alice, fight)).to.equal(1000n * UNIT + 5n);
    await expectSolvent(world, token);
  });

  for (const surplus of [0n, 2n]) {
    it(`given an order to take a seat, when the stake ${surplus ? "and more " : ""}is transferred, the seat is taken`, async () => {
      const world = await loadFixture(deployed);
      const { arena, fight, alice, bob } = world;
      const token = await fight.getAddress();
      const { id, hash } = await offered(world, { ...STAKES, funded: false });
      await expect(transfer(world, alice, 10n + surplus, fundOrder(id, hash)))
        .to.emit(arena, "Funded")
        .withArgs(id, 1n, alice.address);
      expect(await arena.statusOf(id)).to.equal(Status.P1Deposited);
      await expect(transfer(world, bob, 30n + surplus, fundOrder(id, hash)))
        .to.emit(arena, "Funded")
        .withArgs(id, 2n, bob.address);
      const { status, player2 } = await arena.matchOf(id);
      expect([status, player2]).to.deep.equal([Status.AllDeposited, bob.address]);
      for (const player of [alice, bob]) expect(await arena.purseOf(player, fight)).to.equal(1000n * UNIT + surplus);
      await expectSolvent(world, token);
    });
  }

  it("given a purse that already covers the stake, a transfer that is smaller than the stake is refused", async () => {
    const world = await loadFixture(deployed);
    const { alice, bob } = world;
    const { id, hash } = await offered(world, { ...STAKES, funded: false });
    for (const value of [0n, 9n]) {
      await expectRefused(
        world,
        () => transfer(world, alice, value, fundOrder(id, hash)),
        `TransferTooSmall(${id}, ${value}, 10)`,
      );
    }
    await transfer(world, alice, 10n, fundOrder(id, hash));
    for (const value of [10n, 29n]) {
      await expectRefused(
        world,
        () => transfer(world, bob, value, fundOrder(id, hash)),
        `TransferTooSmall(${id}, ${value}, 30)`,
      );
    }
  });

  for (const length of [1, 31, 32, 63, 65, 96]) {
    it(`given ${length} bytes of data, a transfer of tokens is refused`, async () => {
      const world = await loadFixture(deployed);
      const { id, hash } = await offered(world, STAKES);
      const data = `${fundOrder(id, hash)}${"00".repeat(32)}`.slice(0, 2 + 2 * length);
      await expectRefused(world, () => transfer(world, world.bob, 30n, data), `BadTransferData(${length})`);
    });
  }

  it("given another token than the match's, a transfer with an order to take a seat is refused", async () => {
    async function withOther() {
      const world = await deployed();
      const other = FightToken__factory.connect(
        await (await deployMock("FightToken", world.owner)).getAddress(),
        world.bob,
      );
      await other.connect(world.owner).mint(world.bob, 100n);
      return { ...world, other };
    }
    const world = await loadFixture(withOther);
    const { arena, other } = world;
    for (const offer of [STAKES, { ...STAKES, token: COIN, stake1: 0n }]) {
      const { id, hash } = await offered(world, offer);
      const send = () => other["transferAndCall(address,uint256,bytes)"](arena, 30n, fundOrder(id, hash));
      await expectRefused(world, send, `WrongToken(${id}, other, ${offer === STAKES ? "fight" : "zero"})`);
    }
  });

  it("given a spender, it can transfer the owner's tokens into the owner's purse, but cannot take a seat with them", async () => {
    const world = await loadFixture(deployed);
    const { arena, fight, bob, stranger } = world;
    const { id, hash } = await offered(world, { ...STAKES, opponent: "bob" });
    await fight.connect(bob).approve(stranger, 100n);
    const spender = fight.connect(stranger);
    const send = spender["transferFromAndCall(address,address,uint256,bytes)"];
    await expectRefused(world, () => send(bob, arena, 30n, fundOrder(id, hash)), "NotTheOwner(stranger, bob)");
    await spender["transferFromAndCall(address,address,uint256)"](bob, arena, 30n);
    expect(await arena.purseOf(bob, fight)).to.equal(1000n * UNIT + 30n);
    expect(await arena.purseOf(stranger, fight)).to.equal(0n);
    await expectSolvent(world, await fight.getAddress());
  });

  it("given a stranger without allowance, its transfer of zero tokens for a victim changes nothing", async () => {
    const world = await loadFixture(deployed);
    const { arena, fight, bob, stranger } = world;
    for (const offer of [STAKES, { ...STAKES, stake2: 0n }]) {
      const { id, hash } = await offered(world, { ...offer, opponent: "bob" });
      const send = fight.connect(stranger)["transferFromAndCall(address,address,uint256,bytes)"];
      await expectRefused(world, () => send(bob, arena, 0n, fundOrder(id, hash)), "NotTheOwner(stranger, bob)");
      await expectRefused(world, () => send(bob, arena, 0n, "0x00"), "BadTransferData(1)");
      await expectUnchanged(contractsIn(world), () => send(bob, arena, 0n, "0x"));
    }
  });

  it("given a forged report of a transfer, it is refused if its sender is not a token", async () => {
    const world = await loadFixture(deployed);
    const { arena, alice, stranger } = world;
    for (const value of [0n, 5n]) {
      const send = () => arena.connect(stranger).onTransferReceived(alice, alice, value, "0x");
      await expectRefused(world, send, "unnamed 0x");
    }
  });

  it("given a token that reports transfers that it has not made, its reports are refused", async () => {
    const odd = async () => ({ ...(await deployed()), odd: await deployMock("TollToken") });
    const world = await loadFixture(odd);
    const { arena, bob } = world;
    const { id, hash } = await offered(world, { ...STAKES, opponent: "bob" });
    await expectRefused(world, () => world.odd.forge(arena, bob, 5n, "0x"), "NotReceived(odd, 0, 5)");
    await expectRefused(world, () => world.odd.forge(arena, COIN, 0n, "0x"), "BadReceiver(zero)");
    await expectRefused(
      world,
      () => world.odd.forge(arena, bob, 0n, fundOrder(id, hash)),
      `WrongToken(${id}, odd, fight)`,
    );
  });
});
