import { expect } from "chai";
import { agoText } from "../../page/src/parts/time.js";

const MINUTE = 60;
const HOUR = 3600;

/** Returns a time in this machine's zone as seconds since 1970. */
function at(month: number, day: number, hour: number, minute = 0, year = 2026): number {
  return new Date(year, month - 1, day, hour, minute).getTime() / 1000;
}

describe("Times on the page", () => {
  const now = at(11, 28, 15, 30);

  for (const [title, time, text] of [
    ["a time ahead of this machine's clock as now", now + 5, "now"],
    ["seconds as now", now - MINUTE + 1, "now"],
    ["minutes", now - 12 * MINUTE, "12 min ago"],
    ["hours of today", now - 3 * HOUR, "3 h ago"],
    ["the first hour of today", at(11, 28, 0, 10), "15 h ago"],
    ["the previous day as yesterday, even a minute before midnight", at(11, 27, 23, 59), "yesterday"],
    ["an earlier day by its date", at(11, 26, 23, 59), /^(26 Nov|Nov 26)$/],
    ["a day of another year with the year", at(11, 28, 15, 30, 2025), /^(28 Nov 2025|Nov 28, 2025)$/],
  ] as const) {
    it(`shows ${title}`, () => {
      const told = agoText(time, now);
      if (typeof text === "string") expect(told).to.equal(text);
      else expect(told).to.match(text);
    });
  }

  it("counts hours, not days, shortly after midnight", () => {
    expect(agoText(at(11, 27, 22), at(11, 28, 1))).to.equal("3 h ago");
  });
});
