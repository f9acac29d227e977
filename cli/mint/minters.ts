import { type Interface, type Log } from "ethers";
import { LogReader } from "../../sdk/chain/logs.js";
import { revertData } from "../../sdk/chain/revert.js";
import { games } from "../../sdk/games/index.js";
import type { Characters } from "../../sdk/games/module.js";
import { Characters__factory } from "../../typechain-types/index.js";
import type { CommandContext } from "../shared/command/context.js";
import type { Kind } from "./mints.js";

/** Token contracts of the characters of all games; the owner of each approves minters. */
export const tokens: readonly Characters[] = games.flatMap(({ characters }) => (characters ? [characters] : []));

const abi: Interface = Characters__factory.createInterface();
const { topicHash } = abi.getEvent("MinterChanged")!;

/** Reads the owner of a token, who approves minters. */
export async function ownerOf(
  { deployment, provider }: CommandContext,
  { contract }: Pick<Kind, "contract">,
): Promise<string> {
  return Characters__factory.connect(deployment.addresses[contract], provider).owner();
}

/** Reads the accounts that may mint characters, from the events of their contract. */
export async function mintersOf({ deployment, provider }: CommandContext, { contract }: Characters): Promise<string[]> {
  const filter = { address: deployment.addresses[contract], topics: [topicHash] };
  const allowed = new Set<string>();
  const read = LogReader.of(provider).forward(filter, deployment.block, await provider.getBlockNumber());
  for await (const { logs } of read) {
    for (const { minter, isAllowed } of logs.map(changeIn)) {
      if (isAllowed) allowed.add(minter);
      else allowed.delete(minter);
    }
  }
  return [...allowed];
}

function changeIn({ data, topics }: Log): { minter: string; isAllowed: boolean } {
  const [minter, isAllowed] = abi.decodeEventLog("MinterChanged", data, topics) as unknown as [string, boolean];
  return { minter, isAllowed };
}

/**
 * Turns the rejection of a mint into a sentence that names the accounts that may mint.
 * @returns the error itself if it is not such a rejection.
 */
export async function mintError(context: CommandContext, kind: Kind, caller: string, error: unknown): Promise<unknown> {
  const refusal = revertData(error)?.slice(0, 10);
  const isNoMinter = refusal === abi.getError("NotAMinter")!.selector;
  if (!isNoMinter && refusal !== abi.getError("OwnableUnauthorizedAccount")!.selector) return error;
  const owner = await ownerOf(context, kind);
  const characters = tokens.find(({ contract }) => contract === kind.contract);
  if (!characters) return new Error(`${caller} may not mint ${kind.plural}: only the owner, ${owner}, may.`);
  const minters = await mintersOf(context, characters);
  const who = minters.length === 0 ? "nobody may yet" : `only ${minters.join(" and ")} may`;
  const next = owner === caller ? "allow yourself" : `the owner, ${owner}, allows minters`;
  return new Error(`${caller} may not mint ${kind.plural}: ${who}; ${next} by --allow-minter.`);
}
