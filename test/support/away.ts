import { getAddress, id, Wallet } from "ethers";
import { Random } from "../../sdk/laws/random.js";
import type { AwayAgreement, AwayAsk, AwayMove } from "../../sdk/protocol/away/messages.js";
import {
  agreementRequest,
  askRequest,
  NEVER,
  stateRequest,
  type AwayMatch,
  type SigningRequest,
} from "../../sdk/protocol/away/signatures.js";
import { nextRecord, stateBehind } from "../../sdk/protocol/away/transcript.js";
import { Seat } from "../../sdk/protocol/status.js";

const walletOf = (name: string) => new Wallet(id(name));

/** Players of `awayMatch`. */
export const awayPlayers = [walletOf("player 1"), walletOf("player 2")] as const;

/** Key that player 2 of `awayMatch` has pledged. */
export const pledgedKey = walletOf("pledged");

/** A match of no game in particular. */
export const awayMatch: AwayMatch = {
  chainId: 31_337n,
  arena: getAddress(`0x${"a1".repeat(20)}`),
  game: getAddress(`0x${"9a".repeat(20)}`),
  matchId: 7n,
  termsHash: id("terms"),
  players: [awayPlayers[0].address, awayPlayers[1].address],
  keys: [{ seat: Seat.Two, key: pledgedKey.address }],
};

/** State of `awayMatch` after joining. */
export const awayBase = id("base");

/** Signs a request. */
export async function signedBy(signer: Wallet, { domain, types, value }: SigningRequest): Promise<string> {
  return signer.signTypedData(domain, types, value);
}

async function signState(signer: Wallet, move: Omit<AwayMove, "signature">, match: AwayMatch): Promise<string> {
  return signedBy(signer, stateRequest(match.chainId, match.game, stateBehind(match.matchId, move)));
}

/** Changes of the moves that `movesBy` makes. */
export interface MoveOptions {
  /** Seat in turn behind the last move. */
  last?: bigint;
  match?: AwayMatch;
  base?: string;
  /** Bytes of each action. */
  size?: number;
  seed?: string;
}

/** Makes moves of seats in their order, each behind the one before, of actions at random. */
export async function movesBy(
  seats: readonly bigint[],
  { last = Seat.One, match = awayMatch, base = awayBase, size, seed = "moves" }: MoveOptions = {},
): Promise<AwayMove[]> {
  const random = new Random(seed);
  const moves: AwayMove[] = [];
  for (const [i, seat] of seats.entries()) {
    const action = random.note(size ?? 1 + i);
    const before = moves.at(-1);
    const unsigned = {
      type: "move" as const,
      nonce: i + 1,
      seat,
      action,
      base,
      turn: seats[i + 1] ?? last,
      word: random.word(),
      record: nextRecord(before?.record ?? base, seat, action),
    };
    const signer = awayPlayers[Number(seat) - 1];
    const previous = before && before.seat !== seat ? { previous: await signState(signer, before, match) } : {};
    moves.push({ ...unsigned, signature: await signState(signer, unsigned, match), ...previous });
  }
  return moves;
}

/** Makes a proposal of a seat. */
export async function askOf(seat: bigint, nonce: number, winner: bigint = Seat.None): Promise<AwayAsk> {
  const { chainId, arena, matchId } = awayMatch;
  const signer = awayPlayers[Number(seat) - 1];
  const signature = await signedBy(signer, askRequest(chainId, arena, { matchId, winner, nonce }));
  return { type: "ask", seat, winner, nonce, signature };
}

/** Makes the half of a seat of an agreement. */
export async function halfOf(
  seat: bigint,
  { nonce, record }: Pick<AwayMove, "nonce" | "record">,
  winner: bigint = Seat.One,
  until = NEVER,
): Promise<AwayAgreement> {
  const { chainId, arena, matchId, termsHash } = awayMatch;
  const request = agreementRequest(chainId, arena, { matchId, termsHash, winner, until, record });
  const signature = await signedBy(awayPlayers[Number(seat) - 1], request);
  return { type: "agreement", seat, winner, until, record, nonce, signature };
}
