import { ZeroAddress } from "ethers";
import type { Archive } from "../chain/archive.js";
import { isMint, type AnyEvent, type ChainEvent, type EventName } from "../chain/events.js";
import { emittersAmong } from "./emitters.js";
import { TABLES, type IndexRow, type TableName } from "../chain/index-tables.js";
import { hasCounted } from "../chain/match-facts.js";
import type { MatchRecord, Settlement } from "../chain/record.js";
import { plainFields } from "../chain/saved.js";
import { added, type Counters } from "../games/counters.js";
import { deployedGames, findGame } from "../games/list.js";
import type { GameModule } from "../games/module.js";
import { addStakes, applyResult, NEWCOMER, NO_STAKES, resultsBy, type PlayerRecord } from "../protocol/ladder.js";
import { countPairs, MIN_OPPONENTS, netStandings, type RatedMatch } from "../protocol/net-ranking.js";
import { otherSide, seatOf } from "../protocol/sides.js";
import { isForfeit, Seat, Status, winnerBy } from "../protocol/status.js";
import { DAY, termsHash } from "../protocol/terms.js";

/** Expected row of an index, without facts about the chain that do not follow from events. */
export type ExpectedRow<T extends TableName> = T extends "deployment"
  ? Omit<IndexRow<T>, "genesis" | "block">
  : IndexRow<T>;

/** All expected rows of an index, by table. */
export type ExpectedRows = { readonly [T in TableName]: readonly ExpectedRow<T>[] };

type Mutable<R> = { -readonly [C in keyof R]: R[C] };
type MatchEventName = "Created" | "Funded" | "Joined" | "Acted" | "Declined" | "Pledged" | "Agreed" | "Settled" | "Log";
type MatchEvent = { [N in MatchEventName]: ChainEvent<N> }[MatchEventName];

/** Returns the values that name a row. */
export function keyOf(table: TableName, row: object): string {
  const columns = row as Readonly<Record<string, unknown>>;
  return TABLES[table].key.map((column) => String(columns[column])).join(", ");
}

/** Rows of a table that is being derived. */
class Rows<T extends TableName> {
  private readonly rows = new Map<string, Mutable<ExpectedRow<T>>>();

  constructor(private readonly table: T) {}

  /** Returns the existing row with the key of another one, or adds that one. */
  at(fresh: ExpectedRow<T>): Mutable<ExpectedRow<T>> {
    const key = keyOf(this.table, fresh);
    const row = this.rows.get(key) ?? { ...fresh };
    this.rows.set(key, row);
    return row;
  }

  get all(): Mutable<ExpectedRow<T>>[] {
    return [...this.rows.values()];
  }
}

/** A match with all derived data. */
interface Told {
  record: MatchRecord;
  events: readonly MatchEvent[];
  row: IndexRow<"match">;
}

/** A match that has been played to its end. */
type Played = Told & { settlement: Settlement; player2: string; time: bigint };

/**
 * Derives every row that an index of a deployment must have, as of the archive's last block, from events and the
 * engines of games. It shares only the rules of ratings and games, and `match-facts.ts`, with the indexer. So both
 * check each other.
 * @param games Games that the index knows; it keeps no logs of others.
 */
export async function expectedRows(archive: Archive, games: readonly GameModule[]): Promise<ExpectedRows> {
  const own = deployedGames(games, archive.addresses);
  const events = ownEvents(archive, games);
  await archive.readTimes(events.filter(isOfMatch).map(({ block }) => block));
  const matches = await matchesOf(archive, events.filter(isOfMatch));
  const played = playedOf(matches);
  const { record, ratingChange } = ladder(played.filter(({ row }) => row.isCounted));
  return {
    deployment: [deploymentRow(archive, events)],
    terms: termsRows(events),
    mode: modeRows(events, played),
    match: matches.map(({ row }) => row),
    matchEvent: await matchEventRows(archive, matches, own),
    ...moneyRows(events, matches),
    stake: stakeRows(played.filter(({ row }) => row.isCounted)),
    record,
    pair: pairRows(played.filter(({ row }) => row.isCounted)),
    ratingChange,
    operator: operatorRows(events),
    character: await characterRows(archive, events, played, own),
    keeping: keepingRows(archive, played, own),
    ...dayRows(archive, matches),
  };
}

/** Selects the events that their contracts may emit: the arena, and games that are known with their tokens. */
function ownEvents({ all, addresses }: Archive, games: readonly GameModule[]): AnyEvent[] {
  const { Arena } = addresses;
  const emitters = emittersAmong(games, addresses);
  return all.filter(({ name, address }) => (emitters[name] ?? [Arena]).includes(address));
}

function isOfMatch(event: AnyEvent): event is MatchEvent {
  return "matchId" in event.args;
}

function named<N extends EventName>(events: readonly AnyEvent[], name: N): ChainEvent<N>[] {
  return events.filter((event) => event.name === name) as unknown as ChainEvent<N>[];
}

function deploymentRow({ chainId, addresses }: Archive, events: readonly AnyEvent[]): ExpectedRow<"deployment"> {
  return {
    id: 1,
    chainId: Number(chainId),
    arena: addresses.Arena,
    feeBps: Number(named(events, "FeeChanged").at(-1)?.args.feeBps ?? 0n),
    treasury: named(events, "TreasuryChanged").at(-1)?.args.treasury,
  };
}

function termsRows(events: readonly AnyEvent[]): IndexRow<"terms">[] {
  return named(events, "TermsAdded").map(({ args: { termsId, terms } }) => {
    return { hash: termsHash(terms), termsId, ...terms };
  });
}

function modeRows(events: readonly AnyEvent[], played: readonly Played[]): IndexRow<"mode">[] {
  const rows = new Rows("mode");
  const none = { wins1: 0, wins2: 0, draws: 0, forfeits: 0 };
  for (const { address, args } of named(events, "ModeRegistered")) {
    rows.at({ game: address, hash: args.mode, content: args.content, ...none });
  }
  for (const { row: match, settlement } of played) {
    const row = rows.at({ game: match.game, hash: match.mode, content: undefined, ...none });
    if (match.winner === 0) row.draws++;
    else if (match.winner === 1) row.wins1++;
    else row.wins2++;
    if (isForfeit(settlement.status)) row.forfeits++;
  }
  return rows.all;
}

/** Derives the matches, in the order of their numbers. */
async function matchesOf(archive: Archive, events: readonly MatchEvent[]): Promise<Told[]> {
  const byMatch = new Map<bigint, MatchEvent[]>();
  for (const event of events) {
    const { matchId } = event.args;
    const known = byMatch.get(matchId);
    if (known) known.push(event);
    else byMatch.set(matchId, [event]);
  }
  const matches: Told[] = [];
  for (const [matchId, own] of byMatch) {
    const record = await archive.match(matchId);
    matches.push({ record, events: own, row: matchRow(archive, record, own) });
  }
  return matches;
}

/** Returns whether a match ended in the transaction of the event before, and that was not a mere pledge. */
function isEndOfMove(events: readonly MatchEvent[]): boolean {
  const end = events.findIndex(({ name }) => name === "Settled");
  if (end < 0) return false;
  const [last, settled] = [events[end - 1], events[end]];
  return last.transaction === settled.transaction && last.name !== "Pledged";
}

function matchRow(archive: Archive, record: MatchRecord, events: readonly MatchEvent[]): IndexRow<"match"> {
  const { matchId, terms, player1, settlement } = record;
  const [created] = named(events, "Created");
  const [joined] = named(events, "Joined");
  const [settled] = named(events, "Settled");
  const { opponent, termsHash, firmUntil } = created.args;
  const timeAt = (event?: { block: number }) => event && archive.timeOf(event.block)!;
  const { rating1, rating2, paid1, paid2, house } = settlement ?? {};
  const { game, mode, token, stake1, stake2 } = terms;
  return {
    matchId,
    termsHash,
    game,
    mode,
    token,
    stake1,
    stake2,
    player1,
    player2: record.player2 ?? (opponent === ZeroAddress ? undefined : opponent),
    firmUntil,
    status: Number(settlement?.status ?? openStatus(record)),
    isOver: settlement !== undefined,
    winner: Number(settlement ? winnerBy(settlement.status) : Seat.None),
    isCounted: hasCounted({ settlement, isEndOfMove: isEndOfMove(events) }, terms),
    isAgreed: named(events, "Agreed").length > 0,
    paid1,
    paid2,
    house,
    rating1,
    rating2,
    events: events.length,
    createdBlock: created.block,
    lastBlock: events.at(-1)!.block,
    createdAt: timeAt(created)!,
    joinedAt: timeAt(joined),
    settledAt: timeAt(settled),
  };
}

/** Returns the status of a match that is not over. */
function openStatus({ funded, joinData }: MatchRecord): bigint {
  if (joinData !== undefined) return Status.AllJoined;
  return [Status.Created, Status.P1Deposited, Status.AllDeposited][funded.length];
}

/** Selects the matches that have been played to their ends, in the order in which they ended. */
function playedOf(matches: readonly Told[]): Played[] {
  const played = matches.flatMap((told): (Played & { end: MatchEvent })[] => {
    const { settlement, player2 } = told.record;
    if (!settlement || settlement.status === Status.P1Canceled) return [];
    const end = told.events.find(({ name }) => name === "Settled")!;
    return [{ ...told, settlement, player2: player2!, time: told.row.settledAt!, end }];
  });
  return played.sort((a, b) => a.end.block - b.end.block || a.end.index - b.end.index);
}

async function matchEventRows(
  archive: Archive,
  matches: readonly Told[],
  own: readonly GameModule[],
): Promise<IndexRow<"matchEvent">[]> {
  const rows: IndexRow<"matchEvent">[] = [];
  for (const { record, events, row } of matches) {
    const game = findGame(row.game, own, archive.addresses);
    const wasPlayed = row.isOver && row.status !== Number(Status.P1Canceled);
    const decoded = game && wasPlayed ? await game.decodeLog(record, archive) : undefined;
    let next = 0;
    for (const [place, event] of events.entries()) {
      const { name, address, block, index, transaction } = event;
      const { matchId: _, ...args } = plainFields(event);
      const entries = name === "Log" ? decoded?.slice(next, (next += event.args.logEntries.length)) : undefined;
      const time = archive.timeOf(block)!;
      const logIndex = index;
      const common = { name, args, address, block, logIndex, transaction, time };
      rows.push({ matchId: record.matchId, place, decoded: entries ?? null, ...common });
    }
  }
  return rows;
}

/** Derives the purses and the sums of tokens. A stake that was taken creates a purse row, even for a stake of zero. */
function moneyRows(events: readonly AnyEvent[], matches: readonly Told[]): Pick<ExpectedRows, "purse" | "token"> {
  const purses = new Rows("purse");
  const tokens = new Rows("token");
  const purseOf = (player: string, token: string) =>
    purses.at({ player, token, amount: 0n, deposited: 0n, withdrawn: 0n, staked: 0n, paid: 0n });
  const tokenAt = (token: string) =>
    tokens.at({ token, total: 0n, inMatches: 0n, deposited: 0n, withdrawn: 0n, fees: 0n });
  let treasury = ZeroAddress;
  /** Receivers of the house's fee, by match. */
  const houses = new Map<bigint, string>();
  for (const { name, args } of events) {
    if (name === "TreasuryChanged") ({ treasury } = args);
    if (name === "Settled") houses.set(args.matchId, treasury);
    if (name === "Deposited") {
      purseOf(args.player, args.token).deposited += args.amount;
      tokenAt(args.token).deposited += args.amount;
    }
    if (name === "Withdrawn") {
      purseOf(args.player, args.token).withdrawn += args.amount;
      tokenAt(args.token).withdrawn += args.amount;
    }
  }
  for (const { record, row } of matches) {
    const { funded, terms, settlement, player1, player2 } = record;
    for (const { seat, player } of funded) {
      const stake = seat === Seat.One ? terms.stake1 : terms.stake2;
      purseOf(player, row.token).staked += stake;
      tokenAt(row.token).inMatches += settlement ? 0n : stake;
    }
    if (!settlement) continue;
    const payments = [
      [player1, settlement.paid1],
      [player2, settlement.paid2],
      [houses.get(row.matchId), settlement.house],
    ] as const;
    for (const [player, amount] of payments) if (amount > 0n) purseOf(player!, row.token).paid += amount;
    tokenAt(row.token).fees += settlement.house;
  }
  for (const row of tokens.all) row.total = row.deposited - row.withdrawn;
  for (const row of purses.all) row.amount = row.deposited + row.paid - row.withdrawn - row.staked;
  return { purse: purses.all, token: tokens.all };
}

function stakeRows(counted: readonly Played[]): ExpectedRow<"stake">[] {
  const rows = new Rows("stake");
  for (const { row: match, player2, settlement } of counted) {
    for (const [player, staked, won] of [
      [match.player1, match.stake1, settlement.paid1],
      [player2, match.stake2, settlement.paid2],
    ] as const) {
      const row = rows.at({ player, token: match.token, ...NO_STAKES, net: 0n });
      Object.assign(row, addStakes(row, { staked, won }));
      row.net = row.won - row.staked;
    }
  }
  return rows.all;
}

/** Rates matches in the order in which they ended, and ranks their players. */
function ladder(counted: readonly Played[]): Pick<ExpectedRows, "record" | "ratingChange"> {
  const changes: IndexRow<"ratingChange">[] = [];
  const records: IndexRow<"record">[] = [];
  for (const [game, matches] of byGame(counted)) {
    const known = new Map<string, PlayerRecord>();
    const met = new Map<string, Set<string>>();
    const agreed = new Map<string, number>();
    for (const { row, player2, settlement, time } of matches) {
      const players = [row.player1, player2];
      const results = resultsBy(settlement.status);
      const before = players.map((player) => known.get(player) ?? NEWCOMER);
      for (const [side, player] of players.entries()) {
        const opponent = players[otherSide(side)];
        const after = applyResult(before[side], before[otherSide(side)].rating, results[side], time);
        known.set(player, after);
        met.set(player, (met.get(player) ?? new Set()).add(opponent));
        agreed.set(player, (agreed.get(player) ?? 0) + Number(row.isAgreed));
        const ratings = { before: Number(before[side].rating), after: Number(after.rating) };
        const { matchId } = row;
        changes.push({
          matchId,
          seat: Number(seatOf(side)),
          game,
          player,
          opponent,
          result: results[side],
          ...ratings,
          time,
        });
      }
    }
    const standings = netStandings(matches.map(ratedMatch));
    for (const [player, record] of known) {
      const { opponents, net } = standings.get(player)!;
      const firstOpponents = opponents < MIN_OPPONENTS ? [...met.get(player)!] : [];
      const own = { rating: Number(record.rating), agreed: agreed.get(player)! };
      records.push({ game, player, ...record, ...own, opponents, firstOpponents, net });
    }
  }
  return { record: records, ratingChange: changes };
}

function pairRows(counted: readonly Played[]): IndexRow<"pair">[] {
  return [...byGame(counted)].flatMap(([game, matches]) =>
    countPairs(matches.map(ratedMatch)).map((pair) => ({ game, ...pair })),
  );
}

function ratedMatch({ row: { player1, winner }, player2 }: Played): RatedMatch {
  return { player1, player2, winner };
}

function byGame(played: readonly Played[]): Map<string, Played[]> {
  const games = new Map<string, Played[]>();
  for (const each of played) {
    const known = games.get(each.row.game);
    if (known) known.push(each);
    else games.set(each.row.game, [each]);
  }
  return games;
}

function operatorRows(events: readonly AnyEvent[]): ExpectedRow<"operator">[] {
  const rows = new Rows("operator");
  for (const { args } of named(events, "OperatorAllowed")) rows.at(args).until = args.until;
  return rows.all;
}

async function characterRows(
  archive: Archive,
  events: readonly AnyEvent[],
  played: readonly Played[],
  own: readonly GameModule[],
): Promise<ExpectedRow<"character">[]> {
  const { addresses } = archive;
  const rows = new Rows("character");
  const at = (contract: string, characterId: bigint) =>
    rows.at({ contract, characterId, owner: ZeroAddress, traits: null, counters: {}, battles: 0, wins: 0 });
  for (const { address, args } of named(events, "Transfer")) at(address, args.id).owner = args.to;
  for (const event of events) {
    if (isMint(event)) at(event.address, event.args.id).traits = plainFields(event);
  }
  for (const { record, row: match } of played) {
    const characters = findGame(match.game, own, addresses)?.characters;
    if (!characters) continue;
    const add: (counters: Counters, more: Counters) => Counters = characters.add ?? added;
    for (const [side, team] of (await characters.fought(record, archive)).entries()) {
      for (const { id, counters } of team) {
        const row = at(addresses[characters.contract], id);
        const fresh = Object.fromEntries(Object.keys(counters).map((name) => [name, 0n]));
        row.counters = add({ ...fresh, ...row.counters }, counters);
        row.battles++;
        if (match.winner === Number(seatOf(side))) row.wins++;
      }
    }
  }
  return rows.all;
}

function keepingRows(
  { addresses }: Archive,
  played: readonly Played[],
  own: readonly GameModule[],
): ExpectedRow<"keeping">[] {
  const rows = new Rows("keeping");
  for (const { record, row: match, player2 } of played) {
    const keeping = findGame(match.game, own, addresses)?.kept?.ofPlayers?.keeping;
    if (!keeping || !record.terms.rated) continue;
    for (const [side, player] of [match.player1, player2].entries()) {
      const { game } = match;
      const row = rows.at({ game, player, values: keeping.fresh });
      row.values = keeping.after(record, side, row.values);
    }
  }
  // Unchanged players have no row.
  const fresh = new Map(own.map(({ contract, kept }) => [addresses[contract], kept?.ofPlayers?.keeping.fresh]));
  return rows.all.filter(({ game, values }) => values !== fresh.get(game));
}

/** Derives the activity by day, and the active players. */
function dayRows(archive: Archive, matches: readonly Told[]): Pick<ExpectedRows, "day" | "dayPlayer"> {
  const days = new Rows("day");
  const players = new Rows("dayPlayer");
  for (const { record, events, row } of matches) {
    const { game } = row;
    for (const { name, args, block } of events) {
      const happening = HAPPENINGS[name];
      if (!happening) continue;
      const day = Number(archive.timeOf(block)! / DAY);
      days.at({ day, game, offers: 0, joined: 0, actions: 0, ended: 0, players: 0 })[happening]++;
      const isSecond = name === "Joined" || (name === "Acted" && args.seat === Seat.Two);
      if (name !== "Settled") players.at({ day, game, player: isSecond ? record.player2! : row.player1 });
    }
  }
  for (const { day, game } of players.all) {
    days.at({ day, game, offers: 0, joined: 0, actions: 0, ended: 0, players: 0 }).players++;
  }
  return { day: days.all, dayPlayer: players.all };
}

/** Columns that count events, by their names. */
const HAPPENINGS: Partial<Record<MatchEventName, "offers" | "joined" | "actions" | "ended">> = {
  Created: "offers",
  Joined: "joined",
  Acted: "actions",
  Settled: "ended",
};
