import { id, keccak256 } from "ethers";
import { expect } from "chai";
import { decodeActions, encodeActions } from "../../../sdk/protocol/channels/actions.js";
import {
  moveHashOf,
  NO_END,
  NO_PLACE,
  offerHashOf,
  placeOf,
  type ChannelOffer,
} from "../../../sdk/protocol/channels/messages.js";
import {
  isSeen,
  nextMove,
  seatOfChannelPlayer,
  transcriptOf,
  type SignedMove,
} from "../../../sdk/protocol/channels/transcript.js";
import type { Hex } from "../../../sdk/protocol/hex.js";
import { InputError } from "../../../sdk/protocol/input.js";
import { Seat } from "../../../sdk/protocol/status.js";

const hash = (name: string): Hex => id(name);
const offer: ChannelOffer = {
  channel: hash("channel"),
  nonce: 7,
  terms: hash("terms"),
  swapped: false,
  position: hash("start"),
  until: NO_END,
};
const signed = (seat: bigint, action: Hex, place = NO_PLACE): SignedMove => {
  return { seat, action, place, signature: hash(`${seat} ${action}`) };
};
/** Where the match is after its second move. */
const base = { count: 2, turn: Seat.Two, position: hash("middle") };
const moves = [
  signed(Seat.Two, "0x01"),
  signed(Seat.One, "0x0202", placeOf(base.turn, base.position)),
  signed(Seat.Two, "0x03"),
];
const seen = signed(Seat.One, "0x");
const match = { offer, signature: hash("offer"), moves };

describe("Channels: the transcript of a match", () => {
  it("contains all actions, and each seat's signature on its last message", () => {
    expect(transcriptOf(match)).to.deep.equal({
      swapped: false,
      seen: false,
      until: NO_END,
      position: offer.position,
      actions: encodeActions(["0x01", "0x0202", "0x03"]),
      base: [],
      places: moves.map(({ place }) => place),
      signature1: moves[1].signature,
      signature2: moves[2].signature,
    });
    const first = transcriptOf({ ...match, moves: moves.slice(0, 1) });
    expect(first).to.include({ signature1: match.signature, signature2: moves[0].signature });
    expect(first.places).to.deep.equal([]);
  });

  it("names the signatures by the players of the channel if the seats are swapped", () => {
    const swapped = transcriptOf({ ...match, offer: { ...offer, swapped: true } });
    expect(swapped).to.include({ swapped: true, signature1: moves[2].signature, signature2: moves[1].signature });
    const seats = [true, false].map((each) => [seatOfChannelPlayer(1, each), seatOfChannelPlayer(2, each)]);
    expect(seats).to.deep.equal([
      [Seat.Two, Seat.One],
      [Seat.One, Seat.Two],
    ]);
  });

  it("omits the signature of the seat that sends it", () => {
    const [one, two] = [Seat.One, Seat.Two].map((sender) => transcriptOf(match, undefined, sender));
    expect(one).to.include({ signature1: "0x", signature2: moves[2].signature });
    expect(two).to.include({ signature1: moves[1].signature, signature2: "0x" });
  });

  it("ends before a message that only confirms the last action, but contains its signature", () => {
    expect([match, { moves: [...moves, seen] }, { moves: [] }].map(isSeen)).to.deep.equal([false, true, false]);
    const { seen: isConfirmed, actions, places, signature1 } = transcriptOf({ ...match, moves: [...moves, seen] });
    expect(isConfirmed).to.equal(true);
    expect(decodeActions(actions)).to.deep.equal(["0x01", "0x0202", "0x03"]);
    expect(places).to.have.lengthOf(3);
    expect(signature1).to.equal(seen.signature);
  });

  it("starts from a base, which its move must lead to", () => {
    const { prev } = nextMove({ offer, moves: moves.slice(0, 1) }, moves[1].action, moves[1].place);
    const from = transcriptOf(match, base);
    expect(from.base).to.deep.equal([
      { count: 2, prev, actionHash: keccak256("0x0202"), turn: Seat.Two, position: base.position },
    ]);
    expect(from).to.include({ actions: encodeActions(["0x03"]) });
    expect(from.places).to.deep.equal([]);
    expect(() => transcriptOf(match, { ...base, turn: Seat.One })).to.throw(
      RangeError,
      "move 2 does not lead to the base",
    );
  });

  it("is refused if no action follows the base, or if seat Two has signed nothing", () => {
    expect(() => transcriptOf({ ...match, moves: [...moves.slice(0, 2), seen] }, base)).to.throw(
      RangeError,
      "match 7 has no action after message 2",
    );
    expect(() => transcriptOf({ ...match, moves: [] })).to.throw(RangeError, "match 7 has no action after message 0");
    const alone = { ...match, moves: [signed(Seat.One, "0x01")] };
    expect(() => transcriptOf(alone)).to.throw(RangeError, "seat Two has not answered offer 7");
  });

  it("links each move to the offer and to the move before it", () => {
    const first = nextMove({ offer, moves: [] }, "0x01", NO_PLACE);
    const start = offerHashOf(offer);
    expect(first).to.deep.equal({ offer: start, count: 1, prev: start, action: "0x01", place: NO_PLACE });
    const second = nextMove({ offer, moves: moves.slice(0, 1) }, "0x02", NO_PLACE);
    expect(second).to.include({ count: 2, prev: moveHashOf(first) });
  });

  it("refuses encoded actions that are cut off", () => {
    expect(decodeActions("0x")).to.deep.equal([]);
    for (const cut of ["0x00", "0x0001", "0x000201"] as const) {
      expect(() => decodeActions(cut)).to.throw(InputError, /actions: \d bytes are cut off in action 1/);
    }
    expect(() => decodeActions("0x000101ff")).to.throw(InputError, "actions: 4 bytes are cut off in action 2");
  });
});
