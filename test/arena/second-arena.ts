import { expect } from "chai";
import { Arena__factory, AutoBattler__factory } from "../../typechain-types/index.js";
import { MatchDriver, teamOf } from "../support/auto-battler.js";
import { deployed, ethers, loadFixture, Status, termsHash, UNIT, ZERO_HASH, type World } from "../support/index.js";

const ENDED = [Status.P1Win, Status.P2Win];

/** Deploys a second arena and a second auto-battler next to those of a world, with the same tokens. */
async function second(world: World): Promise<World> {
  const { owner, treasury, fighters } = world;
  const arena = await ethers.deployContract("Arena", [owner, treasury]);
  const game = await ethers.deployContract("AutoBattler", [arena, fighters]);
  return {
    ...world,
    arena: Arena__factory.connect(await arena.getAddress(), owner),
    autoBattler: AutoBattler__factory.connect(await game.getAddress(), owner),
  };
}

/** A match in play at the first arena, with stakes of 10 from purses of 1000, when the second is deployed. */
async function replaced() {
  const old = await deployed();
  const [team1, team2] = [await teamOf(old, old.alice), await teamOf(old, old.bob)];
  const open = await MatchDriver.create(old, team1);
  await open.join(team2);
  return { old, open, team1, team2, fresh: await second(old) };
}

describe("A second arena beside the first", () => {
  it("lets players finish a match in the old arena, then play with the withdrawn money and the same characters", async () => {
    const { old, open, team1, team2, fresh } = await loadFixture(replaced);
    const { alice, bob, fight } = old;

    // The first arena does not know the second, so the match ends where it started.
    await open.reveal();
    expect(ENDED).to.include(await old.arena.statusOf(open.id));
    for (const player of [alice, bob]) {
      const amount = await old.arena.purseOf(player, fight);
      await old.arena.connect(player).withdraw(fight, amount, player);
      await fight.connect(player).approve(fresh.arena, amount);
      await fresh.arena.connect(player).deposit(fight, amount, player);
      expect(await fresh.arena.purseOf(player, fight)).to.equal(amount);
      expect(await old.arena.purseOf(player, fight)).to.equal(0n);
    }

    // Characters cool down only in the game in which they fought.
    const next = await MatchDriver.create(fresh, team1, { salt: "second" });
    await next.join(team2);
    await next.reveal();
    expect(next.id).to.equal(1n);
    expect(ENDED).to.include(await fresh.arena.statusOf(next.id));
  });

  it("inherits no purse, rating, terms, match or operator", async () => {
    const { old, open, fresh } = await loadFixture(replaced);
    const { alice, bob, carol, fight } = old;
    await old.arena.connect(alice).allow(carol, 2n ** 39n);
    await open.reveal();
    expect(await old.arena.purseOf(carol, fight)).to.equal(1000n * UNIT);
    expect(await fresh.arena.purseOf(carol, fight)).to.equal(0n);
    expect(await old.arena.recordOf(old.autoBattler, alice)).to.not.deep.equal(
      await fresh.arena.recordOf(fresh.autoBattler, alice),
    );
    for (const player of [alice, bob]) {
      expect(await fresh.arena.recordOf(fresh.autoBattler, player)).to.deep.equal(
        await fresh.arena.recordOf(fresh.autoBattler, carol),
      );
    }
    expect(await fresh.arena.matchCount()).to.equal(0n);
    expect(await old.arena.termsIdOf(termsHash(open.terms))).to.equal(1n);
    expect(await fresh.arena.termsIdOf(termsHash(open.terms))).to.equal(0n);
    expect(await old.arena.operatorUntil(alice, carol)).to.equal(2n ** 39n);
    expect(await fresh.arena.operatorUntil(alice, carol)).to.equal(0n);
  });

  it("cannot offer a match in a game of the first arena, which accepts calls only from its own arena", async () => {
    const { old, team1, fresh } = await loadFixture(replaced);
    const mixed = { ...fresh, autoBattler: old.autoBattler };
    await expect(MatchDriver.create(mixed, team1, { stake1: 0n, stake2: 0n, mode: ZERO_HASH }))
      .to.be.revertedWithCustomError(old.autoBattler, "NotTheArena")
      .withArgs(fresh.arena, old.arena);
  });

  it("lets characters fight in both arenas at the same time", async () => {
    const { team1, team2, fresh } = await loadFixture(replaced);
    const both = await MatchDriver.create(fresh, team1, { stake1: 0n, stake2: 0n });
    await both.join(team2);
    expect(await fresh.arena.statusOf(both.id)).to.equal(Status.AllJoined);
  });
});
