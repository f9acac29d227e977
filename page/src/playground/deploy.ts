import { concat, getAddress, zeroPadValue } from "ethers";
import type { PlaygroundProvider } from "./provider.ts";

/** Creation code of contracts, by their names. */
export type Bytecodes = Readonly<Record<string, string>>;

/** Names of the contracts that a game needs. */
export interface GameContracts {
  readonly contract: string;
  readonly characters?: { readonly contract: string };
}

/** Addresses of the deployed contracts, by their names. */
export type Deployed = Readonly<Record<"Arena" | "FightToken", string> & Record<string, string>>;

/** Returns a function that deploys a contract, whose constructor takes addresses only, and returns its address. */
export function deployer(provider: PlaygroundProvider, bytecodes: Bytecodes, owner: string) {
  return async (name: string, ...args: string[]): Promise<string> => {
    const data = concat([bytecodes[name], ...args.map((each) => zeroPadValue(each, 32))]);
    const hash = (await provider.send("eth_sendTransaction", [{ from: owner, data }])) as string;
    const receipt = (await provider.send("eth_getTransactionReceipt", [hash])) as { contractAddress: string };
    return getAddress(receipt.contractAddress);
  };
}

/**
 * Deploys the contracts that games need.
 * @param owner Account that owns the contracts.
 * @param treasury Account that receives fees.
 */
export async function deploy(
  provider: PlaygroundProvider,
  games: readonly GameContracts[],
  bytecodes: Bytecodes,
  owner: string,
  treasury = owner,
): Promise<Deployed> {
  const put = deployer(provider, bytecodes, owner);
  const Arena = await put("Arena", owner, treasury);
  const deployed: Record<string, string> = { FightToken: await put("FightToken", owner) };
  for (const { contract, characters } of games) {
    if (!characters) {
      deployed[contract] = await put(contract, Arena);
      continue;
    }
    const token = (deployed[characters.contract] ??= await put(characters.contract, owner));
    deployed[contract] = await put(contract, Arena, token);
  }
  return { Arena, ...deployed } as Deployed;
}
