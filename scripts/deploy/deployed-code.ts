import { Contract, type Provider } from "ethers";
import hre from "hardhat";
import { codeMismatch } from "../../sdk/chain/code.js";
import { games } from "../../sdk/games/index.js";

/** Addresses by contract name. */
export type AddressesByName = Readonly<Record<string, string>>;

/** Describes the first contract whose code on chain differs from this build's; undefined if all code is equal. */
export async function deploymentMismatch(provider: Provider, addresses: AddressesByName): Promise<string | undefined> {
  for (const [name, address] of Object.entries(addresses)) {
    const mismatch =
      (await mismatchOfBuild(provider, name, address)) ?? (await mismatchOfArena(provider, name, addresses));
    if (mismatch !== undefined) return `${name} at ${address} ${mismatch}`;
  }
  return undefined;
}

async function mismatchOfBuild(provider: Provider, name: string, address: string): Promise<string | undefined> {
  const mismatch = await codeMismatch(provider, address, await hre.artifacts.readArtifact(name));
  return mismatch && (mismatch === "no code" ? "has no code" : "has other code than this build");
}

/** Describes a game that belongs to another arena, and so does not belong to this deployment. */
async function mismatchOfArena(
  provider: Provider,
  name: string,
  addresses: AddressesByName,
): Promise<string | undefined> {
  const game = games.find(({ contract }) => contract === name);
  if (!game) return undefined;
  const arena = (await new Contract(addresses[name], game.abi, provider).getFunction("arena").staticCall()) as string;
  return arena === addresses.Arena ? undefined : `answers another arena, ${arena}`;
}
