import { expect } from "chai";
import { concat, id as hashOf, ZeroHash } from "ethers";
import { COIN, DAY, deployed, loadFixture, Seat, Status, step, termsFor, time, type World } from "../support/index.js";
import { inPlay, offered, taken, type Match, type Sent } from "../support/matches.js";
import { expectRefused } from "../support/refusals.js";

const { None, One, Two } = Seat;
const SEATS = [None, One, Two];
type Lie = [turn: bigint, winner: bigint, taker: bigint];

/** Position in each step. */
const POSITION = hashOf("position");

const STEPS: Lie[] = SEATS.flatMap((turn) =>
  SEATS.flatMap((winner) => SEATS.map((taker): Lie => [turn, winner, taker])),
);

/** Returns true for the only step that a game can return on creation: player 2 is in turn. */
const opens = ([turn, winner, taker]: Lie) => turn === Two && winner === None && taker === None;
/** Returns true for a step that a game can return later: any end, or any turn without a winner or taker. */
const goesOn = ([turn, winner, taker]: Lie) => turn === None || (winner === None && taker === None);

type Entry = [
  name: string,
  honest: (lie: Lie) => boolean,
  prepare: (world: World) => Promise<{ id: bigint; send: (data: string) => Sent }>,
];

const ENTRIES: Entry[] = [
  [
    "create",
    opens,
    async (world) => {
      const terms = await termsFor(world);
      return { id: 1n, send: (data) => world.arena.connect(world.alice).create(terms, COIN, 0n, data) };
    },
  ],
  [
    "join",
    goesOn,
    async (world) => {
      const { id, hash } = await taken(world);
      return { id, send: (data) => world.arena.connect(world.bob).join(id, hash, data) };
    },
  ],
  [
    "join in one step",
    goesOn,
    async (world) => {
      const { id, hash } = await offered(world, { opponent: "bob", firmFor: DAY });
      return { id, send: (data) => world.arena.connect(world.bob).join(id, hash, data) };
    },
  ],
  [
    "act by seat 1",
    goesOn,
    async (world) => {
      const { id } = await inPlay(world);
      return { id, send: (data) => world.arena.connect(world.alice).act(id, data) };
    },
  ],
  [
    "act by seat 2",
    goesOn,
    async (world) => {
      const { id } = await inPlay(world, {}, Two);
      return { id, send: (data) => world.arena.connect(world.bob).act(id, data) };
    },
  ],
];

describe("Arena: steps of a game", () => {
  for (const [name, honest, prepare] of ENTRIES) {
    describe(`given a call of ${name}`, () => {
      for (const answer of STEPS) {
        it(`when the game returns turn, winner and taker ${answer}, the step is ${honest(answer) ? "accepted" : "refused"}`, async () => {
          const world = await loadFixture(deployed);
          const { id, send } = await prepare(world);
          const sent = concat([step(...answer), POSITION]);
          if (!honest(answer)) {
            return expectRefused(world, () => send(sent), `BadStep(${id}, (${[...answer, POSITION].join(", ")}))`);
          }
          await send(sent);
          const { status, turn } = await world.arena.matchOf(id);
          const [next, winner] = answer;
          const ended = [Status.Draw, Status.P1Win, Status.P2Win][Number(winner)];
          const going = name === "create" ? [Status.P1Deposited, None] : [Status.AllJoined, next];
          expect([status, turn]).to.deep.equal(next === None ? [ended, None] : going);
          expect(await world.arena.positionOf(id)).to.equal(next === None ? ZeroHash : POSITION);
        });
      }
    });
  }

  describe("given a match with a position", () => {
    type End = [begin: "offered" | "inPlay", end: (world: World, match: Match) => Promise<unknown>];
    const ENDS: Record<string, End> = {
      "a player resigns": ["inPlay", ({ arena, bob }, { id }) => arena.connect(bob).resign(id)],
      "the clock runs out": ["inPlay", timedOut],
      "the offer is cancelled": ["offered", ({ arena, alice }, { id }) => arena.connect(alice).cancel(id)],
      "the offer is declined": ["offered", ({ arena, bob }, { id }) => arena.connect(bob).decline(id)],
      "the offer lapses": ["offered", timedOut],
    };
    for (const [what, [begin, end]] of Object.entries(ENDS)) {
      it(`when ${what}, the position is kept`, async () => {
        const world = await loadFixture(deployed);
        const { arena, alice } = world;
        const match = await { offered, inPlay }[begin](world, { opponent: "bob", data: concat([step(Two), POSITION]) });
        const { id } = match;
        if (begin === "inPlay") await arena.connect(alice).act(id, concat([step(One), POSITION]));
        await end(world, match);
        expect(await arena.statusOf(id)).to.be.greaterThan(Status.AllJoined);
        expect(await arena.positionOf(id)).to.equal(POSITION);
      });
    }
  });
});

async function timedOut({ arena, stranger }: World, { id }: Match): Promise<void> {
  await time.increaseTo((await arena.matchOf(id)).deadline + 1n);
  await arena.connect(stranger).timeout(id);
}
