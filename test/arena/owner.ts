import { expect } from "chai";
import {
  COIN,
  DAY,
  deployed,
  ethers,
  loadFixture,
  Seat,
  Status,
  step,
  termsFor,
  UNIT,
  type World,
  at,
  now,
} from "../support/index.js";
import { inPlay, offered, taken } from "../support/matches.js";
import { expectRefused } from "../support/refusals.js";

const { None, One, Two } = Seat;
const FOREVER = 2n ** 40n - 1n;

async function allowed(): Promise<World & { operator: World["carol"] }> {
  const world = await deployed();
  await world.arena.connect(world.alice).allow(world.carol, FOREVER);
  // In this world carol is alice's operator.
  return { ...world, operator: world.carol };
}

describe("Arena: operators", () => {
  it("given an approval, the operator can act for the player until its last second", async () => {
    const world = await loadFixture(deployed);
    const { arena, alice, carol } = world;
    const { id } = await inPlay(world);
    const until = (await now()) + 100n;
    await expect(arena.connect(alice).allow(carol, until))
      .to.emit(arena, "OperatorAllowed")
      .withArgs(alice.address, carol.address, until);
    expect(await arena.operatorUntil(alice, carol)).to.equal(until);
    await at(until);
    const sent = arena.connect(carol).act(id, step(One));
    await expect(sent).to.emit(arena, "Acted").withArgs(id, One, step(One));
    expect(await now()).to.equal(until);
    await at(until + 1n);
    await expectRefused(world, () => arena.connect(carol).act(id, step(One)), `NotYourTurn(${id}, alice, carol)`);
  });

  it("given an approval, when the player withdraws it, the operator can no longer act", async () => {
    const world = await loadFixture(allowed);
    const { arena, alice, operator } = world;
    const { id } = await inPlay(world);
    await arena.connect(operator).act(id, step(One));
    await arena.connect(alice).allow(operator, 0n);
    await expectRefused(world, () => arena.connect(operator).act(id, step(One)), `NotYourTurn(${id}, alice, operator)`);
  });

  it("given an operator of player 1, when it is player 2's turn, the operator cannot act", async () => {
    const world = await loadFixture(allowed);
    const { id } = await inPlay(world, {}, Two);
    const act = () => world.arena.connect(world.operator).act(id, step(One));
    await expectRefused(world, act, `NotYourTurn(${id}, bob, operator)`);
  });

  it("given an operator, when it acts, the player gets the whole payment and the operator gets nothing", async () => {
    const world = await loadFixture(allowed);
    const { arena, fight, alice, operator } = world;
    const { id } = await inPlay(world);
    await arena.connect(operator).act(id, step(None, One));
    expect(await arena.purseOf(operator, fight)).to.equal(1000n * UNIT);
    expect(await arena.purseOf(alice, fight)).to.equal(1006n * UNIT);
  });

  it("given an operator of player 1, when it calls any function except act, the call is refused", async () => {
    const world = await loadFixture(allowed);
    const { arena, fight, operator } = world;
    const own = arena.connect(operator);
    const [created, offer] = [await offered(world, { funded: false }), await offered(world, { opponent: "bob" })];
    const [joining, playing] = [await taken(world), await inPlay(world)];
    const refusals: [() => Promise<unknown>, string][] = [
      [() => own.fund(created.id, created.hash), `NotTheChallenger(${created.id}, alice, operator)`],
      [() => own.cancel(created.id), `NotTheChallenger(${created.id}, alice, operator)`],
      [() => own.cancel(offer.id), `NotTheChallenger(${offer.id}, alice, operator)`],
      [() => own.decline(offer.id), `NotTheOpponent(${offer.id}, bob, operator)`],
      [() => own.resign(playing.id), `NotAPlayer(${playing.id}, operator)`],
      [() => own.join(joining.id, joining.hash, step(One)), `NotTheOpponent(${joining.id}, bob, operator)`],
      [
        () => own.withdraw(fight, 1001n * UNIT, operator),
        `PurseTooLow(operator, fight, ${1000n * UNIT}, ${1001n * UNIT})`,
      ],
    ];
    for (const [send, refusal] of refusals) await expectRefused(world, send, refusal);
  });

  it("given an operator of player 2, when it tries to fund or join for player 2, the call is refused", async () => {
    const world = await loadFixture(deployed);
    const { arena, bob, carol } = world;
    await arena.connect(bob).allow(carol, FOREVER);
    const [offer, firm] = [
      await offered(world, { opponent: "bob" }),
      await offered(world, { opponent: "bob", firmFor: DAY }),
    ];
    const joining = await taken(world);
    for (const { id, hash } of [offer, firm]) {
      await expectRefused(world, () => arena.connect(carol).fund(id, hash), `NotTheOpponent(${id}, bob, carol)`);
    }
    for (const { id, hash } of [firm, joining]) {
      const join = () => arena.connect(carol).join(id, hash, step(One));
      await expectRefused(world, join, `NotTheOpponent(${id}, bob, carol)`);
    }
  });

  it("given an operator, when it creates a match, the operator itself is player 1 and pays the stake", async () => {
    const world = await loadFixture(allowed);
    const { arena, fight, alice, operator } = world;
    await arena.connect(operator).create(await termsFor(world), COIN, 0n, "0x");
    expect((await arena.matchOf(1n)).player1).to.equal(operator.address);
    expect(await arena.purseOf(alice, fight)).to.equal(1000n * UNIT);
  });

  it("given a player who has allowed the opponent, the opponent can act for that player, but not the other way round", async () => {
    const world = await loadFixture(deployed);
    const { arena, alice, bob } = world;
    await arena.connect(alice).allow(bob, FOREVER);
    const { id } = await inPlay(world);
    await expect(arena.connect(bob).act(id, step(Two)))
      .to.emit(arena, "Acted")
      .withArgs(id, One, step(Two));
    await expectRefused(world, () => arena.connect(alice).act(id, step(One)), `NotYourTurn(${id}, bob, alice)`);
    await arena.connect(bob).act(id, step(One));
  });

  it("given a player who has allowed the opponent, when the opponent resigns, it gives up only the opponent's seat", async () => {
    const world = await loadFixture(deployed);
    const { arena, alice, bob } = world;
    await arena.connect(alice).allow(bob, FOREVER);
    const { id } = await inPlay(world);
    await arena.connect(bob).resign(id);
    expect(await arena.statusOf(id)).to.equal(Status.P1Win);
  });
});

describe("Arena: the owner", () => {
  it("given a new arena, its fee, treasury and owner are set, and events report the fee and the treasury", async () => {
    const { arena, owner, treasury } = await loadFixture(deployed);
    const [feeBps] = await arena.queryFilter(arena.filters.FeeChanged());
    const [paid] = await arena.queryFilter(arena.filters.TreasuryChanged());
    expect([feeBps.args.feeBps, paid.args.treasury]).to.deep.equal([2000n, treasury.address]);
    expect([await arena.feeBps(), await arena.treasury(), await arena.owner()]).to.deep.equal([
      2000n,
      treasury.address,
      owner.address,
    ]);
  });

  for (const feeBps of [0n, 1n, 2000n]) {
    it(`given the owner, when it sets a fee of ${feeBps}, new matches must use the new fee, and existing matches keep the old fee`, async () => {
      const world = await loadFixture(deployed);
      const { arena, alice } = world;
      await arena.setFeeBps(1000);
      const running = await inPlay(world, { feeBps: 1000n, rated: false });
      const offer = await offered(world, { feeBps: 1000n });
      await expect(arena.setFeeBps(feeBps)).to.emit(arena, "FeeChanged").withArgs(feeBps);
      expect(await arena.feeBps()).to.equal(feeBps);
      const old = await termsFor(world, { feeBps: 1000n });
      const create = () => arena.connect(alice).create(old, COIN, 0n, "0x");
      await expectRefused(world, create, `WrongFee(1000, ${feeBps})`);
      await offered(world, { feeBps });
      await arena.connect(world.bob).fund(offer.id, offer.hash);
      await expect(arena.connect(alice).act(running.id, step(None, One)))
        .to.emit(arena, "Settled")
        .withArgs(running.id, Status.P1Win, 18n * UNIT, 0n, 2n * UNIT, 0n, 0n);
    });
  }

  it("given the owner, when it sets a fee above a fifth, the call is refused", async () => {
    const world = await loadFixture(deployed);
    for (const feeBps of [2001, 10_000, 65_535]) {
      await expectRefused(world, () => world.arena.setFeeBps(feeBps), `FeeTooHigh(${feeBps}, 2000)`);
    }
  });

  it("given the owner, when it sets the treasury, the next settlement pays the new treasury", async () => {
    const world = await loadFixture(deployed);
    const { arena, fight, alice, treasury, stranger } = world;
    const { id } = await inPlay(world);
    await expect(arena.setTreasury(stranger)).to.emit(arena, "TreasuryChanged").withArgs(stranger.address);
    await arena.connect(alice).act(id, step(None, One));
    expect(await arena.purseOf(stranger, fight)).to.equal(4n * UNIT);
    expect(await arena.purseOf(treasury, fight)).to.equal(0n);
    await expectRefused(world, () => arena.setTreasury(COIN), "BadTreasury(zero)");
    await expectRefused(world, () => arena.setTreasury(arena), "BadTreasury(arena)");
  });

  it("given a deployment, its events report the owner, the treasury and the fee, in this order", async () => {
    const { owner, treasury, arena } = await loadFixture(deployed);
    const deployment = (await ethers.deployContract("Arena", [owner, treasury])).deploymentTransaction()!;
    const { logs } = (await deployment.wait())!;
    const names = logs.map((log) => arena.interface.parseLog(log)?.name);
    expect(names).to.deep.equal(["OwnershipTransferred", "TreasuryChanged", "FeeChanged"]);
  });

  it("given an arena without a treasury, its deployment fails", async () => {
    const { owner, arena } = await loadFixture(deployed);
    await expect(ethers.deployContract("Arena", [owner, COIN])).to.be.revertedWithCustomError(arena, "BadTreasury");
  });

  it("given a stranger, when it calls an owner function, the call is refused", async () => {
    const world = await loadFixture(deployed);
    for (const name of ["treasury", "alice", "stranger"] as const) {
      const own = world.arena.connect(world[name]);
      for (const send of [
        () => own.setFeeBps(0),
        () => own.setTreasury(world.alice),
        () => own.transferOwnership(world.alice),
        () => own.renounceOwnership(),
      ]) {
        await expectRefused(world, send, `OwnableUnauthorizedAccount(${name})`);
      }
    }
  });

  it("given an owner that transfers ownership, the new owner becomes the owner only when it accepts", async () => {
    const world = await loadFixture(deployed);
    const { arena, owner, alice, bob } = world;
    await arena.transferOwnership(alice);
    expect([await arena.owner(), await arena.pendingOwner()]).to.deep.equal([owner.address, alice.address]);
    await expectRefused(world, () => arena.connect(bob).acceptOwnership(), "OwnableUnauthorizedAccount(bob)");
    await expectRefused(world, () => arena.connect(alice).setFeeBps(0), "OwnableUnauthorizedAccount(alice)");
    await arena.setFeeBps(1);
    await arena.connect(alice).acceptOwnership();
    await expectRefused(world, () => arena.setFeeBps(0), "OwnableUnauthorizedAccount(owner)");
    await arena.connect(alice).setFeeBps(0);
    expect(await arena.feeBps()).to.equal(0n);
  });

  it("given an owner that has renounced ownership, matches can still be played and ended", async () => {
    const world = await loadFixture(deployed);
    const { arena, alice } = world;
    const { id } = await inPlay(world);
    await arena.renounceOwnership();
    await at((await now()) + DAY);
    await arena.connect(alice).timeout(id);
    expect(await arena.statusOf(id)).to.equal(Status.P2WinInactive);
  });
});
