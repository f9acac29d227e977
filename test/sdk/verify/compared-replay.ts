import { expect } from "chai";
import type { MatchRecord, Replayed, RoundLog } from "../../../sdk/chain/record.js";
import { mismatchText } from "../../../sdk/protocol/mismatch.js";
import { Seat, Status } from "../../../sdk/protocol/status.js";
import { compareEnd, compareLogs, type EventMismatch } from "../../../sdk/verify/compared-replay.js";
import { ALICE, BOB, TERMS } from "../../support/made-up-events.js";

const textOf = (mismatch?: EventMismatch) =>
  mismatch && `${mismatch.event} ${mismatch.index}: ${mismatchText(mismatch)}`;

describe("The comparison of logs with a replay", () => {
  const log = (round: bigint, ...entries: bigint[]): RoundLog => ({ round, entries });
  const expected = [log(1n, 5n, 6n), log(2n, 7n)];
  const found = (...logs: RoundLog[]) => textOf(compareLogs(logs, expected));
  const [first, second] = expected;

  it("accepts equal logs", () => {
    expect(found(first, second)).to.equal(undefined);
    expect(compareLogs([], [])).to.equal(undefined);
  });

  it("names missing and additional logs", () => {
    expect(found(first)).to.equal("Log 2: logged rounds: expected 2, found 1");
    expect(found(first, second, second)).to.equal("Log 2: logged rounds: expected 2, found 3");
  });

  it("names another round, and missing, additional and wrong entries", () => {
    expect(found(first, log(3n, 7n))).to.equal("Log 1: round of log 2: expected 2, found 3");
    expect(found(log(1n, 5n, 9n), second)).to.equal("Log 0: round 1, log entry 2: expected 6, found 9");
    expect(found(log(1n, 5n), second)).to.equal("Log 0: round 1, log entry 2: expected 6, found none");
    expect(found(first, log(2n, 7n, 8n))).to.equal("Log 1: log entries of round 2: expected 1, found 2");
    expect(found(log(1n, 0n, 6n), second)).to.equal("Log 0: round 1, log entry 1: expected 5, found 0");
  });
});

describe("The comparison of an end with a replay", () => {
  const settlement = { status: Status.P1Win, paid1: 13n, paid2: 0n, house: 3n, rating1: 1n, rating2: 2n };
  const funded = [
    { seat: Seat.One, player: ALICE },
    { seat: Seat.Two, player: BOB },
  ];
  const won = { winner: Seat.One, taker: Seat.One };
  const found = (changes: Partial<MatchRecord>, result?: Replayed["result"]) => {
    const record = { terms: TERMS, funded, settlement, ...changes } as MatchRecord;
    return textOf(compareEnd(record, { result } as Replayed));
  };

  it("accepts the settlement that the result leads to, whatever the ratings", () => {
    expect(found({}, won)).to.equal(undefined);
    // Without a result, it is a resignation.
    expect(found({})).to.equal(undefined);
    expect(found({ settlement: undefined })).to.equal(undefined);
  });

  it("names wrong values, and a missing settlement", () => {
    for (const [field, wanted] of [
      ["status", Status.P1Win],
      ["paid1", 13n],
      ["paid2", 0n],
      ["house", 3n],
    ] as const)
      expect(found({ settlement: { ...settlement, [field]: 10n } }, won)).to.equal(
        `Settled 0: ${field}: expected ${wanted}, found 10`,
      );
    expect(found({ settlement: undefined }, won)).to.equal("Settled 0: the game is over, the match is not");
    expect(found({ funded: funded.slice(1) }, won)).to.equal("Settled 0: status 6, but the stakes were not both taken");
  });

  it("accepts a declined offer only if it is settled as such", () => {
    const declined = { declinedBy: BOB, funded: funded.slice(0, 1) };
    const canceled = { ...settlement, status: Status.P1Canceled, paid1: 10n, house: 0n };
    expect(found({ ...declined, settlement: canceled })).to.equal(undefined);
    expect(found(declined)).to.equal("Settled 0: status 6, but the offer was declined");
    expect(found({ ...declined, settlement: undefined })).to.equal(
      "Settled 0: the offer was declined, the match is not over",
    );
    expect(found({ declinedBy: BOB, settlement: undefined }, won)).to.equal(
      "Settled 0: the game is over, the match is not",
    );
  });
});
