import { JsonRpcProvider } from "ethers";
import { character, match, matchEvent, mode, terms } from "../ponder.schema.js";
import type { Addresses } from "../../sdk/chain/addresses.js";
import type { MintName } from "../../sdk/chain/character-contract.js";
import { EventHistory } from "../../sdk/chain/event-history.js";
import { isMintName, type AnyEvent, type ChainEvent, type EventName, type Where } from "../../sdk/chain/events.js";
import { readFields } from "../../sdk/chain/saved.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import type { Terms } from "../../sdk/protocol/terms.js";
import type { Db } from "./db.js";
import { eventOfRow } from "./rows.js";

/** Never called: a history that reads rows needs no node. */
const nobody = new JsonRpcProvider();

/** History of the deployment from the rows of the index, in the form that the games' engines query. */
export class RowHistory extends EventHistory {
  constructor(
    private readonly db: Db,
    addresses: Addresses,
    chainId: bigint,
  ) {
    super(nobody, addresses, chainId);
  }

  override async terms(hash: Hex): Promise<Terms> {
    const found = (await this.db.find(terms, { hash }))!;
    const { game, stake1, stake2, token, clock, feeBps, rated } = found;
    return { game, stake1, token, stake2, mode: found.mode, clock, feeBps, rated };
  }

  override async events<N extends EventName>(address: string, name: N, where: Where<N>): Promise<ChainEvent<N>[]> {
    const event = (args: unknown) => [{ address, name, args } as ChainEvent<N>];
    if (name === "ModeRegistered") {
      const { mode: hash } = where as Where<"ModeRegistered">;
      const found = await this.db.find(mode, { game: address, hash: hash as Hex });
      return found?.content ? event({ mode: hash, content: found.content }) : [];
    }
    if (isMintName(name)) {
      const { id } = where as Where<MintName>;
      const found = await this.db.find(character, { contract: address, characterId: id as bigint });
      return found?.traits ? event(readFields(name, found.traits, name)) : [];
    }
    throw new Error(`The index finds no events ${name} by their fields.`);
  }

  /** Reads the rows of a match's events, in their order. */
  async eventRows(matchId: bigint): Promise<(typeof matchEvent.$inferSelect)[]> {
    const { db } = this;
    const { events } = (await db.find(match, { matchId }))!;
    const rows = Array.from({ length: events }, (_, place) => db.find(matchEvent, { matchId, place }));
    return (await Promise.all(rows)).map((row) => row!);
  }

  protected override async about(matchId: bigint): Promise<readonly AnyEvent[]> {
    return (await this.eventRows(matchId)).map(eventOfRow);
  }
}
