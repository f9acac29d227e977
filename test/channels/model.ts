import { expect } from "chai";
import {
  ALL,
  CLOSES,
  doubled,
  marks,
  MORE,
  one,
  QUICK,
  PLAIN,
  RACES,
  rated,
  round,
  SHORT,
  SLOW,
  two,
  twice,
} from "./model/channels.js";
import { figuresOf, Search } from "./model/explore.js";
import { MISTAKES, type Mistake, type Setup } from "./model/rules.js";

const { THOROUGH } = process.env;

/** Channels whose states are all visited, with the honest player as player 1 and as player 2. */
const SEARCHED = { ...QUICK, ...(THOROUGH && MORE) };

/** For each mistake, a channel in which a property detects it. */
const SHOWN: Readonly<Record<Mistake, Setup>> = {
  "contract: a match that is taken back returns no stakes": { number: 1, ...one(round) },
  "contract: any end is final": { number: 1, ...one(round) },
  "contract: a refused second action is final": { number: 2, ...one(marks) },
  "contract: an end that a stranger submits is final": { number: 1, ...one(round) },
  "contract: an end that makes the mover lose is final": { number: 1, ...one(round) },
  "contract: an acknowledged end is not final": { number: 1, ...one(round) },
  "contract: a reveal without a choice is not final": { number: 1, ...one(round) },
  "contract: a channel expires while a match is pending": { number: 1, ...one(marks, SLOW) },
  "contract: a channel expires before its end": { number: 1, ...one(round) },
  "contract: a second match starts while a match is pending": { number: 1, ...two(round, round) },
  "contract: an older balance is accepted": { number: 1, ...two(round, round, SHORT) },
  "contract: a balance needs only one signature": { number: 1, ...one(round) },
  "contract: a transcript needs only one signature": { number: 1, ...one(round) },
  "contract: a message does not name the message before it": { number: 1, ...one(round) },
  "contract: a transcript of the same length supersedes a challenge": { number: 1, ...one(round) },
  "contract: a longer transcript does not supersede a challenge": { number: 1, ...one(round) },
  "contract: a match with an action on chain can be taken back": { number: 1, ...one(marks) },
  "contract: a match starts after the end of its offer": { number: 1, ...one(round) },
  "contract: the player who challenged is in turn": { number: 1, ...one(round) },
  "contract: the player who challenged with a match may resign it": { number: 1, ...one(round, CLOSES) },
  "contract: a stranger may resign": { number: 1, ...one(round, CLOSES) },
  "contract: a stranger may act": { number: 1, ...one(round) },
  "contract: a stranger may challenge": { number: 1, ...one(marks) },
  "contract: a challenge starts a clock without time": { number: 1, ...one(round) },
  "contract: a match can be timed out before its deadline": { number: 1, ...one(round) },
  "contract: messages of an earlier opening are accepted": { number: 1, ...twice(round, { ...PLAIN, until: 2 }) },
  "contract: a settled match is settled again": { number: 1, ...one(round) },
  "contract: matches are settled in any order": { number: 1, ...two(round, round) },
  "contract: a batch fails if all its matches are already settled": { number: 1, ...one(round, ALL) },
  "contract: a checkpoint fails if the channel already has its balance": { number: 1, ...one(round, ALL) },
  "contract: a balance does not take back a pending match": { number: 1, ...one(round, ALL) },
  "contract: the two seats' stakes are swapped": { number: 1, ...one(round) },
  "contract: a refused action makes a transcript invalid": { number: 1, ...one(round) },
  "contract: too little gas counts as a refusal": { number: 1, ...one(round) },
  "game: the only reveal of a match has a choice": { number: 2, ...one(round) },
  "client: submits only the last match before the channel ends": { number: 1, ...two(round, round) },
  "client: submits nothing before the channel ends": { number: 1, ...one(round) },
  "client: challenges without submitting a checkpoint first": { number: 1, ...two(round, round) },
  "client: signs two messages with the same number": { number: 2, ...one(marks) },
  "client: makes a second offer before the first ends": { number: 1, ...one(round) },
  "client: sends a message before logging it": { number: 1, ...one(round) },
  "client: reads a repeated message again": { number: 1, ...one(marks) },
  "client: replaces a message that it has by another one with the same number": { number: 1, ...one(round) },
  "client: reads a message before the previous one": { number: 1, ...one(round, { ...CLOSES, until: 4 }) },
  "client: does not look for old matches in the arena": { number: 1, ...one(round) },
  "client: looks at the chain less than once per clock": { number: 1, ...one(round) },
  "client: does not look again after its transaction is refused": { number: 1, ...two(marks, marks, SHORT) },
  "client: continues by messages after its challenge": { number: 1, ...one(marks, ALL) },
  "client: continues to play after the end of the offer": { number: 1, ...one(round) },
  "client: answers for stakes that the channel does not hold": { number: 1, ...two(rated, doubled) },
  "client: answers for stakes that a match in the arena can take out of the channel": {
    number: 2,
    ...two(rated, doubled, RACES),
  },
  "client: deducts no house share from a balance": { number: 1, ...one(round, { ...CLOSES, until: 4 }) },
  "client: signs a closing balance while a match is pending in the arena": { number: 2, ...one(round, ALL) },
  "client: continues to sign after a closing balance": { number: 1, ...one(round, { ...CLOSES, until: 4 }) },
};

describe("Channels: all states of a model", () => {
  let visited = 0;
  for (const [what, setup] of Object.entries(SEARCHED)) {
    it(`the honest player gets the signed amounts, both as player 1 and as player 2: ${what}`, () => {
      for (const number of [1, 2] as const) {
        const start = performance.now();
        const found = new Search({ ...setup, number }).run();
        const { states, bad, trace } = found;
        expect(bad, [bad, ...trace].join("\n")).to.equal(undefined);
        expect(states).to.be.greaterThan(300);
        visited += states;
        const seconds = ((performance.now() - start) / 1000).toFixed(1);
        if (THOROUGH) console.log(`      as player ${number}: ${figuresOf(found)}, ${seconds} s`);
      }
    });
  }

  it("the searches visit as many states as the pages say", () => {
    expect(visited).to.be.at.least(THOROUGH ? 1_000_000 : 100_000);
  });

  for (const mistake of MISTAKES) {
    it(`a property detects a mistake in the ${mistake}`, () => {
      const { bad } = new Search({ ...SHOWN[mistake], mistake }).run();
      expect(bad).to.be.a("string");
    });
  }
});
