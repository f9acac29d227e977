import { traitsOf } from "../../sdk/chain/traits.js";
import { createInterface } from "node:readline/promises";
import { formatEther, type Signer } from "ethers";
import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import type { DuelloModule } from "../../ignition/modules/Duello.js";
import { requireFactory, type EqualAddresses } from "./create2.js";
import type { Journal } from "./journal.js";
import type { Options } from "./options.js";
import { planFor, planLines, priced, type Plan, type Step } from "./plan.js";

/** A planned deployment, and the progress of earlier runs. */
interface PlannedRun {
  ethers: HardhatEthers;
  module: DuelloModule;
  deployer: string;
  owner: string;
  treasury: string;
  journal: Journal;
  create2?: EqualAddresses;
}

/**
 * Prints what will be sent and its cost, and on public chains asks for confirmation.
 * @throws Error if the deployer cannot pay the cost, or nobody confirms.
 */
export async function confirmPlan(
  options: Options,
  { ethers, module, deployer, owner, treasury, journal, create2 }: PlannedRun,
): Promise<void> {
  const balance = await ethers.provider.getBalance(deployer);
  console.log(`Deployer       ${deployer} with ${formatEther(balance)} coin`);
  console.log(`Owner          ${owner}`);
  console.log(`Treasury       ${treasury}`);
  for (const name of Object.keys(journal.addresses)) console.log(`${name.padEnd(17)}stands`);
  for (const name of journal.underway) console.log(`${name.padEnd(17)}is sent already`);
  const names = Object.keys(module.results);
  const left = names.filter((name) => !(name in journal.addresses) && !journal.underway.includes(name));
  if (left.length + journal.calls.length === 0) return;
  if (create2) for (const name of left) console.log(`${name.padEnd(17)}will stand at ${create2.addresses[name]}`);
  // On a local chain without the factory, the cost is nearly the same.
  const salt = create2 && (await requireFactory(ethers.provider, options.chainId)) ? create2.salt : undefined;
  await confirmCost(options, deployer, balance, await planFor(ethers, deployer, left, journal.calls, salt));
  console.log("Sending, and waiting for confirmations ...");
}

/** Prints the cost of adding a game, and on public chains asks for confirmation. @throws like `confirmPlan` */
export async function confirmGame(options: Options, signer: Signer, steps: readonly Step[]): Promise<void> {
  const provider = signer.provider!;
  const deployer = await signer.getAddress();
  await confirmCost(options, deployer, await provider.getBalance(deployer), await priced(provider, steps));
}

async function confirmCost(options: Options, deployer: string, balance: bigint, plan: Plan): Promise<void> {
  for (const line of planLines(plan)) console.log(line);
  if (balance < plan.reserve) {
    throw new Error(
      `The deployer ${deployer} has ${formatEther(balance)} coin, less than ${formatEther(plan.reserve)}.`,
    );
  }
  if (!traitsOf(options.chainId).isFree && !options.yes) await ask(options.network);
}

async function ask(network: string): Promise<void> {
  if (!process.stdin.isTTY) throw new Error(`${network} is public: add --yes to deploy without being asked.`);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`Send this to ${network}? [y/N] `).finally(() => terminal.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw new Error("Nothing was sent.");
}
