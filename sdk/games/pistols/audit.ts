import { isOfChannelMatch, type AnyEvent } from "../../chain/events.js";
import type { History } from "../../chain/history.js";
import type { Audit } from "../module.js";
import { standingOf } from "./honour.js";
import { follow } from "./records.js";

/** Audits the honour records of all players. */
export function audit(history: History, game: string): Audit {
  const chronicle = follow(history, game);
  return {
    take(event: AnyEvent): void {
      // A duel in a channel changes no record.
      if (isOfChannelMatch(event)) return;
      chronicle.take(event);
      if (event.name === "Settled") chronicle.forget(event.args.matchId);
    },
    expectedAnswers: () =>
      chronicle.honourRecords().map(([player, honourRecord]) => {
        return { view: "duelistOf", args: [player], answer: [honourRecord, standingOf(honourRecord)] };
      }),
  };
}
