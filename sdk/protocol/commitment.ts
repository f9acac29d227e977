import type { Hex } from "./hex.js";
import {
  decodeAnswer,
  decodeCommitment,
  encodeAnswer,
  encodeReveal,
  encodeCommitment,
  newSalt,
  NO_STATE,
  commitmentOf,
} from "./commit-reveal.js";

/** What a player must keep until it opens its commitment. */
export interface Secret {
  move: Hex;
  salt: Hex;
}

/** Whose commit to it is, and where it counts. */
export interface Committer {
  chainId: bigint | number;
  /** Address of the game. */
  game: string;
  player: string;
}

/** The 32 bytes that a secret is committed as, where they are not the commitment of a move. */
export type Commit = (secret: Secret) => Hex;

/** The commitment of a move, as a player makes it. */
export function commitmentBy({ chainId, game, player }: Committer): Commit {
  return ({ move, salt }) => commitmentOf(chainId, game, player, move, salt);
}

/**
 * Commitments a move with a fresh salt: the secret to keep, and what to create the match with. Nothing but the secret
 * opens it; `sealWithKey` makes commitments that their player can recover.
 */
export function commitMove(by: Committer, move: Hex): { secret: Secret; committed: Hex } {
  const salt = newSalt();
  const commitment = commitmentOf(by.chainId, by.game, by.player, move, salt);
  return { secret: { move, salt }, committed: encodeCommitment({ commitment, note: "0x" }) };
}

/** The answer, with a fresh salt, to the first commitment of a match whose game keeps no state. */
export function answerTo(committed: Hex, move: Hex): Hex {
  return encodeAnswer({
    round: 1,
    state: NO_STATE,
    commitment: decodeCommitment(committed).commitment,
    move,
    salt: newSalt(),
  });
}

/**
 * The reveal that fits a secret and the answer it was given. @throws InputError if the answer is too short to be one.
 */
export function revealFor(secret: Secret, answer: Hex): Hex {
  const { round, state, move, salt } = decodeAnswer(answer);
  return encodeReveal({ round, state, ...secret, answerMove: move, answerSalt: salt, next: "0x" });
}
