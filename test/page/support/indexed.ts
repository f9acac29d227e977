import { Archive } from "../../../sdk/chain/archive.js";
import { games } from "../../../sdk/games/index.js";
import { expectedRows } from "../../../sdk/verify/expected-rows.js";
import { FakeIndex } from "../../support/fake-index.js";
import type { TestChain } from "./chain.js";

/** Starts an index that has read the whole chain up to now. */
export async function indexOfChain({ provider, addresses, deployment }: TestChain): Promise<FakeIndex> {
  const { chainId, genesis, block } = deployment;
  const index = await FakeIndex.start(chainId, addresses.Arena, genesis);
  const archive = await Archive.read(provider, addresses);
  const rows = await expectedRows(archive, games);
  index.rows = { ...rows, deployment: [{ ...rows.deployment[0], genesis, block }] };
  index.block = archive.last.number;
  return index;
}
