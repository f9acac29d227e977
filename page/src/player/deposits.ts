import { COIN, isOutage, type Client } from "duello";
import { Contract } from "ethers";

/**
 * Way in which an amount gets into a purse. `coin` and `transfer` take one transaction, as does `deposit` with an
 * existing allowance; `permit` takes a signature and a transaction, `approve` two transactions.
 */
export type DepositWay = "coin" | "transfer" | "deposit" | "permit" | "approve";

const TOKEN = [
  "function allowance(address,address) view returns (uint256)",
  "function nonces(address) view returns (uint256)",
  "function DOMAIN_SEPARATOR() view returns (bytes32)",
  "function eip712Domain() view returns (bytes1,string,string,uint256,address,bytes32,uint256[])",
];

/** Prefix of the code of an account that has code but still signs with a key (EIP-7702). */
const DELEGATED = "0xef0100";

/** Finds the way into the caller's purse that needs the fewest requests to the wallet. */
export async function depositWay(client: Client, token: string, amount: bigint): Promise<DepositWay> {
  if (token === COIN) return "coin";
  if ((await client.calls.depositMethod(token)) === "transferAndCall") return "transfer";
  const provider = client.signer.provider!;
  const contract = new Contract(token, TOKEN, provider);
  if (((await contract.allowance(client.address, client.addresses.Arena)) as bigint) >= amount) return "deposit";
  const code = await provider.getCode(client.address);
  if (code !== "0x" && !code.startsWith(DELEGATED)) return "approve";
  const answers = [contract.nonces(client.address), contract.DOMAIN_SEPARATOR(), contract.eip712Domain()];
  return (await Promise.all(answers.map(isAnswered))).every(Boolean) ? "permit" : "approve";
}

/** Returns whether a contract has the function that was called. @throws Error if the node fails */
async function isAnswered(asked: Promise<unknown>): Promise<boolean> {
  return asked.then(
    () => true,
    (error: unknown) => {
      if (isOutage(error) && (error as { code?: unknown }).code !== "BAD_DATA") throw error;
      return false;
    },
  );
}
