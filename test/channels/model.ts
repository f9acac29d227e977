import { expect } from "chai";
import { Search } from "./model/explore.js";
import { MISTAKES, type Mistake, type Plan, type Setup } from "./model/rules.js";

const round = { actions: 2, rated: false, stakes: [10, 5] } as const;
const marks = { ...round, actions: 3 } as const;
const longer = { ...round, actions: 4 } as const;
const rated = { ...round, rated: true } as const;
/** Stakes that a player can pay only after it has won. */
const doubled = { ...rated, stakes: [5, 10] } as const;

const PLAIN = { until: 3, batch: 2, races: false, closes: false };
const RACES = { ...PLAIN, races: true };
const ALL = { ...RACES, closes: true };

const one = (plan: Plan, how = PLAIN) => ({ openings: [[plan]], ...how });
const two = (first: Plan, second: Plan, how = PLAIN) => ({ openings: [[first, second]], ...how });

/** Channels whose states are all visited, with the honest player as player 1 and as player 2. */
const SEARCHED: Readonly<Record<string, Omit<Setup, "number">>> = {
  "a match of one round": one(round, ALL),
  "a match that the answerer ends": one(marks, ALL),
  "a match that the offerer ends": one(longer, RACES),
  "a rated match, then one for stakes that its winner has": two(rated, doubled),
  "a match of marks, then one for stakes that its winner has": two({ ...marks, rated: true }, doubled),
  "two openings": { ...PLAIN, openings: [[round], [round]], until: 2 },
  ...(process.env.WHOLE_MODEL && {
    "two rounds, and closing": two(round, round, { ...PLAIN, closes: true }),
    "two rated rounds, and races": two(rated, rated, RACES),
    "a round, then marks, and races": two(round, marks, RACES),
    "marks, then a round, and races": two(marks, round, RACES),
    "two matches of marks": two(marks, marks),
    "two openings, and races": { ...RACES, openings: [[round], [marks]] },
  }),
};

/** A channel that reveals each mistake. */
const SHOWN: Readonly<Record<Mistake, Setup>> = {
  "contract: a match taken back returns no stakes": { number: 1, ...one(round) },
  "contract: any end is final": { number: 1, ...one(marks) },
  "contract: a refused second action is final": { number: 2, ...two(rated, doubled) },
  "contract: a stranger who sends an end agrees to it": { number: 1, ...one(marks) },
  "contract: a channel expires beside a match that waits": { number: 1, ...one(longer, RACES) },
  "contract: a second match starts beside one that waits": { number: 2, ...two(round, round, { ...RACES, until: 2 }) },
  "contract: an older balance is accepted": { number: 1, ...two(round, round, { ...RACES, until: 2 }) },
  "contract: a transcript of the same length supersedes": { number: 1, ...one(round) },
  "contract: an end by which its mover loses is final": { number: 1, ...one(marks) },
  "contract: whoever brought a match may resign it": { number: 1, ...one(round, ALL) },
  "contract: messages of an earlier opening count": { number: 1, ...PLAIN, openings: [[round], [round]], until: 2 },
  "contract: a match that was settled is settled again": { number: 1, ...one(round) },
  "contract: a batch fails if all of it was settled before": { number: 1, ...one(round, ALL) },
  "contract: a checkpoint fails if the channel is there already": { number: 1, ...one(round, ALL) },
  "contract: a balance does not take back a match that waits": { number: 1, ...two(round, round) },
  "contract: the stakes change seats": { number: 1, ...one(round) },
  "client: brings only the last match before the end": { number: 1, ...two(round, round) },
  "client: challenges without a checkpoint before it": { number: 1, ...two(round, round) },
  "client: signs two messages of one number": { number: 2, ...one(marks) },
  "client: does not look for old matches in the arena": { number: 1, ...one(round) },
  "client: goes on by messages after its challenge": { number: 1, ...one(longer, RACES) },
  "client: plays on after the end of the offer": { number: 1, ...one(round) },
  "client: signs to close while a match waits in the arena": { number: 2, ...one(round, ALL) },
};

describe("Channels: all states of a model", () => {
  for (const [what, setup] of Object.entries(SEARCHED)) {
    it(`the honest player gets the signed amounts, as player 1 and as player 2: ${what}`, () => {
      for (const number of [1, 2] as const) {
        const { states, bad, trace } = new Search({ ...setup, number }).run();
        expect(bad, [bad, ...trace].join("\n")).to.equal(undefined);
        expect(states).to.be.greaterThan(300);
        if (process.env.WHOLE_MODEL) console.log(`      place ${number}: ${states} states`);
      }
    });
  }

  for (const mistake of MISTAKES) {
    it(`a property finds the mistake in the ${mistake}`, () => {
      const { bad } = new Search({ ...SHOWN[mistake], mistake }).run();
      expect(bad).to.be.a("string");
    });
  }
});
