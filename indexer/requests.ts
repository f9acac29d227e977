import type { ServerRequests } from "../cli/shared/server/requests.js";

/** Requests that the gateway of an index answers. */
export const REQUESTS = {
  health: { method: "GET", path: "/health", does: "Answers while the program runs.", answer: "an empty text" },
  ready: {
    method: "GET",
    path: "/ready",
    does: "Returns whether the index follows the chain.",
    answer: "an empty text; if the index does not follow, status 503 with the reason",
  },
  status: {
    method: "GET",
    path: "/status",
    does: "Returns the last block that the index has read.",
    answer: '`{"duello": {"id", "block": {"number", "timestamp"}}}`',
  },
  graphql: {
    method: "POST",
    path: "/graphql",
    does: "Returns rows of the tables. With GET, returns a page for trying queries in a browser.",
    body: '`{"query", "variables"}`: a query in GraphQL of up to 400 tokens, 25 levels and 3 fields at the top',
    answer: '`{"data"}`, or `{"errors": [{"message"}]}`',
  },
  sql: {
    method: "GET",
    path: "/sql/db",
    does: "Runs an SQL query, if the index was started with `--sql`.",
    parameters: { sql: "The query and its parameters, in the query of the path, as `@ponder/client` sends them." },
    answer: '`{"rows"}`, at most 1,000',
  },
} as const satisfies ServerRequests["requests"];

/** Statuses with which the gateway refuses requests. */
export const REFUSALS = [
  { status: 400, when: "The request cannot be read, or the query breaks a limit." },
  { status: 413, when: "The body or the answer is too long: ask for fewer rows." },
  { status: 429, when: "The client has too many requests at once, or has not read its answers." },
  { status: 502, when: "The process that answers queries has failed." },
  { status: 503, when: "The index is starting, or too many queries wait." },
  { status: 504, when: "The query took too long." },
] as const satisfies ServerRequests["refusals"];
