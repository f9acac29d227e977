import { expect } from "chai";
import type { Archive } from "../../../sdk/chain/archive.js";
import { IndexClient } from "../../../sdk/chain/index-client.js";
import { TABLES, type TableName } from "../../../sdk/chain/index-tables.js";
import { locatedMismatchText } from "../../../sdk/chain/mismatch.js";
import type { ExpectedRows } from "../../../sdk/verify/expected-rows.js";
import { compareIndex, type CompareOptions } from "../../../sdk/verify/index-comparison.js";
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
});

describe("The comparison of a row of an index", () => {
  const key = { matchId: 3n, place: 0 };
  /** Compares values of a column. @returns the expected and the found value as texts; undefined if they are equal. */
  async function texts(expected: unknown, found: unknown): Promise<[string?, string?] | undefined> {
    const { mismatch } = await compared([{ ...key, args: expected }], [[{ ...key, args: found }]]);
    if (!mismatch) return undefined;
    const { expected: wanted, found: is, ...rest } = mismatch;
    const place = { at: "the index's matchEvent(3, 0)", table: "matchEvent", key: "3, 0" };
    expect(rest).to.deep.equal({ ...place, column: "args", what: "args" });
    return [wanted, is];
  }

  /** Compares the rows of one table with pages of an index. */
  function compared(rows: readonly Row[], pages: readonly Row[][], options: CompareOptions = {}) {
    const client = {
      async *pages(table: TableName, query: object) {
        asked.push([table, query]);
        for (const [i, page] of pages.entries()) yield { rows: table === "matchEvent" ? page : [], block: 20 - i };
      },
    };
    const none = { match: [], channelMatch: [], ratingChange: [] };
    const expected = { ...none, matchEvent: rows } as unknown as ExpectedRows;
    return compareIndex(client as unknown as IndexClient, expected, options);
  }
  const asked: [TableName, object][] = [];

  it("treats values as equal that a database writes in another way", async () => {
    for (const [one, other] of [
      [5n, 5],
      [5n, "5"],
      [
        { a: 1n, b: [2n, null] },
        { b: ["2", null], a: "1" },
      ],
      [undefined, null],
      [{ b: { d: 1, c: 2 } }, { b: { c: 2, d: 1 } }],
      [true, true],
    ])
      expect(await texts(one, other)).to.equal(undefined);
  });

  it("shows values that differ", async () => {
    expect(await texts(5n, 6n)).to.deep.equal(["5", "6"]);
    expect(await texts(undefined, "x")).to.deep.equal(["nothing", "x"]);
    expect(await texts(true, null)).to.deep.equal(["true", "nothing"]);
    expect(await texts({ b: 1n, a: [2n] }, { b: 1n })).to.deep.equal(['{"a":["2"],"b":"1"}', '{"b":"1"}']);
    expect(await texts([1, 2], [2, 1])).to.deep.equal(["[1,2]", "[2,1]"]);
  });

  it("shows long values from shortly before the first difference", async () => {
    const [some, many] = ["a".repeat(100), "b".repeat(199)];
    expect(await texts(`${many}x`, `${many}y`)).to.deep.equal([`${many}x`, `${many}y`]);
    const cut = `…${"b".repeat(100)}`;
    expect(await texts(`${many}x`, `${many}yz`)).to.deep.equal([`${cut}x`, `${cut}yz`]);
    expect(await texts(`${many}xz`, `${many}y`)).to.deep.equal([`${cut}xz`, `${cut}y`]);
    expect(await texts(`${some}1${many}`, `${some}2${many}`)).to.deep.equal([
      `${some}1${"b".repeat(98)}…`,
      `${some}2${"b".repeat(98)}…`,
    ]);
    expect(await texts(many, `${many}${many}`)).to.deep.equal([cut, `${cut}${"b".repeat(98)}…`]);
  });

  it("counts the rows of all pages, and names the latest block", async () => {
    const rows = [0, 1, 2].map((place) => ({ ...key, place }));
    const progress: number[][] = [];
    const pages = [rows.slice(2), [], rows.slice(0, 2)];
    const onProgress = (...told: number[]) => progress.push(told);
    expect(await compared(rows, pages, { onProgress })).to.deep.equal({ rows: 3, block: 20 });
    const none = [0, 1, 2].flatMap(() => pages.map(() => [0, 3]));
    expect(progress).to.deep.equal([...none, [1, 3], [1, 3], [3, 3]]);
  });

  it("stops at the first mismatch, and names the rows up to it", async () => {
    const rows = [0, 1].map((place) => ({ ...key, place }));
    const { mismatch, ...rest } = await compared(rows, [[{ ...key, place: 5 }], rows]);
    expect(mismatch).to.deep.equal({
      at: "the index's matchEvent(3, 5)",
      table: "matchEvent",
      key: "3, 5",
      what: "the row",
      expected: "none",
      found: "one",
    });
    expect(rest).to.deep.equal({ rows: 1, block: 20 });
    expect((await compared(rows, [[rows[0], rows[0]]])).mismatch).to.include({
      expected: "none",
      found: "another one",
    });
    expect((await compared(rows, [[rows[1]]])).mismatch).to.include({ key: "3, 0", expected: "one", found: "none" });
  });

  it("asks only for rows of the requested matches", async () => {
    const rows = [3n, 4n].map((matchId) => ({ ...key, matchId }));
    asked.length = 0;
    expect(await compared(rows, [[rows[1]]], { matches: [4n] })).to.deep.equal({ rows: 1, block: 20 });
    const where = { matchId_in: [4n] };
    const tables = ["match", "matchEvent", "channelMatch", "ratingChange"];
    expect(asked).to.deep.equal(tables.map((table) => [table, { where }]));
    asked.length = 0;
    await compared(rows, [rows]);
    expect(asked.map(([, query]) => query)).to.deep.equal(asked.map(() => ({ where: undefined })));
  });
});
