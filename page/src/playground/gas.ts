import type { ExecResult } from "@ethereumjs/evm";
import { toQuantity } from "ethers";

/** Most gas that a transaction may have, as on chains since Osaka. */
export const MAX_GAS = 16_777_216n;

/** Gas of every transaction, of one that creates a contract, and of each word of the latter's data. */
const TRANSACTION = 21_000n;
const CREATION = 32_000n;
const CREATION_WORD = 2n;
/** Gas of each byte of data that is zero, or that is not; and the least gas of both, whatever is executed. */
const ZERO_BYTE = 4n;
const OTHER_BYTE = 16n;
const FLOOR_ZERO_BYTE = 10n;
const FLOOR_OTHER_BYTE = 40n;
/** Largest part of the gas that is refunded: a fifth. */
const REFUND_QUOTIENT = 5n;

/** Margin of an estimate, in percent, and number of attempts with more gas. */
const MARGIN = 10n;
const ATTEMPTS = 8;

/** Returns the gas that a transaction costs before any code is executed. */
export function gasBefore(data: Uint8Array, isCreation: boolean): bigint {
  const words = BigInt(Math.ceil(data.length / 32));
  return TRANSACTION + priced(data, ZERO_BYTE, OTHER_BYTE) + (isCreation ? CREATION + words * CREATION_WORD : 0n);
}

/** Returns the gas that a transaction has used. @param before Result of `gasBefore`. */
export function gasUsedBy(data: Uint8Array, before: bigint, { executionGasUsed, gasRefund = 0n }: ExecResult): bigint {
  const spent = before + executionGasUsed;
  const most = spent / REFUND_QUOTIENT;
  const used = spent - (gasRefund < most ? gasRefund : most);
  const floor = TRANSACTION + priced(data, FLOOR_ZERO_BYTE, FLOOR_OTHER_BYTE);
  return used > floor ? used : floor;
}

/**
 * Finds an amount of gas with which a transaction succeeds.
 * @param gasUsed Runs the transaction with a gas limit. @throws if the transaction fails
 */
export async function estimated(gasUsed: (gas: string) => Promise<bigint>): Promise<bigint> {
  // Refunds come after the execution, and calls get only a part of the gas that is left.
  let gas = ((await gasUsed(toQuantity(MAX_GAS))) * (100n + MARGIN)) / 100n;
  for (let attempt = 0; attempt < ATTEMPTS && gas < MAX_GAS; attempt++) {
    const isEnough = await gasUsed(toQuantity(gas)).then(
      () => true,
      () => false,
    );
    if (isEnough) return gas;
    gas = (gas * (100n + MARGIN * 2n)) / 100n;
  }
  return MAX_GAS;
}

function priced(data: Uint8Array, zero: bigint, other: bigint): bigint {
  let zeros = 0;
  for (const byte of data) if (byte === 0) zeros++;
  return BigInt(zeros) * zero + BigInt(data.length - zeros) * other;
}
