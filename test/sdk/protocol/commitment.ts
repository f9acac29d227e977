import { id } from "ethers";
import { expect } from "chai";
import { decodeAnswer, decodeCommitment, decodeReveal, NO_STATE } from "../../../sdk/protocol/commit-reveal.js";
import { answerTo, commitMove, commitmentBy, revealFor } from "../../../sdk/protocol/commitment.js";
import { InputError } from "../../../sdk/protocol/input.js";

const by = { chainId: 31_337n, game: `0x${"12".repeat(20)}`, player: `0x${"34".repeat(20)}` };

describe("A commitment to a move", () => {
  it("is answered and revealed with both moves and both salts", () => {
    const { secret, committed } = commitMove(by, "0x0102");
    const { commitment, note } = decodeCommitment(committed);
    expect([commitment, note]).to.deep.equal([commitmentBy(by)(secret), "0x"]);

    const answer = answerTo(committed, "0x03");
    const { salt, ...answered } = decodeAnswer(answer);
    expect(answered).to.deep.equal({ round: 1, state: NO_STATE, commitment, move: "0x03" });

    expect(decodeReveal(revealFor(secret, answer), 2, 1)).to.deep.equal({
      round: 1,
      state: NO_STATE,
      salt: secret.salt,
      move: "0x0102",
      answerMove: "0x03",
      answerSalt: salt,
      next: "0x",
    });
  });

  it("is rejected if it is cut off, like its answer and its reveal", () => {
    const bytes = (length: number) => `0x${"00".repeat(length)}`;
    const { note } = decodeCommitment(bytes(33));
    expect(note).to.equal("0x00");
    expect(() => decodeCommitment(bytes(31))).to.throw(InputError, "31 bytes instead of at least 32");
    expect(() => decodeAnswer(bytes(97))).to.throw(InputError, "97 bytes instead of at least 98");
    expect(() => decodeReveal(bytes(100), 2, 1)).to.throw(InputError, "100 bytes instead of at least 101");
    expect(() => revealFor({ move: "0x01", salt: id("salt") }, bytes(97))).to.throw(InputError, "answer");
  });
});
