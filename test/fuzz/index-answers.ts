import { IndexClient } from "../../sdk/chain/index-client.js";
import { TABLES, type TableName } from "../../sdk/chain/index-tables.js";
import type { Archive } from "../../sdk/chain/archive.js";
import { plainFields, readFields } from "../../sdk/chain/saved.js";
import { games } from "../../sdk/games/index.js";
import { expectedRows } from "../../sdk/verify/expected-rows.js";
import { decoder, type Decoder } from "./decoder.js";
import { jsonNear } from "./near.js";

const GENESIS = `0x${"11".repeat(32)}`;

/** Returns the decoders of an index's answers, and of the fields of events in them. */
export async function indexDecoders(archive: Archive): Promise<Decoder[]> {
  const { addresses, last } = archive;
  const deployment = { chainId: Number(archive.chainId), addresses, genesis: GENESIS };
  const rows = { ...(await expectedRows(archive, games)), deployment: [] };
  const about = { chainId: deployment.chainId, arena: addresses.Arena, genesis: GENESIS };
  const status = { duello: { id: deployment.chainId, block: { number: last.number, timestamp: 7 } } };
  const answer = (items: readonly object[], table: TableName) => {
    const pageInfo = { hasNextPage: false, endCursor: null };
    const own = items.map((row) => {
      const columns = row as Record<string, unknown>;
      return Object.fromEntries(Object.keys(TABLES[table].columns).map((column) => [column, columns[column] ?? null]));
    });
    const data = { page: { items: own, pageInfo }, deployment: about, _meta: { status } };
    return JSON.parse(
      JSON.stringify({ data }, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value)),
    ) as unknown;
  };
  const client = await answered(answer([], "match"), () => IndexClient.open("http://127.0.0.1:1", deployment));
  const events = ["Created", "Acted", "Log", "Settled"] as const;
  return [
    ...(Object.keys(rows) as TableName[]).flatMap((table) => {
      const some: readonly object[] = rows[table].slice(0, 3);
      if (some.length === 0) return [];
      const decode = (json: unknown) => answered(json, () => client.page(table));
      return [decoder(`an index's ${table}s`, { cost: 20, inputs: jsonNear([answer(some, table)]), decode })];
    }),
    ...events.map((name) => {
      const samples = archive.all.filter((event) => event.name === name).slice(0, 3);
      return decoder(`an index's fields of ${name}`, {
        cost: 5,
        covers: ["sdk/chain/saved.ts: readFields"],
        inputs: jsonNear(samples.map(plainFields)),
        decode: (json) => readFields(name, json, "args"),
      });
    }),
  ];
}

/** Sends a request to servers that all give the same answer. */
async function answered<T>(json: unknown, ask: () => Promise<T>): Promise<T> {
  const { fetch } = globalThis;
  globalThis.fetch = async () => new Response(JSON.stringify(json) ?? "");
  return ask().finally(() => (globalThis.fetch = fetch));
}
