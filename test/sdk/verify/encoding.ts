import { expect } from "chai";
import { toBeHex, type Log } from "ethers";
import { encodeEvent, type AnyEvent } from "../../../sdk/chain/events.js";
import { mismatchText } from "../../../sdk/protocol/mismatch.js";
import { encodingMismatch } from "../../../sdk/verify/encoding.js";
import {
  addressOf,
  BOB,
  eventOf,
  funded,
  logged,
  played,
  settled,
  TERMS,
  termsAdded,
  wordOf,
} from "../../support/made-up-events.js";
import "../../../sdk/games/index.js";

const WORD = wordOf(0xee);

/** Returns the mismatch of a log that differs from the event. */
function found(event: AnyEvent, change: Partial<Pick<Log, "topics" | "data">> = {}): string | undefined {
  const mismatch = encodingMismatch({ ...encodeEvent(event), ...change } as Log, event);
  return mismatch && mismatchText(mismatch);
}

/** Replaces a word of the data. @returns the mismatch. */
function foundAt(event: AnyEvent, word: number, value = WORD): string | undefined {
  const { data } = encodeEvent(event);
  const at = 2 + 64 * word;
  return found(event, { data: data.slice(0, at) + value.slice(2) + data.slice(at + 64) });
}

const padded = (value: bigint | string) => toBeHex(BigInt(value), 32);

describe("The encoding of a log", () => {
  it("is accepted as a contract writes it", () => {
    for (const event of [funded(), logged(1n), played(), settled(), termsAdded()])
      expect(found(event)).to.equal(undefined);
  });

  it("names a topic that differs by its field", () => {
    const { topics } = encodeEvent(funded());
    expect(found(funded(), { topics: topics.with(1, WORD) })).to.equal(
      `matchId: expected ${padded(1n)}, found ${WORD}`,
    );
    // The seat, which is not indexed, comes between the two.
    expect(found(funded(), { topics: topics.with(2, WORD) })).to.equal(
      `player: expected ${padded(BOB)}, found ${WORD}`,
    );
  });

  it("names missing and additional topics", () => {
    const { topics } = encodeEvent(funded());
    expect(found(funded(), { topics: [...topics, WORD] })).to.equal("the topics: expected 3, found 4");
    expect(found(funded(), { topics: topics.slice(0, 2) })).to.equal("the topics: expected 3, found 2");
  });

  it("names missing and additional bytes", () => {
    const { data } = encodeEvent(settled());
    expect(found(settled(), { data: `${data}00` })).to.equal("the bytes of the data: expected 192, found 193");
    expect(found(settled(), { data: data.slice(0, -64) })).to.equal("the bytes of the data: expected 192, found 160");
  });

  it("names a word that differs by its field, the first and the last one, too", () => {
    const words = [settled({ paid1: 5n }).args].flatMap(Object.values).slice(1) as bigint[];
    const names = ["status", "paid1", "paid2", "house", "rating1", "rating2"];
    for (const [i, name] of names.entries())
      expect(foundAt(settled({ paid1: 5n }), i)).to.equal(`${name}: expected ${padded(words[i])}, found ${WORD}`);
  });

  it("names the parts of tuples and arrays", () => {
    const parts = ["game", "stake1", "token", "stake2", "mode", "clock", "feeBps", "rated"] as const;
    for (const [i, part] of parts.entries())
      expect(foundAt(termsAdded(), i)).to.equal(
        `terms.${part}: expected ${padded(BigInt(TERMS[part]))}, found ${WORD}`,
      );
    const args = { id: 1n, to: BOB, character: 7n, tiers: [1n, 2n, 3n, 4n, 5n, 6n], golden: true };
    const mint = eventOf("FighterMinted", args as never, { address: addressOf(0x23) });
    expect(foundAt(mint, 0)).to.equal(`character: expected ${padded(7n)}, found ${WORD}`);
    expect(foundAt(mint, 1)).to.equal(`tiers[0]: expected ${padded(1n)}, found ${WORD}`);
    expect(foundAt(mint, 6)).to.equal(`tiers[5]: expected ${padded(6n)}, found ${WORD}`);
    expect(foundAt(mint, 7)).to.equal(`golden: expected ${padded(1n)}, found ${WORD}`);
  });

  it("names the field of dynamic length by its offset, its length and its content", () => {
    expect(foundAt(logged(1n), 0)).to.equal(`round: expected ${padded(1n)}, found ${WORD}`);
    const words = [64n, 2n, 1n, 2n];
    for (const [i, word] of words.entries())
      expect(foundAt(logged(1n), i + 1)).to.equal(`logEntries: expected ${padded(word)}, found ${WORD}`);
    for (const at of [2, 3, 4]) expect(foundAt(played(), at)).to.match(/^actions: expected 0x\w{64}, found 0xee/);
  });
});
