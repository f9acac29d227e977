import { concat, getAddress, zeroPadValue } from "ethers";
import type { PlaygroundProvider } from "./provider.ts";

/** Creation code of contracts, by their names. */
export type Bytecodes = Readonly<Record<string, string>>;

/** Names of the contracts that a game needs. */
interface GameContracts {
  readonly contract: string;
  readonly characters?: { readonly contract: string };
}

/** Addresses of the deployed contracts, by their names. */
type Deployed = Readonly<Record<"Arena" | "FightToken", string> & Record<string, string>>;

/** Deploys the contracts that a game needs. @param owner Account that owns the contracts, and that receives fees. */
export async function deploy(
  provider: PlaygroundProvider,
  { contract, characters }: GameContracts,
  bytecodes: Bytecodes,
  owner: string,
): Promise<Deployed> {
  /** Deploys a contract, whose constructor takes addresses only. */
  const put = async (name: string, ...args: string[]): Promise<string> => {
    const data = concat([bytecodes[name], ...args.map((each) => zeroPadValue(each, 32))]);
    const hash = (await provider.send("eth_sendTransaction", [{ from: owner, data }])) as string;
    const receipt = (await provider.send("eth_getTransactionReceipt", [hash])) as { contractAddress: string };
    return getAddress(receipt.contractAddress);
  };
  const Arena = await put("Arena", owner, owner);
  const FightToken = await put("FightToken", owner);
  if (!characters) return { Arena, FightToken, [contract]: await put(contract, Arena) };
  const token = await put(characters.contract, owner);
  return { Arena, FightToken, [characters.contract]: token, [contract]: await put(contract, Arena, token) };
}
