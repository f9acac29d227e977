import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { FutureType, status, type ContractCallFuture } from "@nomicfoundation/ignition-core";
import type { Provider } from "ethers";
import hre from "hardhat";
import Duello from "../../ignition/modules/Duello.js";
import { InputError } from "../../sdk/input.js";

/** What Ignition wrote down of earlier runs on a chain. */
export interface Journal {
  /** Contracts that stand, by name. */
  addresses: Record<string, string>;
  /** Contracts whose creation the node knows, while Ignition doesn't yet know its outcome. */
  underway: string[];
  /** Calls that are still to be sent. */
  calls: Call[];
}

/** A call that follows the creation of its contract, e.g. the registration of a mode. */
export type Call = ContractCallFuture<string, string>;

/** The fields read here of a line of the journal. */
interface Line {
  type: string;
  futureId: string;
  transaction: { hash: string };
  receipt: { blockNumber: number };
}

/** The folder of Ignition's journal of a chain. */
export function journalFolder(chainId: number): string {
  return join(hre.config.paths.ignition, "deployments", `chain-${chainId}`);
}

/** What earlier runs have done on a chain, as far as it belongs to the module of today. */
export async function readJournal(chainId: number, provider: Provider): Promise<Journal> {
  const lines = await readLines(chainId);
  const contracts = lines.length === 0 ? {} : (await status(journalFolder(chainId))).contracts;
  const isSent = async (id: string): Promise<boolean> => {
    // Of the transactions of a step the last one counts: it replaced the others.
    const last = lines.findLast(({ type, futureId }) => type === "TRANSACTION_SEND" && futureId === id);
    return last !== undefined && (await provider.getTransaction(last.transaction.hash)) !== null;
  };
  const journal: Journal = { addresses: {}, underway: [], calls: [] };
  for (const [name, { id }] of Object.entries(Duello.results)) {
    if (Object.hasOwn(contracts, id)) journal.addresses[name] = contracts[id].address;
    else if (await isSent(id)) journal.underway.push(name);
  }
  for (const future of Duello.futures) {
    if (future.type === FutureType.CONTRACT_CALL && !(await isSent(future.id))) journal.calls.push(future);
  }
  return journal;
}

/** The block of the first contract that Ignition has deployed on a chain. */
export async function firstBlock(chainId: number): Promise<number> {
  const confirmed = (await readLines(chainId)).filter(({ type }) => type === "TRANSACTION_CONFIRM");
  return Math.min(...confirmed.map(({ receipt }) => receipt.blockNumber));
}

// Ignition's own list of transactions breaks on one that the chain has lost.
async function readLines(chainId: number): Promise<Line[]> {
  const file = join(journalFolder(chainId), "journal.jsonl");
  if (!existsSync(file)) return [];
  const lines = (await readFile(file, "utf8")).split("\n");
  return lines.flatMap((line, i) => (line === "" ? [] : [readLine(line, `${file}:${i + 1}`)]));
}

function readLine(line: string, place: string): Line {
  try {
    return JSON.parse(line) as Line;
  } catch {
    throw new InputError(place, "a run was cut off while writing this line; remove it to go on");
  }
}
