import { AbiCoder, type BigNumberish } from "ethers";
import type { Hex } from "../../sdk/protocol/hex.js";

/** Encodes the order to fund a seat, which is the data of an ERC-1363 transfer. */
export function fundOrder(matchId: BigNumberish, hash: Hex): Hex {
  return AbiCoder.defaultAbiCoder().encode(["uint256", "bytes32"], [matchId, hash]);
}
