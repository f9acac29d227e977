import { formatEther, type TransactionReceipt } from "ethers";
import { eventIn } from "../../sdk/chain/events.js";
import { FightToken__factory } from "../../typechain-types/index.js";
import { FIGHT, type Mint } from "./mints.js";

const fightAbi = FightToken__factory.createInterface();

/** Describes the tokens that a transaction has minted. */
export function minted({ kind, to, token, data }: Mint, receipt: TransactionReceipt): { data: object; text: string } {
  const common = { kind: kind.name, to, transaction: receipt.hash };
  if (kind === FIGHT) {
    const { amount } = fightAbi.decodeFunctionData("mint", data) as unknown as { amount: bigint };
    return { data: { ...common, amount }, text: `${formatEther(amount).replace(/\.0$/, "")} FIGHT went to ${to}.` };
  }
  const { id } = eventIn(receipt, token, "Transfer")!.args;
  const one = kind.name[0].toUpperCase() + kind.name.slice(1);
  return { data: { ...common, id }, text: `${one} ${id} belongs to ${to}.` };
}
