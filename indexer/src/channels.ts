import { channel as channels, channelBalance, channelMatch, deployment, terms, termsNumber } from "../ponder.schema.js";
import { inSeats, termsUnder } from "../../sdk/chain/channel-record.js";
import { endingFor } from "../../sdk/chain/settlement.js";
import { unpackCode } from "../../sdk/chain/channels.js";
import type { ChainEvent } from "../../sdk/chain/events.js";
import { hasCounted } from "../../sdk/chain/match-facts.js";
import type { Settlement } from "../../sdk/chain/record.js";
import { plainFields, readFields } from "../../sdk/chain/saved.js";
import { Status, winnerBy } from "../../sdk/protocol/status.js";
import type { Terms } from "../../sdk/protocol/terms.js";
import type { Db } from "./db.js";
import { rate } from "./ladder.js";
import { changePurse, changeToken } from "./money.js";

type ChannelRow = typeof channels.$inferSelect;
type MatchRow = typeof channelMatch.$inferSelect;

/** Context of an event of a channel. */
interface ChannelContext {
  db: Db;
  /** Time of the block, in seconds since 1970. */
  time: bigint;
}

/** Opens a channel, which locks money of its players. */
export async function open({ args }: ChainEvent<"Opened">, { db }: ChannelContext): Promise<void> {
  const { channelId, player1, player2, key1, key2, token, feeBps, amount1, amount2, nonce, until } = args;
  const state = { amount1, amount2, nonce: Number(nonce), until, isOpen: true };
  const channel = { channelId, player1, key1, player2, key2, token, feeBps: Number(feeBps) };
  await db
    .insert(channels)
    .values({ ...channel, ...state, under: null })
    .onConflictDoUpdate(state);
  for (const [player, staked] of [
    [player1, amount1],
    [player2, amount2],
  ] as const)
    if (staked > 0n) await changePurse(db, player, token, { staked });
  await changeToken(db, token, { inMatches: amount1 + amount2 });
}

/** Records the terms of the matches that a channel settles next. */
export async function playUnder(event: ChainEvent<"PlayedUnder">, { db }: ChannelContext): Promise<void> {
  const { channelId } = event.args;
  if (await db.find(channels, { channelId }))
    await db.update(channels, { channelId }).set({ under: plainFields(event) });
}

/** Settles a match in its channel. */
export async function play({ args, block }: ChainEvent<"Played">, { db, time }: ChannelContext): Promise<void> {
  const channel = await db.find(channels, { channelId: args.channelId });
  if (!channel?.under) return;
  const under = termsUnder(readFields("PlayedUnder", channel.under, "under"), feesOf(channel));
  const code = unpackCode(args.code);
  const ending = endingFor(code, under);
  const settlement = { ...ending, rating1: code.ratings[0], rating2: code.ratings[1] };
  const row = matchOf(channel, args, under);
  const over = { ...row, ...endOf(settlement, under), isInArena: false, block, time, settledAt: time };
  await db.insert(channelMatch).values(over).onConflictDoUpdate(over);
  const gains = inSeats([ending.paid1 - under.stake1, ending.paid2 - under.stake2], code.swapped);
  await change(db, channel, gains, code.nonce + 1);
  if (over.isCounted) await rate(db, over, settlement, time);
}

/** Records a challenge, which moves a match to the arena. A later event adds its terms. */
export async function challenge({ args, block }: ChainEvent<"Challenged">, context: ChannelContext): Promise<void> {
  const { db, time } = context;
  const channel = await db.find(channels, { channelId: args.channelId });
  if (!channel) return;
  const unknown = { game: channel.token, mode: args.position, stake1: 0n, stake2: 0n, rated: false };
  const none = { paid1: null, paid2: null, house: null, rating1: null, rating2: null, settledAt: null };
  const state = { status: Number(Status.AllJoined), isOver: false, winner: 0, isCounted: false, isInArena: true };
  const row = {
    ...matchOf(channel, args, { ...unknown, ...feesOf(channel), clock: 0n }),
    ...none,
    ...state,
    block,
    time,
  };
  await db.insert(channelMatch).values(row).onConflictDoUpdate(row);
}

/** Starts a match in the arena. */
export async function start({ args }: ChainEvent<"Started">, { db }: ChannelContext): Promise<void> {
  const [row, hash] = await Promise.all([
    db.find(channelMatch, { matchId: args.matchId }),
    db.find(termsNumber, { termsId: args.termsId }),
  ]);
  const found = hash && (await db.find(terms, { hash: hash.hash }));
  if (!row || !found) return;
  const { game, mode, stake1, stake2, rated } = found;
  await db.update(channelMatch, { matchId: args.matchId }).set({ game, mode, stake1, stake2, rated });
  await move(db, { ...row, stake1, stake2 }, -1n);
}

/** Moves a match from the arena back to its channel. */
export async function takeBack({ args }: ChainEvent<"Voided">, { db }: ChannelContext): Promise<void> {
  const { matchId } = args;
  const row = await db.find(channelMatch, { matchId });
  if (!row) return;
  await move(db, row, 1n);
  await db.delete(channelMatch, { matchId });
}

/** Ends a match in the arena. */
export async function settleFromChannel({ args }: ChainEvent<"Settled">, { db, time }: ChannelContext): Promise<void> {
  const { matchId, ...settlement } = args;
  const before = await db.find(channelMatch, { matchId });
  if (!before) return;
  const row = await db.update(channelMatch, { matchId }).set({ ...endOf(settlement, before), settledAt: time });
  const { player1, player2, token, stake1, stake2 } = row;
  await pay(db, token, [player1, player2], [settlement.paid1, settlement.paid2], settlement.house);
  await changeToken(db, token, { inMatches: -(stake1 + stake2) });
  if (row.isCounted) await rate(db, row, settlement, time);
}

/** Sets the balance of a channel, or closes the channel, which pays its players. */
export async function balance(event: ChainEvent<"Balanced">, { db, time }: ChannelContext): Promise<void> {
  const { channelId, nonce, amount1, amount2, house, closed } = event.args;
  const channel = await db.find(channels, { channelId });
  if (!channel) return;
  const { block, index: logIndex } = event;
  const row = { nonce: Number(nonce), amount1, amount2 };
  await db.insert(channelBalance).values({ channelId, block, logIndex, ...row, house, isClosed: closed, time });
  const after = closed ? { ...row, amount1: 0n, amount2: 0n, until: 0n, isOpen: false } : row;
  await db.update(channels, { channelId }).set(after);
  if (!closed) return;
  const { token, player1, player2 } = channel;
  await pay(db, token, [player1, player2], [amount1, amount2], house);
  await changeToken(db, token, { inMatches: -(amount1 + amount2 + house) });
}

/** Collects the shares of the house in matches of channels. */
export async function collect({ args }: ChainEvent<"Collected">, { db }: ChannelContext): Promise<void> {
  const { token, amount } = args;
  await pay(db, token, [], [], amount);
  await changeToken(db, token, { inMatches: -amount });
}

async function pay(db: Db, token: string, players: readonly string[], amounts: readonly bigint[], house: bigint) {
  for (const [i, player] of players.entries())
    if (amounts[i] > 0n) await changePurse(db, player, token, { paid: amounts[i] });
  const { treasury } = (await db.find(deployment, { id: 1 }))!;
  if (house > 0n && treasury !== null) await changePurse(db, treasury, token, { paid: house });
  await changeToken(db, token, { fees: house });
}

/** Moves the stakes of a match from its channel to the arena, or back. @param sign 1 if they return to the channel */
async function move(db: Db, { channelId, player1, stake1, stake2, nonce }: MatchRow, sign: bigint): Promise<void> {
  const channel = (await db.find(channels, { channelId }))!;
  const amounts = inSeats([sign * stake1, sign * stake2], channel.player1 !== player1);
  await change(db, channel, amounts, sign === 1n ? nonce : nonce + 1);
}

async function change(
  db: Db,
  { channelId, amount1, amount2 }: ChannelRow,
  [one, two]: [bigint, bigint],
  nonce: number,
) {
  await db.update(channels, { channelId }).set({ amount1: amount1 + one, amount2: amount2 + two, nonce });
}

function matchOf(
  { channelId, token, player1, player2 }: ChannelRow,
  { matchId, code }: { matchId: bigint; code: bigint },
  { game, mode, stake1, stake2, rated }: Terms,
) {
  const { swapped, nonce } = unpackCode(code);
  const [one, two] = inSeats([player1, player2], swapped);
  return { matchId, channelId, nonce, game, mode, token, stake1, stake2, rated, player1: one, player2: two };
}

function endOf(settlement: Settlement, { rated }: Pick<Terms, "rated">) {
  const { status } = settlement;
  return {
    ...settlement,
    status: Number(status),
    isOver: true,
    winner: Number(winnerBy(status)),
    isCounted: hasCounted({ settlement }, { rated }),
  };
}

function feesOf({ token, feeBps }: ChannelRow): { token: string; feeBps: bigint } {
  return { token, feeBps: BigInt(feeBps) };
}
