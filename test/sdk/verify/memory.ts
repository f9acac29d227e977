import { queryObjects } from "node:v8";
import { expect } from "chai";
import { MatchSynthesizer } from "../../../scripts/record/match-synthesizer.js";
import type { Archive } from "../../../sdk/chain/archive.js";
import type { AnyEvent } from "../../../sdk/chain/events.js";
import type { EventSource } from "../../../sdk/chain/source.js";
import { games } from "../../../sdk/games/index.js";
import { verify } from "../../../sdk/verify/verify.js";

/** Number of matches of each game before each measurement: equal to that of players, who are never forgotten. */
const MATCHES = 20;
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

describe("The memory of the verifier", () => {
  it("does not grow with the number of finished matches, in any game", async () => {
    const recorder = new MatchSynthesizer();
    const first = new Map<string, bigint>();
    for (let part = 0; part < 2; part++) {
      for (const game of games) {
        // In the default mode a match of Warmancer has hundreds of turns.
        const { content } = Object.values(game.modes)[game.name === "warmancer" ? QUICK : 0];
        for (let n = 0; n < MATCHES; n++) {
          const known = first.get(game.name);
          // Matches of Warmancer take long to play, but not to repeat.
          if (game.name === "warmancer" && known !== undefined) await recorder.repeat(known);
          else first.set(game.name, await recorder.play(game, content));
        }
      }
    }
    const counts: number[] = [];
    const source = told(recorder.done(), (ended) => {
      // Measures by visiting everything in memory.
      if (ended % (MATCHES * games.length) === 0) counts.push(queryObjects(Object, { format: "count" }));
    });
    const { mismatch, matches } = await verify(source, games);
    expect([mismatch, matches]).to.deep.equal([undefined, 2 * MATCHES * games.length]);
    const [some, more] = counts;
    expect(more - some).to.be.lessThan(MATCHES / 2);
  });
});
