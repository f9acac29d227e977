import type { Interface } from "ethers";
import { decodeEventLog, type Abi, type Hex } from "viem";
import { handlersOf, type Handler, type Passed } from "../../indexer/src/handlers.js";
import type { Db } from "../../indexer/src/db.js";
import * as schema from "../../indexer/ponder.schema.js";
import type { Archive } from "../../sdk/chain/archive.js";
import { arenaAbi } from "../../sdk/chain/arena.js";
import { channelsAbi, channelsOf } from "../../sdk/chain/channels.js";
import type { AnyEvent } from "../../sdk/chain/events.js";
import type { TableName } from "../../sdk/chain/index-tables.js";
import { deployedGames } from "../../sdk/games/list.js";
import { games } from "../../sdk/games/index.js";
import { keyOf } from "../../sdk/verify/expected-rows.js";
import {
  Arena__factory,
  Channels__factory,
  Fighters__factory,
  GuardianCards__factory,
  IGame__factory,
} from "../../typechain-types/index.js";
import type { FakeRows } from "./fake-index.js";

type Row = Record<string, unknown>;
type Change = Row | ((row: Row) => Row);

/** Ponder's description of a column's values. */
interface Column {
  notNull: boolean;
  dataType: string;
}

/** The handlers' tables in memory, with the interface of Ponder's database. */
class RowMap {
  private readonly tables = new Map<object, { name: TableName; rows: Map<string, Row> }>(
    Object.entries(schema).map(([name, table]) => [table, { name: name as TableName, rows: new Map() }]),
  );

  /** Rows by table. */
  get rows(): FakeRows {
    return Object.fromEntries([...this.tables.values()].map(({ name, rows }) => [name, [...rows.values()]]));
  }

  /** The database with the methods that handlers call. */
  get db(): Db {
    return {
      find: async (table: object, key: Row) => copyOf(this.at(table, key).found),
      update: (table: object, key: Row) => ({ set: async (change: Change) => this.change(table, key, change) }),
      delete: async (table: object, key: Row) => {
        const { rows, key: written } = this.at(table, key);
        return rows.delete(written);
      },
      insert: (table: object) => ({ values: (row: Row) => this.insertion(table, row) }),
    } as unknown as Db;
  }

  /** Inserts a row when awaited, or updates the existing row with the given change. */
  private insertion(table: object, row: Row) {
    const insert = async (change?: Change) => {
      const { name, key, found } = this.at(table, row);
      if (found && change) return this.change(table, row, change);
      if (found) throw new Error(`There is a row ${name}(${key}).`);
      return this.put(table, row);
    };
    return {
      then: (done: (row: Row) => unknown, failed: (error: unknown) => unknown) => insert().then(done, failed),
      onConflictDoUpdate: insert,
    };
  }

  private change(table: object, key: Row, change: Change): Row {
    const { name, key: written, found } = this.at(table, key);
    if (!found) throw new Error(`There is no row ${name}(${written}).`);
    return this.put(table, { ...found, ...(typeof change === "function" ? change(copyOf(found)!) : change) });
  }

  private put(table: object, row: Row): Row {
    const { name, rows, key } = this.at(table, row);
    const columns = table as Record<string, Column>;
    const kept: Row = {};
    for (const [column, { notNull, dataType }] of Object.entries(columns)) {
      const value = row[column] ?? null;
      if (notNull && value === null) throw new Error(`${name}(${key}).${column} is null.`);
      kept[column] = dataType === "json" ? (JSON.parse(JSON.stringify(value)) as unknown) : value;
    }
    const other = Object.keys(row).find((column) => !(column in columns));
    if (other !== undefined) throw new Error(`${name} has no column ${other}.`);
    rows.set(key, kept);
    return copyOf(kept)!;
  }

  private at(table: object, key: Row) {
    const { name, rows } = this.tables.get(table)!;
    const written = keyOf(name, key);
    return { name, rows, key: written, found: rows.get(written) };
  }
}

function copyOf(row: Row | undefined): Row | null {
  return row === undefined ? null : structuredClone(row);
}

/** Contracts of Ponder's configuration, each with its ABI in Viem's format and parsed. */
const CONTRACTS = {
  Arena: { abi: Arena__factory.abi as Abi, parsed: arenaAbi as Interface },
  Fighters: { abi: Fighters__factory.abi as Abi, parsed: Fighters__factory.createInterface() as Interface },
  GuardianCards: {
    abi: GuardianCards__factory.abi as Abi,
    parsed: GuardianCards__factory.createInterface() as Interface,
  },
  Channels: { abi: Channels__factory.abi as Abi, parsed: channelsAbi },
  Game: { abi: IGame__factory.abi as Abi, parsed: IGame__factory.createInterface() as Interface },
};

/** Computes the rows of an archive with the handlers of the index, from the events that Ponder would read. */
export async function rowsBy(archive: Archive, genesis: string): Promise<FakeRows> {
  const { addresses, chainId, all } = archive;
  const map = new RowMap();
  const context = { db: map.db };
  const handlers = handlersOf({ chainId: Number(chainId), genesis, block: 0, addresses });
  const own = deployedGames(games, addresses).map(({ contract }) => addresses[contract]);
  const contractOf = (address: string) => {
    if (address === channelsOf(addresses.Arena)) return "Channels";
    const other = (["Arena", "Fighters", "GuardianCards"] as const).find((name) => addresses[name] === address);
    return other ?? (own.includes(address) ? "Game" : undefined);
  };
  await archive.readTimes(all.map(({ block }) => block));
  await handlers["Arena:setup"]({ event: undefined as never, context });
  for (const event of all) {
    const contract = contractOf(event.address);
    const handle = handlers[`${contract}:${event.name}`] as Handler | undefined;
    if (contract && handle) await handle({ event: passed(contract, event, archive.timeOf(event.block)!), context });
  }
  return map.rows;
}

/** Converts an event to the form in which Ponder passes it to a handler. */
function passed(contract: keyof typeof CONTRACTS, event: AnyEvent, timestamp: bigint): Passed["event"] {
  const { abi, parsed } = CONTRACTS[contract];
  const { topics, data } = parsed.encodeEventLog(event.name, Object.values(event.args));
  const log = { abi, topics: topics as [Hex], data: data as Hex };
  return {
    args: lowered(decodeEventLog(log).args) as object,
    log: { address: event.address.toLowerCase(), logIndex: event.index },
    block: { number: BigInt(event.block), timestamp },
    transaction: { hash: event.transaction },
  };
}

/** Converts strings to lower case, as Ponder does with addresses. No other string has capitals. */
function lowered(value: unknown): unknown {
  if (typeof value === "string") return value.toLowerCase();
  if (Array.isArray(value)) return value.map(lowered);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, lowered(each)]));
}
