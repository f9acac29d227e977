import type { Hex } from "./hex.js";
import {
  decodeAnswer,
  decodeSealed,
  encodeAnswer,
  encodeOpening,
  encodeSealed,
  newSalt,
  NO_STATE,
  sealOf,
} from "./seal.js";

/** What a player must keep until it opens its seal. */
export interface Secret {
  move: Hex;
  salt: Hex;
}

/** Whose seal it is, and where it counts. */
export interface Sealer {
  chainId: bigint | number;
  /** Address of the game. */
  game: string;
  player: string;
}

/** The 32 bytes that a secret is sealed as, where they are not the seal of a move. */
export type Commit = (secret: Secret) => Hex;

/** The seal of a move, as a player makes it. */
export function sealBy({ chainId, game, player }: Sealer): Commit {
  return ({ move, salt }) => sealOf(chainId, game, player, move, salt);
}

/**
 * Seals a move with a fresh salt: the secret to keep, and what to create the match with. Nothing but the secret opens it;
 * `sealWithKey` makes seals that their player can recover.
 */
export function sealMove(by: Sealer, move: Hex): { secret: Secret; sealed: Hex } {
  const salt = newSalt();
  const seal = sealOf(by.chainId, by.game, by.player, move, salt);
  return { secret: { move, salt }, sealed: encodeSealed({ seal, note: "0x" }) };
}

/** The answer, with a fresh salt, to the first seal of a match whose game keeps no state. */
export function answerTo(sealed: Hex, move: Hex): Hex {
  return encodeAnswer({ round: 1, state: NO_STATE, seal: decodeSealed(sealed).seal, move, salt: newSalt() });
}

/** The opening that fits a secret and the answer it was given. @throws InputError if the answer is too short to be one. */
export function openingFor(secret: Secret, answer: Hex): Hex {
  const { round, state, move, salt } = decodeAnswer(answer);
  return encodeOpening({ round, state, ...secret, answerMove: move, answerSalt: salt, next: "0x" });
}
