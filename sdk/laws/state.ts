import type { Addressable } from "ethers";
import type { Connection } from "./world.js";

/** Everything that a call can change: each contract's storage as its root hash, and everybody's coins, by name. */
export type State = Record<string, string>;

/** Reads the state of contracts and accounts by name; a state before and one after are equal if nothing changed. */
export async function stateOf(
  provider: Connection["ethers"]["provider"],
  all: Record<string, Addressable>,
): Promise<State> {
  const proofs = Object.entries(all).map(async ([name, one]): Promise<[string, string][]> => {
    const proof = await provider.send("eth_getProof", [await one.getAddress(), [], "latest"]);
    const { balance, storageHash } = proof as { balance: string; storageHash: string };
    const coins: [string, string] = [`coins of ${name}`, balance];
    return "interface" in one ? [[`storage of ${name}`, storageHash], coins] : [coins];
  });
  return Object.fromEntries((await Promise.all(proofs)).flat());
}
