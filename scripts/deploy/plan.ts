import { Contract, dataLength, formatEther, formatUnits, Transaction, type Provider } from "ethers";
import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import { games } from "../../sdk/games/index.js";
import { previewContract } from "../../cli/shared/preview.js";
import type { Call } from "./journal.js";

/** Transactions of a deployment and their cost. Amounts are in wei. */
export interface Plan {
  /** A step for each contract, and for the modes of each game. */
  steps: { name: string; gas: bigint }[];
  gas: bigint;
  price: bigint;
  cost: bigint;
  /** Amount that the deployer must have: the price may double before the last transaction is mined. */
  reserve: bigint;
}

/** Contract of OP-stack chains that tells the fee for publishing a transaction's data. */
const DATA_FEES = "0x420000000000000000000000000000000000000F";
const dataFees = ["function getL1Fee(bytes) view returns (uint256)"];

/** Estimates the creation of contracts and the calls after it, at current prices. */
export async function planFor(ethers: HardhatEthers, deployer: string, names: string[], calls: Call[]): Promise<Plan> {
  const { provider } = ethers;
  const created = await Promise.all(
    names.map(async (name) => {
      const factory = await ethers.getContractFactory(name);
      // The constructors take addresses only, and cost the same for any.
      const anyAddresses = factory.interface.deploy.inputs.map(() => deployer);
      const { data } = await factory.getDeployTransaction(...anyAddresses);
      return { name, gas: await provider.estimateGas({ from: deployer, data }), data: [data] };
    }),
  );
  const steps = [...created, ...(await registrations(calls))];
  let dataFee = 0n;
  for (const data of steps.flatMap((step) => step.data)) dataFee += await dataFeeOf(provider, data);
  const { gasPrice, maxFeePerGas } = await provider.getFeeData();
  const gas = steps.reduce((sum, step) => sum + step.gas, 0n);
  const price = gasPrice ?? 0n;
  const max = maxFeePerGas ?? 2n * price;
  return { steps, gas, price, cost: gas * price + dataFee, reserve: gas * max + 2n * dataFee };
}

/** Estimates the registration of modes, by game. It costs the same on any chain, so an in-process chain is asked. */
async function registrations(calls: Call[]): Promise<{ name: string; gas: bigint; data: string[] }[]> {
  const steps = [];
  for (const game of games) {
    const own = calls.filter(({ contract }) => contract.contractName === game.contract);
    if (own.length === 0) continue;
    const { contract, close } = await previewContract(game);
    const step = { name: `${game.contract}, ${own.length} modes`, gas: 0n, data: [] as string[] };
    for (const { functionName, args } of own) {
      const call = contract.getFunction(functionName);
      step.gas += await call.estimateGas(...args);
      step.data.push((await call.populateTransaction(...args)).data);
    }
    steps.push(step);
    await close();
  }
  return steps;
}

async function dataFeeOf(provider: Provider, data: string): Promise<bigint> {
  if (dataLength(await provider.getCode(DATA_FEES)) === 0) return 0n;
  const unsigned = Transaction.from({ type: 2, data }).unsignedSerialized;
  return (await new Contract(DATA_FEES, dataFees, provider).getFunction("getL1Fee").staticCall(unsigned)) as bigint;
}

/** Formats a plan in lines. */
export function planLines({ steps, gas, price, cost, reserve }: Plan): string[] {
  const line = (name: string, amount: bigint) => `${name.padEnd(24)}${amount.toLocaleString("en").padStart(12)} gas`;
  return [
    ...steps.map((step) => line(step.name, step.gas)),
    line("Total", gas),
    `Cost           about ${formatEther(cost)} coin at ${formatUnits(price, "gwei")} gwei; the deployer must have`,
    `               ${formatEther(reserve)}, since the price may rise meanwhile`,
  ];
}
