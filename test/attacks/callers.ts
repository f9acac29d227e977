import { expect } from "chai";
import { inPassing, loadFixture, Seat, time, UNIT } from "../support/index.js";
import { as, attacked, type Attacked } from "../support/attacked.js";
import { inPlay, offered, taken, type Match } from "../support/matches.js";
import { stateOf } from "../support/refusals.js";

/** Unrated terms, because records of rated matches store the time of the last duel. */
const UNRATED = { rated: false };
const LATE = [1n, 10n ** 7n];

describe("Known attacks: callers", () => {
  let w: Attacked;
  beforeEach(async () => {
    w = await loadFixture(attacked);
  });

  const waiting: [string, () => Promise<Match>][] = [
    ["an offer without a stake", () => offered(w, { ...UNRATED, stake1: 5000n * UNIT })],
    ["an offer", () => offered(w, UNRATED)],
    ["a match that player 2 never joins", () => taken(w, UNRATED)],
    ["a match that waits for player 1", () => inPlay(w, UNRATED)],
    ["a match that waits for player 2", () => inPlay(w, UNRATED, Seat.Two)],
  ];

  for (const [what, begin] of waiting) {
    it(`any account can end ${what} in one call, with the same result for every caller, time and gas limit`, async () => {
      const { arena, alice, bob, owner, treasury, stranger } = w;
      const { id } = await begin();
      const { deadline } = await arena.matchOf(id);
      const calls = [alice, bob, owner, treasury, stranger].flatMap((caller) =>
        [200_000n, 16_000_000n].map((gasLimit) => () => {
          return arena.connect(caller).timeout(id, { gasLimit, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n });
        }),
      );
      const states: unknown[] = [];
      for (const call of [...calls, () => as(w.puppet, w)("timeout", [id])]) {
        for (const late of LATE) {
          await inPassing(async () => {
            await time.setNextBlockTimestamp(deadline + late);
            await call();
            states.push({ ...(await stateOf(w)), status: await arena.statusOf(id) });
          });
        }
      }
      for (const state of states) expect(state).to.deep.equal(states[0]);
    });
  }
});
