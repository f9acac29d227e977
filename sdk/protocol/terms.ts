import { AbiCoder, keccak256, ParamType } from "ethers";
import type { Hex } from "./hex.js";

/** What two players agree on. Stakes are in the token's smallest unit, the clock in seconds, the fee of the house in basis points. */
export interface Terms {
  /** Address of the game. */
  game: string;
  stake1: bigint;
  /** Address of the token; zero for the chain's coin. */
  token: string;
  stake2: bigint;
  /** Content hash of the game's mode; zero for its default. */
  mode: Hex;
  clock: bigint;
  feeBps: bigint;
  rated: boolean;
}

/** The longest clock, in seconds. */
export const MAX_CLOCK = 30n * 86_400n;

/** Each action gives back this part of the clock. */
export const INCREMENT_DIVISOR = 32n;

const TYPE = ParamType.from(
  "tuple(address game,uint96 stake1,address token,uint96 stake2,bytes32 mode,uint32 clock,uint16 feeBps,bool rated)",
);

/** The hash by which everyone outside the arena names terms. */
export function termsHash(terms: Terms): Hex {
  return keccak256(AbiCoder.defaultAbiCoder().encode([TYPE], [terms]));
}
