import { Contract, dataLength, Transaction, type Provider } from "ethers";
import type { Hex } from "../../../sdk/protocol/hex.js";

/** Cost of transactions at current prices. Amounts are in wei. */
export interface Cost {
  gas: bigint;
  price: bigint;
  cost: bigint;
  /** Balance that the sender needs: the price may double before the last transaction is mined. */
  reserve: bigint;
}

/** Contract of OP Stack chains that computes the fee for publishing a transaction's data. */
const DATA_FEES = "0x420000000000000000000000000000000000000F";
const dataFees = ["function getL1Fee(bytes) view returns (uint256)"];

/**
 * Computes the cost of transactions.
 * @param gas Their gas in total.
 * @param sent Data of the transactions, each with the number of similar ones.
 */
export async function costOf(
  provider: Provider,
  gas: bigint,
  sent: readonly { data: Hex; count: number }[],
): Promise<Cost> {
  let dataFee = 0n;
  if (dataLength(await provider.getCode(DATA_FEES)) > 0) {
    for (const { data, count } of sent) dataFee += BigInt(count) * (await dataFeeOf(provider, data));
  }
  const { gasPrice, maxFeePerGas } = await provider.getFeeData();
  const price = gasPrice ?? 0n;
  const max = maxFeePerGas ?? 2n * price;
  return { gas, price, cost: gas * price + dataFee, reserve: gas * max + 2n * dataFee };
}

async function dataFeeOf(provider: Provider, data: Hex): Promise<bigint> {
  const unsigned = Transaction.from({ type: 2, data }).unsignedSerialized;
  return (await new Contract(DATA_FEES, dataFees, provider).getFunction("getL1Fee").staticCall(unsigned)) as bigint;
}
