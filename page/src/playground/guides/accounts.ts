import { getBytes, HDNodeWallet, Mnemonic, type JsonRpcPayload, type TypedDataField } from "ethers";
import type { Responder } from "../provider.ts";

/** Phrase of the test accounts, which every local chain has. It is public: nothing of value may be there. */
const PHRASE = "test test test test test test test test test test test junk";

/** Number of accounts that a chain has here: the owner, the treasury, and those that the guides use. */
const COUNT = 7;

/** Derives the accounts of a chain. */
export function testAccounts(): HDNodeWallet[] {
  const root = HDNodeWallet.fromMnemonic(Mnemonic.fromPhrase(PHRASE), "m/44'/60'/0'/0");
  return Array.from({ length: COUNT }, (_, n) => root.deriveChild(n));
}

/** Typed data as in JSON-RPC. */
interface TypedData {
  domain: Record<string, unknown>;
  types: Record<string, TypedDataField[]>;
  message: Record<string, unknown>;
}

/** Returns a chain that also signs with its accounts, as a node with unlocked accounts does. */
export function signing(chain: Responder, accounts: readonly HDNodeWallet[]): Responder {
  const accountAt = (address: string) => accounts.find((each) => each.address.toLowerCase() === address.toLowerCase())!;
  const signatureOf = async ({ method, params }: JsonRpcPayload): Promise<string | undefined> => {
    const [first, second] = params as [string, string];
    if (method === "personal_sign") return accountAt(second).signMessage(getBytes(first));
    if (method !== "eth_signTypedData_v4") return undefined;
    const { domain, types, message } = JSON.parse(second) as TypedData;
    const { EIP712Domain: _, ...own } = types;
    return accountAt(first).signTypedData(domain, own, message);
  };
  return {
    async respond(payload) {
      const result = await signatureOf(payload);
      return result === undefined ? chain.respond(payload) : { id: payload.id, result };
    },
  };
}
