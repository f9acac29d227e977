import { ZeroAddress } from "ethers";
import type { Arena } from "../../typechain-types/index.js";
import type { Addresses } from "../chain/addresses.js";
import { arenaAt, type ArenaMatch } from "../chain/arena.js";
import type { Archive } from "../chain/archive.js";
import type { AnyEvent } from "../chain/events.js";
import { foldMatch } from "../chain/match-state.js";
import type { MatchRecord } from "../chain/record.js";
import { readTerms } from "../chain/terms.js";
import { findGame } from "../games/list.js";
import type { GameModule, Trust } from "../games/module.js";
import { modeNamed } from "../games/modes.js";
import { RecordError } from "../games/revealed-rounds.js";
import { isKind } from "../protocol/error-kind.js";
import { InputError } from "../protocol/input.js";
import { fingerprintOf, type Offer } from "../protocol/offer.js";
import { isPlayerSeat } from "../protocol/sides.js";
import { isOpen, Seat } from "../protocol/status.js";
import type { Token } from "./amounts.js";
import type { Tokens } from "./tokens.js";

/** A match in its current state, with the names of its token, game and mode. */
export interface MatchView extends Offer {
  /** Status, as in `Status`. */
  status: bigint;
  /** Player 2 or, before player 2 joins, the only address that may join; undefined if anyone may. */
  player2?: string;
  firm: boolean;
  /**
   * True if only a token transfer seated player 2, without a call from that player; undefined if events do not
   * determine it.
   */
  byTransfer?: boolean;
  /** Seat whose turn it is, as in `Seat`; None unless the match is in play. */
  turn: bigint;
  /** Deadline in seconds since 1970; meaningless once the match is over. */
  deadline: bigint;
  token: Token;
  /** Name of the game; undefined for a foreign game. */
  game?: string;
  /** Trust in the game. */
  trust: Trust | "foreign";
  /** Name of the mode; undefined if it is not published. */
  mode?: string;
}

/** A view with the times of both players. */
export interface TimedMatchView extends MatchView {
  /** Remaining seconds of the player who is not in turn; meaningless unless the match is in play. */
  reserve: bigint;
}

/** Games and tokens that a reader of matches supports. */
export interface MatchReader {
  readonly games: readonly GameModule[];
  readonly tokens: Tokens;
}

/** Fields of a view that contain no name of a token, game or mode. */
type Fields = Omit<TimedMatchView, "token" | "game" | "trust" | "mode">;

/**
 * Reads a match and its terms from the contracts.
 * @param addresses Addresses of the deployment, which identify games.
 * @param read The match as the arena returned it; defaults to its current state.
 * @throws like `readTerms`, and an error of ethers with the custom error UnknownMatch for an unknown match.
 * @example
 * ```ts
 * import { games, viewOnChain } from "duello";
 *
 * const { status, turn, deadline } = await viewOnChain(arena, { games, tokens }, addresses, 7n);
 * ```
 */
export async function viewOnChain(
  arena: Arena,
  reader: MatchReader,
  addresses: Addresses,
  matchId: bigint,
  read?: ArenaMatch,
): Promise<TimedMatchView> {
  const match = read ?? (await arena.matchOf(matchId));
  const { status, player1, player2, firm, byTransfer, turn, deadline, reserve, fingerprint } = match;
  const terms = await readTerms(arena, match.termsId);
  const fields = { matchId, status, player1, player2, firm, byTransfer, turn, deadline, reserve, terms, fingerprint };
  return named({ ...fields, player2: someone(player2) }, reader, addresses);
}

/**
 * Returns a finished match from its record.
 * @throws Error for a match that is not over.
 * @example
 * ```ts
 * import { games, Tokens, viewOfRecord } from "duello";
 *
 * const tokens = new Tokens(provider, addresses);
 * const { status, mode } = await viewOfRecord(await history.match(7n), { games, tokens }, addresses);
 * ```
 */
export async function viewOfRecord(
  { matchId, player1, player2, terms, createData, settlement }: MatchRecord,
  reader: MatchReader,
  addresses: Addresses,
): Promise<TimedMatchView> {
  const fields = {
    matchId,
    player1,
    player2,
    terms,
    status: settlement!.status,
    fingerprint: fingerprintOf(createData),
  };
  return named(
    { ...fields, firm: false, byTransfer: false, turn: Seat.None, deadline: 0n, reserve: 0n },
    reader,
    addresses,
  );
}

/**
 * Returns a match from the events in an archive. Queries the node only for the times of blocks and for the token, once
 * each. For a foreign game in play, reads the match from the arena, since the events do not contain its turns.
 * @throws Error if there is no such match.
 * @example
 * ```ts
 * import { Archive, games, viewOf } from "duello";
 *
 * const archive = await Archive.read(provider, addresses, 1);
 * const { status, turn, deadline } = await viewOf(archive, { games, tokens }, 7n);
 * ```
 */
export async function viewOf(archive: Archive, reader: MatchReader, matchId: bigint): Promise<TimedMatchView> {
  const { addresses, provider } = archive;
  const events = eventsOf(archive, matchId);
  const record = await archive.match(matchId);
  const { terms, settlement } = record;
  // A finished match has no turn, and needs no times.
  const turns = settlement ? [] : await turnsIn(record, archive, reader);
  if (!settlement) await archive.readTimes(events.map(({ block }) => block));
  const timeOf = (block: number) => archive.timeOf(block) ?? 0n;
  const state = foldMatch(events, { terms, turns, timeOf, before: (event) => before(archive, event) })!;
  const { status, player1, player2, isFirm: firm, byTransfer, turn, deadline, reserve, fingerprint } = state;
  if (turn === undefined) {
    const arena = arenaAt(addresses.Arena, provider);
    const match = await arena.matchOf(matchId, { blockTag: archive.last.number });
    return viewOnChain(arena, reader, addresses, matchId, match);
  }
  const fields = { matchId, status, player1, player2, firm, byTransfer, turn, deadline, reserve, terms, fingerprint };
  const view = await named({ ...fields, player2: someone(player2) }, reader, addresses);
  // The archive may grow while it is read, and the replay may include later actions.
  return eventsOf(archive, matchId).length === events.length ? view : viewOf(archive, reader, matchId);
}

/** Seconds that each player has left. */
export interface Clocks {
  player1: bigint;
  player2: bigint;
}

/**
 * Returns the time that each player of a match in play has left; undefined for any other match.
 * @param now Time in seconds since 1970.
 * @example
 * ```ts
 * import { clocksOf } from "duello";
 *
 * clocksOf(view, view.deadline - 600n); // => { player1: 600n, player2: 1800n }
 * ```
 */
export function clocksOf(
  { turn, deadline, reserve }: Pick<TimedMatchView, "turn" | "deadline" | "reserve">,
  now: bigint,
): Clocks | undefined {
  if (!isPlayerSeat(turn)) return undefined;
  const left = deadline > now ? deadline - now : 0n;
  return turn === Seat.One ? { player1: left, player2: reserve } : { player1: reserve, player2: left };
}

/**
 * Returns whether the deadline of an open match has passed.
 * @param now Time in seconds since 1970.
 * @example
 * ```ts
 * import { isLate } from "duello";
 *
 * isLate(view, view.deadline); // => false
 * isLate(view, view.deadline + 1n); // => true
 * ```
 */
export function isLate(match: Pick<MatchView, "status" | "deadline">, now: bigint): boolean {
  return isOpen(match) && now > match.deadline;
}

/** Adds the names of the token, game and mode. */
async function named(
  { terms, fingerprint, reserve, ...fields }: Fields,
  { games, tokens }: MatchReader,
  addresses: Addresses,
): Promise<TimedMatchView> {
  const game = findGame(terms.game, games, addresses);
  return {
    ...fields,
    terms,
    fingerprint,
    token: await tokens.at(terms.token),
    game: game?.name,
    trust: game?.trust ?? "foreign",
    mode: game && modeNamed(game, terms.mode),
    reserve,
  };
}

/** Lists the arena's events of a match, in the chain's order. */
function eventsOf(archive: Archive, matchId: bigint): AnyEvent[] {
  const { Arena } = archive.addresses;
  const [created] = archive.find(Arena, "Created", { matchId });
  if (!created) return [];
  const of = (name: "Funded" | "Joined" | "Acted" | "Declined" | "Settled") =>
    archive.find(Arena, name, { matchId }, created.block) as AnyEvent[];
  return [created, ...of("Funded"), ...of("Joined"), ...of("Acted"), ...of("Declined"), ...of("Settled")];
}

/** Returns the arena's previous event. */
function before({ all, addresses }: Archive, event: AnyEvent): AnyEvent | undefined {
  let i = all.lastIndexOf(event) - 1;
  while (i >= 0 && all[i].address !== addresses.Arena) i--;
  return all[i];
}

/** Replays a match to find its order of turns; undefined for a foreign game or inconsistent data. */
async function turnsIn(
  record: MatchRecord,
  archive: Archive,
  { games }: MatchReader,
): Promise<readonly (bigint | undefined)[] | undefined> {
  if (record.joinData === undefined) return [];
  const game = findGame(record.terms.game, games, archive.addresses);
  try {
    return (await game?.replay(record, archive))?.turns;
  } catch (error) {
    if (isKind(error, RecordError) || isKind(error, InputError)) return undefined;
    throw error;
  }
}

function someone(player: string): string | undefined {
  return player === ZeroAddress ? undefined : player;
}
