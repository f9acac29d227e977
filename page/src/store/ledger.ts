import { Seat, Status, termsHash, type AnyEvent, type Hex, type IndexRow, type Settlement, type Terms } from "duello";
import { ZeroAddress } from "ethers";

/** A match as a list of matches shows it. */
export interface ListedMatch {
  readonly matchId: bigint;
  /** Block in which it was offered. */
  readonly block: number;
  readonly terms: Pick<Terms, "game" | "mode" | "token" | "stake1" | "stake2">;
  readonly player1: string;
  /** The player who has the other seat, or the only one that may take it; undefined if anyone may. */
  readonly player2?: string;
  /** As in `Status`. */
  readonly status: bigint;
  readonly settlement?: Pick<Settlement, "status">;
}

/** A match in short, as its events tell it. */
export interface MatchSummary extends ListedMatch {
  readonly terms: Terms;
  /** End of a firm offer in seconds since 1970; zero for a soft one. */
  readonly firmUntil: bigint;
  readonly settlement?: Settlement;
  /** Number of its events so far: another one means that something has happened. */
  readonly events: number;
}

/** All matches of a deployment in short, by its events. A ledger never changes: `with` makes the next one. */
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

/** Makes an item of a list of what an index says of a match. */
export function listedMatch(row: IndexRow<"match">): ListedMatch {
  const { createdBlock: block, isOver: hasEnded, ...match } = row;
  const status = BigInt(row.status);
  return { ...match, block, terms: row, status, ...(hasEnded && { settlement: { status } }) };
}

/** Tells if a match, or the offer of one, has ended. */
export function isOver({ settlement }: ListedMatch): boolean {
  return settlement !== undefined;
}

/** Tells if a match still waits for somebody to take a seat. */
export function isOffer({ status, settlement }: ListedMatch): boolean {
  return settlement === undefined && status < Status.AllJoined;
}

/** Tells if a match was played, and is over. */
export function wasPlayed({ settlement }: ListedMatch): boolean {
  return settlement !== undefined && settlement.status !== Status.P1Canceled;
}

/** Returns the match that an event is about, as it is after the event; undefined for any other event. */
function summarize(
  { name, args, block }: AnyEvent,
  matches: ReadonlyMap<bigint, MatchSummary>,
  terms: ReadonlyMap<Hex, Terms>,
): MatchSummary | undefined {
  if (name === "Created") {
    const { matchId, player1, opponent, firmUntil, funded } = args;
    return {
      matchId,
      block,
      terms: terms.get(args.termsHash)!,
      player1,
      player2: opponent === ZeroAddress ? undefined : opponent,
      firmUntil,
      status: funded ? Status.P1Deposited : Status.Created,
      events: 1,
    };
  }
  const before = "matchId" in args ? matches.get(args.matchId) : undefined;
  if (!before) return undefined;
  return { ...before, ...changeBy(name, args), events: before.events + 1 };
}

function changeBy(name: AnyEvent["name"], args: AnyEvent["args"]): Partial<MatchSummary> {
  if (name === "Funded") {
    const { seat, player } = args as { seat: bigint; player: string };
    return seat === Seat.One ? { status: Status.P1Deposited } : { status: Status.AllDeposited, player2: player };
  }
  if (name === "Joined") return { status: Status.AllJoined, player2: (args as { player2: string }).player2 };
  if (name !== "Settled") return {};
  const { status, paid1, paid2, house, rating1, rating2 } = args as Settlement;
  return { status, settlement: { status, paid1, paid2, house, rating1, rating2 } };
}
