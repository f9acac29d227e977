import { expect } from "chai";
import fc from "fast-check";
import { DAY, deployed, HOUR, loadFixture, Seat, step, at, now } from "../support/index.js";
import { inPlay } from "../support/matches.js";
import { otherSeat } from "../support/seats.js";

const { One, Two } = Seat;

/** A second model of the chess clock: two time banks, of which only the bank of the seat in turn runs down. */
class ChessClock {
  private readonly _left: Record<string, bigint>;
  private _since: bigint;

  constructor(
    private readonly _clock: bigint,
    private _turn: bigint,
    start: bigint,
  ) {
    this._left = { 1: _clock, 2: _clock };
    this._since = start;
  }

  act(time: bigint, next: bigint): void {
    const left = this._left[`${this._turn}`] - (time - this._since) + this._clock / 32n;
    this._left[`${this._turn}`] = left > this._clock ? this._clock : left;
    [this._turn, this._since] = [next, time];
  }

  get state(): [deadline: bigint, reserve: bigint] {
    return [this._since + this._left[`${this._turn}`], this._left[`${otherSeat(this._turn)}`]];
  }
}

const clocks = fc.oneof(fc.constantFrom(60n, 63n, 64n, HOUR, DAY, 30n * DAY), fc.bigInt(60n, 30n * DAY));
const thoughts = fc.array(fc.record({ used: fc.integer({ min: 0, max: 1000 }), next: fc.constantFrom(One, Two) }), {
  minLength: 1,
  maxLength: 16,
});

describe("Arena: the chess clock", () => {
  it("given any clock, after turns of any length by either seat, the deadline and the reserve agree with a model of two separate time banks", async () => {
    const property = fc.asyncProperty(clocks, fc.constantFrom(One, Two), thoughts, async (clock, first, actions) => {
      const world = await loadFixture(deployed);
      const { arena, alice, bob } = world;
      const { id } = await inPlay(world, { clock }, first);
      const model = new ChessClock(clock, first, await now());
      let turn = first;
      for (const { used, next } of actions) {
        const { deadline, reserve } = await arena.matchOf(id);
        expect([deadline, reserve]).to.deep.equal(model.state);
        expect(deadline - (await now()) <= clock && reserve <= clock, "never above the clock").to.equal(true);
        const rest = deadline - (await now());
        if (rest === 0n) break;
        const time = deadline - (rest * BigInt(1000 - used)) / 1000n;
        const sent = time > (await now()) ? time : (await now()) + 1n;
        await at(sent);
        await arena.connect(turn === One ? alice : bob).act(id, step(next));
        model.act(sent, next);
        turn = next;
      }
      const { deadline, reserve } = await arena.matchOf(id);
      expect([deadline, reserve]).to.deep.equal(model.state);
    });
    await fc.assert(property, { seed: 20260, numRuns: 60 });
  });

  it("given quick actions, the remaining time never exceeds the clock", async () => {
    const world = await loadFixture(deployed);
    const { arena, alice } = world;
    const { id } = await inPlay(world);
    await at((await now()) + 10n);
    await arena.connect(alice).act(id, step(One));
    expect((await arena.matchOf(id)).deadline).to.equal((await now()) + HOUR);
    await at((await now()) + 10n);
    await arena.connect(alice).act(id, step(Two));
    expect((await arena.matchOf(id)).reserve).to.equal(HOUR);
  });

  it("given a seat that always acts in its last second, each further turn gets a 32nd of the clock", async () => {
    const world = await loadFixture(deployed);
    const { arena, alice } = world;
    const { id } = await inPlay(world);
    for (let i = 0; i < 3; i++) {
      const { deadline } = await arena.matchOf(id);
      await at(deadline);
      await arena.connect(alice).act(id, step(One));
      expect((await arena.matchOf(id)).deadline).to.equal(deadline + HOUR / 32n);
    }
  });
});
