import {
  boolean,
  bytes32,
  fields,
  InputError,
  integer,
  listUpTo,
  nullable,
  object,
  oneOf,
  text,
  type Reader,
} from "../protocol/input.js";
import { eventNames } from "./events.js";
import { checksummed } from "./saved.js";

/** Maximum events of a match. */
export const MAX_EVENTS = 100_000;
/** Maximum opponents that a row lists. */
const MAX_OPPONENTS = 100;

/**
 * Type of a column in the database. Ponder's `bigint` holds 78 digits: enough for any integer of the chain, but not for
 * sums. Anyone can repeatedly deposit and withdraw 2^256 - 1 of their own token, so sums have no bound and are
 * `numeric`.
 */
export type ColumnType = "integer" | "int8" | "bigint" | "numeric" | "boolean" | "text" | "text[]" | "jsonb";

/** A column of a table. */
export interface Column<T extends ColumnType = ColumnType, N extends boolean = boolean, V = unknown> {
  readonly type: T;
  /** True if the database may hold null. */
  readonly isNullable: N;
  /** Reads a value from an answer. */
  readonly read: Reader<V>;
}

type Columns = Readonly<Record<string, Column>>;

/** A table of an index. */
export interface Table<C extends Columns = Columns, K extends readonly string[] = readonly string[]> {
  readonly columns: C;
  /** Columns that identify a row. */
  readonly key: K;
  /** Columns of each database index, except the index of the key. */
  readonly indexes?: readonly (readonly (keyof C & string)[])[];
}

function column<T extends ColumnType, V>(type: T, read: Reader<V>): Column<T, false, V> {
  return { type, isNullable: false, read };
}

/** Creates a nullable column, whose null is read as undefined. */
function maybe<T extends ColumnType, V>({ type, read }: Column<T, false, V>): Column<T, true, V | undefined> {
  return { type, isNullable: true, read: nullable(read) };
}

/** Returns a table. The types ensure that its key and its indexes are columns of the table. */
function table<C extends Columns, const K extends readonly (keyof C & string)[]>(own: Table<C, K>): Table<C, K> {
  return own;
}

/** Creates a reader of decimal integers. @param digits Maximum digits. */
function decimal(digits: number): Reader<bigint> {
  const form = new RegExp(`^(0|-?[1-9]\\d{0,${digits - 1}})$`);
  return (value, path) => {
    const written = text(value, path);
    if (!form.test(written)) throw new InputError(path, `${JSON.stringify(written)} is no integer`);
    return BigInt(written);
  };
}

/** Creates a reader of values by arbitrary names. */
function named<T>(reader: Reader<T>): Reader<Readonly<Record<string, T>>> {
  return (value, path) => Object.fromEntries(fields(reader)(value, path));
}

const anything: Reader<unknown> = (value) => value;
const count = integer(0, Number.MAX_SAFE_INTEGER);
const hexBytes: Reader<string> = (value, path) => {
  const written = text(value, path);
  if (!/^0x([0-9a-f]{2})*$/.test(written)) throw new InputError(path, "not 0x and hex digits");
  return written;
};

/** Numbers below 2^31, and below 2^53. */
const int4 = column("integer", count);
const int8 = column("int8", count);
/** An integer of the chain. */
const big = column("bigint", decimal(78));
/** A sum of any number of integers of the chain. */
const sum = column("numeric", decimal(100));
const flag = column("boolean", boolean);
const address = column("text", checksummed);
const hash = column("text", bytes32);
const bytes = column("text", hexBytes);
/** JSON of any form; null stays null. */
const json = { ...column("jsonb", anything), isNullable: true } as const;

/** Columns for the ending of a match. */
const outcome = {
  status: int4,
  /** True if the match is over. */
  isOver: flag,
  /** Seat of the winner; 0 for a draw, and for a match without a winner. */
  winner: column("integer", integer(0, 2)),
  /** True if the match counted for the ladder. */
  isCounted: flag,
  paid1: maybe(big),
  paid2: maybe(big),
  house: maybe(big),
  rating1: maybe(big),
  rating2: maybe(big),
};

/**
 * Tables of an index, by the names of their rows. They define the schema of its database and the readers of its
 * answers. Addresses are checksummed text, amounts are in the token's smallest unit, times are seconds since 1970,
 * statuses and seats are numbers as in the contracts.
 */
export const TABLES = {
  /** The indexed deployment, and its owner's settings: one row, with id 1. */
  deployment: table({
    columns: {
      id: int4,
      chainId: int8,
      arena: address,
      genesis: hash,
      /** Block from which events are read. */
      block: int8,
      feeBps: int4,
      treasury: maybe(address),
    },
    key: ["id"],
  }),
  terms: table({
    columns: {
      hash,
      termsId: big,
      game: address,
      mode: hash,
      token: address,
      stake1: big,
      stake2: big,
      clock: big,
      feeBps: big,
      rated: flag,
    },
    key: ["hash"],
    indexes: [["game"]],
  }),
  /** Registered modes. The counters cover matches that were played to an end. */
  mode: table({
    columns: {
      game: address,
      hash,
      /** Content; null for a game's default, which is never registered. */
      content: maybe(bytes),
      wins1: int4,
      wins2: int4,
      draws: int4,
      /** Wins by the clock, already included in the wins of both players. */
      forfeits: int4,
    },
    key: ["game", "hash"],
  }),
  match: table({
    columns: {
      matchId: big,
      termsHash: hash,
      game: address,
      mode: hash,
      token: address,
      stake1: big,
      stake2: big,
      player1: address,
      /** Player in the other seat, or the only player who may take it; null if anyone may. */
      player2: maybe(address),
      firmUntil: big,
      ...outcome,
      /** Number of the match's events so far. */
      events: column("integer", integer(1, MAX_EVENTS)),
      createdBlock: int8,
      lastBlock: int8,
      createdAt: big,
      joinedAt: maybe(big),
      settledAt: maybe(big),
    },
    key: ["matchId"],
    indexes: [
      ["player1", "matchId"],
      ["player2", "matchId"],
      ["game", "matchId"],
      ["isOver", "matchId"],
    ],
  }),
  /** Events that the arena and the game emitted about a match, in the order of the chain. */
  matchEvent: table({
    columns: {
      matchId: big,
      /** Place among the events of the match, from 0. */
      place: int4,
      name: column("text", oneOf(...eventNames())),
      /** Fields of the event; integers are decimal text. */
      args: column("jsonb", named(anything)),
      /** Entries of a log as its game decodes them, once the match is over; null for any other event. */
      decoded: json,
      address,
      block: int8,
      logIndex: int4,
      transaction: hash,
      time: big,
    },
    key: ["matchId", "place"],
  }),
  /** Numbers of terms in the arena. */
  termsNumber: table({ columns: { termsId: big, hash }, key: ["termsId"] }),
  /** Channels and their amounts. */
  channel: table({
    columns: {
      channelId: hash,
      player1: address,
      key1: address,
      player2: address,
      key2: address,
      token: address,
      feeBps: int4,
      /** Amounts of both players outside of matches in the arena; zero once the channel is closed. */
      amount1: big,
      amount2: big,
      /** Number of the next match. */
      nonce: int4,
      /** End of the channel; zero once the channel is closed. */
      until: big,
      isOpen: flag,
      /** Fields of the last `PlayedUnder`; null if there is none. */
      under: json,
    },
    key: ["channelId"],
    indexes: [["player1"], ["player2"]],
  }),
  /** Matches that channels settled, or submitted to the arena and did not withdraw. Other matches are not on chain. */
  channelMatch: table({
    columns: {
      matchId: big,
      channelId: hash,
      /** Number of the match in its channel. */
      nonce: int4,
      game: address,
      mode: hash,
      token: address,
      stake1: big,
      stake2: big,
      rated: flag,
      /** Player in seat One, who may be player 2 of the channel. */
      player1: address,
      player2: address,
      /** True if the match continued in the arena instead of being settled in its channel. */
      isInArena: flag,
      ...outcome,
      /** Block in which the match was submitted on chain, and the block's time. */
      block: int8,
      time: big,
      settledAt: maybe(big),
    },
    key: ["matchId"],
    indexes: [
      ["player1", "block"],
      ["player2", "block"],
      ["channelId", "nonce"],
      ["game", "block"],
    ],
  }),
  /** Balances that were submitted to channels. */
  channelBalance: table({
    columns: {
      channelId: hash,
      block: int8,
      logIndex: int4,
      nonce: int4,
      amount1: big,
      amount2: big,
      /** The house's share. */
      house: big,
      isClosed: flag,
      time: big,
    },
    key: ["channelId", "block", "logIndex"],
  }),
  /** Money of players in the arena, outside of matches. */
  purse: table({
    columns: {
      player: address,
      token: address,
      amount: sum,
      deposited: sum,
      withdrawn: sum,
      /** Stakes that were taken, and amounts that were locked in channels. */
      staked: sum,
      /** Payments of matches and channels, including returned stakes and the house's fees. */
      paid: sum,
    },
    key: ["player", "token"],
    indexes: [["token", "amount"]],
  }),
  /** Money of a token in the arena. */
  token: table({
    columns: {
      token: address,
      /** Sum of all purses, the stakes of open matches and the amounts in channels. */
      total: sum,
      /** Sum of the stakes of open matches and the amounts in channels. */
      inMatches: sum,
      deposited: sum,
      withdrawn: sum,
      /** Fees paid to the house. */
      fees: sum,
    },
    key: ["token"],
  }),
  /** Sums of players' rated matches in a token, as the arena stores them. */
  stake: table({
    columns: {
      player: address,
      token: address,
      staked: big,
      won: big,
      /** `won` minus `staked`. */
      net: big,
    },
    key: ["player", "token"],
    indexes: [["token", "net"]],
  }),
  /** Records of players at games, as in the ladder, and their places in the zero-sum ranking. */
  record: table({
    columns: {
      game: address,
      player: address,
      rating: int8,
      experience: big,
      wins: big,
      losses: big,
      draws: big,
      forfeits: big,
      lastDuel: big,
      /** Number of different opponents in rated matches. */
      opponents: int4,
      /** The first opponents, until there are enough for the player's pairs to count. */
      firstOpponents: column("text[]", listUpTo(checksummed, MAX_OPPONENTS)),
      /** Points of the zero-sum ranking, in millionths. */
      net: big,
    },
    key: ["game", "player"],
    indexes: [
      ["game", "rating"],
      ["game", "net"],
    ],
  }),
  /** Rated matches between two players of a game; `low` is the address that sorts first as lower-case text. */
  pair: table({
    columns: { game: address, low: address, high: address, winsLow: int4, winsHigh: int4, draws: int4 },
    key: ["game", "low", "high"],
    indexes: [["high"]],
  }),
  /** History of ratings: a row for each player of each match that counts. */
  ratingChange: table({
    columns: {
      matchId: big,
      seat: column("integer", integer(1, 2)),
      game: address,
      player: address,
      opponent: address,
      /** One of win, loss, draw and forfeit. */
      result: column("text", oneOf("win", "loss", "draw", "forfeit")),
      before: int8,
      after: int8,
      time: big,
    },
    key: ["matchId", "seat"],
    indexes: [["player", "game", "time"]],
  }),
  /** Addresses that may act for a player. */
  operator: table({
    columns: {
      player: address,
      operator: address,
      /** End of the approval; 0 if it was revoked. */
      until: big,
    },
    key: ["player", "operator"],
    indexes: [["operator"]],
  }),
  /** Characters and their counters. */
  character: table({
    columns: {
      /** Address of the tokens' contract. */
      contract: address,
      characterId: big,
      /** Owner; the zero address once the character is burned. */
      owner: address,
      /** Traits or stats, as in the mint event; null before the mint. */
      traits: json,
      /** Sums of the character's counters over its battles, by name; integers are decimal text. */
      counters: column("jsonb", named(decimal(78))),
      battles: int4,
      wins: int4,
    },
    key: ["contract", "characterId"],
    indexes: [["owner"]],
  }),
  /** Values that a game stores for a player in addition to the ladder, e.g. its honour. */
  keeping: table({
    columns: {
      game: address,
      player: address,
      /** Values by name. */
      values: column("jsonb", named(count)),
    },
    key: ["game", "player"],
  }),
  /** Activity at a game on a day of the calendar in UTC. */
  day: table({
    columns: {
      /** Days since 1970. */
      day: int4,
      game: address,
      offers: int4,
      joined: int4,
      actions: int4,
      ended: int4,
      /** Number of different players who offered, joined or acted. */
      players: int4,
    },
    key: ["day", "game"],
  }),
  /** Players who offered, joined or acted at a game on a day. */
  dayPlayer: table({
    columns: { day: int4, game: address, player: address },
    key: ["day", "game", "player"],
  }),
};

/** Name of a table. */
export type TableName = keyof typeof TABLES;

/** Row of a table. */
export type IndexRow<T extends TableName> = {
  readonly [C in keyof (typeof TABLES)[T]["columns"]]: (typeof TABLES)[T]["columns"][C] extends Column<
    ColumnType,
    boolean,
    infer V
  >
    ? V
    : never;
};

/** Creates a reader of a table's rows. */
export function rowReader<T extends TableName>(table: T): Reader<IndexRow<T>> {
  const columns = Object.entries<Column>(TABLES[table].columns);
  return object(Object.fromEntries(columns.map(([name, { read }]) => [name, read]))) as Reader<IndexRow<T>>;
}
