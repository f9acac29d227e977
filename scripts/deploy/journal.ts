import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  FutureType,
  status,
  type ContractCallFuture,
  type NamedArtifactContractAtFuture,
} from "@nomicfoundation/ignition-core";
import type { Provider } from "ethers";
import hre from "hardhat";
import type { DuelloModule } from "../../ignition/modules/Duello.js";
import { bytes32, fields, InputError, integer, text } from "../../sdk/protocol/input.js";

/** Progress of earlier runs on a chain, from Ignition's journal. */
export interface Journal {
  /** Deployed contracts, by name. */
  addresses: Record<string, string>;
  /** Contracts whose creation was sent to the node, but whose outcome Ignition does not know yet. */
  underway: string[];
  /** Calls that have not been sent. */
  calls: Call[];
  /** True if no run has started yet. */
  isEmpty: boolean;
  /** True if runs have created contracts through the CREATE2 factory. */
  isCreate2: boolean;
}

/** A call after the creation of its contract, for example to register a mode. */
export type Call = ContractCallFuture<string, string>;

/** The fields of a journal line that this module needs. */
type Line =
  | { type: "TRANSACTION_SEND"; futureId: string; hash: string }
  | { type: "TRANSACTION_CONFIRM"; block: number }
  | { type: "DEPLOYMENT_EXECUTION_STATE_INITIALIZE"; strategy: string }
  | { type: "other" };

/** Returns the folder of Ignition's journal of a chain. */
export function journalFolder(chainId: number): string {
  return join(hre.config.paths.ignition, "deployments", `chain-${chainId}`);
}

/** Reads the progress of earlier runs on a chain, for the contracts of a module. Kept tokens already exist. */
export async function readJournal(chainId: number, provider: Provider, module: DuelloModule): Promise<Journal> {
  const lines = await readLines(chainId);
  const contracts = lines.length === 0 ? {} : (await status(journalFolder(chainId))).contracts;
  const isSent = async (id: string): Promise<boolean> => {
    // A later transaction of the same step has replaced the earlier ones.
    const last = lines.findLast((line) => line.type === "TRANSACTION_SEND" && line.futureId === id);
    return last?.type === "TRANSACTION_SEND" && (await provider.getTransaction(last.hash)) !== null;
  };
  const isCreate2 = lines.some(
    (line) => line.type === "DEPLOYMENT_EXECUTION_STATE_INITIALIZE" && line.strategy === "create2",
  );
  const journal: Journal = { addresses: {}, underway: [], calls: [], isEmpty: lines.length === 0, isCreate2 };
  for (const [name, future] of Object.entries(module.results)) {
    const { id } = future;
    if (future.type === FutureType.NAMED_ARTIFACT_CONTRACT_AT) journal.addresses[name] = addressOf(future);
    else if (Object.hasOwn(contracts, id)) journal.addresses[name] = contracts[id].address;
    else if (await isSent(id)) journal.underway.push(name);
  }
  for (const future of module.futures) {
    if (future.type === FutureType.CONTRACT_CALL && !(await isSent(future.id))) journal.calls.push(future);
  }
  return journal;
}

/** Returns the address of a contract that exists before a deployment. */
export function addressOf({ address }: NamedArtifactContractAtFuture<string>): string {
  if (typeof address === "string") return address;
  throw new Error("a kept contract's address is not known before the deployment");
}

/** Returns the block of the first contract that Ignition has deployed on a chain. */
export async function firstBlock(chainId: number): Promise<number> {
  const lines = await readLines(chainId);
  return Math.min(...lines.flatMap((line) => (line.type === "TRANSACTION_CONFIRM" ? [line.block] : [])));
}

// Ignition's own list of transactions fails if the chain has lost one of them.
async function readLines(chainId: number): Promise<Line[]> {
  const file = join(journalFolder(chainId), "journal.jsonl");
  if (!existsSync(file)) return [];
  return parseJournal(await readFile(file, "utf8"), file);
}

/** Parses the lines of a journal. @throws InputError for the first malformed one. */
export function parseJournal(journal: string, file: string): Line[] {
  return journal.split("\n").flatMap((line, i) => {
    const place = `${file}:${i + 1}`;
    return line === "" ? [] : [readLine(parseLine(line, place), place)];
  });
}

function parseLine(line: string, place: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new InputError(place, "a run was cut off while writing this line; remove it to go on");
  }
}

const readAny = fields((value) => value);
const readBlock = integer(0, Number.MAX_SAFE_INTEGER);

function readLine(value: unknown, place: string): Line {
  const line = readAny(value, place);
  const inside = (name: string, field: string) => readAny(line.get(name), `${place}.${name}`).get(field);
  const type = line.get("type");
  if (type === "TRANSACTION_SEND") {
    const hash = bytes32(inside("transaction", "hash"), `${place}.transaction.hash`);
    return { type, futureId: text(line.get("futureId"), `${place}.futureId`), hash };
  }
  if (type === "DEPLOYMENT_EXECUTION_STATE_INITIALIZE") {
    return { type, strategy: text(line.get("strategy"), `${place}.strategy`) };
  }
  if (type !== "TRANSACTION_CONFIRM") return { type: "other" };
  return { type, block: readBlock(inside("receipt", "blockNumber"), `${place}.receipt.blockNumber`) };
}
