import {
  factsAfter,
  offerDeadline,
  Status,
  termsHash,
  type AnyEvent,
  type Hex,
  type IndexRow,
  type MatchFacts,
  type Settlement,
  type Terms,
} from "duello";

/** A match as an entry of a list. */
export interface ListedMatch {
  readonly matchId: bigint;
  /** Block in which the match was offered. */
  readonly createdBlock: number;
  readonly terms: Pick<Terms, "game" | "mode" | "token" | "stake1" | "stake2">;
  readonly player1: string;
  /** The player who has the second seat, or the only player who may take it; undefined if anyone may. */
  readonly player2?: string;
  /** End of a firm offer in seconds since 1970; 0 for any other offer. */
  readonly firmUntil: bigint;
  /** Status of the match, as in `Status`. */
  readonly status: bigint;
  readonly settlement?: Pick<Settlement, "status" | "paid1" | "paid2" | "house">;
  /** Block of the match's latest event. */
  readonly lastBlock: number;
}

/** Summary of a match, from its events. */
export interface MatchSummary extends ListedMatch, MatchFacts {
  readonly terms: Terms;
  readonly settlement?: Settlement;
}

/** Summaries of all matches of a deployment, from its events. A ledger is immutable: `with` returns a new one. */
export class Ledger {
  private readonly matches: ReadonlyMap<bigint, MatchSummary>;
  private readonly terms: ReadonlyMap<Hex, Terms>;

  constructor(events: readonly AnyEvent[], before?: Ledger) {
    const terms = new Map(before?.terms);
    const matches = new Map(before?.matches);
    for (const event of events) {
      if (event.name === "TermsAdded") terms.set(termsHash(event.args.terms), event.args.terms);
      const summary = summarize(event, matches, terms);
      if (summary) matches.set(summary.matchId, summary);
    }
    [this.matches, this.terms] = [matches, terms];
  }

  /** Returns the ledger with further events. */
  with(events: readonly AnyEvent[]): Ledger {
    return new Ledger(events, this);
  }

  /** Finds a match by its number. */
  match(matchId: bigint): MatchSummary | undefined {
    return this.matches.get(matchId);
  }

  /** Lists the matches, newest first. */
  newest(): MatchSummary[] {
    return [...this.matches.values()].reverse();
  }

  /** Lists the matches of a player, newest first. */
  of(player: string): MatchSummary[] {
    return this.newest().filter(({ player1, player2 }) => player === player1 || player === player2);
  }
}

/** Makes a list item from an index's data about a match. */
export function listedMatch(row: IndexRow<"match">): ListedMatch {
  const { isOver: hasEnded, paid1 = 0n, paid2 = 0n, house = 0n, ...match } = row;
  const status = BigInt(row.status);
  return { ...match, terms: row, status, ...(hasEnded && { settlement: { status, paid1, paid2, house } }) };
}

/** Returns whether a match, or the offer of a match, has ended. */
export function isOver({ settlement }: ListedMatch): boolean {
  return settlement !== undefined;
}

/** Returns whether a match still waits for somebody to take a seat. */
export function isOffer({ status, settlement }: ListedMatch): boolean {
  return settlement === undefined && status < Status.AllJoined;
}

/** Returns whether a match is an offer that a player can take. @param times In seconds since 1970. */
export function isJoinable(
  { status, player1, player2, firmUntil }: ListedMatch,
  player: string | undefined,
  times: { readonly now: number; readonly createdAt: number },
): boolean {
  const isForPlayer = player2 === undefined ? player !== player1 : player === player2;
  const isInTime = offerDeadline(firmUntil, BigInt(times.createdAt)) >= BigInt(times.now);
  return status === Status.P1Deposited && isForPlayer && isInTime;
}

/** Returns whether a match was played, and is over. */
export function wasPlayed({ settlement }: ListedMatch): boolean {
  return settlement !== undefined && settlement.status !== Status.P1Canceled;
}

/** Returns the match that an event is about, as it is after the event; undefined for any other event. */
function summarize(
  event: AnyEvent,
  matches: ReadonlyMap<bigint, MatchSummary>,
  terms: ReadonlyMap<Hex, Terms>,
): MatchSummary | undefined {
  if (!("matchId" in event.args)) return undefined;
  const facts = factsAfter(event, matches.get(event.args.matchId));
  return facts && { ...facts, terms: terms.get(facts.termsHash)! };
}
