import { Transaction, type JsonRpcApiProvider, type TransactionResponse } from "ethers";

/** Sends a transaction that a key of the page has signed, as providers of ethers do. */
export async function broadcast(provider: JsonRpcApiProvider, signed: string): Promise<TransactionResponse> {
  const [block, network] = await Promise.all([provider.getBlockNumber(), provider.getNetwork()]);
  await provider.send("eth_sendRawTransaction", [signed]);
  const sent = Transaction.from(signed);
  return provider._wrapTransactionResponse(sent as never, network).replaceableTransaction(block);
}
