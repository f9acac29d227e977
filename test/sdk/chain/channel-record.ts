import { expect } from "chai";
import { channelRecordFrom } from "../../../sdk/chain/channel-record.js";
import { unpackCode } from "../../../sdk/chain/channels.js";
import type { AnyEvent, Events } from "../../../sdk/chain/events.js";
import { Seat, Status } from "../../../sdk/protocol/status.js";
import {
  addressOf,
  ALICE,
  BOB,
  challenged,
  codeOf,
  eventOf,
  logged,
  matchIdOf,
  opened,
  played,
  POSITION,
  settled,
  started,
  TERMS,
  TOKEN,
  wordOf,
} from "../../support/made-up-events.js";

const ID = matchIdOf();
const CHAIN = 31_337n;
const [ANSWER, MOVE] = ["0xa0", "0x01"];
const opening = opened().args as Events["Opened"];
const recordOf = (...events: readonly AnyEvent[]) =>
  channelRecordFrom(CHAIN, { opened: opening, terms: TERMS, events });
const acted = (seat: bigint, data: string) => eventOf("Acted", { matchId: ID, seat, data });
const round = { round: 1n, entries: [1n, 2n] };

/** The record of a match before a change of its tests. */
const common = {
  chainId: CHAIN,
  matchId: ID,
  terms: TERMS,
  player1: ALICE,
  player2: BOB,
  funded: [
    { seat: Seat.One, player: ALICE },
    { seat: Seat.Two, player: BOB },
  ],
  createData: "0x",
};
const channel = {
  player1: ALICE,
  key1: addressOf(0x51),
  player2: BOB,
  key2: addressOf(0x52),
  token: TOKEN,
  feeBps: 2000n,
};

describe("Records of channel matches from events", () => {
  it("contain the result and the actions of a match that was settled in its channel", () => {
    const code = codeOf({ ratings: [1020n, 980n] });
    expect(recordOf(logged(ID), played({ code, actions: [ANSWER, MOVE] }))).to.deep.equal({
      ...common,
      actions: [],
      logs: [round],
      settlement: { status: Status.P1Win, paid1: 13n, paid2: 0n, house: 3n, rating1: 1020n, rating2: 980n },
      channel: {
        offered: POSITION,
        shown: { channel, code: unpackCode(code), position: POSITION, brought: [ANSWER, MOVE] },
      },
    });
  });

  it("name the players by their seats, and no offered position if the match starts from a later one", () => {
    const record = recordOf(played({ code: { swapped: true, turn: Seat.Two } }))!;
    expect(record).to.include({ player1: BOB, player2: ALICE });
    expect(record.funded.map(({ player }) => player)).to.deep.equal([BOB, ALICE]);
    expect(record.channel).to.not.have.property("offered");
    expect(record.channel!.shown).to.deep.include({ channel, position: POSITION });
  });

  it("contain the start, the actions and the end in the arena", () => {
    const challenge = challenged({ actions: [ANSWER] });
    const start = started({ turn: Seat.Two, position: wordOf(0x61) });
    const open = recordOf(challenge, start, acted(Seat.Two, MOVE), logged(ID));
    const expected = {
      ...common,
      actions: [{ seat: Seat.Two, data: MOVE }],
      logs: [round],
      settlement: undefined,
      channel: {
        offered: POSITION,
        shown: {
          channel,
          code: unpackCode(codeOf({ winner: Seat.None })),
          position: POSITION,
          brought: [ANSWER],
          started: { turn: Seat.Two, position: wordOf(0x61) },
        },
      },
    };
    expect(open).to.deep.equal(expected);
    const end = { status: Status.Draw, paid1: 10n, paid2: 6n, house: 0n, rating1: 1n, rating2: 2n };
    expect(recordOf(challenge, start, acted(Seat.Two, MOVE), logged(ID), settled(end))).to.deep.equal({
      ...expected,
      settlement: end,
    });
  });

  it("contain only logs of the match's game", () => {
    const foreign = { ...logged(ID), address: addressOf(0x21) };
    expect(recordOf(foreign, played())!.logs).to.deep.equal([]);
  });

  it("omit what happened before a withdrawal", () => {
    const voided = eventOf("Voided", { matchId: ID });
    const before = [logged(ID), challenged(), started()];
    expect(recordOf(...before, voided)).to.equal(undefined);
    const record = recordOf(...before, voided, played())!;
    expect(record.logs).to.deep.equal([]);
    expect(record.channel!.shown).to.not.have.property("started");
  });

  it("do not exist without a submission", () => {
    expect(recordOf()).to.equal(undefined);
    expect(recordOf(logged(ID), settled())).to.equal(undefined);
  });
});
