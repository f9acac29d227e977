import type { Archive } from "../../sdk/chain/archive.js";
import { games } from "../../sdk/games/index.js";
import { expectedRows, type ExpectedRows } from "../../sdk/verify/expected-rows.js";
import { FakeIndex } from "./fake-index.js";

/** Starts an index that has all rows of an archive's events. */
export async function indexOf(archive: Archive, genesis?: string): Promise<{ index: FakeIndex; rows: ExpectedRows }> {
  const index = await FakeIndex.start(Number(archive.chainId), archive.addresses.Arena, genesis);
  return { index, rows: await fill(index, archive) };
}

/** Fills an index with everything up to an archive's last block. @returns its rows. */
export async function fill(index: FakeIndex, archive: Archive): Promise<ExpectedRows> {
  const rows = await expectedRows(archive, games);
  const [deployment] = rows.deployment;
  index.rows = { ...rows, deployment: [{ ...deployment, genesis: index.deployment.genesis, block: 0 }] };
  index.block = archive.last.number;
  return rows;
}
