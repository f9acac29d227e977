import { expect } from "chai";
import { ZeroAddress, ZeroHash } from "ethers";
import type { AnyEvent } from "../../../sdk/chain/events.js";
import { factsAfter, factsOf, hasCounted } from "../../../sdk/chain/match-facts.js";
import { Status } from "../../../sdk/protocol/status.js";

const [ALICE, BOB] = [1, 2].map((n) => `0x${String(n).repeat(40)}`);
const [LATER, EARLIER] = [ZeroHash, ZeroHash.replace(/0$/, "1")];

/** Makes an event of match 1. */
function event(name: AnyEvent["name"], args: object, transaction = LATER, block = 7): AnyEvent {
  return { address: ZeroAddress, name, args: { matchId: 1n, ...args }, block, index: 0, transaction } as AnyEvent;
}

const created = (change: object = {}) =>
  event("Created", {
    player1: ALICE,
    opponent: ZeroAddress,
    termsHash: ZeroHash,
    firmUntil: 0n,
    funded: true,
    ...change,
  });
const joined = event("Joined", { player2: BOB, data: "0x" });
const NOTHING = { paid1: 0n, paid2: 0n, house: 0n, rating1: 0n, rating2: 0n };
const settled = (status: bigint, change: object = {}) => event("Settled", { status, ...NOTHING, ...change });

const seatsIn = (...events: AnyEvent[]) => {
  const { status, player2, isTaken } = factsOf(events)!;
  return [status, player2, isTaken];
};

describe("The summary of a match, made from its events", () => {
  it("has the seats and the status after each event", () => {
    expect(seatsIn(created({ funded: false }))).to.deep.equal([Status.Created, undefined, false]);
    expect(seatsIn(created({ opponent: BOB }))).to.deep.equal([Status.P1Deposited, BOB, false]);
    const funded = (seat: bigint, player: string) => event("Funded", { seat, player });
    expect(seatsIn(created({ funded: false }), funded(1n, ALICE))).to.deep.equal([
      Status.P1Deposited,
      undefined,
      false,
    ]);
    expect(seatsIn(created(), funded(2n, BOB))).to.deep.equal([Status.AllDeposited, BOB, true]);
    expect(seatsIn(created(), joined)).to.deep.equal([Status.AllJoined, BOB, true]);
    expect(seatsIn(created({ opponent: BOB }), settled(Status.P1Canceled))).to.deep.equal([
      Status.P1Canceled,
      BOB,
      false,
    ]);
    expect(seatsIn(created(), joined, settled(Status.P2Win))).to.deep.equal([Status.P2Win, BOB, true]);
  });

  it("contains the number of events, and the first and the last block", () => {
    const facts = factsOf([created(), event("Joined", { player2: BOB }, LATER, 9)])!;
    expect([facts.events, facts.createdBlock, facts.lastBlock]).to.deep.equal([2, 7, 9]);
  });

  it("is missing for a match whose creation is unknown", () => {
    expect(factsOf([joined])).to.equal(undefined);
    expect(factsAfter(settled(Status.Draw), undefined)).to.equal(undefined);
  });

  const acted = (transaction: string) => event("Acted", { seat: 1n, data: "0x" }, transaction);
  for (const [title, last, end, rated, counts] of [
    ["a win that leaves the winner with a rating", acted(LATER), settled(Status.P1Win, { rating1: 1n }), true, true],
    ["a win that leaves both ratings at zero", acted(LATER), settled(Status.P1Win), true, false],
    ["a draw between rated players", acted(EARLIER), settled(Status.Draw, { rating2: 5n }), true, true],
    ["a draw at ratings of zero", acted(LATER), settled(Status.Draw), true, true],
    ["a draw at ratings of zero in an unrated match", acted(LATER), settled(Status.Draw), false, false],
  ] as const) {
    it(`${counts ? "marks" : "does not mark"} ${title} as counted`, () => {
      const facts = factsOf([created(), joined, last])!;
      expect(hasCounted(facts, { rated: true })).to.equal(false);
      expect(hasCounted(factsAfter(end, facts)!, { rated })).to.equal(counts);
    });
  }
});
