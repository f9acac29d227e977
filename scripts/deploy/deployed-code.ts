import { Contract, dataLength, hexlify, getBytes, type Provider } from "ethers";
import hre from "hardhat";
import { games } from "../../sdk/games/index.js";

/** Addresses by contract name. */
export type AddressesByName = Readonly<Record<string, string>>;

/** Describes the first contract whose code on the chain is not this build's; undefined if there is none. */
export async function codeMismatch(provider: Provider, addresses: AddressesByName): Promise<string | undefined> {
  for (const [name, address] of Object.entries(addresses)) {
    const mismatch =
      (await mismatchOfCode(provider, name, address)) ?? (await mismatchOfArena(provider, name, addresses));
    if (mismatch !== undefined) return `${name} at ${address} ${mismatch}`;
  }
  return undefined;
}

async function mismatchOfCode(provider: Provider, name: string, address: string): Promise<string | undefined> {
  const { deployedBytecode, immutableReferences } = await hre.artifacts.readArtifact(name);
  const code = await provider.getCode(address);
  if (dataLength(code) === 0) return "has no code";
  const bytes = getBytes(code);
  // In the build, immutable values are zeros.
  for (const { start, length } of Object.values(immutableReferences ?? {}).flat()) bytes.fill(0, start, start + length);
  return hexlify(bytes) === deployedBytecode ? undefined : "has other code than this build";
}

/** A game that belongs to another arena is not part of this deployment. */
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
