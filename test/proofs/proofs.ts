import { expect } from "chai";
import { examine, hasSolver } from "../support/proofs/checker.js";
import { bounded, bounds, boundsOfGames, WITHOUT_LAW } from "../support/proofs/bounds.js";
import { channels } from "../support/proofs/channels.js";
import { clocks } from "../support/proofs/clocks.js";
import type { Laws } from "../support/proofs/law.js";
import { payouts } from "../support/proofs/payouts.js";
import { purses } from "../support/proofs/purses.js";
import { ratings } from "../support/proofs/ratings.js";
import { functionsWith, isInLaw, replaced } from "../support/proofs/sources.js";

/** Laws by subject, in the order of docs/security.md. */
const ALL: readonly Laws[] = [payouts, purses, channels, clocks, ratings, bounds, boundsOfGames];

function assertionsIn(code: string): number {
  return code.split(/\bassert\(/).length - 1;
}

describe("Coverage of proofs", () => {
  it("has a law for every function that changes purses or totals", () => {
    const changing = functionsWith(/\b(_credit|_debit|_tryDebit|_takeStake)\(|\b_(purses|totals)\[[^;]*[-+]?=[^=]/);
    expect(changing.filter((id) => !isInLaw(id))).to.deep.equal([]);
  });

  it("has a law or a reason for every function with an unchecked block", () => {
    const unchecked = functionsWith(/\bunchecked \{/);
    expect(unchecked.filter((id) => !bounded.has(id))).to.deep.equal(Object.keys(WITHOUT_LAW).sort());
  });
});

describe("Proofs", () => {
  before(function () {
    if (hasSolver()) return;
    if (process.env.REQUIRE_Z3) throw new Error("z3 is not installed.");
    console.log("      z3 is not installed here: apt-get install z3.");
    this.skip();
  });

  for (const { subject, header, targets, laws } of ALL) {
    describe(subject, () => {
      for (const law of laws) {
        it(law.title, () => {
          const { proved, violated, unclear } = examine({ header, targets, code: law.code });
          expect(violated, "violated").to.deep.equal([]);
          expect(unclear, "neither proved nor violated").to.deep.equal([]);
          expect(proved, "proved").to.have.lengthOf(law.checks ?? assertionsIn(law.code));
          // The checker examines the body of a loop only once.
          expect(law.code).to.not.match(/\b(for|while) \(/);
          const mistaken = replaced(law.code, law.mistake);
          const broken = examine({ header, targets, code: mistaken, untilViolated: true });
          expect(broken.violated, "violated with the mistake").to.not.deep.equal([]);
        });
      }
    });
  }
});
