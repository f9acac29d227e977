import { offererOf } from "duello";
import { personText } from "../people/people.ts";
import type { ChannelSeat } from "./seat.ts";

/** Event or action that a channel waits for. */
export interface Stand {
  readonly waitsFor: "chain" | "person" | "offer" | "opponent" | "other" | "nothing";
  readonly text: string;
}

/** Returns what a channel waits for, with a short text. */
export function standOf(seat: ChannelSeat): Stand {
  const other = personText(seat.opponent);
  const stand = (waitsFor: Stand["waitsFor"], text: string) => ({ waitsFor, text });
  if (seat.isElsewhere.value) return stand("other", "open in another tab");
  const state = seat.state.value;
  if (!state) return stand("other", seat.trouble.value === undefined ? "reading …" : "cannot be read");
  const { status, question, turn, call } = state;
  const { chain, held, current, consents, isClosing } = status;
  if (question?.type === "open") return stand("person", `${other} sits down`);
  if (call) return stand("person", call.title);
  if (turn) return stand("person", question ? `${other} offers a match` : "your turn");
  if (question?.type === "close") return stand("person", `${other} gets up`);
  if (chain.matches.some(({ nonce }) => nonce !== current?.nonce))
    return stand("chain", "a match goes on on the chain");
  if (!held) {
    if (consents.length === 0) return stand("nothing", "closed");
    return stand("other", consents.length === 1 ? `${other} has to sign` : `${other} has to open the channel`);
  }
  if (isClosing) return stand("other", `${other} has to get up too`);
  if (current) {
    const isOffer = current.moves.length === 0;
    const text = offererOf(current.nonce) === seat.kept.player ? "your offer stands" : "you decline the match";
    return stand("other", isOffer ? text : `${other} is in turn`);
  }
  if (chain.open?.isFinal === false) return stand("chain", "the opening is not final yet");
  const isOwn = offererOf(held.nonce) === seat.kept.player;
  return isOwn ? stand("offer", "you offer the next match") : stand("opponent", `${other} offers the next match`);
}

/** If the channel waits for the person, lists it with its step and a sentence; otherwise lists nothing. */
export function waitingIn(seat: ChannelSeat) {
  const { waitsFor, text } = standOf(seat);
  if (waitsFor !== "person" && waitsFor !== "offer") return [];
  const { current, held } = seat.state.value!.status;
  const step = `${held?.nonce} ${current?.moves.length} ${waitsFor} ${text}`;
  return [{ id: seat.id, step, text: `Channel with ${personText(seat.opponent)}: ${text}.` }];
}

/** Maximum number of matches in one opening of a channel. */
const MATCHES = 2 ** 14;

/** Returns the number of a match in its opening, starting at 1. */
export function numberOf(nonce: number): number {
  return (nonce % MATCHES) + 1;
}
