import { getAddress, Interface, JsonRpcProvider, Network, ZeroAddress, ZeroHash, type InterfaceAbi } from "ethers";
import type { Audit } from "../../sdk/games/module.js";
import type { Hex } from "../../sdk/protocol/hex.js";

/** Bytes of zeros that answer a view with no expected answer. */
const UNTOUCHED_BYTES = 1024;

/** A game whose audit knows the answers of its views. */
export interface AuditedGame {
  address: string;
  abi: InterfaceAbi;
  audit: Audit;
}

/** Provider that answers the views of games from the events written so far. */
export class SyntheticProvider extends JsonRpcProvider {
  private readonly games = new Map<string, { abi: Interface; audit: Audit }>();

  /** @param latest Returns the number of the latest block, and its time in seconds since 1970. */
  constructor(
    chainId: bigint,
    private readonly latest: () => { number: number; time: bigint },
  ) {
    const network = Network.from(chainId);
    super(undefined, network, { staticNetwork: network, cacheTimeout: -1 });
  }

  /** Adds a game whose views are asked. */
  add({ address, abi, audit }: AuditedGame): void {
    this.games.set(address, { abi: Interface.from(abi), audit });
  }

  override async send(method: string, params: unknown[]): Promise<unknown> {
    if (method === "eth_call") return this.view(params[0] as { to: string; data: Hex });
    if (method === "eth_getBlockByNumber") return this.block();
    throw new Error(`A synthetic chain does not answer ${method}.`);
  }

  /** Returns the answer of a view that the audit expects, else zeros. */
  private view({ to, data }: { to: string; data: Hex }): Hex {
    const { abi, audit } = this.games.get(getAddress(to))!;
    const asked = abi.parseTransaction({ data })!;
    const isAsked = ({ view, args }: ReturnType<Audit["expectedAnswers"]>[number]) =>
      view === asked.name && args.every((arg, i) => arg === asked.args[i]);
    const expected = audit.expectedAnswers().find(isAsked);
    return expected ? abi.encodeFunctionResult(asked.name, expected.answer) : `0x${"00".repeat(UNTOUCHED_BYTES)}`;
  }

  private block(): object {
    const { number, time } = this.latest();
    return {
      number,
      timestamp: Number(time),
      hash: ZeroHash,
      parentHash: ZeroHash,
      miner: ZeroAddress,
      nonce: "0x0000000000000000",
      difficulty: 0,
      gasLimit: 0,
      gasUsed: 0,
      extraData: "0x",
      transactions: [],
    };
  }
}
