import {
  AbstractSigner,
  JsonRpcProvider,
  Network,
  toQuantity,
  type JsonRpcError,
  type JsonRpcPayload,
  type JsonRpcResult,
  type Provider,
  type TransactionRequest,
  type TransactionResponse,
} from "ethers";

/** A chain that answers requests in the form of JSON-RPC. */
export interface Responder {
  respond(payload: JsonRpcPayload): Promise<JsonRpcResult | JsonRpcError>;
}

/** Provider that answers from a playground's chain, without sending requests. */
export class PlaygroundProvider extends JsonRpcProvider {
  constructor(
    private readonly chain: Responder,
    chainId: bigint,
  ) {
    const network = Network.from(chainId);
    super(undefined, network, { staticNetwork: network, cacheTimeout: -1, batchMaxCount: 1 });
  }

  override async _send(payload: JsonRpcPayload | JsonRpcPayload[]): Promise<JsonRpcResult[]> {
    const answers = await Promise.all([payload].flat().map(async (each) => this.chain.respond(each)));
    // Ethers declares only answers without an error, but reads both.
    return answers as JsonRpcResult[];
  }
}

/** Account of a playground's chain, which signs nothing: the chain knows its accounts. */
export class PlaygroundSigner extends AbstractSigner<PlaygroundProvider> {
  constructor(
    readonly address: string,
    provider: PlaygroundProvider,
  ) {
    super(provider);
  }

  override async getAddress(): Promise<string> {
    return this.address;
  }

  override connect(provider: null | Provider): PlaygroundSigner {
    return new PlaygroundSigner(this.address, provider as PlaygroundProvider);
  }

  override async sendTransaction({ to, data, value, gasLimit }: TransactionRequest): Promise<TransactionResponse> {
    const request = {
      from: this.address,
      to,
      data: data ?? "0x",
      value: toQuantity(value ?? 0n),
      ...(gasLimit !== undefined && gasLimit !== null && { gas: toQuantity(gasLimit) }),
    };
    const hash = (await this.provider.send("eth_sendTransaction", [request])) as string;
    return (await this.provider.getTransaction(hash))!;
  }

  override async signTransaction(): Promise<never> {
    return noSignature();
  }

  override async signMessage(): Promise<never> {
    return noSignature();
  }

  override async signTypedData(): Promise<never> {
    return noSignature();
  }
}

function noSignature(): never {
  throw new Error("An account of the playground signs nothing.");
}
