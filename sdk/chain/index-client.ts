import {
  boolean,
  fields,
  InputError,
  integer,
  listUpTo,
  nullable,
  object,
  oneLine,
  text,
  type Reader,
} from "../protocol/input.js";
import { MIN_OPPONENTS, pairKey } from "../protocol/net-ranking.js";
import type { Deployment } from "./deployment.js";
import type { AnyEvent, Events } from "./events.js";
import { MAX_ROWS, type IndexPage, type Paging } from "./index-page.js";
import { MAX_EVENTS, rowReader, TABLES, type IndexRow, type TableName } from "./index-tables.js";
import { answered, textOf } from "./response.js";
import { readFields } from "./saved.js";

/** Milliseconds within which an index must answer. */
const TIME_LIMIT = 10_000;
/** Maximum bytes of an answer. */
const MAX_BYTES = 32_000_000;
/** HTTP status with which an index refuses to send an answer that is too large. */
const TOO_LARGE = 413;
/** Rows of a page of events, whose fields may be long. */
const EVENTS_AT_ONCE = 250;
/** Maximum reads of a match that changes while it is read. */
const MAX_READS = 3;
/** Time limit for all events of a query, as a multiple of the limit for one page. */
const EVENTS_TIME = 6;
/** Maximum number of errors in an answer. */
const MAX_ERRORS = 100;
/** Maximum characters of an index's own error message that are shown. */
const MAX_SENTENCE = 200;
/** Maximum number of characters shown of a value that the index reports of its deployment. */
const MAX_NAMED = 80;

/**
 * Thrown, with a one-line message, if an index gives no usable answer; callers then fall back to events.
 * @example
 * ```ts
 * import { IndexTrouble } from "duello";
 *
 * const found = await index.match(7n).catch((error: unknown) => {
 *   if (error instanceof IndexTrouble) return undefined; // read the events from the chain instead
 *   throw error;
 * });
 * ```
 */
export class IndexTrouble extends Error {
  override readonly name = "IndexTrouble";

  /**
   * @param url URL of the index.
   * @param problem What is wrong with the index: the rest of the sentence, without the full stop.
   */
  constructor(
    readonly url: string,
    problem: string,
  ) {
    super(oneLine(`The index at ${url} ${problem}.`));
  }
}

/** Thrown for an answer that exceeds the maximum of bytes. */
class TooLarge extends IndexTrouble {}

/** Requested rows of a table, and their order; ordered by key by default. */
export interface IndexQuery<T extends TableName> extends Paging {
  /** Values that columns must have, or conditions of GraphQL such as `matchId_gt`. */
  where?: Readonly<Record<string, unknown>>;
  orderBy?: keyof IndexRow<T> & string;
  descending?: boolean;
}

/** Requested matches. */
export interface MatchQuery extends Paging {
  /** Player of either seat, or the opponent that an offer names. */
  player?: string;
  /** Address of the game. */
  game?: string;
  /** True for open matches, false for finished ones; defaults to all. */
  isOpen?: boolean;
}

/** A match from the index, with its events. */
export interface IndexedMatch {
  match: IndexRow<"match">;
  /** Events in the order of the chain. */
  events: AnyEvent[];
  /** A block that the index had reached. */
  block: number;
}

/** The deployment that an index must serve. If it has no genesis, any genesis is accepted. */
export type IndexedDeployment = Pick<Deployment, "chainId" | "addresses" | "genesis">;

/** Options of a client. */
export interface IndexOptions {
  /** Milliseconds within which the index must answer; defaults to 10 s. */
  timeLimit?: number;
  /** Ends every query, which then throws the signal's reason. */
  signal?: AbortSignal;
}

const count = integer(0, Number.MAX_SAFE_INTEGER);
const readAnswer = object({
  page: (value: unknown) => value,
  deployment: nullable(object({ chainId: count, arena: text, genesis: text })),
  _meta: nullable(
    object({ status: nullable(fields(object({ id: count, block: object({ number: count, timestamp: count }) }))) }),
  ),
});
const readErrors = listUpTo((value, path) => text((value as { message?: unknown } | null)?.message, path), MAX_ERRORS);

/**
 * Reads an index of a deployment with GraphQL. Every answer is checked: it must belong to this deployment, and its rows
 * must have the requested columns and values. The values are not verified against the chain.
 * @example
 * ```ts
 * import { IndexClient } from "duello";
 *
 * const client = await IndexClient.open("https://index.example", { chainId: 31_337, addresses });
 * const { rows, next } = await client.matches({ player: alice, isOpen: true });
 * const best = await client.byRating(addresses.Pistols, { limit: 10 });
 * ```
 */
export class IndexClient {
  private constructor(
    /** URL of the index. */
    readonly url: string,
    readonly deployment: IndexedDeployment,
    private readonly options: IndexOptions,
  ) {}

  /**
   * Finds the index at a URL.
   * @throws IndexTrouble if it does not answer or serves another deployment; InputError for a URL that is not HTTP.
   */
  static async open(url: string, deployment: IndexedDeployment, options: IndexOptions = {}): Promise<IndexClient> {
    const { protocol } = URL.parse(url) ?? {};
    if (protocol !== "http:" && protocol !== "https:")
      throw new InputError("index", `${JSON.stringify(url)} is no URL that begins with http:// or https://`);
    const client = new IndexClient(url, deployment, options);
    await client.block();
    return client;
  }

  /** Returns the block up to which the index has read the chain. @throws IndexTrouble */
  async block(): Promise<number> {
    return (await this.page("deployment", { limit: 1 })).block;
  }

  /** Reads rows of a table. @throws IndexTrouble */
  async page<T extends TableName>(table: T, query: IndexQuery<T> = {}): Promise<IndexPage<IndexRow<T>>> {
    const { where, orderBy, descending = false, limit = 50, after } = query;
    const columns = Object.keys(TABLES[table].columns).join(" ");
    const variables = { where, orderBy, orderDirection: descending ? "desc" : "asc", limit, after };
    const answer = await this.ask(
      `query ($where: ${table}Filter, $orderBy: String, $orderDirection: String, $limit: Int, $after: String) {
        page: ${table}s(where: $where, orderBy: $orderBy, orderDirection: $orderDirection, limit: $limit, after: $after) {
          items { ${columns} } pageInfo { hasNextPage endCursor }
        }
        deployment(id: 1) { chainId arena genesis }
        _meta { status }
      }`,
      variables,
    );
    return this.read(() => {
      const { page, deployment, _meta } = readAnswer(answer, "");
      const block = this.blockIn(deployment, _meta);
      const readPage = object({
        items: listUpTo(fitting(rowReader(table), where), limit),
        pageInfo: object({ hasNextPage: boolean, endCursor: nullable(text) }),
      });
      const { items, pageInfo } = readPage(page, `${table}s`);
      const next = pageInfo.hasNextPage && items.length > 0 ? pageInfo.endCursor : undefined;
      return { rows: items, block, ...(next !== undefined && { next }) };
    });
  }

  /** Reads all rows of a table, page by page. Pages of long rows are smaller. @throws IndexTrouble */
  async *pages<T extends TableName>(
    table: T,
    query: Omit<IndexQuery<T>, "after"> = {},
  ): AsyncGenerator<IndexPage<IndexRow<T>>> {
    let limit = query.limit ?? (table === "matchEvent" ? EVENTS_AT_ONCE : MAX_ROWS);
    for (let after: string | undefined; ;) {
      const page = await this.page(table, { ...query, limit, after }).catch((error: unknown) => {
        if (!(error instanceof TooLarge) || limit === 1) throw error;
        limit = Math.ceil(limit / 2);
      });
      if (!page) continue;
      if (page.next !== undefined && page.rows.length < limit)
        throw this.malformed("more behind a page that is not full");
      yield page;
      if (page.next === undefined) return;
      after = page.next;
    }
  }

  /** Lists matches, newest first. @throws IndexTrouble */
  async matches({ player, game, isOpen, ...paging }: MatchQuery = {}): Promise<IndexPage<IndexRow<"match">>> {
    const where = {
      ...(game !== undefined && { game }),
      ...(isOpen !== undefined && { isOver: !isOpen }),
      ...(player !== undefined && { OR: [{ player1: player }, { player2: player }] }),
    };
    return this.page("match", { ...paging, where, orderBy: "matchId", descending: true });
  }

  /** Reads a match and its events; undefined if the index does not have it. @throws IndexTrouble */
  async match(matchId: bigint): Promise<IndexedMatch | undefined> {
    for (let read = 0; read < MAX_READS; read++) {
      const { rows, block } = await this.allEvents({ where: { matchId }, orderBy: "place" });
      const found = await this.page("match", { where: { matchId }, limit: 1 });
      const [match] = found.rows;
      if (!match && rows.length === 0) return undefined;
      if (match?.events !== rows.length || match.lastBlock !== rows.at(-1)!.block) continue;
      return {
        match,
        events: this.read(() => eventsOf(match, rows, this.deployment)),
        block: Math.min(block, found.block),
      };
    }
    throw this.malformed(`the events of match ${matchId} are not those that its row counts`);
  }

  /** Reads the actions in matches, oldest first. @throws IndexTrouble */
  async actions(matchIds: readonly bigint[]): Promise<Events["Acted"][]> {
    const { rows } = await this.allEvents({ where: { matchId_in: matchIds, name: "Acted" } });
    rows.sort((a, b) => a.block - b.block || a.logIndex - b.logIndex);
    return this.read(() =>
      rows.map(({ matchId, args }) => readFields("Acted", { ...args, matchId: String(matchId) }, "matchEvents.args")),
    );
  }

  /** Ranks the players of a game by their ratings, the best first. @throws IndexTrouble */
  async byRating(game: string, paging: Paging = {}): Promise<IndexPage<IndexRow<"record">>> {
    return this.page("record", { ...paging, where: { game }, orderBy: "rating", descending: true });
  }

  /**
   * Ranks the players of a game by the zero-sum ranking, the best first. Lists only players with enough opponents.
   * @throws IndexTrouble
   */
  async byNet(game: string, paging: Paging = {}): Promise<IndexPage<IndexRow<"record">>> {
    const where = { game, opponents_gte: MIN_OPPONENTS };
    return this.page("record", { ...paging, where, orderBy: "net", descending: true });
  }

  /** Ranks players by their net winnings of a token in rated matches. @throws IndexTrouble */
  async byWinnings(token: string, paging: Paging = {}): Promise<IndexPage<IndexRow<"stake">>> {
    return this.page("stake", { ...paging, where: { token }, orderBy: "net", descending: true });
  }

  /** Lists the changes of a player's rating at a game, the latest first. @throws IndexTrouble */
  async ratings(player: string, game: string, paging: Paging = {}): Promise<IndexPage<IndexRow<"ratingChange">>> {
    return this.page("ratingChange", { ...paging, where: { player, game }, orderBy: "time", descending: true });
  }

  /** Counts the rated matches between two players of a game; undefined if there are none. @throws IndexTrouble */
  async headToHead(game: string, one: string, other: string): Promise<IndexRow<"pair"> | undefined> {
    return (await this.page("pair", { where: { game, ...pairKey(one, other) }, limit: 1 })).rows.at(0);
  }

  /** Lists the modes of a game and how often each seat has won in them. @throws IndexTrouble */
  async modes(game: string, paging: Paging = {}): Promise<IndexPage<IndexRow<"mode">>> {
    return this.page("mode", { ...paging, where: { game } });
  }

  /** Lists the days with activity at a game, the latest first. @throws IndexTrouble */
  async days(game: string, paging: Paging = {}): Promise<IndexPage<IndexRow<"day">>> {
    return this.page("day", { ...paging, where: { game }, orderBy: "day", descending: true });
  }

  /** Reads the records of a player at some games. @throws IndexTrouble */
  async recordsOf(player: string, games: readonly string[]): Promise<IndexPage<IndexRow<"record">>> {
    return this.page("record", { where: { player, game_in: games }, limit: MAX_ROWS });
  }

  /** Lists a player's stakes and winnings by token. @throws IndexTrouble */
  async stakesOf(player: string, paging: Paging = {}): Promise<IndexPage<IndexRow<"stake">>> {
    return this.page("stake", { ...paging, where: { player } });
  }

  /** Lists a player's purses by token. @throws IndexTrouble */
  async pursesOf(player: string, paging: Paging = {}): Promise<IndexPage<IndexRow<"purse">>> {
    return this.page("purse", { ...paging, where: { player } });
  }

  /** Lists the operators that a player has ever allowed. @throws IndexTrouble */
  async operatorsOf(player: string, paging: Paging = {}): Promise<IndexPage<IndexRow<"operator">>> {
    return this.page("operator", { ...paging, where: { player } });
  }

  /** Lists the characters that a player owns. @throws IndexTrouble */
  async charactersOf(owner: string, paging: Paging = {}): Promise<IndexPage<IndexRow<"character">>> {
    return this.page("character", { ...paging, where: { owner } });
  }

  /** Sends a GraphQL query. @returns the answer's data, of any form. */
  private async ask(query: string, variables: object): Promise<unknown> {
    const { timeLimit = TIME_LIMIT, signal } = this.options;
    const body = JSON.stringify({ query, variables }, (_, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    );
    const text = await answered(endpointOf(this.url), {
      request: { method: "POST", headers: { "content-type": "application/json" }, body, signal },
      timeLimit,
      use: async (response) => {
        if (response.status === TOO_LARGE) throw new TooLarge(this.url, "refuses so many rows at once");
        if (!response.ok) throw new IndexTrouble(this.url, `answers with the status ${response.status} of HTTP`);
        const read = await textOf(response, MAX_BYTES);
        if (read === undefined) throw new TooLarge(this.url, `answers with more than ${MAX_BYTES} bytes`);
        return read;
      },
      Trouble: IndexTrouble,
      server: this.url,
    });
    let answer: { data?: unknown; errors?: unknown } | null;
    try {
      answer = JSON.parse(text) as typeof answer;
    } catch {
      throw this.malformed("no JSON");
    }
    if (answer?.errors === undefined) return answer?.data;
    const [first = "no reason"] = this.read(() => readErrors(answer.errors, "errors"));
    throw new IndexTrouble(this.url, `refuses: ${oneLine(first, MAX_SENTENCE)}`);
  }

  /** Returns the block of an answer. @throws IndexTrouble for an answer about another deployment. */
  private blockIn(
    found: ReturnType<typeof readAnswer>["deployment"],
    meta: ReturnType<typeof readAnswer>["_meta"],
  ): number {
    const unread = new IndexTrouble(this.url, "has read nothing of the chain yet");
    if (!found) throw unread;
    const { chainId, addresses, genesis = found.genesis } = this.deployment;
    const mismatch = [
      ["chain", found.chainId, chainId],
      ["arena", found.arena, addresses.Arena],
      ["chain's first block", found.genesis, genesis],
    ].find(([, is, wanted]) => is !== wanted);
    if (mismatch) {
      const [what, is, wanted] = mismatch;
      const problem = `its ${what} is ${oneLine(String(is), MAX_NAMED)}, not ${wanted}`;
      throw new IndexTrouble(this.url, `is of another deployment: ${problem}`);
    }
    const status = [...(meta?.status?.values() ?? [])].find(({ id }) => id === chainId);
    if (!status) throw unread;
    return status.block.number;
  }

  private read<T>(reading: () => T): T {
    try {
      return reading();
    } catch (error) {
      throw error instanceof InputError ? this.malformed(error.message) : error;
    }
  }

  /** Reads all rows of events within a total time limit, however many pages there are. @throws IndexTrouble */
  private async allEvents(query: IndexQuery<"matchEvent">): Promise<{ rows: IndexRow<"matchEvent">[]; block: number }> {
    const rows: IndexRow<"matchEvent">[] = [];
    let block = Infinity;
    const { timeLimit = TIME_LIMIT } = this.options;
    const end = performance.now() + EVENTS_TIME * timeLimit;
    for await (const page of this.pages("matchEvent", query)) {
      rows.push(...page.rows);
      block = Math.min(block, page.block);
      if (rows.length > MAX_EVENTS) throw this.malformed(`more than ${MAX_EVENTS} events`);
      if (page.next !== undefined && performance.now() > end) {
        throw new IndexTrouble(this.url, `has not given all events within ${(EVENTS_TIME * timeLimit) / 1000} s`);
      }
    }
    return { rows, block };
  }

  private malformed(problem: string): IndexTrouble {
    return new IndexTrouble(this.url, `answers nonsense: ${problem}`);
  }
}

/** Returns the URL of an index's GraphQL endpoint. */
function endpointOf(url: string): string {
  return `${url.replace(/\/+$/, "")}/graphql`;
}

/** Creates a reader of rows that have the requested values. */
function fitting<R extends object>(readRow: Reader<R>, where: Readonly<Record<string, unknown>> = {}): Reader<R> {
  return (value, path) => {
    const row = readRow(value, path);
    for (const [column, found] of Object.entries(row)) {
      const wanted = where[`${column}_in`] ?? [where[column] ?? found];
      if (!(wanted as readonly unknown[]).includes(found)) {
        throw new InputError(`${path}.${column}`, `${String(found)} was not asked for`);
      }
    }
    const others = (where.OR ?? []) as Readonly<Record<string, unknown>>[];
    const isOne = ([column, wanted]: [string, unknown]) => row[column as keyof R] === wanted;
    if (others.length > 0 && !others.some((other) => Object.entries(other).every(isOne))) {
      throw new InputError(path, "not a row that was asked for");
    }
    return row;
  };
}

/** Reads the events of a match from their rows. @throws InputError for events that no match can have. */
function eventsOf(
  { matchId, game }: IndexRow<"match">,
  rows: readonly IndexRow<"matchEvent">[],
  { addresses }: IndexedDeployment,
): AnyEvent[] {
  return rows.map(({ name, args, address, block, logIndex, transaction }, place) => {
    const path = `matchEvents[${place}]`;
    const refuse = (field: string, problem: string) => new InputError(`${path}.${field}`, problem);
    const before = rows.at(place - 1);
    const isBehind = place === 0 || block > before!.block || (block === before!.block && logIndex > before!.logIndex);
    if (rows[place].place !== place) throw refuse("place", `${rows[place].place} is not ${place}`);
    if ((name === "Created") !== (place === 0)) throw refuse("name", `${name} in place ${place}`);
    if (!isBehind) throw refuse("block", `log ${logIndex} of block ${block} is not behind the event before`);
    const emitter = name === "Log" ? game : addresses.Arena;
    if (address !== emitter) throw refuse("address", `${address} is not ${emitter}`);
    const read = readFields(name, { ...args, matchId: String(matchId) }, `${path}.args`);
    return { address, name, args: read, block, index: logIndex, transaction } as AnyEvent;
  });
}
