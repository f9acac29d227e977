import { ZeroAddress } from "ethers";
import type { Hex } from "../protocol/hex.js";
import { Seat, Status } from "../protocol/status.js";
import type { Terms } from "../protocol/terms.js";
import type { AnyEvent } from "./events.js";
import type { Settlement } from "./record.js";

/** Players and status of a match. */
export interface MatchSeats {
  readonly matchId: bigint;
  readonly player1: string;
  /** Player in seat 2 or, while the seat is free, the only player who may take it; undefined if anyone may. */
  readonly player2?: string;
  /** As in `Status`. */
  readonly status: bigint;
}

/**
 * State of a match so far, from the arena's events. History, rankings, the agent, the page and the index all share this
 * computation. `foldMatch` computes what depends on block times and on the game, such as the clocks. The referee in
 * `verify/` checks each event against its own state.
 */
export interface MatchFacts extends MatchSeats {
  readonly termsHash: Hex;
  /** True once player 2 has paid its stake, or joined. */
  readonly isTaken: boolean;
  /** End of a firm offer in seconds since 1970; zero for a soft offer. */
  readonly firmUntil: bigint;
  readonly settlement?: Settlement;
  /** Number of the match's events. */
  readonly events: number;
  readonly createdBlock: number;
  readonly lastBlock: number;
  readonly last: Pick<AnyEvent, "name" | "transaction">;
}

/**
 * Returns the seats of a match after an event of the arena.
 * @param before The match's seats before the event; undefined for an unknown match.
 * @returns undefined for an unknown match that the event does not create.
 * @example
 * ```ts
 * import { seatsAfter, Status } from "duello";
 *
 * const [, created] = archive.all;
 * seatsAfter(created, undefined)?.status; // => Status.P1Deposited
 * ```
 */
export function seatsAfter({ name, args }: AnyEvent, before: MatchSeats | undefined): MatchSeats | undefined {
  if (name === "Created") {
    const { matchId, player1, opponent, funded } = args;
    const status = funded ? Status.P1Deposited : Status.Created;
    return { matchId, player1, player2: opponent === ZeroAddress ? undefined : opponent, status };
  }
  if (!before) return undefined;
  if (name === "Funded" && args.seat === Seat.One) return { ...before, status: Status.P1Deposited };
  if (name === "Funded") return { ...before, status: Status.AllDeposited, player2: args.player };
  if (name === "Joined") return { ...before, status: Status.AllJoined, player2: args.player2 };
  return name === "Settled" ? { ...before, status: args.status } : before;
}

/**
 * Returns the facts of a match after an event.
 * @param before Earlier facts; undefined for an unknown match.
 * @example
 * ```ts
 * import { factsAfter } from "duello";
 *
 * const [, created] = archive.all;
 * factsAfter(created, undefined)?.events; // => 1
 * ```
 */
export function factsAfter(event: AnyEvent, before: MatchFacts | undefined): MatchFacts | undefined {
  const seats = seatsAfter(event, before);
  if (!seats) return undefined;
  const { name, args, block, transaction } = event;
  const last = { name, transaction };
  if (name === "Created") {
    const { termsHash, firmUntil } = args;
    const none = { isTaken: false, settlement: undefined };
    return { ...seats, termsHash, firmUntil, ...none, events: 1, createdBlock: block, lastBlock: block, last };
  }
  const known = before!;
  return {
    ...known,
    ...seats,
    isTaken: known.isTaken || seats.status === Status.AllDeposited || seats.status === Status.AllJoined,
    ...(name === "Settled" && { settlement: settlementOf(args) }),
    events: known.events + 1,
    lastBlock: block,
    last,
  };
}

/**
 * Returns the facts of a match from its events; undefined if the events do not include the match's creation.
 * @example
 * ```ts
 * import { factsOf, Status } from "duello";
 *
 * const facts = factsOf(archive.all);
 * facts?.status; // => Status.P1Win
 * ```
 */
export function factsOf(events: Iterable<AnyEvent>): MatchFacts | undefined {
  let facts: MatchFacts | undefined;
  for (const event of events) facts = factsAfter(event, facts);
  return facts;
}

function settlementOf({ status, paid1, paid2, house, rating1, rating2 }: Settlement): Settlement {
  return { status, paid1, paid2, house, rating1, rating2 };
}

/**
 * Returns whether a match is over and has counted for the ladder.
 * @example
 * ```ts
 * import { factsOf, hasCounted } from "duello";
 *
 * hasCounted(factsOf(archive.all)!, record.terms); // => false
 * ```
 */
export function hasCounted({ settlement }: Pick<MatchFacts, "settlement">, { rated }: Pick<Terms, "rated">): boolean {
  if (!settlement) return false;
  const { status, rating1, rating2 } = settlement;
  // The winner of a match that counts has a rating above zero.
  return rating1 > 0n || rating2 > 0n || (status === Status.Draw && rated);
}
