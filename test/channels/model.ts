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
  "a match with one round": one(round, ALL),
  "a match that the answering player ends": one(marks, ALL),
  "a match that the offering player ends": one(longer, RACES),
  "a rated match, then a match for stakes that the winner can pay": two(rated, doubled),
  "a match of marks, then a match for stakes that the winner can pay": two({ ...marks, rated: true }, doubled),
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

/** For each mistake, a channel in which a property detects it. */
const SHOWN: Readonly<Record<Mistake, Setup>> = {
  "contract: a match that is taken back returns no stakes": { number: 1, ...one(round) },
  "contract: any end is final": { number: 1, ...one(marks) },
  "contract: a refused second action is final": { number: 2, ...two(rated, doubled) },
  "contract: an end that a stranger submits is final": { number: 1, ...one(marks) },
  "contract: a channel expires while a match is pending": { number: 1, ...one(longer, RACES) },
  "contract: a second match starts while a match is pending": {
    number: 2,
    ...two(round, round, { ...RACES, until: 2 }),
  },
  "contract: an older balance is accepted": { number: 1, ...two(round, round, { ...RACES, until: 2 }) },
  "contract: a transcript of the same length supersedes a challenge": { number: 1, ...one(round) },
  "contract: an end that makes the mover lose is final": { number: 1, ...one(marks) },
  "contract: the player who challenged with a match may resign it": { number: 1, ...one(round, ALL) },
  "contract: messages of an earlier opening are accepted": {
    number: 1,
    ...PLAIN,
    openings: [[round], [round]],
    until: 2,
  },
  "contract: a settled match is settled again": { number: 1, ...one(round) },
  "contract: a batch fails if all its matches are already settled": { number: 1, ...one(round, ALL) },
  "contract: a checkpoint fails if the channel already has its balance": { number: 1, ...one(round, ALL) },
  "contract: a balance does not take back a pending match": { number: 1, ...two(round, round) },
  "contract: the two seats' stakes are swapped": { number: 1, ...one(round) },
  "client: submits only the last match before the channel ends": { number: 1, ...two(round, round) },
  "client: challenges without submitting a checkpoint first": { number: 1, ...two(round, round) },
  "client: signs two messages with the same number": { number: 2, ...one(marks) },
  "client: does not look for old matches in the arena": { number: 1, ...one(round) },
  "client: continues by messages after its challenge": { number: 1, ...one(longer, RACES) },
  "client: continues to play after the end of the offer": { number: 1, ...one(round) },
  "client: signs a closing balance while a match is pending in the arena": { number: 2, ...one(round, ALL) },
};

describe("Channels: all states of a model", () => {
  for (const [what, setup] of Object.entries(SEARCHED)) {
    it(`the honest player gets the signed amounts, both as player 1 and as player 2: ${what}`, () => {
      for (const number of [1, 2] as const) {
        const { states, bad, trace } = new Search({ ...setup, number }).run();
        expect(bad, [bad, ...trace].join("\n")).to.equal(undefined);
        expect(states).to.be.greaterThan(300);
        if (process.env.WHOLE_MODEL) console.log(`      place ${number}: ${states} states`);
      }
    });
  }

  for (const mistake of MISTAKES) {
    it(`a property detects a mistake in the ${mistake}`, () => {
      const { bad } = new Search({ ...SHOWN[mistake], mistake }).run();
      expect(bad).to.be.a("string");
    });
  }
});
