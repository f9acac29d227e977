import { batchRequest, Failed, hasCode, isOutage, type Call, type Caller } from "duello";
import { hexlify, randomBytes, toQuantity, type Provider, type TransactionReceipt } from "ethers";
import { askWallet, type Eip1193 } from "../wallet/discovery.ts";

/** Milliseconds between two polls of a batch. */
const PAUSE = 1000;

/** Codes with which a wallet rejects such a batch: of EIP-1193, EIP-5792 and JSON-RPC. */
const NO_BATCH = [4200, 5700, 5710, 5740, 5750, 5760, -32601];
/** Code of EIP-5792 for a batch that the wallet does not know. */
const UNKNOWN_BATCH = 5730;

/** Returns whether a wallet sends several calls at once, of which either all or none take effect (EIP-5792). */
export async function canBatch(wallet: Eip1193, address: string, chainId: number): Promise<boolean> {
  const chain = toQuantity(chainId);
  try {
    const params = [address, [chain]];
    const told = (await askWallet(wallet, "wallet_getCapabilities", params)) as Record<string, unknown>;
    return [told[chain], told["0x0"]].some((each) => {
      const { atomic } = (each ?? {}) as { atomic?: { status?: unknown } };
      return atomic?.status === "supported" || atomic?.status === "ready";
    });
  } catch {
    return false;
  }
}

/** Makes the id of a batch, which identifies it after a reload. */
export function newBatchId(): string {
  return hexlify(randomBytes(32));
}

/** Makes a wallet send calls as one batch. @returns the id under which the wallet knows it */
export async function sendBatch(
  wallet: Eip1193,
  caller: Pick<Caller, "address" | "chainId">,
  calls: readonly Call[],
  id: string,
): Promise<string> {
  const params = [{ ...batchRequest(caller, calls), id }];
  const answer = (await askWallet(wallet, "wallet_sendCalls", params)) as { id?: string } | string;
  return (typeof answer === "string" ? answer : answer.id) ?? id;
}

/** Returns whether an error means that the wallet rejects such batches, and so has sent nothing. */
export function isUnbatched(error: unknown): boolean {
  return NO_BATCH.some((code) => hasCode(error, code));
}

/** Waits until a batch is in a block. @param onUnknown Called whenever the wallet does not know the batch. */
export async function waitForBatch(
  wallet: Eip1193,
  provider: Provider,
  id: string,
  onUnknown: () => void = () => {},
): Promise<TransactionReceipt> {
  for (;;) {
    const hash = await hashOf(wallet, id, onUnknown);
    // The wallet's node may have a block before ours.
    const receipt = hash === undefined ? null : await provider.getTransactionReceipt(hash).catch(unlessOutage);
    if (receipt) return receipt;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

/** Reads the hash of the last transaction of a batch; undefined until the batch is in a block. */
async function hashOf(wallet: Eip1193, id: string, onUnknown: () => void): Promise<string | undefined> {
  let answer: { status?: unknown; receipts?: { transactionHash?: string; status?: unknown }[] };
  try {
    answer = (await askWallet(wallet, "wallet_getCallsStatus", [id])) as typeof answer;
  } catch (error) {
    if (hasCode(error, UNKNOWN_BATCH)) onUnknown();
    return undefined;
  }
  const { status, receipts = [] } = answer;
  if (typeof status === "number" && status >= 400) {
    throw new Failed(
      status < 500 ? "The wallet has not sent the batch: nothing was done." : "The chain has refused the batch.",
    );
  }
  return status === 200 || status === "CONFIRMED" ? receipts.at(-1)?.transactionHash : undefined;
}

function unlessOutage(error: unknown): null {
  if (isOutage(error)) return null;
  throw error;
}
