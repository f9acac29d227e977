import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { getAddress, isAddress, type Addressable } from "ethers";
import type { Addresses } from "../../sdk/chain/addresses.js";
import { contractsWith } from "../../sdk/games/list.js";
import { games } from "../../sdk/games/index.js";
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

const readFields = object({
  chainId: integer(1, Number.MAX_SAFE_INTEGER),
  block: integer(0, Number.MAX_SAFE_INTEGER),
  addresses: object(Object.fromEntries(contractsWith(games).map((name) => [name, address]))),
  agents: optional(listUpTo(address, MAX_AGENTS), undefined),
  policies: optional(readPolicies, undefined),
  rpc: optional(text, undefined),
});

/** Returns the path of a chain's deployment file. */
export function deploymentFile(chainId: bigint | number): string {
  return join(deploymentsFolder(), `${chainId}.json`);
}

/** Reads the deployment on a chain; undefined if the chain has no file. @throws InputError if the file is malformed. */
export async function readDeployment(chainId: bigint | number): Promise<Deployment | undefined> {
  const file = deploymentFile(chainId);
  if (!existsSync(file)) return undefined;
  const { addresses, ...rest } = readFields(await readJson(file), file);
  if (rest.chainId !== Number(chainId)) throw new InputError(file, `it is of chain ${rest.chainId}, not ${chainId}`);
  return { ...rest, addresses: addresses as unknown as Addresses };
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
