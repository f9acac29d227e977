import { expect } from "chai";
import type { Archive } from "../../../sdk/chain/archive.js";
import { IndexClient } from "../../../sdk/chain/index-client.js";
import { TABLES, type TableName } from "../../../sdk/chain/index-tables.js";
import { locatedMismatchText } from "../../../sdk/chain/mismatch.js";
import type { ExpectedRows } from "../../../sdk/verify/expected-rows.js";
import { compareIndex } from "../../../sdk/verify/index-comparison.js";
import type { FakeIndex } from "../../support/fake-index.js";
import { indexOf } from "../../support/indexed.js";
import { PATIENCE } from "../../support/patience.js";
import { recorded } from "../../support/recorded.js";

type Row = Record<string, unknown>;

const OTHER = "0x1212121212121212121212121212121212121212";

/** Returns another value of the same kind; undefined if there is none. */
function otherThan(column: string, value: unknown): unknown {
  if (typeof value === "bigint") return value + 1n;
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return column === "winner" ? (value + 1) % 3 : value + 1;
  if (Array.isArray(value)) return value.length === 0 ? [OTHER] : value.slice(1);
  if (typeof value === "object")
    return value === null ? { more: "1" } : { ...value, more: column === "values" ? 1 : "1" };
  if (column === "result") return value === "win" ? "loss" : "win";
  if (column === "name") return value === "Acted" ? "Joined" : "Acted";
  const text = value as string;
  return text.length === 42 ? OTHER : `${text.slice(0, -1)}${text.endsWith("0") ? "1" : "0"}`;
}

describe("The comparison of an index", () => {
  let archive: Archive;
  let index: FakeIndex;
  let rows: ExpectedRows;
  let client: IndexClient;

  before(async () => {
    ({ archive } = await recorded());
    ({ index, rows } = await indexOf(archive));
    const deployment = { chainId: Number(archive.chainId), addresses: archive.addresses };
    client = await IndexClient.open(index.url, deployment, { timeLimit: PATIENCE });
  });
  after(() => index.stop());

  /** Compares with one table changed. @returns the mismatch in words. */
  async function changed(table: TableName, own: readonly object[], matches?: readonly bigint[]): Promise<string> {
    const before = index.rows;
    index.rows = { ...before, [table]: own };
    const { mismatch } = await compareIndex(client, rows, { matches }).finally(() => (index.rows = before));
    return mismatch === undefined ? "" : locatedMismatchText(mismatch);
  }

  it("reports all rows as equal if nothing is changed, and counts the rows", async () => {
    const count = Object.values(rows).reduce((sum, { length }) => sum + length, 0);
    const progress: number[] = [];
    const onProgress = (done: number, wanted: number) => progress.push(done, wanted);
    const comparison = await compareIndex(client, rows, { onProgress });
    expect(comparison).to.deep.equal({ rows: count, block: archive.last.number });
    expect(progress.slice(-2)).to.deep.equal([count, count]);
  });

  it("compares rows of every table except the tables of channels and operators", () => {
    const empty = Object.entries(rows).flatMap(([table, { length }]) => (length === 0 ? [table] : []));
    expect(empty).to.deep.equal(["channel", "channelMatch", "channelBalance", "operator"]);
  });

  it("names the table, key and column of any value that differs", async () => {
    for (const [table, own] of Object.entries(rows) as [TableName, readonly Row[]][]) {
      const [first, ...others] = (index.rows[table] ?? []) as Row[];
      for (const [column, value] of Object.entries(own[0] ?? {})) {
        if ((TABLES[table].key as readonly string[]).includes(column) || value === undefined) continue;
        const text = await changed(table, [{ ...first, [column]: otherThan(column, value) }, ...others]);
        expect(text).to.match(new RegExp(`^the index's ${table}\\(.+\\): ${column}: expected .+, found .+$`));
      }
    }
  });

  it("names a missing row, a superfluous row and a duplicate row", async () => {
    for (const [table, own] of Object.entries(index.rows) as [TableName, readonly Row[]][]) {
      if (own.length === 0) continue;
      const where = `the index's ${table}(${TABLES[table].key.map((column) => String(own[0][column])).join(", ")}): the row`;
      expect(await changed(table, own.slice(1))).to.equal(`${where}: expected one, found none`);
      expect(await changed(table, [...own, own[0]])).to.equal(`${where}: expected none, found another one`);
    }
    const stranger = { player: OTHER, operator: OTHER, until: 1n };
    const text = `the index's operator(${OTHER}, ${OTHER}): the row: expected none, found one`;
    expect(await changed("operator", [stranger])).to.equal(text);
  });

  it("compares only the rows of the requested matches", async () => {
    const { rows: count } = await compareIndex(client, rows, { matches: [2n] });
    const own = rows.matchEvent.filter(({ matchId }) => matchId === 2n);
    expect(count).to.equal(1 + own.length + 2);
    const wrong = rows.match.map((match) => ({ ...match, paid1: 1n }));
    const others = wrong.map((match, i) => (match.matchId === 2n ? rows.match[i] : match));
    expect(await changed("match", others, [2n])).to.equal("");
    expect(await changed("match", wrong, [2n])).to.match(/^the index's match\(2\): paid1: expected \d+, found 1$/);
  });

  it("shows the part of a long value that differs", async () => {
    const [first, ...others] = rows.matchEvent as unknown as { args: Row }[];
    const args = { ...first.args, data: `${first.args.data as string}${"00".repeat(500)}` };
    const text = await changed("matchEvent", [{ ...first, args }, ...others]);
    expect(text.length).to.be.below(600);
  });
});
