import { expect } from "chai";
import { SigningKey } from "ethers";
import { wishIn, wishOf, type OwnSide } from "../../../sdk/player/channels/wishes.js";
import { isSignedSeek, readSeek, signedSeek, type Seek } from "../../../sdk/protocol/channels/seek.js";
import { plainText } from "../../../sdk/protocol/channels/wire.js";
import { COIN, type Terms } from "../../../sdk/protocol/terms.js";
import { FIRST, keyOf } from "../../support/channels.js";

const AT = { chainId: 31_337n, channels: keyOf("channels").address };
const [player1, key1, player2, key2, game] = ["one", "key 1", "two", "key 2", "game"].map(
  (name) => keyOf(name).address,
);
const channel = { player1, key1, player2, key2, token: COIN, feeBps: 2000n };
const [one, two]: OwnSide[] = [1, 2].map((player) => ({ channel, player: player as 1 | 2, held: { nonce: FIRST } }));
const mode = `0x${"00".repeat(32)}`;
const terms: Terms = { game, stake1: 1n, token: COIN, stake2: 1n, mode, clock: 3600n, feeBps: 2000n, rated: false };

/** Signs a player's request for the next match. */
function said(side: OwnSide, asked?: Terms): Seek {
  const [player, name] = side.player === 1 ? [player1, "key 1"] : [player2, "key 2"];
  const key = new SigningKey(keyOf(name).privateKey);
  return signedSeek(key, AT, { ...wishOf(side, asked), player, key: keyOf(name).address, expires: 1000 });
}

describe("Requests for matches in channels", () => {
  const wish = said(one, terms);

  it("are searches that a lobby accepts and that the other player can read", () => {
    const passed = readSeek(JSON.parse(plainText(wish)), "seek");
    expect(isSignedSeek(AT, passed)).to.equal(true);
    expect(wishIn([passed], two)).to.deep.equal({ terms, expires: 1000 });
    expect(wishIn([said(two, terms)], one)).to.deep.equal({ terms, expires: 1000 });
  });

  it("decline a match if they contain no terms", () => {
    expect(wishIn([said(one)], two)).to.deep.equal({ terms: undefined, expires: 1000 });
  });

  it("are signed with the number of their match", () => {
    expect(isSignedSeek(AT, { ...wish, match: FIRST + 1 })).to.equal(false);
    expect(isSignedSeek(AT, { ...wish, match: undefined })).to.equal(false);
  });

  const others: [string, Partial<Seek>][] = [
    ["another player", { player: game }],
    ["another key", { key: game }],
    ["another token", { token: game }],
    ["stakes of another token", { terms: { ...terms, token: game } }],
    ["another fee than the channel's", { terms: { ...terms, feeBps: 1999n } }],
    ["another match", { match: FIRST + 1 }],
    ["a new channel", { match: undefined }],
  ];
  for (const [what, change] of others) {
    it(`are not found in a search of ${what}`, () => {
      expect(wishIn([{ ...wish, ...change }], two)).to.equal(undefined);
    });
  }
});
