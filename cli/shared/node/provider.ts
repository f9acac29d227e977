import { JsonRpcProvider, keccak256, Network, type JsonRpcPayload, type JsonRpcResult } from "ethers";
import { explain } from "../../../sdk/player/errors.js";
import { InputError } from "../../../sdk/protocol/input.js";
import { Outage, troubleOf } from "../../../sdk/chain/trouble.js";
import { machineClock, MAX_TRIES, MAX_WAIT, type Clock } from "../../../sdk/chain/waiting.js";
import { CHAIN_PORT, HOST } from "../server/port.js";
import { callOf, Node, type Answer } from "./node.js";

/** Default node, which `npm start` runs. */
export const LOCAL_URL = `http://${HOST}:${CHAIN_PORT}`;

/** Attempts to reach each of several nodes at the start; unreachable nodes may join later. */
const FEW_TRIES = 3;

/** Number of failed attempts before the wait is reported. */
const QUIET_TRIES = 4;

/** Number of times that a node must report a shorter chain to be believed. */
const STUBBORN_TRIES = 6;

/** Options of a provider. */
interface ProviderOptions {
  clock?: Clock;
  /** Called with a line of text if the wait takes longer. */
  onWait?: (text: string) => void;
}

/** Calls without an answer so far. */
interface CallBatch {
  calls: readonly JsonRpcPayload[];
  tries: number;
  /** Nodes that have pruned the state that the calls request. */
  avoided: readonly Node[];
}

/**
 * Provider of a chain behind one or several nodes. A call goes to the first node that can answer. If a node is too
 * busy, the call is repeated later or elsewhere. A node that lags behind a known block is not trusted.
 */
export class MultiNodeProvider extends JsonRpcProvider {
  /** Latest block that any node has reported. */
  private head = 0;
  private isReported = false;
  private sending: Promise<Answer[]> = Promise.resolve([]);

  private constructor(
    network: Network,
    private readonly nodes: readonly Node[],
    private readonly onWait: (text: string) => void,
  ) {
    super(undefined, network, { staticNetwork: network, cacheTimeout: -1, batchStallTime: 0 });
  }

  /**
   * Connects to the nodes of one chain.
   * @param urls URLs separated by commas.
   * @throws InputError if a URL is malformed, no node answers, or two nodes serve different chains.
   */
  static async connect(
    urls: string,
    { clock = machineClock, onWait = () => undefined }: ProviderOptions = {},
  ): Promise<MultiNodeProvider> {
    const nodes = urls.split(",").map((url) => new Node(url.trim(), clock));
    const tries = nodes.length > 1 ? FEW_TRIES : MAX_TRIES;
    await Promise.all(nodes.map((node) => node.identify(tries).catch(() => undefined)));
    const first = nodes.find(({ chainId }) => chainId !== undefined);
    if (!first) {
      const hosts = nodes.map(({ host }) => host).join(" or ");
      throw new InputError("--rpc", `no chain answers at ${hosts}; npm start runs one on ${new URL(LOCAL_URL).host}`);
    }
    nodes.forEach((node) => requireSame(first, node));
    return new MultiNodeProvider(Network.from(first.chainId), nodes, onWait);
  }

  override async _send(payload: JsonRpcPayload | JsonRpcPayload[]): Promise<JsonRpcResult[]> {
    const all = [payload].flat();
    const once = all.filter(({ method }) => method === "eth_sendTransaction");
    const calls = all.filter((call) => !once.includes(call));
    // The calls are sent sequentially, or the node would give them the same nonce.
    const sent = once.map((call) => (this.sending = this.sending.catch(() => []).then(() => this.sendOnce(call))));
    const settled = [this.answerAll(batchOf(calls)), ...sent];
    return (await Promise.all(settled)).flat() as JsonRpcResult[];
  }

  /** Sends calls until all of them are answered. @throws Outage if no answer comes. */
  private async answerAll(batch: CallBatch): Promise<Answer[]> {
    const { calls } = batch;
    if (calls.length === 0) return [];
    const node = this.choose(batch);
    if (calls.length > node.batch) {
      const parts = [calls.slice(0, node.batch), calls.slice(node.batch)];
      return (await Promise.all(parts.map((part) => this.answerAll({ ...batch, calls: part })))).flat();
    }
    let answers: Answer[];
    try {
      await this.ensureReady(node, batch.tries);
      answers = await node.ask(calls);
    } catch (error) {
      return this.handleFailure(error, node, batch);
    }
    this.isReported = false;
    const settled = calls.map((call) => this.resolveAnswer(call, answers, node, batch));
    return (await Promise.all(settled)).flat();
  }

  /** Chooses the node that is available first, among those that may know the answer. */
  private choose({ calls, avoided }: CallBatch): Node {
    const blocks = Math.max(0, ...calls.map(blocksOf));
    const able = this.nodes.filter((node) => !avoided.includes(node));
    const generous = able.filter(({ refused }) => refused > blocks);
    const [node] = (generous.length > 0 ? generous : able).toSorted((a, b) => a.delay - b.delay);
    if (node.delay <= MAX_WAIT) return node;
    throw new Outage(`${node.host} wants to be asked again in ${Math.ceil(node.delay / 1000)} s only.`);
  }

  /** Makes sure that a node serves the right chain and knows the latest block. @throws Error if it lags behind. */
  private async ensureReady(node: Node, tries: number): Promise<void> {
    if (node.chainId === undefined) await node.identify(1);
    this.nodes.forEach((each) => requireSame(each, node));
    if (node.head >= this.head) return;
    const call = callOf("eth_blockNumber", []);
    const [answer] = await node.ask([call]);
    if (!this.isUpToDate(node, headIn(call, answer), tries)) throw this.lagError;
  }

  /** Returns whether a node knows the latest block. A chain that stays shorter for a while counts as reorganised. */
  private isUpToDate(node: Node, head: number, tries: number): boolean {
    if (head < this.head && tries < STUBBORN_TRIES) return false;
    this.head = node.head = head;
    return true;
  }

  private get lagError(): Error {
    return new Error(`service unavailable: block ${this.head} is not there yet`);
  }

  /** Handles the failure of a whole request. */
  private async handleFailure(error: unknown, node: Node, batch: CallBatch): Promise<Answer[]> {
    if (error instanceof InputError) throw error;
    const { calls, tries } = batch;
    const trouble = troubleOf(error);
    if (!trouble && this.nodes.length === 1 && calls.length === 1) throw error;
    if (trouble?.kind === "rate") node.slowDown(trouble.after);
    else if (calls.length > 1 && (!trouble || trouble.kind === "limit")) {
      node.limitBatch(calls.length);
      return this.answerAll(batch);
    } else node.recordFailure();
    // A reader of logs may have asked for too many blocks, and will ask for fewer.
    const logs = calls.filter(
      (call) => trouble?.kind !== "rate" && tries + 1 >= this.nodes.length && blocksOf(call) > 0,
    );
    const answers = logs.map(({ id }) => ({ id, error: errorFrom(error) }));
    const open = calls.filter((call) => !logs.includes(call));
    return [...answers, ...(await this.retryLater({ ...batch, calls: open }, node, error))];
  }

  private async resolveAnswer(
    call: JsonRpcPayload,
    answers: readonly Answer[],
    node: Node,
    batch: CallBatch,
  ): Promise<Answer[]> {
    const alone = { ...batch, calls: [call] };
    const answer = answers.find(({ id }) => id === call.id);
    if (!answer) return this.handleFailure(new Error("missing response"), node, alone);
    const head = headIn(call, answer);
    if (head >= 0 && !this.isUpToDate(node, head, batch.tries)) return this.handleFailure(this.lagError, node, alone);
    const blocks = blocksOf(call);
    const trouble = answer.error === undefined ? undefined : troubleOf(answer, blocks);
    const others = this.nodes.filter((each) => each !== node && !batch.avoided.includes(each));
    if (trouble?.kind === "rate") {
      node.slowDown(trouble.after);
      return this.retryLater(alone, node, answer);
    }
    if (trouble?.kind === "limit" && blocks > 0) {
      node.refused = Math.min(node.refused, blocks);
      if (others.some(({ refused }) => refused > blocks)) return this.answerAll(alone);
    }
    if (trouble?.kind === "missing" && others.length > 0) {
      return this.answerAll({ ...alone, avoided: [...batch.avoided, node] });
    }
    if (trouble?.kind === "silence" && blocks === 0) return this.handleFailure(answer, node, alone);
    if (answer.error !== undefined && call.method === "eth_sendRawTransaction")
      return [await this.checkBroadcast(call, answer)];
    return [answer];
  }

  private retryLater(batch: CallBatch, { host }: Node, error: unknown): Promise<Answer[]> | [] {
    if (batch.calls.length === 0) return [];
    const tries = batch.tries + 1;
    const why = explain(error);
    if (tries >= MAX_TRIES) throw new Outage(`No answer from ${host}: ${why}`);
    if (tries >= QUIET_TRIES && !this.isReported) {
      this.isReported = true;
      this.onWait(`Waiting for ${host}: ${why}`);
    }
    return this.answerAll({ ...batch, tries });
  }

  /**
   * Returns the transaction's hash in place of a refusal if the chain has the transaction: an earlier attempt arrived.
   */
  private async checkBroadcast({ id, params }: JsonRpcPayload, refusal: Answer): Promise<Answer> {
    const hash = keccak256((params as string[])[0]);
    const [{ result }] = await this.answerAll(batchOf([callOf("eth_getTransactionByHash", [hash])]));
    return result ? { id, result: hash } : refusal;
  }

  /**
   * Sends from an account of the node, where the hash is unknown beforehand. Repeats only if it is certain that nothing
   * was sent.
   */
  private async sendOnce(call: JsonRpcPayload): Promise<Answer[]> {
    const [transaction] = call.params as [{ from: string }];
    const params = [transaction.from, "pending"];
    const count = async () => {
      const [{ result }] = await this.answerAll(batchOf([callOf("eth_getTransactionCount", params)]));
      return result;
    };
    const nonce = await count();
    const numbered = { ...call, params: [{ nonce, ...transaction }] };
    for (let tries = 0; ; tries++) {
      const node = this.choose(batchOf([call]));
      try {
        const [answer] = await node.ask([numbered]);
        if (answer.error === undefined || troubleOf(answer)?.kind !== "rate") return [answer];
        node.slowDown();
      } catch (error) {
        const trouble = troubleOf(error);
        if (trouble?.kind === "rate") node.slowDown(trouble.after);
        else if (!trouble || tries + 1 >= MAX_TRIES || (await count()) !== nonce) throw error;
      }
    }
  }
}

function batchOf(calls: readonly JsonRpcPayload[]): CallBatch {
  return { calls, tries: 0, avoided: [] };
}

/** Returns the latest block that an answer reports; -1 if the answer reports no block. */
function headIn({ method, params }: JsonRpcPayload, { result }: Answer): number {
  const isLatest = method === "eth_getBlockByNumber" && (params as unknown[])[0] === "latest";
  const told = isLatest ? (result as { number?: unknown } | null)?.number : method === "eth_blockNumber" ? result : -1;
  const head = Number(told ?? -1);
  return Number.isSafeInteger(head) ? head : -1;
}

/** Counts the blocks whose logs a call asks for; 0 for any other call. */
function blocksOf({ method, params }: JsonRpcPayload): number {
  if (method !== "eth_getLogs") return 0;
  const [{ fromBlock, toBlock }] = params as [{ fromBlock?: string; toBlock?: string }];
  return Math.max(1, Number(toBlock) - Number(fromBlock) + 1 || 1);
}

/** Converts the failure of a request to an answer, for callers that distinguish limits from outages by the message. */
function errorFrom(error: unknown): object {
  const { code, response } = error as { code?: unknown; response?: { statusCode: number } };
  return { code: -32_000, message: explain(error), data: { code, statusCode: response?.statusCode } };
}

/** @throws InputError if two nodes serve different chains. */
function requireSame(first: Node, node: Node): void {
  if (first.chainId === undefined || node.chainId === undefined || node.chainId === first.chainId) return;
  const chains = [first, node].map(({ host, chainId }) => `${host} serves chain ${chainId}`);
  throw new InputError("--rpc", `${chains.join(", ")}: name nodes of one chain`);
}
