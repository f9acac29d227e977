import { dataLength, getBytes, hexlify, type Provider } from "ethers";
import type { Hex } from "../protocol/hex.js";

/** Compiled contract, as Hardhat writes it. */
export interface Artifact {
  /** Creation code of the contract; without it the contract cannot be deployed. */
  readonly bytecode?: Hex;
  /** Runtime code of the contract, with zeros in place of immutable values. */
  readonly deployedBytecode: Hex;
  /** Places of immutable values in that code, in bytes. */
  readonly immutableReferences?: Readonly<Record<string, readonly { start: number; length: number }[]>>;
}

/** Mismatch of the code at an address with an artifact. */
export type CodeMismatch = "no code" | "other code";

/**
 * Compares the code at an address with an artifact. Returns undefined if they match.
 * @throws like the provider.
 * @example
 * ```ts
 * import { readFile } from "node:fs/promises";
 * import { type Artifact, codeMismatch } from "duello";
 *
 * const artifact = JSON.parse(await readFile("Arena.json", "utf8")) as Artifact;
 * const mismatch = await codeMismatch(provider, addresses.Arena, artifact);
 * console.log(mismatch ?? "The arena runs the code of the artifact.");
 * ```
 */
export async function codeMismatch(
  provider: Provider,
  address: string,
  { deployedBytecode, immutableReferences = {} }: Artifact,
): Promise<CodeMismatch | undefined> {
  const code = await provider.getCode(address);
  if (dataLength(code) === 0) return "no code";
  const bytes = getBytes(code);
  for (const { start, length } of Object.values(immutableReferences).flat()) bytes.fill(0, start, start + length);
  return hexlify(bytes) === deployedBytecode ? undefined : "other code";
}
