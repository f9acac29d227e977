import { index, onchainTable, primaryKey, type PgColumnsBuilders, type PrimaryKeyBuilder } from "ponder";
import { TABLES, type Column, type ColumnType, type Table } from "../sdk/chain/index-tables.js";

/** Constructors of nullable columns, by their types. */
const MAKERS = {
  integer: (t) => t.integer(),
  int8: (t) => t.int8({ mode: "number" }),
  bigint: (t) => t.bigint(),
  numeric: (t) => t.numeric({ mode: "bigint" }),
  boolean: (t) => t.boolean(),
  text: (t) => t.text(),
  "text[]": (t) => t.text().array(),
  jsonb: (t) => t.jsonb(),
} satisfies Record<ColumnType, (t: PgColumnsBuilders) => unknown>;

type Made<C extends Column> = ReturnType<(typeof MAKERS)[C["type"]]>;

/** Ponder's columns of a table; a key of a single column is marked in the column itself. */
type MadeColumns<C extends Table["columns"], K> = {
  [N in keyof C]: K extends readonly [N]
    ? ReturnType<Made<C[N]>["primaryKey"]>
    : C[N]["isNullable"] extends true
      ? Made<C[N]>
      : ReturnType<Made<C[N]>["notNull"]>;
};

/** A key of several columns; Ponder takes the type of a row's key from it. */
type Extra<K extends readonly string[]> = K extends readonly [string]
  ? undefined
  : { pk: PrimaryKeyBuilder<K[number]> };

/** Makes a Ponder table from its description. @param name Name in the database. */
function tableOf<N extends string, C extends Table["columns"], K extends readonly string[]>(
  name: N,
  { columns, key, indexes = [] }: Table<C, K>,
) {
  const columnOf = (t: PgColumnsBuilders, column: string) => {
    const { type, isNullable } = columns[column];
    const nullable = MAKERS[type](t);
    if (key.length === 1 && column === key[0]) return nullable.primaryKey();
    return isNullable ? nullable : nullable.notNull();
  };
  return onchainTable<N, MadeColumns<C, K>, Extra<K>>(
    name as never,
    (t) => Object.fromEntries(Object.keys(columns).map((column) => [column, columnOf(t, column)])) as MadeColumns<C, K>,
    (own) => {
      const [first, ...others] = key.map((column) => own[column]);
      return {
        ...(others.length > 0 && { pk: primaryKey({ columns: [first, ...others] }) }),
        ...Object.fromEntries(
          indexes.map(([first, ...others], i) => [i, index().on(own[first], ...others.map((column) => own[column]))]),
        ),
      } as Extra<K>;
    },
  );
}

export const deployment = tableOf("deployment", TABLES.deployment);
export const terms = tableOf("terms", TABLES.terms);
export const mode = tableOf("mode", TABLES.mode);
export const match = tableOf("match", TABLES.match);
export const matchEvent = tableOf("match_event", TABLES.matchEvent);
export const termsNumber = tableOf("terms_number", TABLES.termsNumber);
export const channel = tableOf("channel", TABLES.channel);
export const channelMatch = tableOf("channel_match", TABLES.channelMatch);
export const channelBalance = tableOf("channel_balance", TABLES.channelBalance);
export const purse = tableOf("purse", TABLES.purse);
export const token = tableOf("token", TABLES.token);
export const stake = tableOf("stake", TABLES.stake);
export const record = tableOf("record", TABLES.record);
export const pair = tableOf("pair", TABLES.pair);
export const ratingChange = tableOf("rating_change", TABLES.ratingChange);
export const operator = tableOf("operator", TABLES.operator);
export const character = tableOf("character", TABLES.character);
export const keeping = tableOf("keeping", TABLES.keeping);
export const day = tableOf("day", TABLES.day);
export const dayPlayer = tableOf("day_player", TABLES.dayPlayer);
