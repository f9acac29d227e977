import { Common, Hardfork, Mainnet, type StateManagerInterface } from "@ethereumjs/common";
import { createEVM, type EVM, type EVMRunCallOpts, type ExecResult } from "@ethereumjs/evm";
import { SimpleStateManager } from "@ethereumjs/statemanager";
import { bytesToHex, createAccount, createAddressFromString, createZeroAddress, hexToBytes } from "@ethereumjs/util";
import {
  getAddress,
  id,
  toQuantity,
  Transaction,
  type JsonRpcError,
  type JsonRpcPayload,
  type JsonRpcResult,
} from "ethers";
import { estimated, gasBefore, gasUsedBy, MAX_GAS } from "./gas.ts";

type Hex = `0x${string}`;

/** A call or a transaction, as in JSON-RPC. */
interface Request {
  from?: string;
  to?: string;
  data?: Hex;
  value?: string;
  gas?: string;
}

/** Log of a transaction, as in JSON-RPC. */
interface Log {
  address: string;
  topics: Hex[];
  data: Hex;
  blockNumber: string;
  blockHash: string;
  transactionHash: string;
  transactionIndex: string;
  logIndex: string;
  removed: false;
}

/** Requested logs, as in JSON-RPC. */
interface LogQuery {
  address?: string | string[];
  topics?: (null | string | string[])[];
  fromBlock?: string;
  toBlock?: string;
  blockHash?: string;
}

/** Block with at most one transaction. */
interface Block {
  number: number;
  timestamp: bigint;
  hash: string;
  /** State after the block. */
  state: StateManagerInterface;
  transaction?: Readonly<Record<string, unknown>> & { hash: string };
  receipt?: Readonly<Record<string, unknown>> & { logs: Log[] };
}

/** Options of a chain. */
export interface PlaygroundChainOptions {
  chainId: bigint;
  /** Accounts that may send transactions without a signature; each has `BALANCE` of the coin. */
  accounts: readonly string[];
  /** Returns the time in seconds since 1970; defaults to that of the machine. */
  now?: () => number;
}

/** Initial balance of each account: 10,000 coins. */
const BALANCE = 10n ** 22n;
/** Longest time that can be skipped at once, in seconds: 100 years. */
const MAX_SKIP = 3_153_600_000n;

/** Codes of JSON-RPC errors. */
const REVERTED = 3;
const UNKNOWN_METHOD = -32601;
const INVALID = -32602;

/** Error of a request, as in JSON-RPC. */
export class RpcError extends Error {
  override readonly name = "RpcError";

  /** @param data Data that the contract reverted with. */
  constructor(
    readonly code: number,
    message: string,
    readonly data?: Hex,
  ) {
    super(message);
  }
}

/**
 * A chain in memory, whose contracts run in a real EVM. It answers JSON-RPC like a node with unlocked accounts. Each
 * transaction has its own block and costs gas, but no coin. A transaction that reverts is refused, and changes nothing.
 */
export class PlaygroundChain {
  private readonly blocks: Block[] = [];
  /** Seconds by which the chain is ahead of the clock. */
  private ahead = 0n;
  private queue: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly evm: EVM,
    private readonly options: PlaygroundChainOptions,
  ) {
    this.mine(this.nextTime());
  }

  static async start(options: PlaygroundChainOptions): Promise<PlaygroundChain> {
    const common = new Common({ chain: { ...Mainnet, chainId: Number(options.chainId) }, hardfork: Hardfork.Osaka });
    const stateManager = new SimpleStateManager({ common });
    for (const account of options.accounts) {
      await stateManager.putAccount(createAddressFromString(account), createAccount({ balance: BALANCE }));
    }
    return new PlaygroundChain(await createEVM({ common, stateManager }), options);
  }

  /** Answers requests one after the other, since they share the EVM. @throws RpcError */
  async request(method: string, params: readonly unknown[] = []): Promise<unknown> {
    const answer = this.queue.then(() => this.answer(method, params));
    this.queue = answer.catch(() => undefined);
    return answer;
  }

  /** Answers a request in the form of JSON-RPC. */
  async respond({ id, method, params }: JsonRpcPayload): Promise<JsonRpcResult | JsonRpcError> {
    try {
      return { id, result: await this.request(method, params as unknown[]) };
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      const { code, message, data } = error;
      return { id, error: { code, message, data } };
    }
  }

  private async answer(method: string, params: readonly unknown[]): Promise<unknown> {
    const [first, second] = params as [never, never];
    switch (method) {
      case "eth_chainId":
        return toQuantity(this.options.chainId);
      case "eth_accounts":
        return this.options.accounts;
      case "eth_gasPrice":
      case "eth_maxPriorityFeePerGas":
        return "0x0";
      case "eth_blockNumber":
        return toQuantity(this.last.number);
      case "eth_getBlockByNumber":
        return this.blockBy(first, second);
      case "eth_getTransactionByHash":
        return this.blocks.find(({ transaction }) => transaction?.hash === first)?.transaction ?? null;
      case "eth_getTransactionReceipt":
        return this.blocks.find(({ transaction }) => transaction?.hash === first)?.receipt ?? null;
      case "eth_getLogs":
        return this.logs(first);
      case "eth_getBalance":
        return toQuantity((await this.accountAt(first, second))?.balance ?? 0n);
      case "eth_getTransactionCount":
        return toQuantity((await this.accountAt(first, second))?.nonce ?? 0n);
      case "eth_getCode":
        return bytesToHex(await this.blockAt(second).state.getCode(createAddressFromString(first)));
      case "eth_call":
        return bytesToHex((await this.tried(first, second)).execResult.returnValue);
      case "eth_estimateGas":
        return toQuantity(await estimated(async (gas) => (await this.tried({ ...(first as Request), gas })).gasUsed));
      case "eth_sendTransaction":
        return this.send(first);
      case "eth_sendRawTransaction":
        return this.sendSigned(first);
      case "evm_increaseTime":
        return this.skip(BigInt(first));
      case "evm_mine":
        return toQuantity(this.mine(this.nextTime()).number);
      default:
        throw new RpcError(UNKNOWN_METHOD, `The playground's chain does not answer ${method}.`);
    }
  }

  private get last(): Block {
    return this.blocks[this.blocks.length - 1];
  }

  private nextTime(): bigint {
    const { now = () => Math.floor(Date.now() / 1000) } = this.options;
    const time = BigInt(now()) + this.ahead;
    const earliest = (this.blocks.at(-1)?.timestamp ?? -1n) + 1n;
    return time > earliest ? time : earliest;
  }

  private skip(seconds: bigint): string {
    if (seconds < 0n || seconds > MAX_SKIP) throw new RpcError(INVALID, `Time cannot be moved by ${seconds} s.`);
    this.ahead += seconds;
    return toQuantity(this.ahead);
  }

  private mine(timestamp: bigint): Block {
    const number = this.blocks.length;
    const state = this.evm.stateManager.shallowCopy();
    const block = { number, timestamp, hash: id(`block ${number} ${timestamp}`), state };
    this.blocks.push(block);
    return block;
  }

  /** Runs a call in the next block, or on the state of an earlier one, and undoes it. */
  private async tried(request: Request, tag?: string) {
    const past = this.blockAt(tag);
    const isLatest = past === this.last;
    const { common } = this.evm;
    const evm = isLatest ? this.evm : await createEVM({ common, stateManager: past.state.shallowCopy() });
    await evm.stateManager.checkpoint();
    try {
      return await this.run(request, isLatest ? this.next() : past, evm);
    } finally {
      await evm.stateManager.revert();
    }
  }

  private next(): Pick<Block, "number" | "timestamp"> {
    return { number: this.blocks.length, timestamp: this.nextTime() };
  }

  /** Sends a transaction of an account of this chain. */
  private async send(request: Request): Promise<string> {
    const from = getAddress(request.from ?? "");
    if (!this.options.accounts.some((account) => getAddress(account) === from)) {
      throw new RpcError(INVALID, `The playground has no account ${from}.`);
    }
    const nonce = await this.nonceOf(from);
    return this.included({ ...request, from }, nonce, id(`transaction ${this.blocks.length} ${from} ${nonce}`));
  }

  /** Sends a transaction that any account has signed. */
  private async sendSigned(raw: string): Promise<string> {
    const { from, to, data, value, gasLimit, nonce, chainId, hash } = Transaction.from(raw);
    const expected = await this.nonceOf(from!);
    if (chainId !== this.options.chainId || BigInt(nonce) !== expected) {
      const wanted = `chain ${this.options.chainId} and nonce ${expected}`;
      throw new RpcError(INVALID, `The transaction is for chain ${chainId} and nonce ${nonce}, not for ${wanted}.`);
    }
    const request = { from: from!, to: to ?? undefined, data: data as Hex };
    return this.included({ ...request, value: toQuantity(value), gas: toQuantity(gasLimit) }, expected, hash!);
  }

  private async nonceOf(address: string): Promise<bigint> {
    return (await this.accountAt(address))?.nonce ?? 0n;
  }

  /** Puts a transaction into a block of its own. @returns its hash */
  private async included(request: Request & { from: string }, nonce: bigint, hash: string): Promise<string> {
    const { evm } = this;
    const { from } = request;
    const next = this.next();
    await evm.stateManager.checkpoint();
    const ran = await this.run(request, next).catch(async (error: unknown) => {
      await evm.stateManager.revert();
      throw error;
    });
    await evm.stateManager.commit();
    const block = this.mine(next.timestamp);
    const place = { blockNumber: toQuantity(block.number), blockHash: block.hash, transactionIndex: "0x0" };
    const logs = (ran.execResult.logs ?? []).map(([address, topics, data], i) => ({
      address: getAddress(bytesToHex(address)),
      topics: topics.map((topic) => bytesToHex(topic)),
      data: bytesToHex(data),
      ...place,
      transactionHash: hash,
      logIndex: toQuantity(i),
      removed: false as const,
    }));
    const { to = null, data = "0x", value = "0x0", gas = toQuantity(MAX_GAS) } = request;
    block.transaction = {
      ...{ hash, ...place, from, to, input: data, value, gas, type: "0x0", nonce: toQuantity(nonce) },
      ...{ gasPrice: "0x0", chainId: toQuantity(this.options.chainId), ...NO_SIGNATURE },
    };
    block.receipt = {
      ...{ transactionHash: hash, ...place, from, to, logs, type: "0x0", status: "0x1", logsBloom: NO_BLOOM },
      ...{ gasUsed: toQuantity(ran.gasUsed), cumulativeGasUsed: toQuantity(ran.gasUsed), effectiveGasPrice: "0x0" },
      contractAddress: ran.createdAddress ? getAddress(ran.createdAddress.toString()) : null,
    };
    return hash;
  }

  /** Runs a transaction as part of a block. @throws RpcError if it reverts or runs out of gas */
  private async run(
    { from, to, data = "0x", value, gas = toQuantity(MAX_GAS) }: Request,
    { number, timestamp }: Pick<Block, "number" | "timestamp">,
    evm = this.evm,
  ) {
    const input = hexToBytes(data);
    const caller = from === undefined ? createZeroAddress() : createAddressFromString(from);
    const receiver = to === undefined || to === null ? undefined : createAddressFromString(to);
    const before = gasBefore(input, receiver === undefined);
    const gasLimit = BigInt(gas) - before;
    if (gasLimit < 0n) throw new RpcError(INVALID, `The transaction needs more than ${BigInt(gas)} gas.`);
    const balance = (await evm.stateManager.getAccount(caller))?.balance ?? 0n;
    if (balance < BigInt(value ?? 0)) throw new RpcError(INVALID, "insufficient funds for the value");
    for (const warm of [caller, receiver ?? [], createZeroAddress()].flat()) {
      evm.journal.addAlwaysWarmAddress(warm.toString());
    }
    for (const precompile of evm.precompiles.keys()) evm.journal.addAlwaysWarmAddress(precompile);
    const block = headerOf(number, timestamp);
    const options = { block, caller, to: receiver, data: input, value: BigInt(value ?? 0), gasLimit };
    const ran = await evm.runCall(options);
    await evm.journal.cleanup();
    evm.transientStorage.clear();
    (evm.stateManager as SimpleStateManager).originalStorageCache.clear();
    const { exceptionError, returnValue } = ran.execResult;
    if (exceptionError) throw refusal(exceptionError.error, returnValue);
    return { ...ran, gasUsed: gasUsedBy(input, before, ran.execResult) };
  }

  private blockBy(tag: string, isFull: boolean): object | null {
    if (tag === "pending") return blockText({ ...this.next(), hash: id(tag) });
    const block = this.blocks.at(this.numberOf(tag));
    return block ? blockText(block, isFull) : null;
  }

  /** Returns the number of a block that a tag names. */
  private numberOf(tag = "latest"): number {
    if (tag.startsWith("0x")) return Number(tag);
    return tag === "earliest" ? 0 : this.last.number;
  }

  private logs({ address, topics = [], fromBlock, toBlock, blockHash }: LogQuery): Log[] {
    const [first, last] = [this.numberOf(fromBlock), this.numberOf(toBlock)];
    const addresses = address === undefined ? undefined : [address].flat().map((each) => each.toLowerCase());
    const isWanted = ({ number, hash }: Block) =>
      blockHash === undefined ? number >= first && number <= last : hash === blockHash;
    return this.blocks
      .filter(isWanted)
      .flatMap(({ receipt }) => receipt?.logs ?? [])
      .filter((log) => addresses?.includes(log.address.toLowerCase()) ?? true)
      .filter((log) => topics.every((wanted, i) => wanted === null || [wanted].flat().includes(log.topics[i])));
  }

  private async accountAt(address: string, tag?: string) {
    return this.blockAt(tag).state.getAccount(createAddressFromString(address));
  }

  /** @throws RpcError for a block that does not exist */
  private blockAt(tag?: string): Block {
    const block = this.blocks.at(this.numberOf(tag));
    if (!block) throw new RpcError(INVALID, `There is no block ${tag}.`);
    return block;
  }
}

/** Parts of transactions and receipts that no reader uses. */
const NO_BLOOM = `0x${"0".repeat(512)}`;
const NO_SIGNATURE = { v: "0x1b", r: `0x${"1".repeat(64)}`, s: `0x${"1".repeat(64)}` };

/** Returns the header of a block, as contracts see it. */
function headerOf(number: number, timestamp: bigint): EVMRunCallOpts["block"] {
  return {
    header: {
      number: BigInt(number),
      timestamp,
      coinbase: createZeroAddress(),
      difficulty: 0n,
      prevRandao: new Uint8Array(32),
      gasLimit: MAX_GAS,
      baseFeePerGas: 0n,
      slotNumber: 0n,
      getBlobGasPrice: () => 1n,
    },
  };
}

/** Writes a block as in JSON-RPC. */
function blockText({ number, timestamp, hash, transaction }: Omit<Block, "state">, isFull = false): object {
  return {
    number: toQuantity(number),
    timestamp: toQuantity(timestamp),
    hash,
    parentHash: id(`parent of ${hash}`),
    miner: createZeroAddress().toString(),
    nonce: "0x0000000000000000",
    difficulty: "0x0",
    gasLimit: toQuantity(MAX_GAS),
    gasUsed: "0x0",
    extraData: "0x",
    baseFeePerGas: "0x0",
    transactions: transaction ? [isFull ? transaction : transaction.hash] : [],
  };
}

/** Returns the error of a call that failed, with the data of a contract that reverted. */
function refusal(reason: string, returned: ExecResult["returnValue"]): RpcError {
  return reason === "revert"
    ? new RpcError(REVERTED, "execution reverted", bytesToHex(returned))
    : new RpcError(REVERTED, `The transaction failed: ${reason}.`, "0x");
}
