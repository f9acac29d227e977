import { concat } from "ethers";
import type { Hex } from "../../protocol/hex.js";
import { RIDING } from "./state.js";
import { encodePosition, type Position } from "./position.js";
import { encodeSetup, type Setup } from "./setup.js";

/** Encodes an action: `kind 1 || position || body`, followed by a setup, if any. */
export function encodeAction(kind: number, position: Position, body: Hex, riding?: Setup): Hex {
  const first = new Uint8Array([kind + (riding ? RIDING : 0)]);
  return concat([first, encodePosition(position), body, riding ? encodeSetup(riding) : "0x"]);
}
