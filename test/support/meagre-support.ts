import { proxyTo, type Call, type Intercept, type Refusal } from "./play-proxy.js";
import { rpc } from "./running.js";

/** Limits of a node. */
export interface Means {
  blocks?: number;
  results?: number;
  /** Number of latest blocks whose state it keeps. */
  states?: number;
}

/** Limits of some public nodes. */
const MEANS = { blocks: 10, results: 1000, states: 128 };
const CALLS = 10;

/**
 * Starts a proxy in front of the node on a port, with the limits of poor public nodes: few blocks and results per
 * request, no old state, occasional 503s and rate limits.
 */
export async function meagreNode(port: number, means: Means = {}) {
  const { blocks, results, states } = { ...MEANS, ...means };
  let requests = 0;
  const asked: Call[] = [];
  const refuse = (calls: readonly Call[]): Refusal | undefined => {
    asked.push(...calls);
    requests++;
    if (requests % 13 === 0) return { status: 503 };
    return requests % 11 === 0 ? { status: 429, headers: { "retry-after": "0" } } : undefined;
  };
  const intercept: Intercept = async (method, params) => {
    if (method === "eth_getLogs") return logs(params);
    const tag = params.at(-1);
    if (method !== "eth_call" || typeof tag !== "string" || !tag.startsWith("0x")) return undefined;
    const head = Number(await rpc(port, "eth_blockNumber"));
    if (head - Number(tag) > states) throw new Error("missing trie node 12ab (path )");
    return undefined;
  };
  const logs = async (params: unknown[]): Promise<unknown> => {
    const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }];
    if (Number(toBlock) - Number(fromBlock) >= blocks) {
      throw Object.assign(new Error(`query exceeds max block range ${blocks}`), { code: -32_602 });
    }
    const found = (await rpc(port, "eth_getLogs", params)) as unknown[];
    if (found.length <= results) return found;
    throw Object.assign(new Error(`query returned more than ${results} results`), { code: -32_005 });
  };
  const { url, close } = await proxyTo(port, intercept, CALLS, refuse);
  return {
    url,
    close,
    /** Returns the number of requests for logs. */
    questions: () => asked.filter(({ method }) => method === "eth_getLogs").length,
  };
}
