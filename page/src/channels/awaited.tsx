import { Seat } from "duello";
import { clockText, spanText } from "../parts/text.ts";
import type { Player } from "../player/player.ts";
import { gameNow } from "../store/clock.ts";
import type { SeatState } from "./seat.ts";

/** Shows who must act until when, and what happens after that. @param props.other Name of the other player. */
export function Awaited({ you, state, other }: { you: Player; state: SeatState; other: string }) {
  const { chain, answerBy, current } = state.status;
  const now = gameNow.value;
  const there = chain.matches.at(0);
  if (there) {
    const left = there.deadline - now;
    const isOwn = (there.player1 === you.address) === (there.turn === Seat.One);
    if (left < 0) return null;
    return (
      <p role="timer">
        {isOwn
          ? `You have ${clockText(left)} on the chain. Then ${other} wins by the clock.`
          : `${other} has ${clockText(left)} on the chain. Then you win by the clock.`}
      </p>
    );
  }
  if (answerBy === undefined || answerBy <= now || !current) return null;
  const clock = spanText(Number(current.offer.terms.clock));
  return (
    <p role="timer">
      {other} has {clockText(answerBy - now)} to answer. Then the match goes to the chain, with a clock of {clock} each.
    </p>
  );
}
