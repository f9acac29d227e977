import { keccak256 } from "ethers";
import type { Hex } from "../hex.js";
import { Seat } from "../status.js";
import { otherSeat } from "../sides.js";
import { encodeActions } from "./actions.js";
import { moveHashOf, NO_PLACE, offerHashOf, placeOf, type ChannelMove, type ChannelOffer } from "./messages.js";

/** Move of a match with its signature. */
export interface SignedMove {
  /** Data of the action; empty to confirm that the last action was seen. */
  action: Hex;
  place: Hex;
  /** Seat that made the move. */
  seat: bigint;
  signature: Hex;
}

/** Messages of one match in a channel, starting with its offer. */
export interface MatchMessages {
  offer: ChannelOffer;
  /** Signature of seat One's key. */
  signature: Hex;
  moves: readonly SignedMove[];
}

/** State of a match after a move. Once the opponent has acted after that move, both players have signed the state. */
export interface Place {
  /** Number of the move, from 1. */
  count: number;
  /** Seat that acts next. */
  turn: bigint;
  /** Position, 32 bytes. */
  position: Hex;
}

/** Transcript of a match, in the format of the channels contract. */
export interface ChannelTranscript {
  swapped: boolean;
  seen: boolean;
  until: number;
  position: Hex;
  /** Actions, each preceded by its length in two bytes. */
  actions: Hex;
  /** At most one base. */
  base: { count: number; prev: Hex; actionHash: Hex; turn: bigint; position: Hex }[];
  places: Hex[];
  signature1: Hex;
  signature2: Hex;
}

/** Returns the move that would follow the messages of a match. */
export function nextMove(
  { offer, moves }: Pick<MatchMessages, "offer" | "moves">,
  action: Hex,
  place: Hex,
): ChannelMove {
  const hash = offerHashOf(offer);
  let prev = hash;
  for (const [i, move] of moves.entries())
    prev = moveHashOf({ offer: hash, count: i + 1, prev, action: move.action, place: move.place });
  return { offer: hash, count: moves.length + 1, prev, action, place };
}

/** Returns whether the last move only confirms that its signer has seen the end. */
export function isSeen({ moves }: Pick<MatchMessages, "moves">): boolean {
  return moves.at(-1)?.action === "0x";
}

/**
 * Returns the transcript of a match, for `play` and `challenge`.
 * @param base State where the transcript starts; undefined to start from the offer.
 * @param sender Seat that sends the transaction, whose signature is not needed.
 * @throws RangeError if no action follows the base, or if a seat has signed nothing.
 */
export function transcriptOf(match: MatchMessages, base?: Place, sender?: bigint): ChannelTranscript {
  const { offer, moves } = match;
  const seen = isSeen(match);
  const from = base?.count ?? 0;
  const actions = moves.slice(from, seen ? -1 : undefined);
  if (actions.length === 0) throw new RangeError(`match ${offer.nonce} has no action after message ${from}`);
  const places = actions.map(({ place }) => place);
  const [one, two] = [Seat.One, Seat.Two].map((seat) => (seat === sender ? "0x" : lastSignature(match, seat)));
  return {
    swapped: offer.swapped,
    seen,
    until: offer.until,
    position: offer.position,
    actions: encodeActions(actions.map(({ action }) => action)),
    base: base === undefined ? [] : [baseOf(match, base)],
    places: places.every((place) => place === NO_PLACE) ? [] : places,
    signature1: offer.swapped ? two : one,
    signature2: offer.swapped ? one : two,
  };
}

/** Returns the seat that player 1 or 2 of a channel has in a match. */
export function seatOfChannelPlayer(player: 1 | 2, swapped: boolean): bigint {
  const seat = player === 1 ? Seat.One : Seat.Two;
  return swapped ? otherSeat(seat) : seat;
}

function baseOf({ offer, moves }: MatchMessages, { count, turn, position }: Place): ChannelTranscript["base"][0] {
  const { action, place } = moves[count - 1];
  if (place !== placeOf(turn, position)) throw new RangeError(`move ${count} does not lead to the base`);
  const { prev } = nextMove({ offer, moves: moves.slice(0, count - 1) }, action, place);
  return { count, prev, actionHash: keccak256(action), turn, position };
}

/** Returns a seat's signature on its last message. */
function lastSignature({ offer, signature, moves }: MatchMessages, seat: bigint): Hex {
  const last = moves.findLast((move) => move.seat === seat);
  if (last === undefined && seat === Seat.Two) throw new RangeError(`seat Two has not answered offer ${offer.nonce}`);
  return last?.signature ?? signature;
}
