import { deployment, match as matches, matchEvent } from "../ponder.schema.js";
import type { AnyEvent, ChainEvent, EventName } from "../../sdk/chain/events.js";
import { factsAfter, hasCounted, type MatchFacts } from "../../sdk/chain/match-facts.js";
import { plainFields } from "../../sdk/chain/saved.js";
import { findGame } from "../../sdk/games/list.js";
import { games } from "./games.js";
import type { MatchRecord } from "../../sdk/chain/record.js";
import { Seat, Status, winnerBy } from "../../sdk/protocol/status.js";
import { countDay } from "./activity.js";
import { countBattle, keepValues, valuesAfter } from "./characters.js";
import type { Db } from "./db.js";
import { countForMode, rate } from "./ladder.js";
import { changePurse, changeToken, takeStake } from "./money.js";
import type { RowHistory } from "./row-history.js";

type Row = typeof matches.$inferSelect;
type EventRow = typeof matchEvent.$inferSelect;
type MatchEventName = "Funded" | "Joined" | "Acted" | "Declined" | "Settled" | "Log";

/** Context of an event of a match. */
export interface MatchContext {
  db: Db;
  history: RowHistory;
  /** Time of the block, in seconds since 1970. */
  time: bigint;
}

/** Adds a match that is offered. */
export async function create(event: ChainEvent<"Created">, context: MatchContext): Promise<void> {
  const { db, history, time } = context;
  const { matchId, player1, funded } = event.args;
  const facts = factsAfter(event, undefined)!;
  const { game, mode, token, stake1, stake2 } = await history.terms(facts.termsHash);
  const { termsHash, firmUntil, createdBlock } = facts;
  const fixed = { matchId, termsHash, game, mode, token, stake1, stake2, player1, firmUntil, createdBlock };
  await db.insert(matches).values({ ...fixed, ...changing(facts), isCounted: false, createdAt: time });
  await keepEvent(event, matchId, 0, context);
  if (funded) await takeStake(db, player1, token, stake1);
  await countDay(db, game, time, "offers", player1);
}

/** Takes a stake. */
export async function fund(event: ChainEvent<"Funded">, context: MatchContext): Promise<void> {
  const { seat, player } = event.args;
  const { after } = await note(event, context);
  await takeStake(context.db, player, after.token, seat === Seat.One ? after.stake1 : after.stake2);
}

/** Seats player 2, and takes its stake unless the stake was taken earlier. */
export async function join(event: ChainEvent<"Joined">, context: MatchContext): Promise<void> {
  const { db, time } = context;
  const { player2 } = event.args;
  const { before, after } = await note(event, context, { joinedAt: time });
  if (before.status === Number(Status.P1Deposited)) await takeStake(db, player2, after.token, after.stake2);
  await countDay(db, after.game, time, "joined", player2);
}

/** Records an action. */
export async function act(event: ChainEvent<"Acted">, context: MatchContext): Promise<void> {
  const { db, time } = context;
  const { game, player1, player2 } = (await note(event, context)).after;
  await countDay(db, game, time, "actions", event.args.seat === Seat.One ? player1 : player2!);
}

/** Stores an event of a match, and its changes to the row. @param more Further columns that change. */
export async function note(
  event: ChainEvent<MatchEventName> & AnyEvent,
  context: MatchContext,
  more: Partial<Row> = {},
): Promise<{ before: Row; after: Row }> {
  const { db, history } = context;
  const { matchId } = event.args;
  const before = (await db.find(matches, { matchId }))!;
  const last = event.name === "Settled" ? await db.find(matchEvent, { matchId, place: before.events - 1 }) : null;
  const facts = factsAfter(event, factsIn(before, last))!;
  const isCounted = facts.settlement !== undefined && hasCounted(facts, await history.terms(facts.termsHash));
  await keepEvent(event, matchId, before.events, context);
  const after = await db.update(matches, { matchId }).set({ ...changing(facts), isCounted, ...more });
  return { before, after };
}

/** Returns the columns that events change. */
function changing({ player2, status, settlement, events, lastBlock }: MatchFacts) {
  return {
    ...settlement,
    player2: player2 ?? null,
    status: Number(status),
    isOver: settlement !== undefined,
    winner: Number(settlement ? winnerBy(status) : Seat.None),
    events,
    lastBlock,
  };
}

/** Returns the facts of an open match from its row. @param last The match's last event; null if not needed. */
function factsIn(row: Row, last: Pick<EventRow, "name" | "transaction"> | null): MatchFacts {
  const { matchId, termsHash, player1, firmUntil, events, createdBlock, lastBlock } = row;
  const status = BigInt(row.status);
  return {
    matchId,
    termsHash,
    player1,
    player2: row.player2 ?? undefined,
    status,
    isTaken: status >= Status.AllDeposited,
    firmUntil,
    events,
    createdBlock,
    lastBlock,
    last: (last ?? { name: "Created", transaction: "0x" }) as MatchFacts["last"],
  };
}

/** Ends a match: pays, rates, and counts the actions of its characters. */
export async function settle(event: ChainEvent<"Settled">, context: MatchContext): Promise<void> {
  const { db, history, time } = context;
  const { matchId, ...settlement } = event.args;
  const { status, paid1, paid2, house } = settlement;
  const wasPlayed = status !== Status.P1Canceled;
  const { before, after: row } = await note(event, context, { settledAt: time });
  const { game, token, player1, player2 } = row;
  const { treasury } = (await db.find(deployment, { id: 1 }))!;
  const payments = [
    [player1, paid1],
    [player2, paid2],
    [treasury, house],
  ] as const;
  for (const [player, amount] of payments) if (amount > 0n) await changePurse(db, player!, token, { paid: amount });
  await changeToken(db, token, { inMatches: -stakesIn(before), fees: house });
  await countDay(db, game, time, "ended");
  if (!wasPlayed) return;
  const ended = { ...row, player2: player2! };
  await countForMode(db, ended, settlement);
  if (row.isCounted) await rate(db, ended, settlement, time);
  const module = findGame(game, games, history.addresses);
  if (!module) return;
  const record = await history.match(matchId);
  const decoded = await attempt(matchId, () => module.decodeLog(record, history));
  if (decoded) await keepDecoded(context, record, decoded);
  const { characters, kept } = module;
  const teams = characters && (await attempt(matchId, () => characters.fought(record, history)));
  if (teams) await countBattle(db, characters, teams, history, settlement);
  const keeping = kept?.ofPlayers?.keeping;
  if (!keeping || !record.terms.rated) return;
  const values = await attempt(matchId, () => valuesAfter(db, keeping, record));
  if (values) await keepValues(db, values);
}

/** Queries a game about a match. If the game fails, its part of the rows is missing, but the index does not stop. */
async function attempt<T>(matchId: bigint, ask: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    console.warn(`Match ${matchId} cannot be decoded: ${(error as Error).message}`);
    return undefined;
  }
}

/** Returns the stakes that a match holds. */
function stakesIn({ status, stake1, stake2 }: Row): bigint {
  if (status === Number(Status.Created)) return 0n;
  return status === Number(Status.P1Deposited) ? stake1 : stake1 + stake2;
}

async function keepEvent(
  { name, args, address, block, index, transaction }: ChainEvent,
  matchId: bigint,
  place: number,
  { db, time }: MatchContext,
): Promise<void> {
  const { matchId: _, ...fields } = plainFields({ name, args });
  await db.insert(matchEvent).values({
    matchId,
    place,
    name,
    args: fields,
    decoded: null,
    address,
    block,
    logIndex: index,
    transaction,
    time,
  });
}

/** Stores the decoded entries of a match next to the events that contain them. */
async function keepDecoded(
  { db, history }: MatchContext,
  { matchId, logs }: MatchRecord,
  decoded: object[],
): Promise<void> {
  const rows = (await history.eventRows(matchId)).filter(({ name }) => name === ("Log" satisfies EventName));
  let next = 0;
  for (const [i, { place }] of rows.entries()) {
    const { entries } = logs[i];
    const own = decoded.slice(next, next + entries.length).map(plain);
    next += entries.length;
    await db.update(matchEvent, { matchId, place }).set({ decoded: own });
  }
}

/** Replacement for characters that the databases reject. */
const UNREADABLE = "\ufffd";

/**
 * Writes integers as decimal text, since JSON numbers lose digits, and removes characters that the databases reject.
 */
function plain(entry: object): object {
  const written = JSON.stringify(entry, (_, value: unknown) => {
    if (typeof value === "bigint") return String(value);
    return typeof value === "string"
      ? value.replaceAll("\0", UNREADABLE).replace(/\p{Surrogate}/gu, UNREADABLE)
      : value;
  });
  return JSON.parse(written) as object;
}
