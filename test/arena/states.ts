import { expect } from "chai";
import { concat, toBeHex, ZeroHash } from "ethers";
import {
  COIN,
  DAY,
  deployed,
  loadFixture,
  Seat,
  Status,
  step,
  termsHash,
  UNIT,
  type World,
  at,
  now,
} from "../support/index.js";
import { expectSettled, expectSolvent, inPlay, offered, taken, type Match, type Offer } from "../support/matches.js";

const { None, One, Two } = Seat;
const SEATS = [None, One, Two];
/** Uneven to distinguish the seats, and unrated because the ladder has its own tests. */
const STAKES: Offer = { stake1: 10n * UNIT, stake2: 30n * UNIT, rated: false };
const POT = 40n * UNIT;
const HOUSE = 8n * UNIT;

const statusFor = (winner: bigint) => [Status.Draw, Status.P1Win, Status.P2Win][Number(winner)];

/** Returns the pay of player 1, player 2 and the house when this seat takes the pot at a fee of a fifth. */
function paidTo(taker: bigint, house: bigint = HOUSE): [bigint, bigint, bigint] {
  if (taker === None) return [10n * UNIT, 30n * UNIT, 0n];
  return taker === One ? [POT - house, 0n, house] : [0n, POT - house, house];
}

/** A kind of offer: soft or firm, open or named, funded immediately or later. */
type Kind = Offer & { funded: boolean };

const KINDS = [false, true].flatMap((firm) =>
  [false, true].flatMap((named) =>
    [false, true].map((funded): Kind => {
      return { ...STAKES, firmFor: firm ? DAY : undefined, opponent: named ? "bob" : undefined, funded };
    }),
  ),
);

function nameOf({ firmFor, opponent, funded }: Kind): string {
  const words = [firmFor ? "firm" : "soft", opponent ? "to a named opponent" : "to anyone"];
  return `a ${words.join(" offer ")} that is funded ${funded ? "at once" : "later"}`;
}

/** Returns the seats and players of the match's Funded events. */
async function fundedIn({ arena }: World, { id }: Match): Promise<unknown[][]> {
  const funded = await arena.queryFilter(arena.filters.Funded(id));
  return funded.map(({ args }) => [args.seat, args.player]);
}

/** Creates the offer and advances it to status 1, and checks the events and each status on the way. */
async function brought(world: World, kind: Kind): Promise<Match> {
  const { arena, alice } = world;
  const match = await offered(world, kind);
  const [created] = await arena.queryFilter(arena.filters.Created(match.id));
  const { player1, opponent, termsHash: named, firmUntil, funded, data } = created.args;
  expect([player1, opponent, named, funded, data]).to.deep.equal([
    alice.address,
    kind.opponent ? world.bob.address : COIN,
    termsHash(match.terms),
    kind.funded,
    "0x",
  ]);
  const { deadline, firm, turn, reserve } = await arena.matchOf(match.id);
  expect([firm, turn, reserve]).to.deep.equal([kind.firmFor !== undefined, None, 0n]);
  expect(firmUntil).to.equal(kind.firmFor ? deadline : 0n);
  if (!kind.funded) {
    expect(await arena.statusOf(match.id)).to.equal(Status.Created);
    await arena.connect(alice).fund(match.id, match.hash);
  }
  expect(await arena.statusOf(match.id)).to.equal(Status.P1Deposited);
  expect(await fundedIn(world, match)).to.deep.equal(kind.funded ? [] : [[One, alice.address]]);
  return match;
}

async function joins(world: World, { id, hash }: Match, answer: string): Promise<void> {
  const { arena, bob } = world;
  await expect(arena.connect(bob).join(id, hash, answer))
    .to.emit(arena, "Joined")
    .withArgs(id, bob.address, answer);
  const { status, player2, turn } = await arena.matchOf(id);
  expect([status, player2, turn]).to.deep.equal([Status.AllJoined, bob.address, One]);
}

async function ends(world: World, match: Match): Promise<void> {
  const send = () => world.arena.connect(world.alice).act(match.id, step(None, One));
  await expectSettled(world, match, send, Status.P1Win, paidTo(One));
}

describe("Arena: whole matches", () => {
  for (const kind of KINDS) {
    describe(`given ${nameOf(kind)}`, () => {
      it("when player 2 funds and joins and player 1 acts, the match goes through the statuses 1, 2, 3 and 6", async () => {
        const world = await loadFixture(deployed);
        const { arena, bob } = world;
        const match = await brought(world, kind);
        await expect(arena.connect(bob).fund(match.id, match.hash))
          .to.emit(arena, "Funded")
          .withArgs(match.id, Two, bob.address);
        const { status, player2 } = await arena.matchOf(match.id);
        expect([status, player2]).to.deep.equal([Status.AllDeposited, bob.address]);
        await expectSolvent(world, match.terms.token);
        await joins(world, match, step(One));
        await ends(world, match);
      });

      if (kind.firmFor && kind.opponent) {
        it("when the opponent joins in one step, the stake is taken, and the match goes through the statuses 1, 3 and 6", async () => {
          const world = await loadFixture(deployed);
          const match = await brought(world, kind);
          await joins(world, match, step(One));
          // The Joined event reports this stake.
          expect((await fundedIn(world, match)).filter(([seat]) => seat === Two)).to.deep.equal([]);
          await expectSolvent(world, match.terms.token);
          await ends(world, match);
        });
      }

      if (!kind.firmFor) {
        it(`when player 1 cancels, the status becomes 8, and all stakes are returned`, async () => {
          const world = await loadFixture(deployed);
          const match = await offered(world, kind);
          const paid = kind.funded ? match.terms.stake1 : 0n;
          const send = () => world.arena.connect(world.alice).cancel(match.id);
          const sent = await expectSettled(world, match, send, Status.P1Canceled, [paid, 0n, 0n]);
          await expect(sent).not.to.emit(world.scripted, "Called");
        });
      }

      if (kind.opponent) {
        it("when the opponent declines, the event is emitted, the status becomes 8, and all stakes are returned", async () => {
          const world = await loadFixture(deployed);
          const match = await offered(world, kind);
          const { arena, bob, scripted } = world;
          const { player1, player2, deadline, firm } = await arena.matchOf(match.id);
          const paid = kind.funded ? match.terms.stake1 : 0n;
          const send = () => arena.connect(bob).decline(match.id);
          const sent = await expectSettled(world, match, send, Status.P1Canceled, [paid, 0n, 0n]);
          await expect(sent).to.emit(arena, "Declined").withArgs(match.id, bob.address);
          await expect(sent).not.to.emit(scripted, "Called");
          const { logs } = (await sent.wait())!;
          expect(logs.map((log) => arena.interface.parseLog(log)!.name)).to.deep.equal(["Declined", "Settled"]);
          const after = await arena.matchOf(match.id);
          expect([after.player1, after.player2, after.deadline, after.firm]).to.deep.equal([
            player1,
            player2,
            deadline,
            firm,
          ]);
        });
      }

      it("when nobody takes the offer, a stranger's timeout sets status 8 and returns all stakes", async () => {
        const world = await loadFixture(deployed);
        const match = await offered(world, kind);
        await at((await world.arena.matchOf(match.id)).deadline + 1n);
        const paid = kind.funded ? match.terms.stake1 : 0n;
        const send = () => world.arena.connect(world.stranger).timeout(match.id);
        const sent = await expectSettled(world, match, send, Status.P1Canceled, [paid, 0n, 0n]);
        await expect(sent).not.to.emit(world.scripted, "Called");
      });
    });
  }

  for (const winner of SEATS) {
    for (const taker of SEATS) {
      describe(`given a game that ends with winner ${winner} and taker ${taker}`, () => {
        const [status, paid] = [statusFor(winner), paidTo(taker)];

        for (const turn of [One, Two]) {
          it(`when seat ${turn} acts, the match gets status ${status} and pays as the taker requires`, async () => {
            const world = await loadFixture(deployed);
            const match = await inPlay(world, STAKES, turn);
            const player = turn === One ? world.alice : world.bob;
            const send = () => world.arena.connect(player).act(match.id, step(None, winner, taker));
            await expectSettled(world, match, send, status, paid);
          });
        }

        it("when the match ends on the join, it settles in the same way", async () => {
          const world = await loadFixture(deployed);
          const match = await taken(world, STAKES);
          const send = () => world.arena.connect(world.bob).join(match.id, match.hash, step(None, winner, taker));
          await expectSettled(world, match, send, status, paid);
        });

        it("when the match ends on a join in one step, it settles in the same way, but takes the stake of player 2 first", async () => {
          const world = await loadFixture(deployed);
          const match = await offered(world, { ...STAKES, firmFor: DAY, opponent: "bob" });
          const send = () => world.arena.connect(world.bob).join(match.id, match.hash, step(None, winner, taker));
          const change = paid.map((amount, i) => (i === 1 ? amount - match.terms.stake2 : amount));
          await expectSettled(world, match, send, status, paid, change);
        });
      });
    }
  }

  for (const turn of [One, Two]) {
    describe(`given a match in play on the turn of seat ${turn}`, () => {
      for (const [seat, name, status, taker] of [
        [One, "alice", Status.P2Win, Two],
        [Two, "bob", Status.P1Win, One],
      ] as const) {
        it(`when seat ${seat} resigns, the opponent wins, the house takes its fee, and the game is not called`, async () => {
          const world = await loadFixture(deployed);
          const match = await inPlay(world, STAKES, turn);
          const send = () => world.arena.connect(world[name]).resign(match.id);
          const sent = await expectSettled(world, match, send, status, paidTo(taker));
          await expect(sent).not.to.emit(world.scripted, "Called");
        });
      }

      it("when the clock runs out, the opponent takes the full pot, and the game is not called", async () => {
        const world = await loadFixture(deployed);
        const match = await inPlay(world, STAKES, turn);
        await at((await world.arena.matchOf(match.id)).deadline + 1n);
        const [status, taker] = turn === One ? [Status.P2WinInactive, Two] : [Status.P1WinInactive, One];
        const send = () => world.arena.connect(world.stranger).timeout(match.id);
        const sent = await expectSettled(world, match, send, status, paidTo(taker, 0n));
        await expect(sent).not.to.emit(world.scripted, "Called");
      });
    });
  }

  it("given status 2, when player 2 never joins, player 1 takes the full pot", async () => {
    const world = await loadFixture(deployed);
    const match = await taken(world, STAKES);
    await at((await now()) + DAY);
    const send = () => world.arena.connect(world.stranger).timeout(match.id);
    await expectSettled(world, match, send, Status.P1WinInactive, paidTo(One, 0n));
  });

  for (const [what, begun] of [
    ["once funded", taken],
    ["in one step", offered],
  ] as const) {
    it(`when player 2 joins ${what}, the game receives both players and the position that it returned from create`, async () => {
      const world = await loadFixture(deployed);
      const { arena, alice, bob, scripted } = world;
      const position = toBeHex(7, 32);
      const data = concat([step(Two), position]);
      const { id, hash, terms } = await begun(world, { ...STAKES, data, firmFor: DAY, opponent: "bob" });
      const duel = [id, terms.mode, false, alice.address, bob.address, position];
      const sent = arena.connect(bob).join(id, hash, step(One));
      await expect(sent).to.emit(scripted, "Called").withArgs("join", duel, Two, step(One));
    });
  }

  it("given further rounds, the game receives the seat and the position, and the arena sets the turn that the game returns", async () => {
    const world = await loadFixture(deployed);
    const { arena, scripted } = world;
    const match = await inPlay(world, STAKES, Two);
    const turns = [Two, Two, One, One, Two, One, Two, None];
    for (const [i, seat] of turns.slice(0, -1).entries()) {
      const action = concat([step(turns[i + 1]), toBeHex(i + 1, 32)]);
      const player = seat === One ? world.alice : world.bob;
      const duel = [match.id, match.terms.mode, false, world.alice.address, world.bob.address, toBeHex(i, 32)];
      const sent = arena.connect(player).act(match.id, action);
      await expect(sent).to.emit(arena, "Acted").withArgs(match.id, seat, action);
      await expect(sent).to.emit(scripted, "Called").withArgs("act", duel, seat, action);
      expect((await arena.matchOf(match.id)).turn).to.equal(turns[i + 1]);
    }
    expect(await arena.statusOf(match.id)).to.equal(Status.Draw);
    expect(await arena.positionOf(match.id)).to.equal(ZeroHash);
    await expectSolvent(world, match.terms.token);
  });
});
