import { dataLength, getBytes, hexlify, type Provider } from "ethers";
import type { Hex } from "../protocol/hex.js";

/** Compiled contract, as Hardhat writes it. */
export interface Artifact {
  /** Code that creates the contract, to be deployed by; left out: it cannot be deployed. */
  readonly bytecode?: Hex;
  /** Code that the contract has then, with zeros in place of immutable values. */
  readonly deployedBytecode: Hex;
  /** Places of immutable values in that code, in bytes. */
  readonly immutableReferences?: Readonly<Record<string, readonly { start: number; length: number }[]>>;
}

/** Describes what is wrong with the code at an address; undefined if it is that of an artifact. */
export async function codeMismatch(
  provider: Provider,
  address: string,
  { deployedBytecode, immutableReferences = {} }: Artifact,
): Promise<string | undefined> {
  const code = await provider.getCode(address);
  if (dataLength(code) === 0) return "has no code";
  const bytes = getBytes(code);
  for (const { start, length } of Object.values(immutableReferences).flat()) bytes.fill(0, start, start + length);
  return hexlify(bytes) === deployedBytecode ? undefined : "has other code";
}
