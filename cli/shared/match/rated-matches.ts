import { Archive } from "../../../sdk/chain/archive.js";
import { countedMatches, type CountedMatch } from "../../../sdk/chain/ranking.js";
import { partsOf, Progress } from "../command/output.js";
import type { CommandContext } from "../command/context.js";

/** Smallest number of requests for which the progress of reading is shown. */
const LONG = 5;

/** Reads all matches that have counted for the ladder, from all events of the deployment. */
export async function ratedMatches({ provider, deployment }: CommandContext): Promise<CountedMatch[]> {
  const { addresses, block } = deployment;
  const progress = new Progress("Reading blocks", LONG);
  const parts = partsOf();
  const onProgress = (done: number, wanted: number) => progress.update(done, wanted, parts(done, wanted));
  const archive = await Archive.read(provider, addresses, block, { onProgress }).finally(() => progress.end());
  return countedMatches(archive.all);
}
