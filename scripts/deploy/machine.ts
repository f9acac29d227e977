import { concat, dataSlice, getAddress, getCreateAddress, toBigInt, type Provider } from "ethers";
import type { Hex } from "../../sdk/protocol/hex.js";

type Caller = Pick<Provider, "call">;

/** Code that returns 32 bytes, the last of them 1, with opcodes that every EVM has: PUSH1, MSTORE, RETURN. */
const PLAIN = "0x600160005260206000f3";

/** Code that returns the same with opcodes of Cancun, which the compiled code needs: PUSH0, TSTORE, TLOAD, MCOPY. */
const CANCUN = concat(["0x60015f5d", "0x5f5c5f52", "0x60205f60205e", "0x60206020f3"]);

/**
 * Code that creates a contract whose code is the byte 0xab, and returns three words: the address of that contract, its
 * own address, and the byte as EXTCODECOPY reads it. The arena stores terms in this way, and computes their addresses.
 */
const CREATOR = concat([
  // The code of the creation, 8 bytes at 24: MSTORE8(0, 0xab), RETURN(0, 1).
  "0x67",
  "0x60ab5f5360015ff3",
  "0x5f52",
  // CREATE(0, 24, 8), MSTORE(0, its result), MSTORE(32, ADDRESS).
  "0x600860185ff0",
  "0x805f52",
  "0x30602052",
  // EXTCODECOPY(the contract, 95, 0, 1), RETURN(0, 96).
  "0x60015f605f833c",
  "0x60605ff3",
]);

/** Seconds since 1970 in the year 5138; times in milliseconds are later, and do not fit into the contracts' 40 bits. */
const LATEST = 100_000_000_000;

/** Checks that a chain runs the opcodes of the contracts. @throws Error if not, or if the node does not answer. */
export async function requireOpcodes(provider: Caller): Promise<void> {
  const isOne = (answer: Hex) => answer !== "0x" && toBigInt(answer) === 1n;
  // A node rejects what its chain cannot run. The second call checks that the node answers at all.
  const runsAll = await provider.call({ data: CANCUN }).then(isOne, () => false);
  if (runsAll) return;
  const runsPlain = isOne(await provider.call({ data: PLAIN }));
  throw new Error(
    runsPlain
      ? "The chain does not run opcodes of Cancun (PUSH0, TSTORE, TLOAD, MCOPY), which the contracts need: deploy to another chain."
      : "The chain does not run code of the EVM as Ethereum does: deploy to another chain.",
  );
}

/**
 * Checks that contracts created by a contract have the addresses that Ethereum gives them, and that their code can be
 * read. The arena stores terms in such contracts.
 * @throws Error if any of this differs.
 */
export async function requireStoredCode(provider: Caller): Promise<void> {
  const answer = await provider.call({ data: CREATOR });
  const [created, creator] = [12, 44].map((at) => getAddress(dataSlice(answer, at, at + 20)));
  const expected = getCreateAddress({ from: creator, nonce: 1 });
  if (created === expected && toBigInt(dataSlice(answer, 64)) === 0xabn) return;
  throw new Error(
    `A contract of this chain created ${created} in place of ${expected}, or cannot read its code, so that no match could be created: deploy to another chain.`,
  );
}

/** Checks that blocks have their time in seconds since 1970. @throws Error if they do not. */
export async function requireSeconds(provider: Pick<Provider, "getBlock">): Promise<void> {
  const { timestamp } = (await provider.getBlock("latest"))!;
  if (timestamp <= LATEST) return;
  throw new Error(
    `The latest block has the time ${timestamp}, which is not in seconds, so that all clocks would go wrong: deploy to another chain.`,
  );
}
