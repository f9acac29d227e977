import { Contract, dataLength, hexlify, getBytes, type Provider } from "ethers";
import hre from "hardhat";
import { games } from "../../sdk/games/index.js";

/** Addresses by contract name, all of a deployment or a part. */
export type AddressesByName = Readonly<Record<string, string>>;

/** What is wrong with the first contract that is not this build's on the chain; undefined if all are. */
export async function codeFault(provider: Provider, addresses: AddressesByName): Promise<string | undefined> {
  for (const [name, address] of Object.entries(addresses)) {
    const fault = (await faultOfCode(provider, name, address)) ?? (await faultOfArena(provider, name, addresses));
    if (fault !== undefined) return `${name} at ${address} ${fault}`;
  }
  return undefined;
}

async function faultOfCode(provider: Provider, name: string, address: string): Promise<string | undefined> {
  const { deployedBytecode, immutableReferences } = await hre.artifacts.readArtifact(name);
  const code = await provider.getCode(address);
  if (dataLength(code) === 0) return "has no code";
  const bytes = getBytes(code);
  // The build has zeros where the constructor writes immutable values.
  for (const { start, length } of Object.values(immutableReferences ?? {}).flat()) bytes.fill(0, start, start + length);
  return hexlify(bytes) === deployedBytecode ? undefined : "has other code than this build";
}

/** A game answers one arena only: with another it is no part of this deployment. */
async function faultOfArena(provider: Provider, name: string, addresses: AddressesByName): Promise<string | undefined> {
  const game = games.find(({ contract }) => contract === name);
  if (!game) return undefined;
  const arena = (await new Contract(addresses[name], game.abi, provider).getFunction("arena").staticCall()) as string;
  return arena === addresses.Arena ? undefined : `answers another arena, ${arena}`;
}
