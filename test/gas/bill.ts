import { toBeHex, type Provider, type TransactionReceipt } from "ethers";
import { readTerms } from "../../sdk/chain/terms.js";
import { calldataGas, publishedBy } from "./data.js";
import { namingFor, type Naming } from "./storage.js";
import type { Costs, World } from "./world.js";

/** An execution step in a node's trace. */
interface Step {
  op: string;
  depth: number;
  /** Gas left before the step. */
  gas: number;
  gasCost: number;
  stack: string[];
}

/** A call of a contract while its steps are processed. */
interface Frame {
  address: string;
  /** Gas of its steps so far, without the calls that they made. */
  spent: number;
}

type Sender = Provider & { send(method: string, params: unknown[]): Promise<unknown> };

const BASE = 21_000;
const CALLS = ["CALL", "STATICCALL"];
/** Gas of the first access to an account. */
const COLD_ACCOUNT = 2600;
const ACCOUNTS = [...CALLS, "EXTCODECOPY", "EXTCODESIZE", "BALANCE"];

/**
 * Returns the gas of all transactions of the latest match, by its purpose, and records the data that they publish.
 * @param from Index in `sent` of the first transaction to look at.
 */
export async function billed(
  { arena, ethers, receiptsFrom, published }: World,
  name: string,
  from: number,
): Promise<Costs> {
  const matchId = await arena.matchCount();
  const told = (await receiptsFrom(from)).map((receipt) => {
    const logs = receipt.logs.filter(({ address }) => address === arena.target);
    const events = logs.map((log) => arena.interface.parseLog(log)!.args.toObject());
    return { receipt, args: Object.assign({}, ...events) as Told };
  });
  const own = told.filter(({ args }) => args.matchId === matchId);
  const args = Object.assign({}, ...own.map((each) => each.args)) as Required<Told>;
  published[name] = await publishedBy(
    (data) => arena.interface.parseTransaction({ data })!.name,
    own.map(({ receipt }) => receipt),
  );
  const naming = namingFor({
    arena: await arena.getAddress(),
    matchId,
    terms: await readTerms(arena, await arena.termsIdOf(args.termsHash)),
    players: [args.player1, args.player2],
    treasury: await arena.treasury(),
  });
  const bill = await billOf(
    ethers.provider,
    own.map(({ receipt }) => receipt),
    naming,
  );
  return Object.fromEntries(Object.entries(bill).map(([what, gas]) => [`bill of ${name}: ${what}`, gas]));
}

/** The facts of a match from the arena's events. */
interface Told {
  matchId?: bigint;
  termsHash?: string;
  player1?: string;
  player2?: string;
}

/** Adds up the costs of transactions, step by step. @throws Error if the sum differs from the chain's. */
async function billOf(provider: Provider, sent: readonly TransactionReceipt[], naming: Naming): Promise<Costs> {
  const bill: Costs = {};
  const add = (what: string, gas: number) => (bill[what] = (bill[what] ?? 0) + gas);
  for (const receipt of sent) {
    const { data } = await receipt.getTransaction();
    const before = sumOf(bill);
    add("transactions", BASE);
    add("calldata", calldataGas(data));
    const options = { disableMemory: true, disableStorage: true };
    const trace = (await (provider as Sender).send("debug_traceTransaction", [receipt.hash, options])) as {
      structLogs: Step[];
    };
    for (const [what, gas] of costsOf(trace.structLogs, receipt.to!, naming)) add(what, gas);
    const refund = Number(receipt.gasUsed) - (sumOf(bill) - before);
    if (refund > 0) throw new Error(`The trace of ${receipt.hash} lacks ${refund} gas.`);
    if (refund < 0) add("given back", refund);
  }
  return bill;
}

function sumOf(bill: Costs): number {
  return Object.values(bill).reduce((sum, gas) => sum + gas, 0);
}

/** Each step's own cost, by its purpose. */
function* costsOf(steps: readonly Step[], to: string, naming: Naming): Generator<[what: string, gas: number]> {
  const frames: Frame[] = [{ address: to, spent: 0 }];
  /** Calls that have not returned yet. */
  const calls: Step[] = [];
  for (const [i, step] of steps.entries()) {
    const next = steps.at(i + 1);
    while (calls.length > 0 && step.depth <= calls.at(-1)!.depth) {
      const call = calls.pop()!;
      const { spent } = frames.pop()!;
      const total = call.gas - step.gas;
      yield [whatOf(call), total - spent];
      frames.at(-1)!.spent += total;
    }
    const frame = frames.at(-1)!;
    if (CALLS.includes(step.op) && next && next.depth > step.depth) {
      calls.push(step);
      frames.push({ address: toBeHex(BigInt(hexOf(step.stack.at(-2)!)), 20), spent: 0 });
      continue;
    }
    frame.spent += step.gasCost;
    const isStorage = step.op === "SLOAD" || step.op === "SSTORE";
    const slot = isStorage ? BigInt(hexOf(step.stack.at(-1)!)) : 0n;
    yield [isStorage ? naming(frame.address, slot) : whatOf(step), step.gasCost];
  }
}

function whatOf({ op, gasCost }: Step): string {
  if (op.startsWith("LOG")) return "logs";
  return ACCOUNTS.includes(op) && gasCost >= COLD_ACCOUNT ? "accounts" : "arithmetic";
}

function hexOf(word: string): string {
  return word.startsWith("0x") ? word : `0x${word}`;
}
