import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { json } from "node:stream/consumers";
import { MultiNodeProvider } from "../../cli/shared/node/provider.js";
import { HOST, urlOfServer } from "../../cli/shared/server/port.js";
import { hexlify, randomBytes, toBeHex, ZeroAddress, ZeroHash } from "ethers";
import { arenaAbi } from "../../sdk/chain/arena.js";
import type { Archive } from "../../sdk/chain/archive.js";
import { encodeEvent } from "../../sdk/chain/events.js";
import { locatedMismatchText } from "../../sdk/chain/mismatch.js";
import { games } from "../../sdk/games/index.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { NEWCOMER } from "../../sdk/protocol/ladder.js";
import { Reading } from "../../sdk/verify/reading.js";
import { verify } from "../../sdk/verify/verify.js";

/** Bloom filters that exclude no log, and that exclude every log. */
const ANY_LOG = `0x${"f".repeat(512)}`;
const NO_LOG = `0x${"0".repeat(512)}`;

/** Number of low bits in a block's hash that contain the block's number. */
const NUMBER_BITS = 64n;

/** Transactions per block: the node merges this many recorded blocks, which have one transaction each, into one. */
const TRANSACTIONS = 10;

/** Number of zero bytes that a view returns for unused entries. */
const UNUSED_BYTES = 1024;

/** View of a player's record, which begins with a rating. */
const RECORD = arenaAbi.getFunction("recordOf");

interface Request {
  id: number;
  method: string;
  params: unknown[];
}

/** A log in JSON-RPC format. */
interface RecordedLog {
  address: string;
  topics: Hex[];
  data: Hex;
  blockNumber: Hex;
  blockHash: Hex;
  transactionHash: Hex;
  transactionIndex: Hex;
  logIndex: Hex;
  removed: false;
}

/** A call of a view. */
interface ViewCall {
  to: string;
  data: string;
}

interface LogQuery {
  address?: string | string[];
  topics?: (null | string | string[])[];
  fromBlock: string;
  toBlock: string;
  /** Hash of a single block, which replaces the two numbers. */
  blockHash?: string;
}

/** Server on 127.0.0.1 that answers like the node of a chain that has the recorded events. */
export class RecordedNode {
  /** Logs by block. */
  private readonly logs = new Map<number, RecordedLog[]>();
  private readonly head: number;
  /** Answers of views at the end of the recording, by contract and data of the call. */
  private readonly views = new Map<string, string>();
  private readonly salt = BigInt(hexlify(randomBytes(23)));

  private constructor(
    private readonly archive: Archive,
    private readonly server: Server,
  ) {
    for (const event of archive.all) {
      const { topics, data } = encodeEvent(event);
      const block = blockOf(event.block);
      const logs = this.logs.get(block) ?? [];
      this.logs.set(block, logs);
      const transaction = event.block % TRANSACTIONS;
      logs.push({
        address: event.address.toLowerCase(),
        topics,
        data,
        blockNumber: quantity(block),
        blockHash: this.hashOf(block),
        transactionHash: this.hashOf(event.block, 1n),
        transactionIndex: quantity(transaction),
        logIndex: quantity(logs.length),
        removed: false,
      });
    }
    this.head = blockOf(archive.all.at(-1)!.block);
  }

  /** Starts the node on a free port. */
  static async start(archive: Archive): Promise<RecordedNode> {
    const server = createServer();
    const node = new RecordedNode(archive, server);
    server.on("request", (request, response) => {
      void json(request).then((body) => {
        const answers = [body as Request | Request[]].flat().map((each) => node.answer(each));
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify(Array.isArray(body) ? answers : answers[0]));
      });
    });
    server.listen(0, HOST);
    await once(server, "listening");
    return node;
  }

  get url(): string {
    return urlOfServer(this.server);
  }

  /**
   * Makes the node answer the calls of `verify` and of commands that read matches and players: the verifier derives the
   * contracts' state from the events. A mismatch among the events is thrown as an error.
   */
  async recordViews(): Promise<void> {
    const { addresses } = this.archive;
    const provider = await MultiNodeProvider.connect(this.url);
    try {
      const reading = await Reading.open(provider, addresses);
      const ask = async (to: string, data: string, expected?: string) => {
        if (expected !== undefined) this.views.set(viewKey({ to, data }), expected);
        return expected;
      };
      const { mismatch } = await verify(reading, games, { ask });
      if (mismatch) throw new Error(locatedMismatchText(mismatch));
    } finally {
      provider.destroy();
    }
    for (const { args } of this.archive.find(addresses.Arena, "TermsAdded")) {
      const data = arenaAbi.encodeFunctionData("termsOf", [args.termsId]);
      this.views.set(viewKey({ to: addresses.Arena, data }), arenaAbi.encodeFunctionResult("termsOf", [args.terms]));
    }
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  /**
   * Returns the hash of a block, which contains the block's number and is unique to this node.
   * @param kind 1 for the hash of the block's transaction.
   */
  private hashOf(block: number, kind = 0n): Hex {
    return toBeHex(((this.salt + kind) << NUMBER_BITS) | BigInt(block), 32);
  }

  private numberOf(hash: string): number {
    return Number(BigInt.asUintN(Number(NUMBER_BITS), BigInt(hash)));
  }

  private answer({ id, method, params }: Request): object {
    try {
      return { jsonrpc: "2.0", id, result: this.resultOf(method, params) };
    } catch (error) {
      return { jsonrpc: "2.0", id, error: { code: -32601, message: (error as Error).message } };
    }
  }

  private resultOf(method: string, params: unknown[]): unknown {
    if (method === "eth_chainId") return quantity(Number(this.archive.chainId));
    if (method === "eth_blockNumber") return quantity(this.head);
    if (method === "eth_getCode") return "0x00";
    if (method === "eth_getBlockByNumber") return this.block(params[0] as string);
    if (method === "eth_getBlockByHash") return this.block(quantity(this.numberOf(params[0] as string)));
    if (method === "eth_getLogs") return this.logsFor(params[0] as LogQuery);
    if (method === "eth_call") return this.view(params[0] as ViewCall);
    throw new Error(`A recorded chain does not answer ${method}.`);
  }

  /** Returns the answer of a view; zeros for unused entries, except for records. */
  private view(call: ViewCall): string {
    const known = this.views.get(viewKey(call));
    if (known !== undefined) return known;
    if (call.data.startsWith(RECORD.selector)) return arenaAbi.encodeFunctionResult(RECORD, [NEWCOMER]);
    return `0x${"00".repeat(UNUSED_BYTES)}`;
  }

  /** Returns the time of a served block: that of its last recorded block, since no offer may be firm for too long. */
  private timeOf(number: number): number {
    const last = Math.min(TRANSACTIONS * (number + 1) - 1, this.archive.all.at(-1)!.block);
    return Number(this.archive.timeOf(last)!);
  }

  private block(tag: string): object | null {
    const number = tag.startsWith("0x") ? Number(tag) : this.head;
    if (number > this.head) return null;
    const logs = this.logs.get(number) ?? [];
    const nothing = {
      to: ZeroAddress,
      input: "0x",
      value: "0x0",
      nonce: "0x0",
      gas: "0x0",
      gasPrice: "0x0",
      type: "0x0",
    };
    const sent = { from: ZeroAddress, ...nothing, r: ZeroHash, s: ZeroHash, v: "0x0" };
    const transactions = new Map(
      logs.map(({ transactionHash: hash, transactionIndex, blockNumber, blockHash }) => {
        return [hash, { hash, transactionIndex, blockNumber, blockHash, ...sent }];
      }),
    );
    return {
      number: quantity(number),
      timestamp: quantity(this.timeOf(number)),
      hash: this.hashOf(number),
      parentHash: number === 0 ? ZeroHash : this.hashOf(number - 1),
      logsBloom: logs.length > 0 ? ANY_LOG : NO_LOG,
      miner: ZeroAddress,
      receiptsRoot: ZeroHash,
      stateRoot: ZeroHash,
      transactionsRoot: ZeroHash,
      sha3Uncles: ZeroHash,
      mixHash: ZeroHash,
      nonce: "0x0000000000000000",
      baseFeePerGas: "0x0",
      gasLimit: "0x0",
      gasUsed: "0x0",
      size: "0x0",
      difficulty: "0x0",
      totalDifficulty: "0x0",
      extraData: "0x",
      uncles: [],
      transactions: [...transactions.values()],
    };
  }

  private logsFor({ address, topics = [], fromBlock, toBlock, blockHash }: LogQuery): RecordedLog[] {
    const one = blockHash === undefined ? undefined : this.numberOf(blockHash);
    const [from, to] = [fromBlock, toBlock].map((tag) => one ?? (tag.startsWith("0x") ? Number(tag) : this.head));
    const addresses = address === undefined ? undefined : new Set([address].flat().map((each) => each.toLowerCase()));
    const wanted = topics.map((topic) => (topic === null ? undefined : new Set([topic].flat())));
    const found: RecordedLog[] = [];
    for (let number = from; number <= Math.min(to, this.head); number++) {
      for (const log of this.logs.get(number) ?? []) {
        if (addresses && !addresses.has(log.address)) continue;
        if (wanted.every((topic, i) => topic === undefined || topic.has(log.topics[i]))) found.push(log);
      }
    }
    return found;
  }
}

function viewKey({ to, data }: ViewCall): string {
  return `${to.toLowerCase()} ${data}`;
}

/** Returns the number of the served block that contains a block of the recording. */
function blockOf(recorded: number): number {
  return Math.floor(recorded / TRANSACTIONS);
}

function quantity(value: number): Hex {
  return `0x${value.toString(16)}`;
}
