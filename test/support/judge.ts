import { MismatchError } from "../../sdk/chain/mismatch.js";
import type { AnyEvent } from "../../sdk/chain/events.js";
import type { TurnOrder } from "../../sdk/verify/expected-match.js";
import { Referee } from "../../sdk/verify/referee.js";
import type { Expectation } from "../../sdk/verify/state.js";
import { ALICE, ARENA, BOB, deposited, eventOf, TREASURY } from "./made-up-events.js";

/** The usual beginning: a house fee of 20 %, a treasury, and 100 in the purses of alice and bob. */
export const FUNDED: readonly AnyEvent[] = [
  eventOf("FeeChanged", { feeBps: 2000n }),
  eventOf("TreasuryChanged", { treasury: TREASURY }),
  deposited(ALICE, 100n),
  deposited(BOB, 100n),
];

/** Referee of made-up events. The time of a block is its number. */
export class Judge {
  readonly referee = new Referee(ARENA, 31_337n);
  /** Mismatches of events, without the matches and blocks. */
  readonly found: string[] = [];

  /** @param events Events after the usual beginning. */
  constructor(...events: readonly AnyEvent[]) {
    this.apply(...FUNDED, ...events);
  }

  apply(...events: readonly AnyEvent[]): this {
    for (const event of events) this.settle(event);
    return this;
  }

  /** Applies an event that ends a match of a known game, with the turns of the match. */
  settle(event: AnyEvent, ...[turns]: [turns?: TurnOrder["turns"]]): this {
    return this.noting(() => this.referee.apply(event, BigInt(event.block), turns && { turns }));
  }

  /** Applies the actions of an open match. */
  applyActions(matchId: bigint, turns?: TurnOrder["turns"]): this {
    return this.noting(() => this.referee.applyActions(matchId, turns && { turns }));
  }

  /** Expected answers of a view, by its arguments in one text. */
  answers(view: string): Record<string, unknown> {
    return answersOf(this.referee.expectedAnswers().filter((each) => each.view === view));
  }

  private noting(step: () => void): this {
    try {
      step();
    } catch (error) {
      if (!(error instanceof MismatchError)) throw error;
      const { at, what, expected, found } = error.mismatch;
      this.found.push(`${at}: ${what}: expected ${expected}, found ${found}`);
    }
    return this;
  }
}

function answersOf(expected: readonly Expectation[]): Record<string, unknown> {
  return Object.fromEntries(expected.map(({ args, answer: [answer] }) => [args.map(String).join(" "), answer]));
}
