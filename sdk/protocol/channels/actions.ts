import { concat, dataLength, toBeHex } from "ethers";
import { hexOf, numberAt, sized } from "../bytes.js";
import type { Hex } from "../hex.js";
import { InputError } from "../input.js";

/** Bytes of an action's length in a transcript. */
export const LENGTH_BYTES = 2;

/** Encodes actions one after another, each preceded by its length in two bytes. */
export function encodeActions(actions: readonly Hex[]): Hex {
  return concat(actions.flatMap((action) => [toBeHex(dataLength(action), LENGTH_BYTES), action]));
}

/** Inverse of `encodeActions`. @throws InputError for invalid bytes */
export function decodeActions(data: Hex): Hex[] {
  const bytes = sized(data, "actions", 0, Infinity);
  const actions: Hex[] = [];
  for (let at = 0; at < bytes.length;) {
    const start = at + LENGTH_BYTES;
    at = start + numberAt(bytes, at, LENGTH_BYTES);
    if (!(at <= bytes.length))
      throw new InputError("actions", `${bytes.length} bytes are cut off in action ${actions.length + 1}`);
    actions.push(hexOf(bytes.subarray(start, at)));
  }
  return actions;
}
