import { join } from "node:path";
import { concat, dataSlice, id, zeroPadValue, ZeroAddress, type Log } from "ethers";
import { topicsOf } from "../../sdk/chain/events.js";
import { LogReader } from "../../sdk/chain/logs.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { readJson } from "../shared/files/json.js";
import type { Flags } from "../shared/command/command.js";
import { acquireLock } from "../shared/files/lock.js";
import { log, type Result } from "../shared/command/output.js";
import type { CommandContext } from "../shared/command/context.js";
import { minted } from "./minted.js";
import { batchReader, kinds, type Batch, type Mint } from "./mints.js";
import { acceptPrice, forNewcomer, priceOf, priceText, type Calls } from "./price.js";
import { sendEach, type Step } from "./sending.js";

/** An entry of a batch. Its data contains the batch's mark, so that the chain shows which entries are done. */
interface Entry extends Step {
  mint: Mint;
  /** Number of identical entries before this one. */
  copy: number;
}

/** Number of transactions that are requested at once. */
const QUESTIONS = 50;

/** Bytes that mark a batch. */
const MARK = 8;

/** Mints the entries of a file that are not minted yet. */
export async function mintFile(context: CommandContext, file: string, flags: Flags): Promise<Result> {
  const batch = batchReader(context.deployment.addresses)(await readJson(file), file);
  const outbox = await context.outbox();
  const minter = await context.address();
  const lock = join(context.vault.folder, "mints", `${context.chainId}-${minter}.lock`);
  const release = acquireLock(lock, `${minter} is minting a file`);
  try {
    const entries = entriesOf(batch);
    if (flags.dryRun !== true) await outbox.finish(...entries.map(({ action }) => action));
    const done = await countDone(context, entries);
    const left = entries.filter((entry) => entry.copy >= (done.get(keyOf(entry)) ?? 0));
    const before = entries.length - left.length;
    if (before > 0) log(`${before} of ${entries.length} are minted already.`);
    return await mintLeft(context, left, { batch: batch.name, before }, flags);
  } finally {
    release();
  }
}

/** Mints entries, or only shows their price. */
async function mintLeft(
  context: CommandContext,
  left: readonly Entry[],
  summary: { batch: string; before: number },
  flags: Flags,
): Promise<Result> {
  if (left.length === 0) {
    const text = `There is nothing left to mint of ${summary.batch}: name another batch to mint the same again.`;
    return { data: { ...summary, minted: [] }, text };
  }
  const price = await priceOf(context, callsOf(left));
  if (flags.dryRun === true) return { data: { ...summary, ...price }, text: priceText(price) };
  await acceptPrice(context, price, flags);
  const receipts = await sendEach(context, left);
  const outcomes = receipts.map((receipt, i) => minted(left[i].mint, receipt));
  return { data: { ...summary, minted: outcomes.map(({ data }) => data) }, text: outcomes.map(({ text }) => text) };
}

function entriesOf({ name, mints }: Batch): Entry[] {
  const mark = dataSlice(id(name), 0, MARK);
  const copies = new Map<string, number>();
  return mints.map((mint) => {
    // Contracts ignore data after the arguments of a call.
    const step = { to: mint.token, data: concat([mint.data, mark]) };
    const copy = copies.get(keyOf(step)) ?? 0;
    copies.set(keyOf(step), copy + 1);
    const what = `mint of ${mint.kind.name} for ${mint.to}`;
    return { ...step, mint, copy, action: { call: "mint", what, content: [step.to, step.data, copy] } };
  });
}

/** Groups entries by kind. */
function callsOf(entries: readonly Entry[]): Calls[] {
  return kinds.flatMap((kind) => {
    const like = entries.filter(({ mint }) => mint.kind === kind);
    return like.length === 0 ? [] : [{ kind, to: like[0].to, data: forNewcomer(like[0].data), count: like.length }];
  });
}

function keyOf({ to, data }: { to: string; data: Hex }): string {
  return `${to} ${data}`;
}

/** Counts the mined transactions that are identical to an entry, by the entry's key. */
async function countDone(context: CommandContext, entries: readonly Entry[]): Promise<Map<string, number>> {
  const { deployment, provider } = context;
  const keys = new Set(entries.map(keyOf));
  const places = new Set(entries.map(({ mint }) => placeOf(mint.token, mint.to)));
  const [transfer] = topicsOf("Transfer");
  const address = kinds.map(({ contract }) => deployment.addresses[contract]);
  const filter = { address, topics: [transfer, zeroPadValue(ZeroAddress, 32)] };
  const last = await provider.getBlockNumber();
  const done = new Map<string, number>();
  for await (const { logs } of LogReader.of(provider).forward(filter, deployment.block, last)) {
    const hashes = new Set(logs.filter((each) => places.has(placeIn(each))).map((each) => each.transactionHash));
    for (const key of await keysOf(context, [...hashes])) if (keys.has(key)) done.set(key, (done.get(key) ?? 0) + 1);
  }
  return done;
}

/** Describes the tokens of entries with the same contract and receiver. */
function placeOf(token: string, to: string): string {
  return `${token} ${to}`.toLowerCase();
}

function placeIn({ address, topics }: Log): string {
  return placeOf(address, dataSlice(topics[2], 12));
}

/** Reads the keys of transactions. @throws Error if the node has pruned one. */
async function keysOf({ provider }: CommandContext, hashes: readonly string[]): Promise<string[]> {
  const keys: string[] = [];
  for (let first = 0; first < hashes.length; first += QUESTIONS) {
    const some = hashes.slice(first, first + QUESTIONS);
    const found = await Promise.all(some.map((hash) => provider.getTransaction(hash)));
    const lost = found.findIndex((each) => each === null);
    if (lost >= 0) throw new Error(`The node has forgotten transaction ${some[lost]}: ask another one with --rpc.`);
    keys.push(...found.map((each) => keyOf({ to: each!.to!, data: each!.data })));
  }
  return keys;
}
