import { ZeroHash } from "ethers";
import type { Archive } from "../../sdk/chain/archive.js";
import type { IndexClient } from "../../sdk/chain/index-client.js";
import type { TableName } from "../../sdk/chain/index-tables.js";
import { locatedMismatchText } from "../../sdk/chain/mismatch.js";
import { games } from "../../sdk/games/index.js";
import { expectedRows, type ExpectedRows } from "../../sdk/verify/expected-rows.js";
import { compareIndex } from "../../sdk/verify/index-comparison.js";
import type { FakeRows } from "./fake-index.js";
import { rowsBy } from "./row-map.js";

/** Compares the rows that an archive's events lead to with other rows. @returns the first mismatch, as a sentence. */
export async function rowMismatch(expected: ExpectedRows, found: FakeRows): Promise<string | undefined> {
  const client = {
    async *pages(table: TableName) {
      yield { rows: found[table] ?? [], block: 0 };
    },
  };
  const { mismatch } = await compareIndex(client as unknown as IndexClient, expected);
  return mismatch && locatedMismatchText(mismatch);
}

/** Derives the rows of an archive with the verifier, and compares them with those of the index's handlers. */
export async function comparedRows(archive: Archive): Promise<{ rows: ExpectedRows; mismatch?: string }> {
  const rows = await expectedRows(archive, games);
  return { rows, mismatch: await rowMismatch(rows, await rowsBy(archive, ZeroHash)) };
}
