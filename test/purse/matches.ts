import { expect } from "chai";
import {
  COIN,
  DAY,
  deployed,
  loadFixture,
  Seat,
  Status,
  step,
  termsFor,
  UNIT,
  offerHashOf,
  now,
  type World,
} from "../support/index.js";
import { expectSolvent, offered, taken, type Match, type Sent } from "../support/matches.js";
import { expectRefused } from "../support/refusals.js";

const { None, One } = Seat;
const STAKES = { stake1: 10n, stake2: 30n, rated: false };
const ONE_STEP = { opponent: "bob", firmFor: DAY } as const;

describe("Purse: coin sent with a match action", () => {
  const STAKED = { ...STAKES, token: COIN };

  /** Creates an offer of 10 wei against 30, and sends this amount of coin with it. */
  async function create(world: World, value: bigint, opponent = COIN, firmUntil = 0n): Promise<Match & { sent: Sent }> {
    const terms = await termsFor(world, STAKED);
    const sent = world.arena.connect(world.alice).create(terms, opponent, firmUntil, "0x", { value });
    await sent;
    const id = await world.arena.matchCount();
    return { id, hash: await offerHashOf(world.arena, id), terms, sent };
  }

  for (const [value, status, purse] of [
    [0n, Status.Created, 0n],
    [9n, Status.Created, 9n],
    [10n, Status.P1Deposited, 0n],
    [17n, Status.P1Deposited, 7n],
  ]) {
    it(`given a stake of 10 wei, when player 1 sends ${value} wei with create, the status is ${status} and ${purse} wei stay in the purse`, async () => {
      const world = await loadFixture(deployed);
      const { arena, alice } = world;
      const { id, sent } = await create(world, value);
      if (value) await expect(sent).to.emit(arena, "Deposited").withArgs(COIN, alice.address, value);
      else await expect(sent).not.to.emit(arena, "Deposited");
      expect(await arena.statusOf(id)).to.equal(status);
      expect(await arena.purseOf(alice, COIN)).to.equal(purse);
      await expectSolvent(world, COIN);
    });
  }

  it("given a purse with a part of the stake, when player 1 sends the rest with create, the offer is funded", async () => {
    const world = await loadFixture(deployed);
    const { arena, alice } = world;
    await arena.connect(alice).deposit(COIN, 6n, alice, { value: 6n });
    const { id } = await create(world, 4n);
    expect(await arena.statusOf(id)).to.equal(Status.P1Deposited);
    expect(await arena.purseOf(alice, COIN)).to.equal(0n);
  });

  it("given too little coin sent with create, when player 1 sends more than the rest with fund, the offer is funded", async () => {
    const world = await loadFixture(deployed);
    const { arena, alice } = world;
    const { id, hash } = await create(world, 3n);
    const short = () => arena.connect(alice).fund(id, hash, { value: 6n });
    await expectRefused(world, short, "PurseTooLow(alice, zero, 9, 10)");
    await arena.connect(alice).fund(id, hash, { value: 8n });
    expect(await arena.statusOf(id)).to.equal(Status.P1Deposited);
    expect(await arena.purseOf(alice, COIN)).to.equal(1n);
    await expectSolvent(world, COIN);
  });

  it("given an offer, when player 2 sends less than its stake, the call is refused; when it sends more, the surplus stays in its purse", async () => {
    const world = await loadFixture(deployed);
    const { arena, bob } = world;
    const firmUntil = (await now()) + 86_400n;
    for (const oneStep of [false, true]) {
      const { id, hash } = await create(world, 10n, bob.address, oneStep ? firmUntil : 0n);
      const own = arena.connect(bob);
      const send = (value: bigint) =>
        oneStep ? own.join(id, hash, step(One), { value }) : own.fund(id, hash, { value });
      const purse = await arena.purseOf(bob, COIN);
      const short = 29n - purse;
      await expectRefused(world, () => send(short), `PurseTooLow(bob, zero, 29, 30)`);
      await send(32n);
      expect(await arena.purseOf(bob, COIN)).to.equal(purse + 2n);
      await expectSolvent(world, COIN);
    }
  });

  it("given a funded player 2, when it sends coin with join, the coin is credited to its purse", async () => {
    const world = await loadFixture(deployed);
    const { arena, bob } = world;
    const { id, hash } = await create(world, 10n);
    await arena.connect(bob).fund(id, hash, { value: 30n });
    await arena.connect(bob).join(id, hash, step(One), { value: 3n });
    expect(await arena.purseOf(bob, COIN)).to.equal(3n);
    await expectSolvent(world, COIN);
  });

  it("given a match for tokens, when a player sends any coin with create, fund or join, the call is refused (CodeHawks RPS H-02)", async () => {
    const world = await loadFixture(deployed);
    const { arena, alice, bob } = world;
    const terms = await termsFor(world, { stake1: 0n });
    const [unfunded, offer] = [await offered(world, { funded: false }), await offered(world)];
    const [firm, joining] = [await offered(world, ONE_STEP), await taken(world)];
    const sends = (value: bigint) => [
      () => arena.connect(alice).create(terms, COIN, 0n, "0x", { value }),
      () => arena.connect(alice).fund(unfunded.id, unfunded.hash, { value }),
      () => arena.connect(bob).fund(offer.id, offer.hash, { value }),
      () => arena.connect(bob).join(firm.id, firm.hash, step(One), { value }),
      () => arena.connect(bob).join(joining.id, joining.hash, step(One), { value }),
    ];
    for (const value of [1n, 10n * UNIT - 1n, 10n * UNIT, 10n * UNIT + 1n]) {
      for (const send of sends(value)) await expectRefused(world, send, `WrongValue(${value}, 0)`);
    }
    // Coin in the purse does not pay a stake in tokens, either.
    await arena.connect(bob).withdraw(world.fight, await arena.purseOf(bob, world.fight), bob);
    await arena.connect(bob).deposit(COIN, 10n * UNIT, bob, { value: 10n * UNIT });
    const short = `PurseTooLow(bob, fight, 0, ${10n * UNIT})`;
    for (const index of [2, 3]) await expectRefused(world, sends(0n)[index], short);
  });

  it("given a winner, when it makes the next offer, its winnings pay the stake", async () => {
    const world = await loadFixture(deployed);
    const { arena, alice, bob } = world;
    const { id, hash } = await create(world, 10n);
    await arena.connect(bob).fund(id, hash, { value: 30n });
    await arena.connect(bob).join(id, hash, step(One));
    await arena.connect(alice).act(id, step(None, One));
    expect(await arena.purseOf(alice, COIN)).to.equal(32n);
    const next = await create(world, 0n);
    expect(await arena.statusOf(next.id)).to.equal(Status.P1Deposited);
    expect(await arena.purseOf(alice, COIN)).to.equal(22n);
    await expectSolvent(world, COIN);
  });
});
