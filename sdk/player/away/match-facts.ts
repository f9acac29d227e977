import { ZeroAddress, type BlockTag } from "ethers";
import type { Arena } from "../../../typechain-types/index.js";
import { readTerms } from "../../chain/terms.js";
import type { AwayMatch } from "../../protocol/away/signatures.js";
import { Seat, Status } from "../../protocol/status.js";
import { termsHash } from "../../protocol/terms.js";

/** Facts by which messages of a match are checked, and how it stands. */
export interface AwayFacts extends AwayMatch {
  /** A value of `Status`. */
  status: bigint;
  /** Seat in turn on chain. */
  turn: bigint;
}

/**
 * Reads the facts by which the messages of a match are checked.
 * @param arena An arena that is connected to a provider.
 * @param block Number of the block; defaults to the latest.
 * @returns undefined for a match that player 2 has not joined.
 * @throws Error for an answer of the node that is none.
 */
export async function readAwayFacts(arena: Arena, matchId: bigint, block?: number): Promise<AwayFacts | undefined> {
  try {
    return await factsAt(arena, matchId, block ?? "latest");
  } catch (error) {
    // Ethers decodes a value when it is read, and throws for one that its type cannot have.
    if (!(error instanceof Error && error.message.startsWith("deferred error during ABI decoding"))) throw error;
    throw new Error(`The node does not answer with match ${matchId}.`, { cause: error });
  }
}

async function factsAt(arena: Arena, matchId: bigint, blockTag: BlockTag): Promise<AwayFacts | undefined> {
  const at = { blockTag };
  if (matchId === 0n || matchId > (await arena.matchCount(at))) return undefined;
  const { status, turn, player1, player2, termsId } = await arena.matchOf(matchId, at);
  if (status < Status.AllJoined || status === Status.P1Canceled) return undefined;
  const [terms, address, { chainId }, ...keys] = await Promise.all([
    readTerms(arena, termsId),
    arena.getAddress(),
    arena.runner!.provider!.getNetwork(),
    arena.keyOf(matchId, Seat.One, at),
    arena.keyOf(matchId, Seat.Two, at),
  ]);
  const pledged = [Seat.One, Seat.Two].map((seat, side) => ({ seat, key: keys[side] }));
  return {
    chainId,
    arena: address,
    game: terms.game,
    matchId,
    termsHash: termsHash(terms),
    players: [player1, player2],
    keys: pledged.filter(({ key }) => key !== ZeroAddress),
    status,
    turn,
  };
}
