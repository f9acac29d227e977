import type { Provider } from "ethers";
import { TEST_CHAIN } from "../../sdk/chain/finality.js";
import type { Addresses } from "../../sdk/chain/addresses.js";
import { InputError } from "../../sdk/protocol/input.js";
import { arenaAt } from "../../sdk/chain/arena.js";
import { deploymentFile } from "../../cli/shared/deployment.js";
import { deploymentMismatch } from "./deployed-code.js";
import { journalFolder } from "./journal.js";

/** Checks that the contracts at these addresses have this build's code. @throws Error if one has other code. */
export async function requireOurs(
  provider: Provider,
  chainId: number,
  addresses: Readonly<Record<string, string>>,
): Promise<void> {
  const mismatch = await deploymentMismatch(provider, addresses);
  if (mismatch === undefined) return;
  const places = `${deploymentFile(chainId)} and ${journalFolder(chainId)}`;
  throw new Error(
    BigInt(chainId) === TEST_CHAIN
      ? `${mismatch}; if the local chain is a new one, --reset forgets the earlier one in ${places}.`
      : `${mismatch}; use the version that was deployed, or move ${places} away to deploy anew.`,
  );
}

/** Checks that a deployment has this treasury. @throws InputError if it has another. */
export async function requireTreasury(provider: Provider, { Arena }: Addresses, treasury?: string): Promise<void> {
  const actual = await arenaAt(Arena, provider).treasury();
  if (treasury === undefined || treasury === actual) return;
  throw new InputError("--treasury", `the arena stands already and pays ${actual}; its owner may change that`);
}

/** Formats the addresses of a deployment, its owner and its treasury in lines. */
export async function statusLines(provider: Provider, addresses: Addresses): Promise<string[]> {
  const arena = arenaAt(addresses.Arena, provider);
  const rows = { ...addresses, Owner: await arena.owner(), Treasury: await arena.treasury() };
  return Object.entries(rows).map(([name, address]) => `${name.padEnd(17)}${address}`);
}
