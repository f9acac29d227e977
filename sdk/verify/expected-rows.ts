import { ZeroAddress } from "ethers";
import type { Archive } from "../chain/archive.js";
import { inSeats, termsUnder } from "../chain/channel-record.js";
import { endingFor } from "../chain/settlement.js";
import { unpackCode } from "../chain/channels.js";
import { inOrder, isMint, isOfChannelMatch, type AnyEvent, type ChainEvent, type EventName } from "../chain/events.js";
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
import type { Hex } from "../protocol/hex.js";
import { otherSide, seatOf } from "../protocol/sides.js";
import { isForfeit, Seat, Status, winnerBy } from "../protocol/status.js";
import { DAY, termsHash, type Terms } from "../protocol/terms.js";

/** Expected row of an index, without facts about the chain that do not follow from events. */
export type ExpectedRow<T extends TableName> = T extends "deployment"
  ? Omit<IndexRow<T>, "genesis" | "block">
  : IndexRow<T>;

/** All expected rows of an index, by table. */
export type ExpectedRows = { readonly [T in TableName]: readonly ExpectedRow<T>[] };

type Mutable<R> = { -readonly [C in keyof R]: R[C] };
type MatchEventName = "Created" | "Funded" | "Joined" | "Acted" | "Declined" | "Settled" | "Log";
type MatchEvent = { [N in MatchEventName]: ChainEvent<N> }[MatchEventName];

/** Returns the values that identify a row. */
export function keyOf(table: TableName, row: object): string {
  const columns = row as Readonly<Record<string, unknown>>;
  return TABLES[table].key.map((column) => String(columns[column])).join(", ");
}

/** Rows of a table that is being derived. */
class Rows<T extends TableName> {
  private readonly rows = new Map<string, Mutable<ExpectedRow<T>>>();

  constructor(private readonly table: T) {}

  /** Returns the existing row with the same key, or adds the given row. */
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
type Played = Told & { settlement: Settlement; player2: string; time: bigint; end: ChainEvent };

/** A match that counted for the ladder, from a channel or not. */
type Counted = Pick<Played, "settlement" | "player2" | "time" | "end"> & {
  row: Pick<IndexRow<"match">, "matchId" | "game" | "token" | "stake1" | "stake2" | "player1" | "winner">;
};

/**
 * Derives every row that an index of a deployment must have, as of the archive's last block, from events and the
 * engines of games. This code and the indexer share only the rules of ratings and games, and `match-facts.ts`, so that
 * each checks the other.
 * @param games Games that the index supports; it stores no logs of other games.
 * @throws like the archive, and as the games' replays do.
 * @example
 * ```ts
 * import { Archive, expectedRows, games } from "duello";
 *
 * const archive = await Archive.read(provider, addresses, 1);
 * const { match, record } = await expectedRows(archive, games);
 * ```
 */
export async function expectedRows(archive: Archive, games: readonly GameModule[]): Promise<ExpectedRows> {
  const own = deployedGames(games, archive.addresses);
  const all = ownEvents(archive, games);
  // The index stores no events of channel matches.
  const events = all.filter((event) => !isOfChannelMatch(event));
  await archive.readTimes(
    all.filter((event) => isOfMatch(event) || event.name === "Balanced").map(({ block }) => block),
  );
  const matches = await matchesOf(archive, events.filter(isOfMatch));
  const played = playedOf(matches);
  const { counted: fromChannels, ...channelTables } = channelRows(archive, all);
  const counted = [...played.filter(({ row }) => row.isCounted), ...fromChannels].sort((a, b) => inOrder(a.end, b.end));
  const { record, ratingChange } = ladder(counted);
  return {
    deployment: [deploymentRow(archive, events)],
    terms: termsRows(events),
    mode: modeRows(events, played),
    match: matches.map(({ row }) => row),
    matchEvent: await matchEventRows(archive, matches, own),
    termsNumber: named(events, "TermsAdded").map(({ args: { termsId, terms } }) => ({
      termsId,
      hash: termsHash(terms),
    })),
    ...channelTables,
    ...moneyRows(all, matches, channelTables),
    stake: stakeRows(counted),
    record,
    pair: pairRows(counted),
    ratingChange,
    operator: operatorRows(events),
    character: await characterRows(archive, events, played, own),
    keeping: keepingRows(archive, played, own),
    ...dayRows(archive, matches),
  };
}

/** Selects the events of contracts that may emit them: the arena, its channels, supported games and their tokens. */
function ownEvents({ all, addresses }: Archive, games: readonly GameModule[]): AnyEvent[] {
  const { Arena } = addresses;
  const emitters = emittersAmong(games, addresses);
  return all.filter((event) => (emitters[event.name] ?? [Arena]).includes(event.address));
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
    isCounted: hasCounted({ settlement }, terms),
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

/** Selects the matches that have been played to the end, in the order in which they ended. */
function playedOf(matches: readonly Told[]): Played[] {
  const played = matches.flatMap((told): Played[] => {
    const { settlement, player2 } = told.record;
    if (!settlement || settlement.status === Status.P1Canceled) return [];
    const end = told.events.find(({ name }) => name === "Settled")!;
    return [{ ...told, settlement, player2: player2!, time: told.row.settledAt!, end: end }];
  });
  return played.sort((a, b) => inOrder(a.end, b.end));
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

/** Tables of channels. */
type ChannelTables = Pick<ExpectedRows, "channel" | "channelMatch" | "channelBalance">;

/** Derives the channels, their matches and balances, and the channel matches that counted for the ladder. */
function channelRows(archive: Archive, events: readonly AnyEvent[]): ChannelTables & { counted: Counted[] } {
  const channels = new Map<Hex, Mutable<IndexRow<"channel">>>();
  const matches = new Map<bigint, Mutable<IndexRow<"channelMatch">>>();
  const balances: IndexRow<"channelBalance">[] = [];
  const counted: Counted[] = [];
  const numbered = new Map<bigint, Terms>();
  let under: ChainEvent<"PlayedUnder"> | undefined;
  let challenged: ChainEvent<"Challenged"> | undefined;
  const change = (
    channel: Mutable<IndexRow<"channel">>,
    player1: string,
    amounts: readonly [bigint, bigint],
    nonce: number,
  ) => {
    const [one, two] = inSeats(amounts, channel.player1 !== player1);
    Object.assign(channel, { amount1: channel.amount1 + one, amount2: channel.amount2 + two, nonce });
  };
  const begun = ({ args, block }: ChainEvent<"Played"> | ChainEvent<"Challenged">, terms: Terms) => {
    const channel = channels.get(args.channelId)!;
    const { swapped, nonce } = unpackCode(args.code);
    const [player1, player2] = inSeats([channel.player1, channel.player2], swapped);
    const { game, mode, token, stake1, stake2, rated } = terms;
    const { matchId, channelId } = args;
    const of = {
      matchId,
      channelId,
      nonce,
      game,
      mode,
      token,
      stake1,
      stake2,
      rated,
      player1,
      player2,
      isInArena: true,
    };
    const none = { paid1: undefined, paid2: undefined, house: undefined, rating1: undefined, rating2: undefined };
    const open = { status: Number(Status.AllJoined), isOver: false, winner: 0, isCounted: false, settledAt: undefined };
    const row = { ...of, ...none, ...open, block, time: archive.timeOf(block)! };
    matches.set(matchId, row);
    change(channel, player1, [-stake1, -stake2], nonce + 1);
    return row;
  };
  const end = (row: Mutable<IndexRow<"channelMatch">>, settlement: Settlement, event: AnyEvent) => {
    const { status } = settlement;
    const time = archive.timeOf(event.block)!;
    const isCounted = hasCounted({ settlement }, row);
    Object.assign(row, settlement, { status: Number(status), isOver: true, winner: Number(winnerBy(status)) });
    Object.assign(row, { isCounted, settledAt: time });
    if (isCounted) counted.push({ row, settlement, player2: row.player2, time, end: event });
  };
  for (const event of events) {
    const { name, args, block, index } = event;
    if (name === "TermsAdded") numbered.set(args.termsId, args.terms);
    if (name === "Opened") {
      const state = { ...args, feeBps: Number(args.feeBps), nonce: Number(args.nonce), isOpen: true };
      channels.set(args.channelId, { ...state, under: channels.get(args.channelId)?.under ?? null });
    }
    if (name === "PlayedUnder") {
      under = event;
      channels.get(args.channelId)!.under = plainFields(event);
    }
    if (name === "Played") {
      const code = unpackCode(args.code);
      const channel = channels.get(args.channelId)!;
      const terms = termsUnder(under!.args, { token: channel.token, feeBps: BigInt(channel.feeBps) });
      const row = begun(event, terms);
      row.isInArena = false;
      const ending = endingFor(code, terms);
      end(row, { ...ending, rating1: code.ratings[0], rating2: code.ratings[1] }, event);
      change(channel, row.player1, [ending.paid1, ending.paid2], channel.nonce);
    }
    if (name === "Challenged") challenged = event;
    if (name === "Started" && challenged?.args.matchId === args.matchId) {
      begun(challenged, numbered.get(args.termsId)!);
    }
    // A manipulated log may contain events of matches that never started; such matches have no rows.
    const match = "matchId" in args ? matches.get(args.matchId) : undefined;
    if (name === "Voided" && match) {
      const { channelId, player1, stake1, stake2, nonce, matchId } = match;
      change(channels.get(channelId)!, player1, [stake1, stake2], nonce);
      matches.delete(matchId);
    }
    if (name === "Settled" && match) {
      const { matchId: _, ...settlement } = args;
      end(match, settlement, event);
    }
    if (name === "Balanced") {
      const { channelId, nonce, amount1, amount2, house, closed: isClosed } = args;
      const row = { nonce: Number(nonce), amount1, amount2 };
      balances.push({ channelId, block, logIndex: index, ...row, house, isClosed, time: archive.timeOf(block)! });
      const closed = { amount1: 0n, amount2: 0n, until: 0n, isOpen: false };
      Object.assign(channels.get(channelId)!, row, isClosed && closed);
    }
  }
  return { channel: [...channels.values()], channelMatch: [...matches.values()], channelBalance: balances, counted };
}

/** Derives the purses and the sums of tokens. A stake that was taken creates a purse row, even if the stake is zero. */
function moneyRows(
  events: readonly AnyEvent[],
  matches: readonly Told[],
  { channel, channelMatch }: ChannelTables,
): Pick<ExpectedRows, "purse" | "token"> {
  const purses = new Rows("purse");
  const tokens = new Rows("token");
  const purseOf = (player: string, token: string) =>
    purses.at({ player, token, amount: 0n, deposited: 0n, withdrawn: 0n, staked: 0n, paid: 0n });
  const tokenAt = (token: string) =>
    tokens.at({ token, total: 0n, inMatches: 0n, deposited: 0n, withdrawn: 0n, fees: 0n });
  const channels = new Map(channel.map((row) => [row.channelId, row]));
  const channelMatches = new Map(channelMatch.map((row) => [row.matchId, row]));
  let treasury = ZeroAddress;
  /** Receivers of the house's fee, by match. */
  const houses = new Map<bigint, string>();
  /** Pays players and the house from the amounts of channels and their matches. */
  const pay = (token: string, receivers: readonly string[], amounts: readonly [bigint, bigint, bigint]) => {
    for (const [i, amount] of amounts.entries()) {
      if (amount > 0n) purseOf(receivers[i], token).paid += amount;
      tokenAt(token).inMatches -= amount;
    }
    tokenAt(token).fees += amounts[2];
  };
  for (const event of events) {
    const { name, args } = event;
    if (name === "TreasuryChanged") ({ treasury } = args);
    if (name === "Settled") houses.set(args.matchId, treasury);
    if (name === "Opened") {
      const { player1, player2, amount1, amount2, token } = args;
      if (amount1 > 0n) purseOf(player1, token).staked += amount1;
      if (amount2 > 0n) purseOf(player2, token).staked += amount2;
      tokenAt(token).inMatches += amount1 + amount2;
    }
    if (name === "Balanced" && args.closed) {
      const { player1, player2, token } = channels.get(args.channelId)!;
      pay(token, [player1, player2, treasury], [args.amount1, args.amount2, args.house]);
    }
    if (name === "Collected") pay(args.token, [treasury, treasury, treasury], [0n, 0n, args.amount]);
    const match = name === "Settled" ? channelMatches.get(args.matchId) : undefined;
    if (name === "Settled" && match) {
      pay(match.token, [match.player1, match.player2, treasury], [args.paid1, args.paid2, args.house]);
    }
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

function stakeRows(counted: readonly Counted[]): ExpectedRow<"stake">[] {
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
function ladder(counted: readonly Counted[]): Pick<ExpectedRows, "record" | "ratingChange"> {
  const changes: IndexRow<"ratingChange">[] = [];
  const records: IndexRow<"record">[] = [];
  for (const [game, matches] of byGame(counted)) {
    const known = new Map<string, PlayerRecord>();
    const met = new Map<string, Set<string>>();
    for (const { row, player2, settlement, time } of matches) {
      const players = [row.player1, player2];
      const results = resultsBy(settlement.status);
      const before = players.map((player) => known.get(player) ?? NEWCOMER);
      for (const [side, player] of players.entries()) {
        const opponent = players[otherSide(side)];
        const after = applyResult(before[side], before[otherSide(side)].rating, results[side], time);
        known.set(player, after);
        met.set(player, (met.get(player) ?? new Set()).add(opponent));
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
      records.push({ game, player, ...record, rating: Number(record.rating), opponents, firstOpponents, net });
    }
  }
  return { record: records, ratingChange: changes };
}

function pairRows(counted: readonly Counted[]): IndexRow<"pair">[] {
  return [...byGame(counted)].flatMap(([game, matches]) =>
    countPairs(matches.map(ratedMatch)).map((pair) => ({ game, ...pair })),
  );
}

function ratedMatch({ row: { player1, winner }, player2 }: Counted): RatedMatch {
  return { player1, player2, winner };
}

function byGame(played: readonly Counted[]): Map<string, Counted[]> {
  const games = new Map<string, Counted[]>();
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
  // Players whose values never changed have no row.
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
