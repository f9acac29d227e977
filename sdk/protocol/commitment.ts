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

/** A move and its salt, which a player must keep until it reveals the move. */
export interface Secret {
  move: Hex;
  /** 32 bytes. */
  salt: Hex;
}

/** The player who commits to a move, and the game and chain where the commitment is valid. */
export interface Committer {
  chainId: bigint | number;
  /** Address of the game. */
  game: string;
  /** Address of the player. */
  player: string;
}

/** A commitment scheme: computes the 32 bytes that commit to a secret. */
export type CommitmentScheme = (secret: Secret) => Hex;

/**
 * Returns the scheme of commitments to moves.
 * @example
 * ```ts
 * import { commitmentBy, commitmentOf } from "duello";
 *
 * const scheme = commitmentBy(committer);
 * scheme({ move: "0x00", salt }) === commitmentOf(chainId, committer.game, alice, "0x00", salt); // => true
 * ```
 */
export function commitmentBy({ chainId, game, player }: Committer): CommitmentScheme {
  return ({ move, salt }) => commitmentOf(chainId, game, player, move, salt);
}

/**
 * Commits to a move with a fresh salt. Only the returned secret can reveal the move; `commitWithKey` makes commitments
 * whose secret the player can recover.
 * @returns The secret to keep, and the commitment without a note to create a match with.
 * @example
 * ```ts
 * import { commitMove } from "duello";
 *
 * const { secret, committed } = commitMove(committer, "0x00");
 * secret.move; // => "0x00"
 * committed.length; // => 66
 * ```
 */
export function commitMove(by: Committer, move: Hex): { secret: Secret; committed: Hex } {
  const salt = newSalt();
  const commitment = commitmentOf(by.chainId, by.game, by.player, move, salt);
  return { secret: { move, salt }, committed: encodeCommitment({ commitment, note: "0x" }) };
}

/**
 * Encodes the answer, with a fresh salt, to the first commitment of a match whose game keeps no state.
 * @param committed The commitment with its note.
 * @throws InputError for fewer bytes than those of a commitment.
 * @example
 * ```ts
 * import { answerTo, commitMove, decodeAnswer } from "duello";
 *
 * const { committed } = commitMove(committer, "0x00");
 * const answer = answerTo(committed, "0x02");
 * decodeAnswer(answer).move; // => "0x02"
 * ```
 */
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
 * Encodes the reveal of a secret's move, after which no round follows.
 * @param answer The encoded answer to the commitment.
 * @throws InputError if the answer is too short.
 * @example
 * ```ts
 * import { answerTo, commitMove, decodeReveal, revealFor } from "duello";
 *
 * const { secret, committed } = commitMove(committer, "0x00");
 * const reveal = revealFor(secret, answerTo(committed, "0x02"));
 * decodeReveal(reveal, 1, 1).answerMove; // => "0x02"
 * ```
 */
export function revealFor(secret: Secret, answer: Hex): Hex {
  const { round, state, move, salt } = decodeAnswer(answer);
  return encodeReveal({ round, state, ...secret, answerMove: move, answerSalt: salt, next: "0x" });
}
