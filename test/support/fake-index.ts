import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { TABLES, type TableName } from "../../sdk/chain/index-tables.js";

type Row = Record<string, unknown>;

/** Rows of an index by table, as served. */
export type FakeRows = Partial<Record<TableName, readonly object[]>>;

/** Query to an index. */
export interface Question {
  table: TableName;
  variables: {
    where?: Row;
    orderBy?: string;
    orderDirection?: string;
    limit: number;
    after?: string;
  };
}

const GENESIS = `0x${"11".repeat(32)}`;

/** A server that answers like an index, from rows in memory. */
export class FakeIndex {
  rows: FakeRows = {};
  /** Block up to which the index claims to have read the chain. */
  block = 0;
  readonly deployment: Row;
  /** Changes an answer before it is sent. */
  change: (answer: Answer, question: Question) => unknown = (answer) => answer;
  /** Answers a request in place of the index. */
  instead?: (response: ServerResponse) => void;
  /** Tables that were queried. */
  readonly asked: TableName[] = [];
  private readonly server: Server;

  private constructor(chainId: number, arena: string, genesis = GENESIS) {
    this.deployment = { chainId, arena, genesis };
    this.server = createServer((request, response) => void this.serve(request, response));
  }

  /** Starts an index of a deployment. */
  static async start(chainId: number, arena: string, genesis?: string): Promise<FakeIndex> {
    const index = new FakeIndex(chainId, arena, genesis);
    index.server.listen(0, "127.0.0.1");
    await once(index.server, "listening");
    return index;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, "close");
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Like Ponder, it answers web pages of other origins.
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "content-type");
    if (request.method === "OPTIONS") return void response.end();
    const { query, variables } = JSON.parse(await textOf(request)) as {
      query: string;
      variables: Question["variables"];
    };
    if (this.instead) return this.instead(response);
    const [, table] = /page: (\w+)s\(/.exec(query)! as unknown as [string, TableName];
    this.asked.push(table);
    const question = { table, variables };
    response.end(JSON.stringify(await this.change(this.answer(question), question), plainly));
  }

  private answer({ table, variables }: Question): Answer {
    const { where = {}, orderBy, orderDirection, limit, after } = variables;
    const columns = [...(orderBy === undefined ? [] : [orderBy]), ...TABLES[table].key];
    const sign = orderDirection === "desc" ? -1 : 1;
    const found = ((this.rows[table] ?? []) as readonly Row[])
      .filter((row) => fits(row, where))
      .sort((a, b) => sign * compare(a, b, columns));
    const from = Number(after ?? 0);
    const items = found.slice(from, from + limit).map((row) => {
      return Object.fromEntries(Object.keys(TABLES[table].columns).map((column) => [column, row[column] ?? null]));
    });
    const hasNextPage = found.length > from + limit;
    const endCursor = items.length > 0 ? String(from + limit) : null;
    const status = { duello: { id: this.deployment.chainId, block: { number: this.block, timestamp: 1 } } };
    return {
      data: {
        page: { items, pageInfo: { hasNextPage, endCursor } },
        deployment: { ...this.deployment },
        _meta: { status },
      },
    };
  }
}

/** Answer of an index. */
export interface Answer {
  data: {
    page: { items: Row[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
    deployment: Row | null;
    _meta: { status: Record<string, unknown> } | null;
  };
}

function fits(row: Row, where: Row): boolean {
  return Object.entries(where).every(([name, wanted]) => {
    if (name === "OR") return (wanted as Row[]).some((each) => fits(row, each));
    const [, column, condition] = /^(\w+?)(?:_(in|gte))?$/.exec(name)!;
    const value = row[column];
    if (condition === "in") return (wanted as unknown[]).map(String).includes(String(value));
    return condition === "gte" ? Number(value) >= Number(wanted) : String(value) === String(wanted);
  });
}

function compare(a: Row, b: Row, columns: readonly string[]): number {
  for (const column of columns) {
    const [one, other] = [a[column], b[column]] as [bigint, bigint];
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}

function plainly(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
