import { index, onchainTable, primaryKey, type PgColumnsBuilders } from "ponder";

/**
 * Tables of the index. Addresses are checksummed text, amounts are in the token's smallest unit, times are seconds since
 * 1970, statuses and seats are numbers as in the contracts.
 *
 * A column of Ponder's `bigint` holds 78 digits: any integer of the chain, but no sum of several. Anyone can deposit and
 * withdraw 2^256 - 1 of a token of their own again and again, so sums have no bound.
 */

/** Makes a column of a sum. */
const sum = (t: PgColumnsBuilders) => t.numeric({ mode: "bigint" }).notNull();

/** The deployment that is indexed, and what its owner has set: one row, of id 1. */
export const deployment = onchainTable("deployment", (t) => ({
  id: t.integer().primaryKey(),
  chainId: t.int8({ mode: "number" }).notNull(),
  arena: t.text().notNull(),
  genesis: t.text().notNull(),
  /** Block from which events are read. */
  block: t.int8({ mode: "number" }).notNull(),
  feeBps: t.integer().notNull(),
  treasury: t.text(),
}));

export const terms = onchainTable(
  "terms",
  (t) => ({
    hash: t.text().primaryKey(),
    termsId: t.bigint().notNull(),
    game: t.text().notNull(),
    mode: t.text().notNull(),
    token: t.text().notNull(),
    stake1: t.bigint().notNull(),
    stake2: t.bigint().notNull(),
    clock: t.bigint().notNull(),
    feeBps: t.bigint().notNull(),
    rated: t.boolean().notNull(),
  }),
  (table) => ({ byGame: index().on(table.game) }),
);

/** Registered modes; the counters are of matches that were played to an end. */
export const mode = onchainTable(
  "mode",
  (t) => ({
    game: t.text().notNull(),
    hash: t.text().notNull(),
    /** Content; null for a game's default, which nobody registers. */
    content: t.text(),
    wins1: t.integer().notNull(),
    wins2: t.integer().notNull(),
    draws: t.integer().notNull(),
    /** Wins, among those of both, by the clock. */
    forfeits: t.integer().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.game, table.hash] }) }),
);

export const match = onchainTable(
  "match",
  (t) => ({
    matchId: t.bigint().primaryKey(),
    termsHash: t.text().notNull(),
    game: t.text().notNull(),
    mode: t.text().notNull(),
    token: t.text().notNull(),
    stake1: t.bigint().notNull(),
    stake2: t.bigint().notNull(),
    player1: t.text().notNull(),
    /** Player who has the other seat, or the only one that may take it; null if anyone may. */
    player2: t.text(),
    firmUntil: t.bigint().notNull(),
    status: t.integer().notNull(),
    /** Returns whether it is over. */
    isOver: t.boolean().notNull(),
    /** Seat of the winner; 0 for a draw and for a match that is not won. */
    winner: t.integer().notNull(),
    /** Returns whether it has counted for the ladder. */
    isCounted: t.boolean().notNull(),
    /** Returns whether both players have signed its result. */
    isAgreed: t.boolean().notNull(),
    paid1: t.bigint(),
    paid2: t.bigint(),
    house: t.bigint(),
    rating1: t.bigint(),
    rating2: t.bigint(),
    /** Number of its events so far. */
    events: t.integer().notNull(),
    createdBlock: t.int8({ mode: "number" }).notNull(),
    lastBlock: t.int8({ mode: "number" }).notNull(),
    createdAt: t.bigint().notNull(),
    joinedAt: t.bigint(),
    settledAt: t.bigint(),
  }),
  (table) => ({
    byPlayer1: index().on(table.player1, table.matchId),
    byPlayer2: index().on(table.player2, table.matchId),
    byGame: index().on(table.game, table.matchId),
    byOver: index().on(table.isOver, table.matchId),
  }),
);

/** Events of a match, the arena's and its game's, in the order of the chain. */
export const matchEvent = onchainTable(
  "match_event",
  (t) => ({
    matchId: t.bigint().notNull(),
    /** Place among the events of the match, from 0. */
    place: t.integer().notNull(),
    name: t.text().notNull(),
    /** Fields of the event; integers are text in decimals. */
    args: t.jsonb().notNull(),
    /** Entries of a log as its game decodes them, once the match is over; null for any other event. */
    decoded: t.jsonb(),
    address: t.text().notNull(),
    block: t.int8({ mode: "number" }).notNull(),
    logIndex: t.integer().notNull(),
    transaction: t.text().notNull(),
    time: t.bigint().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.matchId, table.place] }) }),
);

/** Money of players in the arena, outside of matches. */
export const purse = onchainTable(
  "purse",
  (t) => ({
    player: t.text().notNull(),
    token: t.text().notNull(),
    amount: sum(t),
    deposited: sum(t),
    withdrawn: sum(t),
    /** Stakes that were taken. */
    staked: sum(t),
    /** Payments of matches, own stakes and the house's fees included. */
    paid: sum(t),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.player, table.token] }),
    byToken: index().on(table.token, table.amount),
  }),
);

/** Money of a token in the arena. */
export const token = onchainTable("token", (t) => ({
  token: t.text().primaryKey(),
  /** Sum of all purses and of the stakes of open matches. */
  total: sum(t),
  /** Sum of the stakes of open matches. */
  inMatches: sum(t),
  deposited: sum(t),
  withdrawn: sum(t),
  /** Fees that the house was paid. */
  fees: sum(t),
}));

/** Sums of players' rated matches in a token, as the arena keeps them. */
export const stake = onchainTable(
  "stake",
  (t) => ({
    player: t.text().notNull(),
    token: t.text().notNull(),
    staked: t.bigint().notNull(),
    won: t.bigint().notNull(),
    /** Won less staked. */
    net: t.bigint().notNull(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.player, table.token] }),
    byNet: index().on(table.token, table.net),
  }),
);

/** Records of players at games, as the ladder keeps them, and their places in the zero-sum ranking. */
export const record = onchainTable(
  "record",
  (t) => ({
    game: t.text().notNull(),
    player: t.text().notNull(),
    rating: t.int8({ mode: "number" }).notNull(),
    experience: t.bigint().notNull(),
    wins: t.bigint().notNull(),
    losses: t.bigint().notNull(),
    draws: t.bigint().notNull(),
    forfeits: t.bigint().notNull(),
    lastDuel: t.bigint().notNull(),
    /** Number of rated matches of which both players have signed the result. */
    agreed: t.integer().notNull(),
    /** Number of different opponents in rated matches. */
    opponents: t.integer().notNull(),
    /** The first opponents, until there are enough for the player's pairs to count. */
    firstOpponents: t.text().array().notNull(),
    /** Points of the zero-sum ranking, in millionths. */
    net: t.bigint().notNull(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.game, table.player] }),
    byRating: index().on(table.game, table.rating),
    byNet: index().on(table.game, table.net),
  }),
);

/** Rated matches between two players of a game; `low` is the address that comes first as text in lower case. */
export const pair = onchainTable(
  "pair",
  (t) => ({
    game: t.text().notNull(),
    low: t.text().notNull(),
    high: t.text().notNull(),
    winsLow: t.integer().notNull(),
    winsHigh: t.integer().notNull(),
    draws: t.integer().notNull(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.game, table.low, table.high] }),
    byHigh: index().on(table.high),
  }),
);

/** Course of ratings: a row for each player of each match that counts. */
export const ratingChange = onchainTable(
  "rating_change",
  (t) => ({
    matchId: t.bigint().notNull(),
    seat: t.integer().notNull(),
    game: t.text().notNull(),
    player: t.text().notNull(),
    opponent: t.text().notNull(),
    /** One of win, loss, draw and forfeit. */
    result: t.text().notNull(),
    before: t.int8({ mode: "number" }).notNull(),
    after: t.int8({ mode: "number" }).notNull(),
    time: t.bigint().notNull(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.matchId, table.seat] }),
    byPlayer: index().on(table.player, table.game, table.time),
  }),
);

/** Addresses that may act for a player. */
export const operator = onchainTable(
  "operator",
  (t) => ({
    player: t.text().notNull(),
    operator: t.text().notNull(),
    /** Time until which it may; 0 if it was revoked. */
    until: t.bigint().notNull(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.player, table.operator] }),
    byOperator: index().on(table.operator),
  }),
);

/** Fighters, cards, and what they have done. */
export const character = onchainTable(
  "character",
  (t) => ({
    /** Address of the tokens' contract. */
    contract: t.text().notNull(),
    characterId: t.bigint().notNull(),
    /** The zero address once it was burned. */
    owner: t.text().notNull(),
    /** Traits or stats, as the event of its minting has them; null before. */
    traits: t.jsonb(),
    /** Sums of what it did in its battles, by name; integers are text in decimals. */
    counters: t.jsonb().notNull(),
    battles: t.integer().notNull(),
    wins: t.integer().notNull(),
  }),
  (table) => ({
    pk: primaryKey({ columns: [table.contract, table.characterId] }),
    byOwner: index().on(table.owner),
  }),
);

/** What a game keeps of a player beyond the ladder, e.g. its honour. */
export const keeping = onchainTable(
  "keeping",
  (t) => ({
    game: t.text().notNull(),
    player: t.text().notNull(),
    /** Values by name. */
    values: t.jsonb().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.game, table.player] }) }),
);

/** Activity at a game on a day of the calendar in UTC. */
export const day = onchainTable(
  "day",
  (t) => ({
    /** Days since 1970. */
    day: t.integer().notNull(),
    game: t.text().notNull(),
    offers: t.integer().notNull(),
    joined: t.integer().notNull(),
    actions: t.integer().notNull(),
    ended: t.integer().notNull(),
    /** Number of different players who offered, joined or acted. */
    players: t.integer().notNull(),
  }),
  (table) => ({ pk: primaryKey({ columns: [table.day, table.game] }) }),
);

/** Players who offered, joined or acted at a game on a day. */
export const dayPlayer = onchainTable(
  "day_player",
  (t) => ({ day: t.integer().notNull(), game: t.text().notNull(), player: t.text().notNull() }),
  (table) => ({ pk: primaryKey({ columns: [table.day, table.game, table.player] }) }),
);
