import { expect } from "chai";
import { oneLine } from "../../../sdk/protocol/input.js";
import { durationText, printableJson, timeText } from "../../../sdk/protocol/text.js";

/** Characters that move a terminal's cursor, reverse text, are invisible, or are half a surrogate pair. */
const UNPRINTABLE = [
  ["a line feed", "\n"],
  ["a carriage return", "\r"],
  ["an escape", "\u001b"],
  ["a bell", "\u0007"],
  ["a delete", "\u007f"],
  ["a control of eight bits", "\u009b"],
  ["a next line", "\u0085"],
  ["a line separator", "\u2028"],
  ["an override of direction", "\u202e"],
  ["an isolate", "\u2067"],
  ["a zero-width joiner", "\u200d"],
  ["a byte order mark", "\ufeff"],
  ["a soft hyphen", "\u00ad"],
  ["a filler that is a letter", "\u3164"],
  ["a variation selector", "\ufe0f"],
  ["a tag", "\u{e0041}"],
  ["a private character", "\ue000"],
  ["the first half of a surrogate pair", "\ud83d"],
  ["the second half of a surrogate pair", "\ude00"],
] as const;

describe("Foreign text", () => {
  for (const [name, character] of UNPRINTABLE) {
    it(`hides ${name}, and keeps it in JSON`, () => {
      expect(oneLine(`a${character}${character}b`)).to.equal("a b");
      const value = { [`k${character}`]: [`a${character}b`, 1] };
      const json = printableJson(JSON.stringify(value));
      expect(json).to.match(/^[\x20-\x7e]+$/);
      expect(JSON.parse(json)).to.deep.equal(value);
    });
  }

  it("stays unchanged if it is printable, in any script", () => {
    for (const text of ["", "It's 5 €.", "Übung 日本語 עברית", "② 😀 |"]) {
      expect(oneLine(text)).to.equal(text);
      expect(printableJson(JSON.stringify(text))).to.equal(JSON.stringify(text));
    }
  });

  it("is cut if it is too long, but never within a character", () => {
    expect(oneLine("a".repeat(1000))).to.equal("a".repeat(1000));
    expect(oneLine("a".repeat(1_000_000))).to.equal(`${"a".repeat(999)}…`);
    expect(oneLine("a😀😀", 4)).to.equal("a😀…");
    expect(oneLine("😀😀", 4)).to.equal("😀😀");
    expect(oneLine("aa😀😀", 4)).to.equal("aa …");
  });
});

describe("Foreign times", () => {
  it("are shown as dates up to the year 9999, and as seconds after that", () => {
    expect(timeText(0n)).to.equal("1970-01-01 00:00:00 UTC");
    expect(timeText(253_402_300_799n)).to.equal("9999-12-31 23:59:59 UTC");
    for (const far of [253_402_300_800n, 2n ** 64n, 2n ** 256n - 1n, -1n]) {
      expect(timeText(far)).to.equal(`second ${far} since 1970`);
    }
  });
});

describe("Durations", () => {
  for (const [seconds, text] of [
    [0, "no time"],
    [1, "a second"],
    [59, "59 seconds"],
    [60, "a minute"],
    [300, "5 minutes"],
    [3600, "an hour"],
    [3900, "an hour and 5 minutes"],
    [86_400, "a day"],
    [7 * 86_400, "7 days"],
    [90_061, "a day and an hour"],
  ] as const) {
    it(`show ${text} for ${seconds} seconds`, () => expect(durationText(seconds)).to.equal(text));
  }
});
