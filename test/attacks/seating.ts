import { expect } from "chai";
import {
  deployed,
  deployMock,
  HOUR,
  loadFixture,
  networkHelpers,
  Seat,
  Status,
  step,
  termsFor,
  time,
  offerHashOf,
  ethers,
  UNIT,
  type World,
} from "../support/index.js";
import { fundOrder } from "../support/orders.js";
import { expectRefused, FREE } from "../support/refusals.js";

/** Offers a rated match of the scripted game to anyone, for a token that anybody can make lie. */
async function offeredForLyingToken() {
  const world = await deployed();
  const token = await deployMock("TollToken");
  const terms = await termsFor(world, { token: await token.getAddress(), stake1: 0n });
  await world.arena.connect(world.alice).create(terms, ethers.ZeroAddress, 0, "0x");
  await token.mint(world.arena, terms.stake2);
  await networkHelpers.setNextBlockBaseFeePerGas(0);
  return { ...world, token, hash: await offerHashOf(world.arena, 1), stake: terms.stake2 };
}

/** Offers a rated match of the scripted game to anyone for FIGHT. */
async function offeredForFight() {
  const world = await deployed();
  const terms = await termsFor(world);
  await world.arena.connect(world.alice).create(terms, ethers.ZeroAddress, 0, "0x");
  return { ...world, hash: await offerHashOf(world.arena, 1) };
}

const sendIntoMatch = ({ fight, arena, bob }: World, hash: string) =>
  fight.connect(bob)["transferAndCall(address,uint256,bytes)"](arena, 10n * UNIT, fundOrder(1, hash));

async function lapse({ arena, stranger }: World) {
  await time.increase(HOUR + 1n);
  return arena.connect(stranger).timeout(1);
}

describe("Known attacks: seats taken by ERC-1363 transfers", () => {
  it("given a hostile token that seats bob, when bob stays silent, his record and rating do not change", async () => {
    const world = await loadFixture(offeredForLyingToken);
    const { arena, token, bob, alice, scripted, hash, stake } = world;
    await token.forge(arena, bob, stake, fundOrder(1, hash));
    expect((await arena.matchOf(1)).player2).to.equal(bob.address);
    await expect(lapse(world)).to.emit(arena, "Settled").withArgs(1, Status.P1WinInactive, stake, 0, 0, 0, 0);
    for (const player of [alice, bob]) {
      expect(await arena.recordOf(scripted, player)).to.deep.equal([1000n, 0n, 0n, 0n, 0n, 0n, 0n]);
      expect(await arena.stakesOf(player, token)).to.deep.equal([0n, 0n]);
    }
  });

  it("given a hostile token, when it seats bob before or after he declines, only the first of the two calls succeeds", async () => {
    const { token, hash: _hash, stake: _stake, ...world } = await loadFixture(offeredForLyingToken);
    const { arena, alice, bob } = world;
    const terms = await termsFor(world, { token: await token.getAddress(), stake1: 0n });
    await token.mint(arena, terms.stake2);
    for (const [matchId, isFirst] of [
      [2n, true],
      [3n, false],
    ] as const) {
      await arena.connect(alice).create(terms, bob, (await time.latest()) + 3600, "0x");
      const order = fundOrder(Number(matchId), await offerHashOf(arena, matchId));
      const forge = () => token.forge(arena, bob, terms.stake2, order);
      const decline = () => arena.connect(bob).decline(matchId, FREE);
      await (isFirst ? forge() : decline());
      await expectRefused(world, isFirst ? decline : forge, "WrongStatus");
      expect(await arena.statusOf(matchId)).to.equal(isFirst ? Status.AllDeposited : Status.P1Canceled);
    }
  });

  it("given an open rated offer without stakes, when a squatter takes it and stays silent, player 1 loses no rating", async () => {
    for (const isByTransfer of [true, false]) {
      const world = await loadFixture(deployed);
      const { arena, fight, alice, bob } = world;
      const terms = await termsFor(world, { stake1: 0n, stake2: 0n });
      await arena.connect(alice).create(terms, ethers.ZeroAddress, 0, "0x");
      const hash = await offerHashOf(arena, 1);
      const sender = fight.connect(bob);
      await (isByTransfer
        ? sender["transferAndCall(address,uint256,bytes)"](arena, 0n, fundOrder(1, hash))
        : arena.connect(bob).fund(1, hash));
      const ratings = isByTransfer ? [0, 0] : [1020, 980];
      await expect(lapse(world))
        .to.emit(arena, "Settled")
        .withArgs(1, Status.P1WinInactive, 0, 0, 0, ...ratings);
    }
  });

  it("given bob took the seat by a transfer of FIGHT and joined, when his clock runs out, he forfeits", async () => {
    const world = await loadFixture(offeredForFight);
    const { arena, bob, scripted, hash } = world;
    await sendIntoMatch(world, hash);
    await arena.connect(bob).join(1, hash, step(Seat.Two));
    await expect(lapse(world))
      .to.emit(arena, "Settled")
      .withArgs(1, Status.P1WinInactive, 20n * UNIT, 0, 0, 1020, 980);
    expect((await arena.recordOf(scripted, bob)).forfeits).to.equal(1n);
  });

  it("given bob funded the seat himself, when he never joins, he forfeits", async () => {
    const world = await loadFixture(offeredForFight);
    const { arena, bob, scripted, hash } = world;
    await arena.connect(bob).fund(1, hash);
    await expect(lapse(world))
      .to.emit(arena, "Settled")
      .withArgs(1, Status.P1WinInactive, 20n * UNIT, 0, 0, 1020, 980);
    expect((await arena.recordOf(scripted, bob)).forfeits).to.equal(1n);
  });

  it("given alice took her own seat by a transfer of FIGHT, when bob funds and never joins, bob forfeits", async () => {
    const world = await loadFixture(deployed);
    const { arena, fight, alice, bob, scripted } = world;
    await arena.connect(alice).withdraw(fight, 1000n * UNIT, alice);
    const terms = await termsFor(world);
    await arena.connect(alice).create(terms, ethers.ZeroAddress, 0, "0x");
    const hash = await offerHashOf(arena, 1);
    await fight.connect(alice)["transferAndCall(address,uint256,bytes)"](arena, 10n * UNIT, fundOrder(1, hash));
    await arena.connect(bob).fund(1, hash);
    await lapse(world);
    expect((await arena.recordOf(scripted, bob)).forfeits).to.equal(1n);
  });
});
