import { expect } from "chai";
import fc from "fast-check";
import * as ethers from "ethers";
import { formatUnits, Network, parseUnits } from "../../page/src/left-out.js";

const MAX_DECIMALS = 40;
const decimals = fc.integer({ min: 0, max: MAX_DECIMALS });
const amount = fc.bigInt({ min: -(2n ** 255n), max: 2n ** 255n });

describe("The page's replacements for parts of ethers", () => {
  it("format amounts like ethers", () => {
    expect([formatUnits(0n), formatUnits(-5n), formatUnits(10n ** 18n)]).to.deep.equal(
      [0n, -5n, 10n ** 18n].map((each) => ethers.formatUnits(each)),
    );
    fc.assert(
      fc.property(amount, decimals, (value, places) => {
        expect(formatUnits(value, places)).to.equal(ethers.formatUnits(value, places));
      }),
    );
  });

  it("parse amounts like ethers, and reject too many decimals", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 255n }), decimals, (value, places) => {
        const text = ethers.formatUnits(value, places);
        // The page checks amounts earlier, so a whole amount has no decimal point here.
        const written = places === 0 ? text : text.replace(/\.0$/, "");
        expect(parseUnits(written, places)).to.equal(ethers.parseUnits(written, places));
      }),
    );
    expect(() => parseUnits("1.005", 2)).to.throw("The amount has too many decimals.");
  });

  it("identify a network by its chain id", () => {
    const network = Network.from(137);
    expect([network.chainId, network.clone().chainId, Network.from(network).chainId]).to.deep.equal([137n, 137n, 137n]);
    expect([network.matches(137n), network.matches(Network.from(1n))]).to.deep.equal([true, false]);
  });
});
