import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Addressable } from "ethers";
import type { Addresses } from "../../../sdk/chain/addresses.js";
import { readDeployment, type Deployment } from "../../../sdk/chain/deployment.js";
import { InputError } from "../../../sdk/protocol/input.js";
import { readJson } from "../files/json.js";

/** Folder of deployment files; DUELLO_DEPLOYMENTS replaces the default. */
export const deploymentsFolder = () => process.env.DUELLO_DEPLOYMENTS ?? "deployments";

/** Returns the path of a chain's deployment file. */
export function deploymentFile(chainId: bigint | number | string): string {
  return join(deploymentsFolder(), `${chainId}.json`);
}

/** Reads the deployment on a chain; undefined if the chain has no file. @throws InputError if the file is malformed. */
export async function readDeploymentFile(chainId: bigint | number): Promise<Deployment | undefined> {
  const file = deploymentFile(chainId);
  return existsSync(file) ? readDeploymentAt(file, chainId) : undefined;
}

/**
 * Reads a file of a deployment on a chain.
 * @throws InputError if the file is missing, malformed, or of another chain.
 */
export async function readDeploymentAt(file: string, chainId: bigint | number): Promise<Deployment> {
  const deployment = readDeployment(await readJson(file), file);
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
