import { computeAddress, dataSlice, N, SigningKey, TypedDataEncoder, type TypedDataDomain } from "ethers";
import { bytesOf } from "../bytes.js";
import type { Hex } from "../hex.js";

/** State of a game that is played away from the chain, which both players sign. */
export interface AwayState {
  matchId: bigint;
  /** State that the game would have kept on chain after joining, 32 bytes. */
  base: Hex;
  /** Number of actions since joining. */
  nonce: number;
  /** Seat in turn; None once the game is over. */
  turn: bigint;
  /** State that the game would keep on chain now, 32 bytes. */
  word: Hex;
  /** Hash of all actions since joining, as `nextRecord` makes it, 32 bytes. */
  record: Hex;
}

/** Result on which both players of a match agree, which they sign. */
export interface Agreement {
  matchId: bigint;
  termsHash: Hex;
  /** Seat of the winner; None for a draw. */
  winner: bigint;
  /** Last second in which it settles the match, since 1970; `NEVER` for one that does not end. */
  until: bigint;
  /** Record of the state that the players have agreed in, 32 bytes. */
  record: Hex;
}

/** Proposal of a result, which binds nobody. */
export interface AwayProposal {
  matchId: bigint;
  /** Seat of the winner; None for a draw. */
  winner: bigint;
  /** Nonce of the state in which it is proposed. */
  nonce: number;
}

/** Typed data of EIP-712, as `signTypedData` of a signer takes them. */
export interface SigningRequest {
  domain: TypedDataDomain;
  types: Record<string, { name: string; type: string }[]>;
  value: Record<string, unknown>;
}

/** Facts of a match by which its messages are checked. */
export interface AwayMatch {
  chainId: bigint;
  /** Address of the arena. */
  arena: string;
  /** Address of the game. */
  game: string;
  matchId: bigint;
  termsHash: Hex;
  /** Addresses of player 1 and player 2. */
  players: readonly [string, string];
  /** Keys that the players have pledged on chain. */
  keys: readonly { seat: bigint; key: string }[];
}

/** Signers whose signatures count for a seat. */
export interface SeatSigners {
  player: string;
  /** Address of the key that the seat has pledged. */
  key?: string;
  /** Returns the digest by which the player appoints a session key of an address. */
  keyDigestOf(key: string): Hex;
}

/** `until` of an agreement that does not end. */
export const NEVER = 2n ** 40n - 1n;

/** Seconds for which a player agrees to a result that is not the game's. */
export const AGREEMENT_SECONDS = 600n;

/** Seconds that a match may be away from the chain. */
export const AWAY_SECONDS = 30n * 86_400n;

export const SIGNATURE_BYTES = 65;

/** Bytes of a session key's signature and of the player's signature that appoints it. */
export const SESSION_SIGNATURE_BYTES = 2 * SIGNATURE_BYTES;

const STATE_TYPES = {
  State: [
    { name: "matchId", type: "uint256" },
    { name: "base", type: "bytes32" },
    { name: "nonce", type: "uint32" },
    { name: "turn", type: "uint8" },
    { name: "word", type: "bytes32" },
    { name: "record", type: "bytes32" },
  ],
};

const AGREEMENT_TYPES = {
  Agreement: [
    { name: "matchId", type: "uint256" },
    { name: "termsHash", type: "bytes32" },
    { name: "winner", type: "uint8" },
    { name: "until", type: "uint40" },
    { name: "record", type: "bytes32" },
  ],
};

const KEY_TYPES = {
  Key: [
    { name: "matchId", type: "uint256" },
    { name: "key", type: "address" },
  ],
};

const ASK_TYPES = {
  Ask: [
    { name: "matchId", type: "uint256" },
    { name: "winner", type: "uint8" },
    { name: "nonce", type: "uint32" },
  ],
};

/** Returns what a player signs of a state. @param game Address of the game. */
export function stateRequest(chainId: bigint, game: string, state: AwayState): SigningRequest {
  const { matchId, base, nonce, turn, word, record } = state;
  return { domain: domainOf(chainId, game), types: STATE_TYPES, value: { matchId, base, nonce, turn, word, record } };
}

/** Returns what a player signs to agree to a result. @param arena Address of the arena. */
export function agreementRequest(chainId: bigint, arena: string, agreement: Agreement): SigningRequest {
  const { matchId, termsHash, winner, until, record } = agreement;
  return {
    domain: domainOf(chainId, arena),
    types: AGREEMENT_TYPES,
    value: { matchId, termsHash, winner, until, record },
  };
}

/**
 * Returns what a player signs to appoint a session key for one match.
 * @param arena Address of the arena.
 * @param key Address of the session key.
 */
export function appointmentRequest(chainId: bigint, arena: string, matchId: bigint, key: string): SigningRequest {
  return { domain: domainOf(chainId, arena), types: KEY_TYPES, value: { matchId, key } };
}

/** Returns what a player signs to propose a result. No contract takes it. @param arena Address of the arena. */
export function askRequest(chainId: bigint, arena: string, { matchId, winner, nonce }: AwayProposal): SigningRequest {
  const domain = { ...domainOf(chainId, arena), name: "Duello proposals" };
  return { domain, types: ASK_TYPES, value: { matchId, winner, nonce } };
}

/** Computes the digest that is signed of a request. */
export function digestOf({ domain, types, value }: SigningRequest): Hex {
  return TypedDataEncoder.hash(domain, types, value);
}

function domainOf(chainId: bigint, verifyingContract: string): TypedDataDomain {
  return { name: "Duello", version: "1", chainId, verifyingContract };
}

/**
 * Returns whether a signature counts for a seat, by the arena's rules: 65 bytes by the player or by the key it has pledged, or
 * 130 bytes by any session key, the second half being the player's own appointment of that key.
 */
export function isSignedBy(digest: Hex, signature: Hex, { player, key, keyDigestOf }: SeatSigners): boolean {
  const bytes = bytesOf(signature).length;
  if (bytes === SIGNATURE_BYTES) {
    const signer = signerOf(digest, signature);
    return signer !== undefined && (signer === player || signer === key);
  }
  if (bytes !== SESSION_SIGNATURE_BYTES) return false;
  const session = signerOf(digest, dataSlice(signature, 0, SIGNATURE_BYTES));
  return session !== undefined && signerOf(keyDigestOf(session), dataSlice(signature, SIGNATURE_BYTES)) === player;
}

/**
 * Returns the address that signed a digest, by `r 32 || s 32 || v 1` with a low s and v 27 or 28; undefined if that is
 * no signature.
 */
export function signerOf(digest: Hex, signature: Hex): string | undefined {
  if (bytesOf(signature).length !== SIGNATURE_BYTES) return undefined;
  const signed = digest + signature;
  if (!recovered.has(signed)) {
    if (recovered.size === MAX_RECOVERED) recovered.clear();
    recovered.set(signed, recover(digest, signature));
  }
  return recovered.get(signed);
}

/** Signers of what was checked: recovering one takes milliseconds, and logs and relays all bring the same messages. */
const recovered = new Map<string, string | undefined>();

/** Number of signers to keep, which take some hundred bytes each. */
const MAX_RECOVERED = 10_000;

function recover(digest: Hex, signature: Hex): string | undefined {
  const [r, s] = [dataSlice(signature, 0, 32), dataSlice(signature, 32, 64)];
  const v = Number(dataSlice(signature, 64));
  if ((v !== 27 && v !== 28) || BigInt(s) > N / 2n) return undefined;
  try {
    return computeAddress(SigningKey.recoverPublicKey(digest, { r, s, v }));
  } catch {
    // No point of the curve has such a coordinate.
    return undefined;
  }
}

/** Returns the signers whose signatures count for a seat of a match. */
export function signersOf({ chainId, arena, matchId, players, keys }: AwayMatch, seat: bigint): SeatSigners {
  return {
    player: players[Number(seat) - 1],
    key: keys.find((pledge) => pledge.seat === seat)?.key,
    keyDigestOf: (key) => digestOf(appointmentRequest(chainId, arena, matchId, key)),
  };
}
