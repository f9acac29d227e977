import { BaseWallet, isHexString, SigningKey, toQuantity, type Provider, type TypedDataField } from "ethers";
import type { Hex } from "duello";
import { keepEncrypted, keptKey, readEncrypted } from "../player/keys.ts";
import { database } from "../store/database.ts";
import type { Eip1193 } from "./discovery.ts";

/** Entry of the browser's storage that has the key. */
const NAME = "guest";

/** Error code of EIP-1193 for a method that a wallet does not have. */
const UNSUPPORTED = 4200;

/** Chain for which a guest's key signs. */
export interface GuestChain {
  readonly chainId: number;
  readonly provider: Provider;
}

/** Returns the key of this browser's guest; undefined if there is none. */
export async function guestKey(): Promise<Hex | undefined> {
  return readEncrypted<Hex>(NAME);
}

/** Returns the key of this browser's guest; creates it the first time. @throws Error if the browser stores nothing */
export async function madeGuestKey(): Promise<Hex> {
  return keptKey(NAME);
}

/**
 * Imports the guest of a file that `guestFile` has made, as this browser's guest.
 * @throws Error for another file, and if this browser has another guest, which would be lost
 */
export async function importGuest(text: string): Promise<void> {
  const key = keyIn(text);
  await database();
  const known = await guestKey();
  if (known !== undefined && known !== key) {
    throw new Error(
      "This browser has another guest already: save its key, and delete the page's data in the settings.",
    );
  }
  await keepEncrypted(NAME, key);
}

/** Writes the key of a guest as a file. Wallets import the private key in it. */
export function guestFile(key: Hex): string {
  return `${JSON.stringify({ address: addressOf(key), privateKey: key }, undefined, 2)}\n`;
}

/** Returns the address of a key. */
export function addressOf(key: Hex): string {
  return new BaseWallet(new SigningKey(key)).address;
}

/**
 * Makes a wallet that signs with a guest's key, and asks nothing.
 * @param chainOf Returns the chain that the page shows.
 */
export function guestWallet(key: Hex, chainOf: () => GuestChain): Eip1193 {
  const signer = new BaseWallet(new SigningKey(key));
  const methods: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
    eth_accounts: () => [signer.address],
    eth_requestAccounts: () => [signer.address],
    eth_chainId: () => toQuantity(chainOf().chainId),
    eth_signTypedData_v4: ([, text]) => {
      const { domain, types, message } = JSON.parse(text as string) as TypedData;
      const { EIP712Domain: _, ...others } = types;
      return signer.signTypedData(domain, others, message);
    },
    eth_sendTransaction: async ([request]) => {
      const { to, data, value, gas: gasLimit } = request as Record<string, string | undefined>;
      const sent = await signer.connect(chainOf().provider).sendTransaction({ to, data, value, gasLimit });
      return sent.hash;
    },
  };
  return {
    async request({ method, params = [] }) {
      if (!Object.hasOwn(methods, method))
        throw Object.assign(new Error(`A guest's key has no ${method}.`), { code: UNSUPPORTED });
      return methods[method](params);
    },
  };
}

/** Payload of `eth_signTypedData_v4`. */
interface TypedData {
  readonly domain: Record<string, string>;
  readonly types: Record<string, TypedDataField[]>;
  readonly message: Record<string, unknown>;
}

/** @throws Error for a text without a private key that matches the address in the text */
function keyIn(text: string): Hex {
  try {
    const { address, privateKey } = JSON.parse(text) as Record<string, unknown>;
    if (isHexString(privateKey, 32) && addressOf(privateKey) === address) return privateKey;
  } catch {
    // The error is reported below.
  }
  throw new Error("This is not the file of a guest's key.");
}
