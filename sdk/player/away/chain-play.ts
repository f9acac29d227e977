import type { MatchRecord } from "../../chain/record.js";
import type { AwayPlay } from "../../games/module.js";
import { firstTable, tableAfter, tableHash, type Table } from "../../protocol/away/table.js";
import type { Hex } from "../../protocol/hex.js";
import { InputError } from "../../protocol/input.js";
import { Seat } from "../../protocol/status.js";

/** Course on chain of a match that began at a table. */
export interface ChainPlay {
  /** Table that stands in place of the match's state; undefined once it was accepted. */
  table?: Table;
  /** Table that was accepted. */
  accepted?: Table;
  /** Actions on chain since then, the own action of whoever accepted included. */
  actions: MatchRecord["actions"];
  /** Hashes of all tables that have stood. */
  hashes: readonly Hex[];
}

/**
 * Follows what players have done on chain.
 * @param base State after joining.
 * @param turn Seat in turn after joining.
 * @throws InputError for actions that the contract must have refused.
 */
export function chainPlay(away: AwayPlay, base: Hex, turn: bigint, record: MatchRecord): ChainPlay {
  let table = firstTable(base, turn);
  const hashes = [tableHash(table)];
  for (const [i, { seat, data }] of record.actions.entries()) {
    const action = away.decode(data);
    if (action?.type === "accept") {
      const own = action.action === undefined ? [] : [{ seat, data: action.action }];
      return { accepted: table, actions: [...own, ...record.actions.slice(i + 1)], hashes };
    }
    if (action === undefined) throw new InputError(`actions[${i}]`, "neither a post nor an acceptance of the table");
    table = tableAfter(table, seat, action.state);
    hashes.push(tableHash(table));
  }
  return { table, actions: [], hashes };
}

/** Returns whether a player has posted a table. */
export function isPosted({ table }: ChainPlay): boolean {
  return table !== undefined && table.poster !== Seat.None;
}
