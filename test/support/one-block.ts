import type { ContractTransactionReceipt, ContractTransactionResponse, Overrides } from "ethers";
import { ethers, receiptOf } from "./index.js";

const FEE = 10n ** 10n;
const GAS = 1_000_000;

/** Mines transactions in one block, in order. Each function must send with the overrides that it receives. */
export async function inOneBlock(
  sends: readonly ((overrides: Overrides) => Promise<ContractTransactionResponse>)[],
): Promise<ContractTransactionReceipt[]> {
  const sent: Promise<ContractTransactionResponse>[] = [];
  await ethers.provider.send("evm_setAutomine", [false]);
  try {
    for (const [i, send] of sends.entries()) {
      const maxPriorityFeePerGas = FEE - BigInt(i);
      // Otherwise the node would estimate the gas without the other transactions.
      sent.push(send({ maxPriorityFeePerGas, maxFeePerGas: 10n * FEE, gasLimit: GAS }));
      await sent.at(-1);
    }
    await ethers.provider.send("evm_mine", []);
  } finally {
    await ethers.provider.send("evm_setAutomine", [true]);
  }
  return Promise.all(sent.map((each) => receiptOf(each)));
}
