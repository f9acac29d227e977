import { existsSync } from "node:fs";
import { join } from "node:path";
import { HardhatArtifactResolver } from "@nomicfoundation/hardhat-ignition/helpers";
import { listTransactions, TransactionStatus, type TransactionInfo } from "@nomicfoundation/ignition-core";
import type { Provider } from "ethers";
import hre from "hardhat";
import Duello from "../../ignition/modules/Duello.js";

/** What Ignition wrote down of earlier runs on a chain. */
export interface Journal {
  /** Contracts that stand, by name. */
  addresses: Record<string, string>;
  /** Contracts whose creation the node knows, while Ignition doesn't yet know its outcome. */
  underway: string[];
}

/** The folder of Ignition's journal of a chain. */
export function journalFolder(chainId: number): string {
  return join(hre.config.paths.ignition, "deployments", `chain-${chainId}`);
}

/** What earlier runs have done on a chain, as far as it belongs to the module of today. */
export async function readJournal(chainId: number, provider: Provider): Promise<Journal> {
  const creations = (await creationsOn(chainId)).filter(({ name }) => Object.hasOwn(Duello.results, name));
  const done = creations.flatMap(({ name, address }) => (address === undefined ? [] : [[name, address] as const]));
  const addresses = Object.fromEntries(done);
  const open = creations.filter(({ name, status }) => !(name in addresses) && status !== TransactionStatus.DROPPED);
  const known = await Promise.all(open.map(({ txHash }) => provider.getTransaction(txHash)));
  return { addresses, underway: open.filter((_, i) => known[i] !== null).map(({ name }) => name) };
}

/** The block of the first contract, by the journal and the chain. */
export async function firstBlock(chainId: number, provider: Provider): Promise<number> {
  const creations = (await creationsOn(chainId)).filter(({ status }) => status === TransactionStatus.SUCCESS);
  const receipts = await Promise.all(creations.map(({ txHash }) => provider.getTransactionReceipt(txHash)));
  return Math.min(...receipts.map((receipt, i) => receipt?.blockNumber ?? unknown(creations[i])));
}

async function creationsOn(chainId: number): Promise<(TransactionInfo & { name: string })[]> {
  const folder = journalFolder(chainId);
  if (!existsSync(join(folder, "journal.jsonl"))) return [];
  const transactions = await listTransactions(folder, new HardhatArtifactResolver(hre.artifacts));
  return transactions.flatMap(({ name, ...rest }) => (name === undefined ? [] : [{ ...rest, name }]));
}

function unknown({ name, txHash }: TransactionInfo): never {
  throw new Error(`The node does not know the transaction ${txHash} that created ${name}.`);
}
