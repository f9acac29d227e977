import { type matchEvent } from "../ponder.schema.js";
import type { AnyEvent } from "../../sdk/chain/events.js";
import { readFields } from "../../sdk/chain/saved.js";

/** Converts a row to its event. */
export function eventOfRow(row: typeof matchEvent.$inferSelect): AnyEvent {
  const { matchId, name, args, address, block, logIndex, transaction } = row;
  const event = { address, name, block, index: logIndex, transaction } as AnyEvent;
  return {
    ...event,
    args: readFields(event.name, { matchId: String(matchId), ...(args as object) }, name),
  } as AnyEvent;
}
