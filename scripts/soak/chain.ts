import { Mnemonic, id, isError, type Log, type Provider, type Signer, type TransactionResponse } from "ethers";
import hre from "hardhat";
import { games } from "../../sdk/games/index.js";
import { TEST_CHAIN } from "../../sdk/chain/traits.js";
import { explain } from "../../sdk/player/errors.js";
import { Reverted } from "../../sdk/chain/receipt.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import type { Random } from "./random.js";

/** Settings of in-process chains and of nodes. */
export const SETTINGS = {
  hardfork: "osaka",
  accounts: 12,
  start: Date.UTC(2030, 0, 1) / 1000,
  chainId: Number(TEST_CHAIN),
} as const;

/** Longest time between two transactions, in seconds. */
const LONGEST = 3;
const GAS = 16_000_000;

/** A transaction and its result. */
export interface Sent {
  from: string;
  to: string | null;
  data: Hex;
  value: bigint;
  block: number;
  time: number;
  status: number;
  gasUsed: bigint;
  logs: Pick<Log, "address" | "topics" | "data">[];
}

/** Thrown when a transaction that should have succeeded was rejected. */
export class Refused extends Error {
  override readonly name = "Refused";

  /** @param reason Error that the transaction throws when it is repeated as a call. */
  constructor(
    readonly reason: unknown,
    options: ErrorOptions,
  ) {
    super(`refused: ${explain(reason, { games })}`, options);
  }
}

/** Derives the mnemonic of all accounts from a seed. */
export function phraseOf(seed: string): string {
  return Mnemonic.fromEntropy(id(`accounts of ${seed}`)).phrase;
}

/** A chain that mines every transaction in its own block, at a chosen time, and records the transaction. */
export class Chain {
  readonly sent: Sent[] = [];
  /** Logs of all transactions. */
  readonly logs: Log[] = [];
  /** Time of the latest block, in seconds since 1970. */
  now = SETTINGS.start;

  private constructor(
    readonly provider: Provider & { send(method: string, params: unknown[]): Promise<unknown> },
    readonly signers: readonly Signer[],
    readonly close: () => Promise<void>,
    private readonly random: Random,
  ) {
    for (const signer of signers) this.keepWhat(signer);
    this.hidePending();
  }

  /** Starts a chain in this process. */
  static async inProcess(phrase: string, random: Random): Promise<Chain> {
    const { accounts: count, hardfork, start, chainId } = SETTINGS;
    const { ethers, close } = await hre.network.create({
      override: {
        accounts: { mnemonic: phrase, count },
        chainId,
        gas: GAS,
        hardfork,
        initialDate: new Date(start * 1000),
        mining: { auto: false },
      },
    });
    return new Chain(ethers.provider, await ethers.getSigners(), close, random);
  }

  /** Connects to a node that was started with these settings and does not mine on its own. */
  static async at(url: string, random: Random): Promise<Chain> {
    const { ethers, close } = await hre.network.create({ network: "localhost", override: { url, gas: GAS } });
    return new Chain(ethers.provider, await ethers.getSigners(), close, random);
  }

  /** Mines an empty block at a given time. */
  async jumpTo(time: number): Promise<void> {
    await this.mineAt(time);
  }

  /** Repeats a failed transaction as a call, and returns the error of that call. @throws Error if the call succeeds. */
  async refusalOf({ from, to, data, value, block }: Sent): Promise<unknown> {
    const call = this.provider.call({ from, to, data, value, blockTag: block, gasLimit: GAS });
    return call.then(
      () => Promise.reject(new Error("A transaction that failed is taken when it is called again.")),
      (error: unknown) => error,
    );
  }

  /** Sends a transaction that must succeed. @throws Refused if the transaction is mined but fails. */
  async take<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      const last = this.sent.at(-1);
      const isRefusal = error instanceof Reverted || isError(error, "CALL_EXCEPTION");
      if (last?.status !== 0 || !isRefusal) throw error;
      throw new Refused(await this.refusalOf(last), { cause: error });
    }
  }

  private async mineAt(time: number): Promise<void> {
    await this.provider.send("evm_setNextBlockTimestamp", [time]);
    await this.provider.send("evm_mine", []);
    this.now = time;
  }

  /** Hides the pending block: the machine's clock would set its time, not the seed. */
  private hidePending(): void {
    const send = this.provider.send.bind(this.provider);
    this.provider.send = async (method, params) =>
      method === "eth_getBlockByNumber" && params[0] === "pending" ? null : send(method, params);
  }

  private keepWhat(signer: Signer): void {
    const send = signer.sendTransaction.bind(signer);
    signer.sendTransaction = async (transaction) => {
      const response = await send(transaction);
      await this.mineAt(this.now + 1 + this.random.below(LONGEST));
      this.sent.push(await this.outcomeOf(response));
      return response;
    };
  }

  private async outcomeOf({ hash, from, to, data, value }: TransactionResponse): Promise<Sent> {
    const receipt = await this.provider.waitForTransaction(hash);
    if (!receipt) throw new Error(`There is no receipt of ${hash}.`);
    const { blockNumber: block, status, gasUsed } = receipt;
    const logs = receipt.logs.map(({ address, topics, data }) => ({ address, topics, data }));
    this.logs.push(...receipt.logs);
    return { from, to, data, value, block, time: this.now, status: status!, gasUsed, logs };
  }
}
