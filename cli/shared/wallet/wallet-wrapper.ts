import { AbstractSigner, type Provider, type Signer, type TransactionRequest } from "ethers";
import type { TypedDataDomain, TypedDataField } from "ethers";

/** Signer that signs with a given wallet; subclasses decide how to send. */
export abstract class WalletWrapper extends AbstractSigner<Provider> {
  constructor(protected readonly wallet: Signer) {
    super(wallet.provider!);
  }

  override getAddress(): Promise<string> {
    return this.wallet.getAddress();
  }

  override connect(): Signer {
    throw new Error("This wallet stays with its chain.");
  }

  override signTransaction(tx: TransactionRequest): Promise<string> {
    return this.wallet.signTransaction(tx);
  }

  override signMessage(message: string | Uint8Array): Promise<string> {
    return this.wallet.signMessage(message);
  }

  override signTypedData(
    domain: TypedDataDomain,
    types: Record<string, TypedDataField[]>,
    value: Record<string, unknown>,
  ): Promise<string> {
    return this.wallet.signTypedData(domain, types, value);
  }
}
