import { JsonRpcProvider, Network, toBeHex, ZeroAddress, type LogParams } from "ethers";
import type { Hex } from "../protocol/hex.js";
import { encodeEvent, type AnyEvent } from "./events.js";

/** Chain in memory that a provider can read. */
interface MemoryChain {
  /** Number of the latest block. */
  readonly block: number;
  /** All events, in the order of the chain. */
  readonly events: readonly AnyEvent[];
  /** Returns the time of a block, in seconds since 1970. */
  timeOf(block: number): bigint;
  /** Answers a call of a contract's view. @throws Error for an unknown view */
  view(to: string, data: Hex): Hex;
}

/** Requested logs, as in JSON-RPC. */
interface LogQuery {
  address?: string | string[];
  topics?: (null | string | string[])[];
  fromBlock: string;
  toBlock: string;
}

/** Provider that answers from a chain in memory, without sending requests. */
export class MemoryProvider extends JsonRpcProvider {
  constructor(
    chainId: bigint,
    private readonly chain: MemoryChain,
  ) {
    const network = Network.from(chainId);
    super(undefined, network, { staticNetwork: network, cacheTimeout: -1 });
  }

  override async send(method: string, params: unknown[]): Promise<unknown> {
    if (method === "eth_call") {
      const { to, data } = params[0] as { to: string; data: Hex };
      return this.chain.view(to, data);
    }
    if (method === "eth_blockNumber") return toBeHex(this.chain.block);
    if (method === "eth_getBlockByNumber") return this.blockAt(params[0] as string);
    if (method === "eth_getLogs") return this.logs(params[0] as LogQuery);
    throw new Error(`A chain in memory does not answer ${method}.`);
  }

  private blockAt(tag: string): object | null {
    const number = tag.startsWith("0x") ? Number(tag) : this.chain.block;
    if (number > this.chain.block) return null;
    return {
      number,
      timestamp: Number(this.chain.timeOf(number)),
      hash: hashOf(number),
      parentHash: hashOf(Math.max(0, number - 1)),
      miner: ZeroAddress,
      nonce: "0x0000000000000000",
      difficulty: 0,
      gasLimit: 0,
      gasUsed: 0,
      extraData: "0x",
      transactions: [],
    };
  }

  private logs({ address, topics = [], fromBlock, toBlock }: LogQuery): LogParams[] {
    const [from, to] = [Number(fromBlock), Number(toBlock)];
    const addresses = address === undefined ? undefined : [address].flat().map((each) => each.toLowerCase());
    return this.chain.events
      .filter(({ block }) => block >= from && block <= to)
      .filter((event) => addresses?.includes(event.address.toLowerCase()) ?? true)
      .map((event) => ({ event, ...encodeEvent(event) }))
      .filter((log) => topics.every((wanted, i) => wanted === null || [wanted].flat().includes(log.topics[i])))
      .map(({ event, topics: own, data }) => ({
        address: event.address,
        topics: own,
        data,
        blockNumber: event.block,
        blockHash: hashOf(event.block),
        transactionHash: event.transaction,
        transactionIndex: 0,
        index: event.index,
        removed: false,
      }));
  }
}

/** Returns the hash of a block, derived from its number. */
function hashOf(block: number): Hex {
  return toBeHex(block, 32);
}
