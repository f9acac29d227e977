import { AbiCoder, id, keccak256 } from "ethers";
import { expect } from "chai";
import { fingerprintOf, offerHash, offerOf } from "../../../sdk/protocol/offer.js";
import { differs, mismatchText } from "../../../sdk/protocol/mismatch.js";
import { COIN, offerDeadline, OFFER_LIFE, termsHash } from "../../../sdk/protocol/terms.js";

const player1 = `0x${"12".repeat(20)}`;
const terms = {
  game: `0x${"34".repeat(20)}`,
  stake1: 5n,
  token: COIN,
  stake2: 7n,
  mode: id("mode"),
  clock: 3600n,
  feeBps: 100n,
  rated: true,
};

describe("An offer", () => {
  it("has the hash of its terms, its challenger, and the first five bytes of its data's hash", () => {
    const offer = offerOf({ matchId: 3n, terms, player1, createData: "0x0102" });
    const fingerprint = keccak256("0x0102").slice(0, 12);
    expect(fingerprintOf("0x0102")).to.equal(fingerprint);
    expect(offer).to.deep.equal({ matchId: 3n, terms, player1, fingerprint });
    const encoded = AbiCoder.defaultAbiCoder().encode(
      ["bytes32", "address", "bytes5"],
      [termsHash(terms), player1, fingerprint],
    );
    expect(offerHash(offer)).to.equal(keccak256(encoded));
  });

  it("can be taken for 30 days, or until the end that it names", () => {
    expect(offerDeadline(0n, 100n)).to.equal(100n + OFFER_LIFE);
    expect(offerDeadline(500n, 100n)).to.equal(500n);
  });
});

describe("A mismatch", () => {
  it("is described with both values, or by its own sentence", () => {
    expect(mismatchText(differs("paid1", 5n, undefined))).to.equal("paid1: expected 5, found undefined");
    expect(mismatchText({ what: "the log is too long" })).to.equal("the log is too long");
  });
});
