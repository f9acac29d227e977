import type { Arena } from "../../../typechain-types/index.js";
import { finalBlock } from "../../chain/finality.js";
import type { History } from "../../chain/history.js";
import type { MatchRecord } from "../../chain/record.js";
import type { BlockId } from "../../chain/source.js";
import { nextTime } from "../../chain/time.js";
import type { Hex } from "../../protocol/hex.js";
import { readAwayFacts } from "./match-facts.js";

/** State of a match on chain, as of one block. */
export interface ChainState {
  block: BlockId;
  /** Time of the block, in seconds since 1970. */
  blockTime: bigint;
  /** Time that the next block will have at least, in seconds since 1970. */
  time: bigint;
  record: MatchRecord;
  /** A value of `Status`. */
  status: bigint;
  /** Seat in turn; Either while nobody has posted. */
  turn: bigint;
  /** Last second in which the seat in turn may act, since 1970. */
  deadline: bigint;
  /** Position that the arena keeps of the match. */
  position: Hex;
  /** Facts that no reorganisation will undo; undefined while that is less than joining. */
  final?: {
    position: Hex;
    /** Keys that the players have pledged. */
    keys: readonly { seat: bigint; key: string }[];
  };
}

/** View of one match on chain. */
export interface ChainView {
  /** Reads how the match stands, all of it at one block. */
  read(): Promise<ChainState>;
}

/**
 * Returns the view of a match by a node.
 * @param arena An arena that is connected to a provider.
 */
export function chainView(arena: Arena, history: History, matchId: bigint): ChainView {
  return { read: () => readChain(arena, history, matchId) };
}

async function readChain(arena: Arena, history: History, matchId: bigint): Promise<ChainState> {
  const provider = arena.runner!.provider!;
  const snapshot = await history.snapshot();
  const block = snapshot.pinned!;
  const record = await snapshot.match(matchId);
  const at = { blockTag: block.number };
  const [{ status, turn, deadline }, position, time, last, own] = await Promise.all([
    arena.matchOf(matchId, at),
    arena.positionOf(matchId, at),
    nextTime(provider),
    finalBlock(provider),
    provider.getBlock(block.number),
  ]);
  if (own?.hash !== block.hash) throw new Error(`The chain has another block ${block.number} by now.`);
  const finalNumber = Math.min(last.number, block.number);
  const facts = await readAwayFacts(arena, matchId, finalNumber);
  const final = facts && {
    keys: facts.keys,
    position: finalNumber === block.number ? position : await arena.positionOf(matchId, { blockTag: finalNumber }),
  };
  const times = { blockTime: BigInt(own.timestamp), time: BigInt(time) };
  return { block, ...times, record, status, turn, deadline, position, ...(final && { final }) };
}
