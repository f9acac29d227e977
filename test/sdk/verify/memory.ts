import { queryObjects } from "node:v8";
import { expect } from "chai";
import { MatchSynthesizer } from "../../../scripts/record/match-synthesizer.js";
import type { Archive } from "../../../sdk/chain/archive.js";
import type { AnyEvent } from "../../../sdk/chain/events.js";
import type { EventSource } from "../../../sdk/chain/source.js";
import { stockGame, games } from "../../../sdk/games/index.js";
import { verify } from "../../../sdk/verify/verify.js";

/** Matches of each game. */
const MATCHES = 80;
/** Matches between two counts. */
const APART = 40;
/** Index of the quick mode among the modes of Warmancer. */
const QUICK = 2;

/** Passes on the events of an archive, and reports each match that ends. */
function told(archive: Archive, onEnd: (ended: number) => void): EventSource {
  async function* parts(): AsyncGenerator<readonly AnyEvent[]> {
    let ended = 0;
    for await (const events of archive.parts()) {
      for (const event of events) {
        yield [event];
        if (event.name === "Settled") onEnd(++ended);
      }
    }
  }
  return new Proxy(archive, { get: (of, name) => (name === "parts" ? parts : (Reflect.get(of, name) as unknown)) });
}

describe("Memory of verifying", () => {
  /** Verifies matches of a game. @returns the numbers of objects that are alive after each further `APART` matches. */
  async function objects(name: string): Promise<number[]> {
    const recorder = new MatchSynthesizer();
    // In the default mode a match of Warmancer has hundreds of turns.
    const { content } = Object.values(stockGame(name).modes)[name === "warmancer" ? QUICK : 0];
    const first = await recorder.play(stockGame(name), content);
    for (let n = 1; n < MATCHES; n++) {
      // Matches of Warmancer take long to play, but not to repeat.
      if (name === "warmancer") await recorder.repeat(first);
      else await recorder.play(stockGame(name), content);
    }
    const counts: number[] = [];
    const source = told(recorder.synthesizer.done(), (ended) => {
      if (ended % APART === 0) counts.push(queryObjects(Object, { format: "count" }));
    });
    const { mismatch, matches } = await verify(source, games);
    expect([mismatch, matches]).to.deep.equal([undefined, MATCHES]);
    return counts;
  }

  for (const { name } of games) {
    it(`does not grow with the matches of ${name} that are over`, async () => {
      const [some, more] = await objects(name);
      expect(more - some).to.be.lessThan(APART / 2);
    });
  }
});
