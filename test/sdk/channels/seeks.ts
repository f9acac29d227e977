import { expect } from "chai";
import { isMirrored, locksTooLong } from "../../../sdk/protocol/channels/seek.js";

const NOW = 1_800_000_000;
const DAY = 86_400;

describe("Searches for players", () => {
  it("would lock money for too long if the channel would end in more than 31 days", () => {
    const untils = [NOW, NOW + 31 * DAY, NOW + 31 * DAY + 1, 2 ** 32 - 1];
    expect(untils.map((until) => locksTooLong({ until }, NOW))).to.deep.equal([false, false, true, true]);
  });

  it("mirror each other if their amounts match and the opponent's ends at most an hour later", () => {
    const own = { amount: 1n, otherAmount: 50n, until: NOW };
    const other = { amount: 50n, otherAmount: 1n, until: NOW };
    const changes = [{}, { until: NOW - DAY }, { until: NOW + 3600 }, { until: NOW + 3601 }];
    const isSame = [...changes, { amount: 51n }, { otherAmount: 2n }].map((each) =>
      isMirrored(own, { ...other, ...each }),
    );
    expect(isSame).to.deep.equal([true, true, true, false, false, false]);
  });
});
