import type { Addressable } from "ethers";
import type { Connection } from "./world.js";

/** Everything that a call can change, by name: the storage root of each contract, and the coins of each account. */
export type State = Record<string, string>;

/** Reads the state of contracts and accounts by name; if nothing changed, the states before and after are equal. */
export async function stateOf(
  provider: Connection["ethers"]["provider"],
  all: Record<string, Addressable>,
): Promise<State> {
  const states = Object.entries(all).map(async ([name, one]): Promise<[string, string][]> => {
    const address = await one.getAddress();
    // A proof takes a node several times as long as a balance.
    if (!("interface" in one)) {
      return [[`coins of ${name}`, (await provider.send("eth_getBalance", [address, "latest"])) as string]];
    }
    const proof = await provider.send("eth_getProof", [address, [], "latest"]);
    const { balance, storageHash } = proof as { balance: string; storageHash: string };
    return [
      [`storage of ${name}`, storageHash],
      [`coins of ${name}`, balance],
    ];
  });
  return Object.fromEntries((await Promise.all(states)).flat());
}
