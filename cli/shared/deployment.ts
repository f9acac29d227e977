import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { getAddress, isAddress, type Addressable } from "ethers";
import { CORE, type Addresses } from "../../sdk/chain/addresses.js";
import {
  fields,
  InputError,
  integer,
  listUpTo,
  object,
  optional,
  text,
  type Reader,
} from "../../sdk/protocol/input.js";
import { readJson } from "./json.js";

/** A deployment, as `deployments/<chainId>.json` stores it. */
export interface Deployment {
  chainId: number;
  /** Block from which events are read: that of the first contract, or an earlier one. */
  block: number;
  addresses: Addresses;
  /** Addresses of programs that take challenges. */
  agents?: readonly string[];
  /** Policies of such programs by address, as the agent reads them. */
  policies?: Readonly<Record<string, unknown>>;
  /** URL of the chain's node, if the chain is a local one. */
  rpc?: string;
}

/** Folder of deployment files; DUELLO_DEPLOYMENTS replaces the default. */
export const deploymentsFolder = () => process.env.DUELLO_DEPLOYMENTS ?? "deployments";

const MAX_AGENTS = 100;
const MAX_ADDRESSES = 1_000;

/** Reads an address; in mixed case its checksum must be right. */
export const address: Reader<string> = (value, path) => {
  const written = text(value, path);
  if (!isAddress(written)) throw new InputError(path, `${JSON.stringify(written)} is not an address`);
  return getAddress(written);
};

/** Reads the addresses only: whoever needs a policy reads it in full. */
function readPolicies(value: unknown, path: string): Record<string, unknown> {
  const entries = fields((policy) => policy)(value, path);
  if (entries.size > MAX_AGENTS) throw new InputError(path, `${entries.size} are more than ${MAX_AGENTS}`);
  return Object.fromEntries([...entries].map(([key, policy]) => [address(key, path), policy]));
}

/** Reads the core's addresses and any others: a deployment may lack games, or have some that are not known here. */
function readAddresses(value: unknown, path: string): Addresses {
  const addresses = Object.fromEntries(fields(address)(value, path));
  if (Object.keys(addresses).length > MAX_ADDRESSES) {
    throw new InputError(path, `${Object.keys(addresses).length} are more than ${MAX_ADDRESSES}`);
  }
  for (const name of CORE) if (!Object.hasOwn(addresses, name)) throw new InputError(`${path}.${name}`, "left out");
  return addresses as Addresses;
}

const readFields = object({
  chainId: integer(1, Number.MAX_SAFE_INTEGER),
  block: integer(0, Number.MAX_SAFE_INTEGER),
  addresses: readAddresses,
  agents: optional(listUpTo(address, MAX_AGENTS), undefined),
  policies: optional(readPolicies, undefined),
  rpc: optional(text, undefined),
});

/** Returns the path of a chain's deployment file. */
export function deploymentFile(chainId: bigint | number | string): string {
  return join(deploymentsFolder(), `${chainId}.json`);
}

/** Reads the deployment on a chain; undefined if the chain has no file. @throws InputError if the file is malformed. */
export async function readDeployment(chainId: bigint | number): Promise<Deployment | undefined> {
  const file = deploymentFile(chainId);
  if (!existsSync(file)) return undefined;
  const deployment = readFields(await readJson(file), file);
  if (deployment.chainId !== Number(chainId)) {
    throw new InputError(file, `it is of chain ${deployment.chainId}, not ${chainId}`);
  }
  return deployment;
}

/** Writes the deployment file of a chain. */
export async function writeDeployment(deployment: Deployment): Promise<void> {
  await mkdir(deploymentsFolder(), { recursive: true });
  await writeFile(deploymentFile(deployment.chainId), `${JSON.stringify(deployment, undefined, 2)}\n`);
}

/** Resolves the addresses of the contracts that Ignition returns, by name. */
export async function addressesOf(contracts: Record<string, Addressable>): Promise<Addresses> {
  const entries = Object.entries(contracts).map(async ([name, contract]) => [name, await contract.getAddress()]);
  return Object.fromEntries(await Promise.all(entries)) as Addresses;
}
