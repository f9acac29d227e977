import { expect } from "chai";
import { ZeroHash } from "ethers";
import {
  at,
  DAY,
  deployed,
  HOUR,
  inPassing,
  loadFixture,
  networkHelpers,
  now,
  Seat,
  Status,
  step,
  UNIT,
  type World,
} from "../support/index.js";
import { expectSettled, inPlay, offered, type Match, type Offer } from "../support/matches.js";
import { expectRefused } from "../support/refusals.js";

const { None, One, Two, Either } = Seat;
const STAKES: Offer = { stake1: 10n * UNIT, stake2: 30n * UNIT, rated: false };
const AWAY = 30n * DAY;
const PLAYERS = [
  [One, "alice"],
  [Two, "bob"],
] as const;

/** Mines a block in which the time is up. */
async function pass(deadline: bigint): Promise<void> {
  await at(deadline + 1n);
  await networkHelpers.mine();
}

describe("Arena: either player's turn", () => {
  let world: World;
  let match: Match;
  const clockOf = async (): Promise<bigint[]> => {
    const { turn, deadline, reserve } = await world.arena.matchOf(match.id);
    return [turn, deadline, reserve];
  };
  beforeEach(async () => {
    world = await loadFixture(deployed);
  });

  describe("given a match that waits for either player once joined", () => {
    beforeEach(async () => {
      match = await inPlay(world, STAKES, Either);
    });

    it("it has 30 days, whatever its clock", async () => {
      expect(await clockOf()).to.deep.equal([Either, (await now()) + AWAY, HOUR]);
      match = await inPlay(world, { ...STAKES, clock: 30n * DAY }, Either);
      expect(await clockOf()).to.deep.equal([Either, (await now()) + AWAY, 30n * DAY]);
      const { id, hash, terms } = await offered(world, { ...STAKES, opponent: "bob", firmFor: HOUR });
      await world.arena.connect(world.bob).join(id, hash, step(Either));
      match = { id, hash, terms };
      expect(await clockOf()).to.deep.equal([Either, (await now()) + AWAY, HOUR]);
    });

    for (const [seat, name] of PLAYERS) {
      for (const next of [One, Two]) {
        it(`when player ${seat} acts and seat ${next} is next, the event names the seat, and both clocks start full`, async () => {
          const { arena, scripted } = world;
          for (const used of [1n, 29n * DAY, AWAY - 10n, AWAY]) {
            await inPassing(async () => {
              const [, deadline] = await clockOf();
              await at(deadline - AWAY + used);
              const sent = arena.connect(world[name]).act(match.id, step(next));
              await expect(sent).to.emit(arena, "Acted").withArgs(match.id, seat, step(next));
              const duel = [match.id, match.terms.mode, false, world.alice.address, world.bob.address, ZeroHash];
              await expect(sent).to.emit(scripted, "Called").withArgs("act", duel, seat, step(next));
              expect(await clockOf()).to.deep.equal([next, (await now()) + HOUR, HOUR]);
            });
          }
        });
      }

      it(`when player ${seat} acts and either is next, it has 30 days again`, async () => {
        await at((await now()) + 20n * DAY);
        await world.arena.connect(world[name]).act(match.id, step(Either));
        expect(await clockOf()).to.deep.equal([Either, (await now()) + AWAY, HOUR]);
      });

      it(`when player ${seat} acts in the last second, it is accepted, and a second later it is late`, async () => {
        const [, deadline] = await clockOf();
        const send = () => world.arena.connect(world[name]).act(match.id, step(One));
        await inPassing(async () => {
          await at(deadline);
          await send();
        });
        await at(deadline + 1n);
        await expectRefused(world, send, "TooLate", [match.id, deadline, deadline + 1n]);
      });

      it(`when player ${seat} resigns, the other wins as usual`, async () => {
        const status = seat === One ? Status.P2Win : Status.P1Win;
        const paid = seat === One ? [0n, 32n * UNIT, 8n * UNIT] : [32n * UNIT, 0n, 8n * UNIT];
        await expectSettled(world, match, () => world.arena.connect(world[name]).resign(match.id), status, paid);
      });
    }

    it("when an operator of both players acts, or a stranger, it is refused", async () => {
      const { arena, alice, bob, carol, stranger } = world;
      for (const player of [alice, bob]) await arena.connect(player).allow(carol, 2n ** 40n - 1n);
      for (const sender of [carol, stranger]) {
        const send = () => arena.connect(sender).act(match.id, step(One));
        await expectRefused(world, send, "NotAPlayer", [match.id, sender]);
      }
      await arena.connect(alice).act(match.id, step(Two));
      await arena.connect(carol).act(match.id, step(None, One));
      expect(await arena.statusOf(match.id)).to.equal(Status.P1Win);
    });

    it("when 30 days pass, it can be timed out from then on, and gives each its own stake", async () => {
      const [, deadline] = await clockOf();
      const send = () => world.arena.connect(world.stranger).timeout(match.id);
      await at(deadline);
      await expectRefused(world, send, "TooEarly", [match.id, deadline, deadline]);
      await pass(deadline);
      const sent = await expectSettled(world, match, send, Status.Draw, [10n * UNIT, 30n * UNIT, 0n]);
      await expect(sent).not.to.emit(world.scripted, "Called");
    });

    it("when its game ends the match, it is settled as usual", async () => {
      const send = () => world.arena.connect(world.bob).act(match.id, step(None, Two));
      await expectSettled(world, match, send, Status.P2Win, [0n, 32n * UNIT, 8n * UNIT]);
    });
  });

  it("given a rated match, when nobody acts for 30 days, the draw is not rated", async () => {
    const { arena, alice, bob, scripted, fight } = world;
    match = await inPlay(world, {}, Either);
    await pass((await clockOf())[1]);
    const sent = arena.timeout(match.id);
    await expect(sent)
      .to.emit(arena, "Settled")
      .withArgs(match.id, Status.Draw, 10n * UNIT, 10n * UNIT, 0n, 0n, 0n);
    for (const player of [alice, bob]) {
      expect([...(await arena.recordOf(scripted, player))]).to.deep.equal([1000n, 0n, 0n, 0n, 0n, 0n, 0n]);
      expect([...(await arena.stakesOf(player, fight))]).to.deep.equal([0n, 0n]);
    }
  });

  for (const [seat, name] of PLAYERS) {
    it(`given used clocks, when player ${seat} gives the turn to either, 30 days begin, and then both clocks are full again`, async () => {
      const { arena, alice } = world;
      match = await inPlay(world, STAKES, seat);
      await at((await now()) + 3000n);
      await arena.connect(world[name]).act(match.id, step(Either));
      expect(await clockOf()).to.deep.equal([Either, (await now()) + AWAY, HOUR]);
      await at((await now()) + AWAY - 5n);
      await arena.connect(alice).act(match.id, step(Two));
      expect(await clockOf()).to.deep.equal([Two, (await now()) + HOUR, HOUR]);
    });
  }

  it("given one player's turn after either's, when play continues, the chess clock runs and can run out", async () => {
    const { arena, alice, bob } = world;
    match = await inPlay(world, STAKES, Either);
    await arena.connect(alice).act(match.id, step(Two));
    const start = await now();
    await at(start + 1000n);
    await arena.connect(bob).act(match.id, step(One));
    expect(await clockOf()).to.deep.equal([One, start + 1000n + HOUR, HOUR - 1000n + HOUR / 32n]);
    await pass(start + 1000n + HOUR);
    const send = () => arena.timeout(match.id);
    await expectSettled(world, match, send, Status.P2WinInactive, [0n, 40n * UNIT, 0n]);
  });
});
