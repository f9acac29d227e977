import { concat, type BytesLike } from "ethers";
import { hexOf, sized, WORD_BYTES } from "../../protocol/bytes.js";
import { hashWords, numberOf } from "../../protocol/hash.js";
import type { Hex } from "../../protocol/hex.js";
import { checkRanks, maxOf, type ArmyRules } from "./army.js";
import type { Side } from "./position.js";
import { isMobile, RANKS, SCOUT } from "./ranks.js";
import { ContractError } from "./contract-error.js";

/** Setup of a player, as shown at the end: the secret from which the leaves' salts derive, and the ranks by slot. */
export interface Setup {
  /** Secret of 32 bytes, fresh for every match. */
  secret: Hex;
  ranks: readonly number[];
}

/** Proof of the rank of the pawn in a slot. */
export interface Proof {
  slot: number;
  rank: number;
  /** Salt of the leaf, 32 bytes. */
  salt: Hex;
  /** Siblings from the leaf up, 32 bytes each. */
  siblings: Hex[];
}

const DEPTH = 6;
/** Length of a proof in bytes. */
export const PROOF_BYTES = 2 + WORD_BYTES * (1 + DEPTH);

/** Returns the salt of a slot's leaf. */
export function leafSaltOf(secret: Hex, slot: number): Hex {
  return hexOf(hashWords(secret, slot));
}

/** Returns the leaf of a slot, to which the root commits. */
export function leafOf(player: string, slot: number, rank: number, salt: BytesLike): Uint8Array {
  return hashWords(numberOf(player), slot, rank, salt);
}

/** Returns the root of a player's setup. */
export function rootOf(player: string, setup: Setup): Hex {
  return hexOf(treeOf(player, setup)[DEPTH][0]);
}

/** Returns the proof of a slot's rank. */
export function proofOf(player: string, setup: Setup, slot: number): Proof {
  const siblings = treeOf(player, setup)
    .slice(0, DEPTH)
    .map((level, depth) => hexOf(level[(slot >> depth) ^ 1]));
  return { slot, rank: setup.ranks[slot], salt: leafSaltOf(setup.secret, slot), siblings };
}

/** Encodes a proof: `slot 1 || rank 1 || leaf salt 32 || 6 siblings 192`. */
export function encodeProof({ slot, rank, salt, siblings }: Proof): Hex {
  return concat([new Uint8Array([slot, rank]), salt, ...siblings]);
}

/**
 * Inverse of `encodeProof`.
 * @throws InputError for bytes of the wrong length.
 */
export function decodeProof(data: BytesLike): Proof {
  const bytes = sized(data, "proof", PROOF_BYTES);
  const wordAt = (i: number) => hexOf(bytes.subarray(2 + i * WORD_BYTES, 2 + (i + 1) * WORD_BYTES));
  const siblings = Array.from({ length: DEPTH }, (_, i) => wordAt(i + 1));
  return { slot: bytes[0], rank: bytes[1], salt: wordAt(0), siblings };
}

/** Encodes a setup: `secret 32 || ranks n`. */
export function encodeSetup({ secret, ranks }: Setup): Hex {
  return concat([secret, new Uint8Array(ranks)]);
}

/**
 * Inverse of `encodeSetup`.
 * @throws InputError for fewer bytes than a secret has.
 */
export function decodeSetup(data: BytesLike): Setup {
  const bytes = sized(data, "setup", WORD_BYTES, Infinity);
  return { secret: hexOf(bytes.subarray(0, WORD_BYTES)), ranks: [...bytes.subarray(WORD_BYTES)] };
}

/** Returns the root that a proof leads to; the bits of the slot select left and right. */
export function rootFrom(player: string, { slot, rank, salt, siblings }: Proof): Hex {
  const root = siblings.reduce(
    (node, sibling, depth) => ((slot >> depth) & 1 ? hashWords(sibling, node) : hashWords(node, sibling)),
    leafOf(player, slot, rank, salt),
  );
  return hexOf(root);
}

/**
 * Checks and takes the required proof.
 * @param due Slot whose rank must be proved.
 * @param known Codes of ranks (rank + 1) by slot, recorded or proved in this turn; the proof adds its rank.
 * @throws ContractError for a proof of another slot or root, or of a rank that contradicts public information.
 */
export function takeProof(
  armyRules: ArmyRules,
  side: Side,
  player: string,
  due: number,
  known: Uint8Array,
  proof: Proof,
): void {
  const { slot, rank } = proof;
  if (slot !== due) throw new ContractError("ProofNotDue", { slot, expected: due });
  if (rank >= RANKS.length) throw new ContractError("UnknownRank", { slot, rank });
  const root = rootFrom(player, proof);
  if (root !== side.root) throw new ContractError("WrongProof", { slot, root, expected: side.root });
  checkMoved(side, slot, rank);
  known[slot] = rank + 1;
  const count = known.reduce((sum, code) => sum + Number(code === rank + 1), 0);
  const max = maxOf(armyRules, rank);
  if (count > max) throw new ContractError("TooManyOfRank", { rank, count, max });
}

/**
 * Checks a setup at the end of a match: it must be an army, have the root, and agree with all proofs and moves.
 * @throws ContractError for the first contradiction.
 */
export function checkSetup(armyRules: ArmyRules, side: Side, player: string, setup: Setup): void {
  checkRanks(armyRules, setup.ranks);
  const root = rootOf(player, setup);
  if (root !== side.root) throw new ContractError("WrongSetup", { root, expected: side.root });
  // Earlier proofs had the same root and name each rank with its slot, so the ranks cannot differ here.
  for (const [slot, rank] of setup.ranks.entries()) checkMoved(side, slot, rank);
}

/** Checks that a pawn of a rank could have moved in the way that the pawn in a slot did. */
function checkMoved({ moved, movedFar }: Side, slot: number, rank: number): void {
  if (moved[slot] && !isMobile(rank)) throw new ContractError("RankCannotMove", { slot, rank });
  if (movedFar[slot] && rank !== SCOUT) throw new ContractError("RankCannotMoveFar", { slot, rank });
}

/** Returns all levels of a setup's tree, the 64 leaves first. */
function treeOf(player: string, { secret, ranks }: Setup): Uint8Array[][] {
  const leaves = Array.from({ length: 2 ** DEPTH }, (_, slot) =>
    slot < ranks.length ? leafOf(player, slot, ranks[slot], leafSaltOf(secret, slot)) : new Uint8Array(WORD_BYTES),
  );
  const levels = [leaves];
  for (let depth = 0; depth < DEPTH; depth++) {
    const below = levels[depth];
    levels.push(below.flatMap((left, i) => (i % 2 === 0 ? [hashWords(left, below[i + 1])] : [])));
  }
  return levels;
}
