import { join } from "node:path";
import { bytes32, integer, listUpTo, object } from "../../sdk/protocol/input.js";
import { isOutage } from "../../sdk/chain/trouble.js";
import { Arena__factory } from "../../typechain-types/index.js";
import { readFileAs, writeAtomically } from "./files.js";
import { isOpen } from "./match.js";
import { Progress } from "./output.js";
import type { Session } from "./session.js";

/** Matches that are asked for at once. */
const AT_ONCE = 50;

/** So many matches take a while to look through. */
const LONG = 200;

const number = integer(0, Number.MAX_SAFE_INTEGER);

/** What was known of all matches at a block: those that are over stay over. */
const readKnown = object({ block: number, hash: bytes32, count: number, open: listUpTo(number, 1_000_000) });
type Known = ReturnType<typeof readKnown>;

/** A match as it stands. */
export interface MatchSummary {
  matchId: bigint;
  player1: string;
  /** As the arena has it: who may take the seat before it is taken, zero if anyone may. */
  player2: string;
  status: bigint;
  termsId: bigint;
}

/** All matches, the newest first. */
export async function* allMatches(session: Session): AsyncGenerator<MatchSummary> {
  yield* summaries(session, downFrom(Number(await arenaOf(session).matchCount())));
}

/**
 * The matches that may still change, the newest first. Which are over is remembered on disk, and not asked again.
 * @param onUnread Hears of a match that the node gives an error for; else that is thrown.
 */
export async function* openMatches(
  session: Session,
  onUnread?: (matchId: bigint) => void,
): AsyncGenerator<MatchSummary> {
  const known = await readFile(session);
  const count = Number(await arenaOf(session).matchCount());
  const open: number[] = [];
  const isUnread = (matchId: bigint, error: unknown) => {
    if (!onUnread || isOutage(error)) throw error;
    open.push(Number(matchId));
    onUnread(matchId);
  };
  for await (const summary of summaries(session, [...downFrom(count, known.count), ...known.open], isUnread)) {
    if (!isOpen(summary)) continue;
    open.push(Number(summary.matchId));
    yield summary;
  }
  const latest = (await session.provider.getBlock("latest"))!;
  await writeAtomically(fileOf(session), { block: latest.number, hash: latest.hash!, count, open } satisfies Known);
}

/** @param onError Hears of a match that cannot be read; else that is thrown. */
async function* summaries(
  session: Session,
  ids: readonly number[],
  onError?: (matchId: bigint, error: unknown) => void,
): AsyncGenerator<MatchSummary> {
  const arena = arenaOf(session);
  const progress = new Progress("Reading matches", LONG);
  try {
    for (let i = 0; i < ids.length; i += AT_ONCE) {
      const some = ids.slice(i, i + AT_ONCE).map(BigInt);
      const read = await Promise.allSettled(some.map((matchId) => arena.matchOf(matchId)));
      for (const [k, answer] of read.entries()) {
        if (answer.status === "fulfilled") {
          const { player1, player2, status, termsId } = answer.value;
          yield { matchId: some[k], player1, player2, status, termsId };
        } else if (onError) onError(some[k], answer.reason);
        else throw answer.reason;
      }
      progress.update(i + some.length, ids.length);
    }
  } finally {
    progress.end();
  }
}

/** Numbers below `from`, itself included, and above `to`. */
function downFrom(from: number, to = 0): number[] {
  return Array.from({ length: Math.max(0, from - to) }, (_, i) => from - i);
}

function arenaOf({ deployment, provider }: Session) {
  return Arena__factory.connect(deployment.addresses.Arena, provider);
}

/** What was kept, if the chain is still the one of which it was known. */
async function readFile(session: Session): Promise<Pick<Known, "count" | "open">> {
  const known = await readFileAs(fileOf(session), readKnown);
  const block = known && (await session.provider.getBlock(known.block));
  return known && block?.hash === known.hash ? known : { count: 0, open: [] };
}

function fileOf({ vault, chainId, deployment }: Session): string {
  return join(vault.folder, "matches", `${chainId}-${deployment.addresses.Arena}.json`);
}
