// Replaces parts of ethers that the page would include but never calls. Each replacement fails if it is called.

/** Throws an error, since nothing on the page should call this. */
function leftOut(): never {
  throw new Error("The page does without this part of ethers.");
}

/** Replaces the resolver of ENS names, which would add base58, IPFS and tables of Unicode. */
export const EnsResolver = { fromName: leftOut, getEnsAddress: leftOut };
export { leftOut as MulticoinProviderPlugin, leftOut as BasicMulticoinProviderPlugin };

/** Replaces a hash that only mnemonics need. */
export const sha512 = { create: leftOut };

// Replaces the delegation of accounts to code, event filters, and the events and transactions that contracts return.
// The page needs none of these: its archive polls for events, and the SDK's client sends transactions.
export {
  leftOut as authorizationify,
  leftOut as hashAuthorization,
  leftOut as verifyAuthorization,
  leftOut as FilterIdEventSubscriber,
  leftOut as FilterIdPendingSubscriber,
  leftOut as PollingBlockSubscriber,
  leftOut as PollingBlockTagSubscriber,
  leftOut as PollingEventSubscriber,
  leftOut as PollingOrphanSubscriber,
  leftOut as PollingTransactionSubscriber,
  leftOut as ContractEventPayload,
  leftOut as ContractTransactionReceipt,
  leftOut as ContractTransactionResponse,
  leftOut as ContractUnknownEventPayload,
  leftOut as EventLog,
  leftOut as UndecodedEventLog,
};

// Replaces the code that signs and reads transactions, for the providers only.
export const Transaction = { from: leftOut };
export const TypedDataEncoder = { resolveNames: leftOut, getPayload: leftOut };
export class AbstractSigner {
  readonly provider = leftOut();
}

/** Replaces HTTP requests, for a provider that sends its own. */
export class FetchRequest {
  clone(): this {
    return this;
  }
}
export { leftOut as FetchResponse, leftOut as FetchCancelSignal };

/** Replaces typed values, which select one of several functions with the same name. */
export const Typed = {
  isTyped: (): boolean => false,
  dereference: (value: unknown): unknown => value,
};

/**
 * Replaces the special handling of known networks: for one of them, ethers would ask a host for fees, which the page
 * must not do.
 */
export class Network {
  readonly name = "unknown";

  private constructor(readonly chainId: bigint) {}

  static from(network: bigint | number | Network): Network {
    return new Network(typeof network === "object" ? network.chainId : BigInt(network));
  }

  clone(): Network {
    return new Network(this.chainId);
  }

  matches(network: bigint | number | Network): boolean {
    return Network.from(network).chainId === this.chainId;
  }

  getPlugin(): null {
    return null;
  }
}

/** Decimals of coins, which are the default. */
const DECIMALS = 18;

/** Replaces decimal arithmetic: reads an amount whose form was checked before. */
export function parseUnits(text: string, decimals = DECIMALS): bigint {
  const [units, fraction = ""] = text.split(".");
  if (fraction.length > decimals) throw new Error("The amount has too many decimals.");
  return BigInt(units + fraction.padEnd(decimals, "0"));
}

/** Formats an amount with its decimals, at least one. */
export function formatUnits(amount: bigint | number | string, decimals: bigint | number = DECIMALS): string {
  const [, sign, value] = /^(-?)(.+)$/.exec(String(BigInt(amount)))!;
  const digits = value.padStart(Number(decimals) + 1, "0");
  const units = digits.slice(0, digits.length - Number(decimals));
  const fraction = digits.slice(units.length).replace(/0+$/, "");
  return `${sign}${units}${Number(decimals) === 0 ? "" : `.${fraction || "0"}`}`;
}
export { leftOut as parseEther, leftOut as formatEther };
