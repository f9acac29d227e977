import { formatEther, formatUnits, type Provider } from "ethers";
import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import { games } from "../../sdk/games/index.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { costOf, type Cost } from "../../cli/shared/command/cost.js";
import { loneContract } from "../../cli/shared/match/preview.js";
import { create2Request } from "./create2.js";
import type { Call } from "./journal.js";

/** Transactions of a deployment that are reported as one step: the creation of a contract, or the modes of a game. */
export interface Step {
  name: string;
  gas: bigint;
  /** Data of each transaction. */
  data: readonly Hex[];
}

/** Steps of a deployment and their cost. */
export interface Plan extends Cost {
  steps: readonly Step[];
}

/**
 * Estimates the creation of contracts and the calls after it, at current prices.
 * @param salt Salt for the CREATE2 factory, which the chain must have; undefined to create without the factory.
 */
export async function planFor(
  ethers: HardhatEthers,
  deployer: string,
  names: string[],
  calls: Call[],
  salt?: Hex,
): Promise<Plan> {
  const { provider } = ethers;
  const created = await Promise.all(
    names.map(async (name) => {
      const factory = await ethers.getContractFactory(name);
      // The constructors take only addresses, and cost the same for any address.
      const anyAddresses = factory.interface.deploy.inputs.map(() => deployer);
      const { data: initCode } = await factory.getDeployTransaction(...anyAddresses);
      const request = salt === undefined ? { data: initCode } : create2Request(salt, initCode);
      return { name, gas: await provider.estimateGas({ from: deployer, ...request }), data: [request.data] };
    }),
  );
  return priced(provider, [...created, ...(await registrations(calls))]);
}

/** Adds the costs of steps, at current prices. */
export async function priced(provider: Provider, steps: readonly Step[]): Promise<Plan> {
  const gas = steps.reduce((sum, step) => sum + step.gas, 0n);
  const sent = steps.flatMap((step) => step.data.map((data) => ({ data, count: 1 })));
  return { steps, ...(await costOf(provider, gas, sent)) };
}

/** Estimates the registration of modes, by game, on an in-process chain: it costs the same on any chain. */
async function registrations(calls: Call[]): Promise<Step[]> {
  const steps: Step[] = [];
  for (const game of games) {
    const own = calls.filter(({ contract }) => contract.contractName === game.contract);
    if (own.length === 0) continue;
    const { contract, close } = await loneContract(game.contract);
    const data: Hex[] = [];
    let gas = 0n;
    for (const { functionName, args } of own) {
      const call = contract.getFunction(functionName);
      gas += await call.estimateGas(...args);
      data.push((await call.populateTransaction(...args)).data);
    }
    steps.push({ name: `${game.contract}, ${own.length} modes`, gas, data });
    await close();
  }
  return steps;
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
