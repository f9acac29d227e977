import { traitsOf } from "../../sdk/chain/traits.js";
import type { Provider } from "ethers";
import type { Addresses } from "../../sdk/chain/addresses.js";
import { games } from "../../sdk/games/index.js";
import { tokensWith } from "../../sdk/games/list.js";
import { InputError } from "../../sdk/protocol/input.js";
import { arenaAt } from "../../sdk/chain/arena.js";
import { deploymentFile } from "../../cli/shared/node/deployment.js";
import { deploymentMismatch } from "./deployed-code.js";
import { journalFolder } from "./journal.js";

/** Checks that the contracts at these addresses have this build's code. @throws Error if a contract has other code. */
export async function requireOurs(
  provider: Provider,
  chainId: number,
  addresses: Readonly<Record<string, string>>,
): Promise<void> {
  const mismatch = await deploymentMismatch(provider, addresses);
  if (mismatch === undefined) return;
  const places = `${deploymentFile(chainId)} and ${journalFolder(chainId)}`;
  throw new Error(
    traitsOf(chainId).isRestarted
      ? `${mismatch}; if the local chain is a new one, --reset forgets the earlier one in ${places}.`
      : `${mismatch}; use the version that was deployed, or move ${places} away to deploy again.`,
  );
}

/** Checks that a deployment has the named owner and treasury. @throws InputError if either differs. */
export async function requireOwners(
  provider: Provider,
  { Arena }: Addresses,
  { owner, treasury }: { owner?: string; treasury?: string },
): Promise<void> {
  const arena = arenaAt(Arena, provider);
  const [owns, paid] = await Promise.all([arena.owner(), arena.treasury()]);
  if (owner !== undefined && owner !== owns) {
    throw new InputError("--owner", `the arena stands already and is owned by ${owns}, who may hand it over`);
  }
  if (treasury === undefined || treasury === paid) return;
  throw new InputError("--treasury", `the arena stands already and pays ${paid}; its owner may change that`);
}

/** Checks that a deployment has these tokens. @throws InputError for the first token that differs */
export function requireTokens(addresses: Addresses, kept: Addresses): void {
  const other = tokensWith(games).find((name) => addresses[name] !== kept[name]);
  if (other === undefined) return;
  throw new InputError("--tokens", `the arena stands already, with ${other} at ${addresses[other]}`);
}

/** Formats the addresses of a deployment, its owner and its treasury in lines. */
export async function statusLines(provider: Provider, addresses: Addresses): Promise<string[]> {
  const arena = arenaAt(addresses.Arena, provider);
  const rows = { ...addresses, Owner: await arena.owner(), Treasury: await arena.treasury() };
  return Object.entries(rows).map(([name, address]) => `${name.padEnd(17)}${address}`);
}
