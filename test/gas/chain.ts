import type { ContractTransactionResponse, Signer } from "ethers";
import { network } from "hardhat";
import {
  Arena__factory,
  AutoBattler__factory,
  Fighters__factory,
  FightToken__factory,
  type Arena,
  type FightToken,
} from "../../typechain-types/index.js";
import { publishedBy, type PublishedData } from "./data.js";

export const UNIT = 10n ** 18n;
export const DAY = 86_400;

const START = Date.UTC(2030, 0, 2) / 1000;
const BLOCK_TIME = 12;
const CHAIN = {
  hardfork: "osaka",
  chainId: 31337,
  initialDate: new Date((START - DAY) * 1000),
  gas: 16_000_000,
} as const;

/** An account, the contracts it calls, and its fighters in slot order. */
export interface Player {
  readonly signer: Signer;
  readonly address: string;
  readonly arena: Arena;
  readonly fight: FightToken;
  readonly team: readonly bigint[];
}

export type Chain = Awaited<ReturnType<typeof startChain>>;

/**
 * A separate chain with all contracts. Accounts, addresses and block times are always the same, so all sent bytes are
 * the same too: a zero byte costs 12 gas less than any other.
 */
export async function startChain() {
  const { ethers, networkHelpers, close } = await network.create({ override: CHAIN });
  const { time, takeSnapshot } = networkHelpers;
  const wait = async (seconds: number) => time.increaseTo((await time.latest()) + seconds);
  await time.increaseTo(START);
  const signers = await ethers.getSigners();
  /** The hashes of all transactions so far. */
  const sent: string[] = [];
  /** Data of whole matches, by their name. */
  const published: Record<string, PublishedData[]> = {};
  /** Data of single transactions, by the name of their gas. */
  const recorded: Record<string, PublishedData> = {};
  for (const signer of signers) {
    const send = signer.sendTransaction.bind(signer);
    signer.sendTransaction = async (transaction) => {
      await time.setNextBlockTimestamp((await time.latest()) + BLOCK_TIME);
      const response = await send(transaction);
      sent.push(response.hash);
      return response;
    };
  }
  const [deployer, treasury] = signers;
  const arena = await new Arena__factory(deployer).deploy(deployer, treasury);
  const fight = await new FightToken__factory(deployer).deploy(deployer);
  const fighters = await new Fighters__factory(deployer).deploy(deployer);
  const autoBattler = await new AutoBattler__factory(deployer).deploy(arena, fighters);
  const game = await autoBattler.getAddress();
  const player = (account: number, team: readonly bigint[] = []): Player => {
    const signer = signers[account];
    return { signer, address: signer.address, arena: arena.connect(signer), fight: fight.connect(signer), team };
  };
  const gasOf = async (sent: Promise<ContractTransactionResponse>) => Number((await receiptOf(sent)).gasUsed);
  const receiptOf = async (sent: Promise<ContractTransactionResponse>) =>
    (await ethers.provider.getTransactionReceipt((await sent).hash))!;
  /** Returns the gas of a transaction, and records its data by name. */
  const recordedGas = async (name: string, sent: Promise<ContractTransactionResponse>) => {
    [recorded[name]] = await publishedBy(() => name, [await receiptOf(sent)]);
    return recorded[name].gas;
  };
  /** Returns the receipts of all transactions, starting at index `from` of `sent`. */
  const receiptsFrom = async (from: number) =>
    Promise.all(sent.slice(from).map(async (hash) => (await ethers.provider.getTransactionReceipt(hash))!));
  const now = time.latest;
  const { chainId } = CHAIN;
  return {
    ethers,
    chainId,
    deployer,
    arena,
    fight,
    fighters,
    autoBattler,
    game,
    player,
    now,
    wait,
    sent,
    published,
    recorded,
    gasOf,
    recordedGas,
    receiptOf,
    receiptsFrom,
    takeSnapshot,
    close,
  };
}
