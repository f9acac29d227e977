import type { Addressable } from "ethers";
import type { Addresses } from "../sdk/addresses.js";

/** Where the contracts live that Ignition gives back, by name. */
export async function addressesOf(contracts: Record<string, Addressable>): Promise<Addresses> {
  const entries = Object.entries(contracts).map(async ([name, contract]) => [name, await contract.getAddress()]);
  return Object.fromEntries(await Promise.all(entries)) as Addresses;
}
