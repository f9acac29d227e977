import { ZeroAddress } from "ethers";
import type { Sql } from "postgres";
import type { Channel } from "../../../sdk/protocol/channels/messages.js";
import { readSeek, type Seek } from "../../../sdk/protocol/channels/seek.js";
import { plainText } from "../../../sdk/protocol/channels/wire.js";
import { admitSeek, checkSeek, listedSeeks, MAX_LISTED_SEEKS, type StoredSeek } from "../seeks.js";
import type { SeekStore, StoreOptions } from "../store.js";
import type { Query } from "./query.js";

/** Row of a search. */
interface Row {
  body: string;
  ends: string;
  client: string;
  is_answered: boolean;
}

/** Searches for players, in Postgres. */
export class PostgresSeeks implements SeekStore {
  constructor(
    private readonly query: Query,
    private readonly options: StoreOptions,
  ) {}

  async count(): Promise<number> {
    const { now } = this;
    const [{ count }] = await this.query(
      (sql) => sql<[{ count: number }]>`SELECT count(*)::integer AS count FROM seeks WHERE ends >= ${now}`,
    );
    return count;
  }

  async put(seek: Seek, client: string): Promise<void> {
    const { now } = this;
    const { at, limits } = this.options;
    checkSeek(at, seek, now);
    const { key, opponent, player } = seek;
    const put = async (sql: Sql) => {
      // Two relays must not both add the last search that a limit permits.
      await sql`LOCK TABLE seeks IN EXCLUSIVE MODE`;
      await sql`DELETE FROM seeks WHERE ends < ${now}`;
      const rows = await sql<Row[]>`
        SELECT body, ends, client, is_answered FROM seeks WHERE key = ${key} AND opponent = ${opponent}`;
      const [{ total, own }] = await sql<[{ total: number; own: number }]>`
        SELECT count(*)::integer AS total, (count(*) FILTER (WHERE client = ${client}))::integer AS own FROM seeks`;
      const held = { known: rows.map(storedOf).at(0), ofClient: own, total };
      const stored = admitSeek(seek, client, now, held, limits);
      if (!stored) return;
      await sql`DELETE FROM seeks WHERE key = ${key} AND opponent = ${opponent}`;
      await sql`
        INSERT INTO seeks (key, opponent, player, body, ends, client, is_answered)
        VALUES (${key}, ${opponent}, ${player}, ${plainText(seek)}, ${stored.end}, ${client}, ${stored.isAnswered})`;
    };
    await this.query((sql) => sql.begin((transaction) => put(transaction as unknown as Sql)));
  }

  async for(player: string): Promise<Seek[]> {
    const { now } = this;
    const rows = await this.query(
      (sql) => sql<Row[]>`
        SELECT body FROM seeks
        WHERE ends >= ${now} AND player <> ${player} AND opponent IN (${player}, ${ZeroAddress})
        ORDER BY opponent = ${ZeroAddress}, added DESC LIMIT ${MAX_LISTED_SEEKS}`,
    );
    return listedSeeks(
      rows.map(({ body }) => seekOf(body)),
      player,
    );
  }

  async answer({ player1, key1, player2 }: Channel): Promise<string | undefined> {
    const { now } = this;
    const rows = await this.query(
      (sql) => sql<{ client: string }[]>`
        UPDATE seeks SET is_answered = true WHERE (key, opponent) = (
          SELECT key, opponent FROM seeks
          WHERE key = ${key1} AND opponent IN (${player2}, ${ZeroAddress}) AND player = ${player1}
          AND ends >= ${now} AND NOT is_answered
          ORDER BY opponent = ${ZeroAddress} LIMIT 1 FOR UPDATE
        ) RETURNING client`,
    );
    return rows.at(0)?.client;
  }

  /** Seconds since 1970. */
  private get now(): number {
    return Math.floor(this.options.now() / 1000);
  }
}

function storedOf({ body, ends, client, is_answered: isAnswered }: Row): StoredSeek {
  return { seek: seekOf(body), end: Number(ends), client, isAnswered };
}

function seekOf(body: string): Seek {
  return readSeek(JSON.parse(body), "seek");
}
