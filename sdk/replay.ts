import { gameAt } from "./games/index.js";
import type { History } from "./history.js";
import type { MatchRecord, Rerun, RoundLog, Settlement } from "./record.js";
import { Seat, Status } from "./status.js";
import type { Terms } from "./terms.js";

/** What a replay found. */
export interface Replay {
  record: MatchRecord;
  /** What the twin made of the players' data. */
  rerun: Rerun;
  /** The first thing in which the events and the twin differ; undefined if the match is identical. */
  difference?: string;
}

/**
 * Re-runs a match from its events alone: the players' data through the game's TypeScript twin, every word of the log and
 * every amount of the settlement compared. @throws Error for an unknown match, or a game that is not of the deployment.
 */
export async function replay(history: History, matchId: bigint): Promise<Replay> {
  const record = await history.match(matchId);
  const game = gameAt(record.terms.game, history.addresses);
  const rerun = await game.replay(record, history);
  const difference = compareLogs(record.logs, rerun.logs) ?? compareEnd(record, rerun);
  return { record, rerun, difference };
}

function compareLogs(written: RoundLog[], expected: RoundLog[]): string | undefined {
  if (written.length !== expected.length) return `${written.length} rounds were logged, ${expected.length} were played`;
  for (const [i, { round, words }] of expected.entries()) {
    const log = written[i];
    if (log.round !== round) return `log ${i + 1} is of round ${log.round}, not ${round}`;
    const at = words.findIndex((word, n) => word !== log.words[n]);
    if (at >= 0) return `round ${round}, word ${at + 1}: logged ${log.words[at]}, replayed ${words[at]}`;
    if (log.words.length > words.length)
      return `round ${round}: ${log.words.length} words logged, ${words.length} replayed`;
  }
  return undefined;
}

function compareEnd(record: MatchRecord, { result }: Rerun): string | undefined {
  const { settlement } = record;
  if (!settlement) return result && "the game is over, the match is not";
  const expected = expectedEnd(record, settlement, result);
  if (typeof expected === "string") return expected;
  for (const field of ["status", "paid1", "paid2", "house"] as const) {
    if (settlement[field] !== expected[field]) {
      return `${field}: settled with ${settlement[field]}, replayed ${expected[field]}`;
    }
  }
  return undefined;
}

type Payment = Pick<Settlement, "status" | "paid1" | "paid2" | "house">;

/** How a match must have been settled; a win without a result of the game is a resignation. */
function expectedEnd(record: MatchRecord, { status }: Settlement, result: Rerun["result"]): Payment | string {
  const { terms, funded } = record;
  const isFunded = (seat: bigint) => funded.some((each) => each.seat === seat);
  if (status !== Status.P1Canceled && !(isFunded(Seat.One) && isFunded(Seat.Two))) {
    return `status ${status}, but the stakes were not both taken`;
  }
  if (result) return { status: statusFor(result.winner), ...split(terms, result.taker, terms.share) };
  switch (status) {
    case Status.P1Win:
      return { status, ...split(terms, Seat.One, terms.share) };
    case Status.P2Win:
      return { status, ...split(terms, Seat.Two, terms.share) };
    case Status.P1WinInactive:
      return { status, ...split(terms, Seat.One, 0n) };
    case Status.P2WinInactive:
      return { status, ...split(terms, Seat.Two, 0n) };
    case Status.P1Canceled:
      return { status, paid1: isFunded(Seat.One) ? terms.stake1 : 0n, paid2: 0n, house: 0n };
    default:
      return `status ${status}, but the game did not end`;
  }
}

function statusFor(winner: bigint): bigint {
  if (winner === Seat.None) return Status.Draw;
  return winner === Seat.One ? Status.P1Win : Status.P2Win;
}

/** Who is paid what; `share` of a taken pot goes to the house, of 10 000. */
function split({ stake1, stake2 }: Terms, taker: bigint, share: bigint): Omit<Payment, "status"> {
  if (taker === Seat.None) return { paid1: stake1, paid2: stake2, house: 0n };
  const pot = stake1 + stake2;
  const house = (pot * share) / 10_000n;
  return taker === Seat.One ? { paid1: pot - house, paid2: 0n, house } : { paid1: 0n, paid2: pot - house, house };
}
