import { readFileSync } from "node:fs";
import { TABLES, type Table } from "../../sdk/chain/index-tables.js";
import type { ReferencePage } from "./contracts-reference.js";

const SOURCE = "sdk/chain/index-tables.ts";
/** Name of the columns that several tables share. */
const SHARED = "outcome";

/** Meanings of columns without a docstring, which are the same in every table. */
const MEANINGS: Readonly<Record<string, string>> = {
  actions: "Number of actions.",
  address: "Contract that emitted the event.",
  after: "Rating after the match.",
  amount: "Amount in the purse.",
  amount1: "Amount of player 1.",
  amount2: "Amount of player 2.",
  arena: "Address of the arena.",
  battles: "Number of battles.",
  before: "Rating before the match.",
  block: "Number of the block.",
  chainId: "Id of the chain.",
  channelId: "Id of the channel.",
  characterId: "Number of the fighter or card.",
  clock: "Thinking time of each player, in seconds.",
  createdAt: "Time of the offer.",
  createdBlock: "Block of the offer.",
  day: "Number of the day, in UTC since 1970.",
  deposited: "Sum of deposits.",
  draws: "Number of draws.",
  ended: "Number of matches that ended.",
  experience: "Experience of the player.",
  feeBps: "House fee in basis points.",
  firmUntil: "Time until which the offer is firm; zero for a soft offer.",
  forfeits: "Number of losses by the clock, or by a refused action.",
  game: "Address of the game.",
  genesis: "Hash of the chain's first block.",
  hash: "Hash of the terms or the mode.",
  high: "Player of the pair with the higher address.",
  house: "Payment to the house.",
  id: "Number of the row.",
  isClosed: "True if the balance closed the channel.",
  isOpen: "True if the channel is open.",
  joined: "Number of matches that were joined.",
  joinedAt: "Time at which player 2 joined.",
  key1: "Session key of player 1.",
  key2: "Session key of player 2.",
  lastBlock: "Block of the last event.",
  lastDuel: "Time of the last rated duel.",
  logIndex: "Index of the event's log in its block.",
  losses: "Number of losses.",
  low: "Player of the pair with the lower address.",
  matchId: "Number of the match.",
  mode: "Hash of the mode's content; zero for the default.",
  name: "Name of the event.",
  nonce: "Number of the next match.",
  offers: "Number of offers.",
  operator: "Address that may act for the player.",
  opponent: "Address of the opponent.",
  paid1: "Payment to player 1.",
  paid2: "Payment to player 2.",
  player: "Address of the player.",
  player1: "Address of player 1.",
  player2: "Address of player 2.",
  rated: "True if the match counts for the ladder.",
  rating: "Rating of the player.",
  rating1: "Rating of player 1 after the match; zero for an unrated match.",
  rating2: "Rating of player 2 after the match; zero for an unrated match.",
  seat: "Seat of the player.",
  settledAt: "Time of the end.",
  stake1: "Stake of player 1.",
  stake2: "Stake of player 2.",
  staked: "Sum of stakes in rated matches.",
  status: "Status of the match.",
  termsHash: "Hash of the terms.",
  termsId: "Number of the terms in the arena.",
  time: "Time of the block.",
  token: "Address of the token; zero for the chain's coin.",
  transaction: "Hash of the transaction.",
  treasury: "Receiver of the house's fees.",
  wins: "Number of wins.",
  wins1: "Number of wins of player 1.",
  wins2: "Number of wins of player 2.",
  winsHigh: "Wins of the player with the higher address.",
  winsLow: "Wins of the player with the lower address.",
  withdrawn: "Sum of withdrawals.",
  won: "Sum of payments of rated matches, including returned stakes.",
};

/** How a list is queried, which is the same for every table. */
const FILTERS = `A list in GraphQL takes these arguments:

- \`where\`: columns and their values, which must all match. A suffix to a column's name compares otherwise: \`_not\`,
  \`_in\`, \`_not_in\`; for numbers and times also \`_gt\`, \`_lt\`, \`_gte\`, \`_lte\`; for text also \`_contains\`,
  \`_starts_with\`, \`_ends_with\`, each also with \`_not\` before it. \`AND\` and \`OR\` take lists of such conditions.
- \`orderBy\`: a column; \`orderDirection\`: \`"asc"\` or \`"desc"\`.
- \`limit\`: number of rows, 50 by default and 1,000 at most; \`after\` and \`before\`: a cursor.

The answer has \`items\`, \`totalCount\`, and \`pageInfo\` with \`startCursor\`, \`endCursor\`, \`hasNextPage\` and
\`hasPreviousPage\`.`;

/**
 * Returns the reference of an index: its tables, their columns, and how to query them.
 * @throws Error for a column without a docstring
 */
export function indexPage(): ReferencePage {
  const docs = docsOf(readFileSync(SOURCE, "utf8"));
  const tables = (Object.keys(TABLES) as (keyof typeof TABLES)[]).map((name) => {
    const { columns, key, indexes = [] } = TABLES[name] as unknown as Table;
    const rows = Object.entries(columns).map(([column, { type, isNullable }]) => {
      const text = docs.get(`${name}.${column}`) ?? docs.get(`${SHARED}.${column}`) ?? MEANINGS[column];
      if (text === undefined) throw new Error(`${SOURCE}: ${name}.${column} has no docstring.`);
      return `| \`${column}\` | ${type}${isNullable ? " or null" : ""} | ${text.replaceAll("|", "\\|")} |`;
    });
    const found = [key, ...indexes].map((names) => names.map((each) => `\`${each}\``).join(", "));
    return [
      `## ${name}`,
      docs.get(name),
      `In GraphQL: \`${name}(${key.map((each) => `${each}: …`).join(", ")})\` for one row, and \`${name}s(where: …, orderBy: …, limit: …)\` for a list.`,
      ["| column | type | meaning |", "| --- | --- | --- |", ...rows].join("\n"),
      `Quick to find by ${found.join("; ")}.`,
    ];
  });
  const parts = ["# Tables of an index", docs.get("TABLES"), FILTERS, ...tables.flat()].filter(
    (part) => part !== undefined,
  );
  return { name: "tables.md", markdown: `${parts.join("\n\n")}\n` };
}

/** Returns the docstrings of the tables and their columns, by `table` or `table.column`, and of the list of tables. */
function docsOf(source: string): Map<string, string> {
  const docs = new Map<string, string>();
  let table = "";
  for (const [, comment, code] of source.matchAll(/(?:^ *\/\*\*([^]*?)\*\/\n)?^( *\S.*)$/gm)) {
    const [, declared] = /^(?:export )?const (\w+) =/.exec(code) ?? /^ {2}(\w+): table\(/.exec(code) ?? [];
    const [, column] = /^ {2}(?: {4})?(\w+)[:,]/.exec(code) ?? [];
    if (declared !== undefined) table = declared;
    if (comment === undefined) continue;
    const name = declared ?? (column === undefined ? undefined : `${table}.${column}`);
    if (name !== undefined) docs.set(name, comment.replaceAll(/\s*\n\s*\* ?/g, " ").trim());
  }
  return docs;
}
