import { isError } from "ethers";

/** Finds the data that a contract reverted with, inside any error that a provider or contract call threw. */
export function revertData(thrown: unknown, depth = 0): string | undefined {
  if (typeof thrown !== "object" || thrown === null || depth > 5) return undefined;
  const { data, error, info, cause } = thrown as Record<string, unknown>;
  if (typeof data === "string" && /^0x([0-9a-f]{8})/i.test(data)) return data;
  for (const inner of [data, error, info, cause]) {
    const found = revertData(inner, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns whether a contract has reverted, as far as the node reports it. */
export function isRevert(thrown: unknown): boolean {
  return isError(thrown, "CALL_EXCEPTION") || revertData(thrown) !== undefined;
}
