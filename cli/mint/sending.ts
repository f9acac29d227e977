import type { TransactionReceipt } from "ethers";
import type { Hex } from "../../sdk/protocol/hex.js";
import type { Action } from "../../sdk/player/outbox.js";
import { Progress } from "../shared/command/output.js";
import type { CommandContext } from "../shared/command/context.js";

/** A transaction and its purpose. */
export interface Step {
  action: Action;
  to: string;
  data: Hex;
}

/** Maximum number of transactions pending at once: nodes keep about that many per account. */
const AT_ONCE = 16;

/** Smallest number of transactions for which progress is shown. */
const LONG = 2 * AT_ONCE;

/** Sends transactions, several at a time, and waits until they are mined. @returns the receipts, in their order. */
export async function sendEach(context: CommandContext, steps: readonly Step[]): Promise<TransactionReceipt[]> {
  const outbox = await context.outbox();
  const progress = new Progress("Minting", LONG);
  const receipts: TransactionReceipt[] = [];
  try {
    for (let first = 0; first < steps.length; first += AT_ONCE) {
      const sent = [];
      for (const { action, to, data } of steps.slice(first, first + AT_ONCE)) {
        sent.push(await outbox.begin(action, { to, data }));
      }
      for (const each of sent) receipts.push(await outbox.mined(Promise.resolve(each)));
      // From here on, the chain shows that the steps are done.
      await outbox.markReported();
      progress.update(receipts.length, steps.length);
    }
  } finally {
    progress.end();
  }
  return receipts;
}
