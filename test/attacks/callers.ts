import { expect } from "chai";
import { as, type Attacked, attacked, inPlay, type Match, offered, stateOf, taken } from "../support/attacked.js";
import { loadFixture, networkHelpers, Seat, time, UNIT } from "../support/index.js";

const LATE = [1n, 10n ** 7n];

describe("Known attacks: callers", () => {
  let w: Attacked;
  beforeEach(async () => {
    w = await loadFixture(attacked);
  });

  // Unrated, for else the time of the last duel is kept.
  const changes = { rated: false };
  const waiting: [string, () => Promise<Match>][] = [
    ["an offer without a stake", () => offered(w.world, { changes: { ...changes, stake1: 5000n * UNIT } })],
    ["an offer", () => offered(w.world, { changes })],
    ["a match nobody joined", () => taken(w.world, { changes })],
    ["a match that waits for player 1", () => inPlay(w.world, { changes })],
    ["a match that waits for player 2", () => inPlay(w.world, { changes }, Seat.Two)],
  ];

  for (const [what, begin] of waiting) {
    it(`either player alone, or any stranger, ends ${what} in one call: alike whoever calls, when, at which gas`, async () => {
      const { arena, alice, bob, owner, treasury, stranger } = w;
      const { id } = await begin();
      const { deadline } = await arena.matchOf(id);
      const calls = [alice, bob, owner, treasury, stranger].flatMap((caller) =>
        [200_000n, 16_000_000n].map((gasLimit) => () => {
          return arena.connect(caller).timeout(id, { gasLimit, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n });
        }),
      );
      const states: unknown[] = [];
      for (const call of [...calls, () => as(w.puppet, w.world)("timeout", [id])]) {
        for (const late of LATE) {
          const snapshot = await networkHelpers.takeSnapshot();
          await time.setNextBlockTimestamp(deadline + late);
          await call();
          states.push({ ...(await stateOf(w.watch)), status: await arena.statusOf(id) });
          await snapshot.restore();
        }
      }
      for (const state of states) expect(state).to.deep.equal(states[0]);
    });
  }
});
