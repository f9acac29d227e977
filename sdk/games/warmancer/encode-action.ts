import { concat } from "ethers";
import type { Hex } from "../../protocol/hex.js";
import { RIDING } from "./match.js";
import { encodePosition, type Position } from "./position.js";
import { encodeSetup, type Setup } from "./setup.js";

/** What a player sends: `kind 1 || position || body`, with a setup that rides on it behind. */
export function encodeAction(kind: number, position: Position, body: Hex, riding?: Setup): Hex {
  const first = new Uint8Array([kind + (riding ? RIDING : 0)]);
  return concat([first, encodePosition(position), body, riding ? encodeSetup(riding) : "0x"]);
}
