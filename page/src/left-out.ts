// Stands in for parts of ethers that the page would carry: each fails if it is asked for what the page never needs.

/** Fails, as names are resolved nowhere here. */
function noNames(): never {
  throw new Error("The page resolves no names: give an address.");
}

/** In place of the resolver of ENS names, with which base58, IPFS and tables of Unicode would come. */
export const EnsResolver = { fromName: noNames, getEnsAddress: noNames };
export { noNames as MulticoinProviderPlugin, noNames as BasicMulticoinProviderPlugin };

/** In place of a hash that only mnemonics ask. */
export const sha512 = {
  create(): never {
    throw new Error("The page has no SHA-512.");
  },
};

/** In place of values that carry the names of their types, which choose between functions of one name. */
export const Typed = {
  isTyped: (): boolean => false,
  dereference: (value: unknown): unknown => value,
};

/** In place of the subscriptions to events by filters that nodes keep. */
export class FilterIdEventSubscriber {
  constructor() {
    throw new Error("The page keeps no filters at nodes.");
  }
}
export { FilterIdEventSubscriber as FilterIdPendingSubscriber };

/** In place of names and peculiarities of known networks, one of which asks a host that the page may not ask for its fees. */
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

  toJSON() {
    return { name: this.name, chainId: String(this.chainId) };
  }
}

/** In place of the arithmetic of decimals: amounts are read and formatted, and no more. */
export class FixedNumber {
  private constructor(
    readonly value: bigint,
    private readonly decimals: number,
  ) {}

  static fromValue(value: bigint | number | string, decimals: number): FixedNumber {
    return new FixedNumber(BigInt(value), decimals);
  }

  /** Reads an amount whose form was checked before. */
  static fromString(text: string, { decimals }: { decimals: number }): FixedNumber {
    const [units, fraction = ""] = text.split(".");
    if (fraction.length > decimals) throw new Error("The amount has too many decimals.");
    return new FixedNumber(BigInt(units + fraction.padEnd(decimals, "0")), decimals);
  }

  toString(): string {
    const { value, decimals } = this;
    const digits = String(value < 0n ? -value : value).padStart(decimals + 1, "0");
    const units = digits.slice(0, digits.length - decimals);
    const fraction = digits.slice(units.length).replace(/0+$/, "") || "0";
    return `${value < 0n ? "-" : ""}${units}${decimals === 0 ? "" : `.${fraction}`}`;
  }
}
