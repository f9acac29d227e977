import { expect } from "chai";
import { Random } from "../../../../sdk/laws/random.js";
import type { AwayStatus } from "../../../../sdk/player/away/due.js";
import { Seat } from "../../../../sdk/protocol/status.js";
import {
  awayWorld,
  Board,
  BrittleLog,
  isFinished,
  Killed,
  WildTransport,
  type AwayWorld,
  type TestSeat,
} from "../../../support/away-world.js";

const SEATS = [Seat.One, Seat.Two];

describe("Seats away from the chain: whole games", () => {
  let world: AwayWorld;
  before(async () => {
    world = await awayWorld();
  });
  beforeEach(() => world.reset());
  after(() => world.connection.close());

  /** Checks that a match has ended by the game itself, and that its events replay to that end. */
  async function expectFinished(matchId: bigint): Promise<void> {
    expect(isFinished(await world.statusOf(matchId))).to.equal(true);
  }

  for (const mode of ["quick-away", "skirmish-away"]) {
    it(`two seats play ${mode} with one settlement`, async () => {
      const matchId = await world.begun(mode);
      const last = await world.playOn(await world.both(matchId));
      expect(last.phase).to.equal("over");
      await expectFinished(matchId);
      const record = await world.historyNow().match(matchId);
      expect([record.actions, record.agreement?.record]).to.deep.equal([[], last.historyHash]);
    });

    // A wild relay makes a long game many times as long, without a bound, since salts differ each time.
    if (mode === "skirmish-away") continue;
    it(`two seats play ${mode} by a relay that drops, repeats, reorders and invents`, async () => {
      const matchId = await world.begun(mode);
      const random = new Random(`wild ${mode}`);
      const board = new Board();
      const wild = () => new WildTransport(board, random);
      const seats = await Promise.all(SEATS.map((seat) => world.open(matchId, seat, [wild(), wild()])));
      let last: AwayStatus | undefined;
      for (let round = 0; round < 2000 && last?.phase !== "over"; round++) last = await world.playOn(seats);
      expect(last?.phase).to.equal("over");
      await expectFinished(matchId);
      expect((await world.historyNow().match(matchId)).actions).to.deep.equal([]);
    });
  }

  it("seats that are killed around each entry of their logs finish, and sign no two states of one nonce", async () => {
    const matchId = await world.begun();
    const random = new Random("kills");
    const board = new Board();
    const logs = SEATS.map(() => new BrittleLog());
    const seats = await Promise.all(SEATS.map((seat, i) => world.open(matchId, seat, [board], { log: logs[i] })));
    let [kills, isOver] = [0, false];
    while (!isOver) {
      for (const [i, each] of seats.entries()) {
        const log = logs[i];
        [log.left, log.isLost] = [random.below(3), random.below(2) === 0];
        try {
          const status = await each.seat.sync();
          isOver ||= status.phase === "over";
          if (!isOver) await world.carryOut(each, status);
        } catch (error) {
          if (!(error instanceof Killed)) throw error;
          kills++;
          seats[i] = await world.reopened(each);
        }
      }
    }
    expect(kills).to.be.greaterThan(5);
    await expectFinished(matchId);
    const states = board.messages.flatMap((message) => (message.type === "move" ? [message.nonce] : []));
    expect(new Set(states).size).to.equal(states.length);
  });

  describe("given that a game goes back to the chain", () => {
    /** Number of actions after which the game goes back; more than the game has for its end. */
    const PLACES = [0, 1, 2, 3, 5, 8, 1000];

    for (const place of PLACES) {
      it(`a game that goes back after ${place} actions is finished on chain`, async () => {
        const matchId = await world.begun();
        const board = new Board();
        const seats = await world.both(matchId, board);
        const last = await world.playOn(
          seats,
          // A game of chance may be over before.
          ({ nonce, winner }) => nonce >= place || winner !== undefined,
        );
        // Both relays are gone from here on.
        const alone = await Promise.all(seats.map((each) => reopenedAlone(each)));
        const poster = alone[place % 2];
        await poster.seat.sync();
        await poster.client.act(matchId, await poster.seat.post());
        const end = await world.playOn(alone);
        expect(end.phase, `after ${last.nonce} actions`).to.equal("over");
        await expectFinished(matchId);
      });
    }

    it("both players who post at every state still finish", async () => {
      const matchId = await world.begun();
      const seats = await world.both(matchId, new Board(), { patience: 0 });
      for (const each of seats) await each.seat.sync();
      await world.playOn(seats);
      await expectFinished(matchId);
    });
  });

  /** Opens a seat again, without its transports. */
  async function reopenedAlone(each: TestSeat): Promise<TestSeat> {
    return world.reopened({ ...each, options: { ...each.options, transports: [] } });
  }
});
