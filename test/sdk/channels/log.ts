import { expect } from "chai";
import { lastingEntries, type ChannelEntry } from "../../../sdk/player/channels/log.js";
import type { ChannelOnChain } from "../../../sdk/player/channels/chain.js";
import { FIRST } from "../../support/channels.js";

const END = 1_000;
const OPENING = 2 ** 14;

/** A closed channel, opened once or (with another `firstNonce`) never. */
const over = (change: Partial<ChannelOnChain> = {}): ChannelOnChain => {
  return { time: END + 1, finalTime: END + 1, firstNonce: FIRST + OPENING, isFinal: true, matches: [], ...change };
};
const entry = (fields: object) => fields as ChannelEntry;
const consent = (player: number, nonce = FIRST) => entry({ type: "open", player, nonce, until: END });
const offer = entry({ type: "offer", nonce: FIRST });
const LOG = [consent(1), consent(2), offer];

describe("Pruning a channel's log", () => {
  it("keeps only each player's newest consent to open once the channel is permanently closed", () => {
    const before = [consent(1, 0), consent(2, 0), entry({ type: "move", nonce: 1 })];
    expect(lastingEntries([...before, ...LOG], 1, over())).to.deep.equal([consent(1), consent(2)]);
  });

  it("returns no entries for an empty log", () => {
    expect(lastingEntries([], 1, over())).to.deep.equal([]);
  });

  it("keeps everything while the channel is open, its end can be undone, or a match is in play on chain", () => {
    const open = { nonce: FIRST, amount1: 0n, amount2: 0n, until: END, isFinal: true };
    const match = {} as ChannelOnChain["matches"][number];
    for (const change of [{ open }, { isFinal: false }, { matches: [match] }]) {
      expect(lastingEntries(LOG, 1, over(change))).to.equal(undefined);
    }
  });

  it("keeps everything while a signed consent can still open the channel", () => {
    const never = { firstNonce: FIRST };
    expect(lastingEntries(LOG, 1, over({ ...never, finalTime: END }))).to.equal(undefined);
    expect(lastingEntries(LOG.slice(0, 2), 1, over(never))).to.deep.equal([consent(1), consent(2)]);
  });

  it("keeps everything if the player could still consent to the opening to which the messages belong", () => {
    const never = over({ firstNonce: FIRST });
    expect(lastingEntries([consent(2), offer], 1, never)).to.equal(undefined);
    expect(lastingEntries([consent(2), offer], 2, never)).to.deep.equal([consent(2), offer]);
  });

  it("keeps an offer or a balance of an expired opening, so that no other opening with the same number is signed", () => {
    const never = over({ firstNonce: FIRST });
    expect(lastingEntries([...LOG, entry({ type: "offer", nonce: FIRST + 1 })], 1, never)).to.deep.equal(LOG);
    const balance = entry({ type: "balance", nonce: FIRST });
    expect(lastingEntries([consent(1), consent(2), balance], 1, never)).to.deep.equal([
      consent(1),
      consent(2),
      balance,
    ]);
  });
});
