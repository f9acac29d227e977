import { expect } from "chai";
import {
  COIN,
  DAY,
  deployed,
  deployMock,
  HOUR,
  loadFixture,
  Seat,
  Status,
  step,
  UNIT,
  termsFor,
  at,
  now,
  type World,
} from "../support/index.js";
import { inPlay, offered, taken, type Match, type Offer, type Sent } from "../support/matches.js";
import { expectRefused } from "../support/refusals.js";

const { One, Two } = Seat;
const OFFER_LIFE = 30n * DAY;

type Build = (world: World) => Promise<Match>;
type Action = [name: string, send: (world: World, match: Match) => Sent];

const offer = (kind: Offer) => (world: World) => offered(world, kind);
const fundBy = (player: "alice" | "bob"): Action => [
  `fund by ${player}`,
  (world, { id, hash }) => world.arena.connect(world[player]).fund(id, hash),
];
const decline: Action = ["decline", ({ arena, bob }, { id }) => arena.connect(bob).decline(id)];
const join: Action = ["join", ({ arena, bob }, { id, hash }) => arena.connect(bob).join(id, hash, step(One))];
const act: Action = [
  "act",
  async ({ arena, alice, bob }, { id }) =>
    arena.connect((await arena.matchOf(id)).turn === One ? alice : bob).act(id, step(Two)),
];
const resignBy = (player: "alice" | "bob"): Action => [
  `resign by ${player}`,
  ({ arena, ...cast }, { id }) => arena.connect(cast[player]).resign(id),
];
const playing = [act, resignBy("alice"), resignBy("bob")];

/** Every waiting state, how to reach it, the actions until its deadline, and the effect of the timeout. */
const WAITING: [name: string, build: Build, actions: Action[], status: bigint][] = [
  ["0 soft", offer({ funded: false }), [fundBy("alice")], Status.P1Canceled],
  ["0 named", offer({ funded: false, opponent: "bob" }), [fundBy("alice"), decline], Status.P1Canceled],
  ["0 firm", offer({ funded: false, firmFor: DAY }), [fundBy("alice")], Status.P1Canceled],
  ["1 soft open", offer({}), [fundBy("bob")], Status.P1Canceled],
  ["1 soft named", offer({ opponent: "bob" }), [fundBy("bob"), decline], Status.P1Canceled],
  ["1 firm open", offer({ firmFor: DAY }), [fundBy("bob")], Status.P1Canceled],
  ["1 firm named", offer({ firmFor: DAY, opponent: "bob" }), [fundBy("bob"), join, decline], Status.P1Canceled],
  ["2", (world) => taken(world), [join], Status.P1WinInactive],
  ["3 turn 1", (world) => inPlay(world), playing, Status.P2WinInactive],
  ["3 turn 2", (world) => inPlay(world, {}, Two), playing, Status.P1WinInactive],
];

describe("Arena: deadlines", () => {
  for (const [state, build, actions, status] of WAITING) {
    describe(`given a match in state "${state}"`, () => {
      async function waiting() {
        const world = await deployed();
        const match = await build(world);
        return { world, match, deadline: (await world.arena.matchOf(match.id)).deadline };
      }

      for (const [name, send] of actions) {
        for (const offset of [-1n, 0n]) {
          it(`when the time is ${offset ? "one second before the deadline" : "the deadline"}, ${name} works and timeout does not`, async () => {
            const { world, match, deadline } = await loadFixture(waiting);
            const time = deadline + offset;
            await at(time);
            await expectRefused(
              world,
              () => world.arena.timeout(match.id),
              `TooEarly(${match.id}, ${deadline}, ${time})`,
            );
            await loadFixture(waiting);
            await at(time);
            await send(world, match);
            expect(await now()).to.equal(time);
          });
        }

        it(`when the time is one second after the deadline, timeout works and ${name} does not`, async () => {
          const { world, match, deadline } = await loadFixture(waiting);
          const time = deadline + 1n;
          await at(time);
          await expectRefused(world, () => send(world, match), `TooLate(${match.id}, ${deadline}, ${time})`);
          await loadFixture(waiting);
          await at(time);
          await world.arena.connect(world.stranger).timeout(match.id);
          expect(await now()).to.equal(time);
          expect(await world.arena.statusOf(match.id)).to.equal(status);
        });
      }
    });
  }

  describe("given an offer", () => {
    for (const funded of [false, true]) {
      it(`when it is soft${funded ? "" : " and not funded"}, it lapses 30 days after it was made`, async () => {
        const world = await loadFixture(deployed);
        const time = (await now()) + 1000n;
        const stake1 = funded ? 1n : 5000n * UNIT;
        await at(time);
        await world.arena.connect(world.alice).create(await termsFor(world, { stake1 }), COIN, 0n, "0x");
        expect((await world.arena.matchOf(1n)).deadline).to.equal(time + OFFER_LIFE);
      });
    }

    for (const [offset, accepted] of [
      [-1n, false],
      [0n, false],
      [1n, true],
      [OFFER_LIFE, true],
      [OFFER_LIFE + 1n, false],
    ] as const) {
      it(`when it is firm until the current time + ${offset} s, it is ${accepted ? "accepted" : "refused"}`, async () => {
        const world = await loadFixture(deployed);
        const time = (await now()) + 1000n;
        const terms = await termsFor(world);
        const create = () => world.arena.connect(world.alice).create(terms, COIN, time + offset, "0x");
        await at(time);
        if (accepted) {
          await create();
          expect((await world.arena.matchOf(1n)).deadline).to.equal(time + offset);
        } else {
          const values = [time + offset, time, time + OFFER_LIFE].join(", ");
          await expectRefused(world, create, `FirmUntilOutOfBounds(${values})`);
        }
      });
    }

    it("when it is firm until the highest or the lowest possible time, it is refused", async () => {
      const world = await loadFixture(deployed);
      const terms = await termsFor(world);
      for (const firmUntil of [1n, 2n ** 40n - 1n]) {
        const time = (await now()) + 1n;
        await at(time);
        const values = [firmUntil, time, time + OFFER_LIFE].join(", ");
        const create = () => world.arena.connect(world.alice).create(terms, COIN, firmUntil, "0x");
        await expectRefused(world, create, `FirmUntilOutOfBounds(${values})`);
      }
    });

    for (const firm of [false, true]) {
      it(`when it is ${firm ? "firm" : "soft"}, funding seat 1 keeps the offer's deadline, and funding seat 2 replaces it`, async () => {
        const world = await loadFixture(deployed);
        const { arena, alice, bob } = world;
        const { id, hash } = await offered(world, { funded: false, firmFor: firm ? DAY : undefined });
        const { deadline } = await arena.matchOf(id);
        await at((await now()) + 5000n);
        await arena.connect(alice).fund(id, hash);
        expect((await arena.matchOf(id)).deadline).to.equal(deadline);
        await at(deadline);
        await arena.connect(bob).fund(id, hash);
        const { deadline: next, reserve } = await arena.matchOf(id);
        expect([next, reserve]).to.deep.equal([deadline + HOUR, 0n]);
      });
    }
  });

  describe("given both seats are funded", () => {
    it("when player 2 joins in the second in which its seat was funded, the call is refused", async () => {
      const world = await loadFixture(deployed);
      const { arena, fight, bob } = world;
      const batch = await deployMock("Batch");
      await arena.connect(bob).deposit(fight, 10n * UNIT, batch);
      const { id, hash } = await offered(world);
      const time = (await now()) + 100n;
      const fund = arena.interface.encodeFunctionData("fund", [id, hash]);
      const answer = arena.interface.encodeFunctionData("join", [id, hash, step(One)]);
      const calls = [fund, answer].map((data) => ({ target: arena, value: 0n, data }));
      await at(time);
      await expectRefused({ ...world, batch }, () => batch.run(calls), `JoinTooSoon(${id}, ${time}, ${time})`);
      await batch.run(calls.slice(0, 1));
      await batch.run(calls.slice(1));
      expect(await arena.statusOf(id)).to.equal(Status.AllJoined);
    });

    for (const later of [1n, HOUR]) {
      it(`when player 2 joins ${later} s after its seat was funded, both seats have the whole clock`, async () => {
        const world = await loadFixture(deployed);
        const { id, hash } = await taken(world);
        const time = (await now()) + later;
        await at(time);
        await world.arena.connect(world.bob).join(id, hash, step(One));
        const { deadline, reserve } = await world.arena.matchOf(id);
        expect([deadline, reserve]).to.deep.equal([time + HOUR, HOUR]);
      });
    }
  });
});
