import { toBeHex, ZeroAddress } from "ethers";
import { channelsOf, type TranscriptCode } from "../../sdk/chain/channels.js";
import type { AnyEvent, ChainEvent, EventName, Events } from "../../sdk/chain/events.js";
import { encodeActions } from "../../sdk/protocol/channels/actions.js";
import { channelMatchIdOf } from "../../sdk/protocol/channels/messages.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { Seat } from "../../sdk/protocol/status.js";
import { termsHash, type Terms } from "../../sdk/protocol/terms.js";

/** Returns an address of 20 equal bytes. */
export const addressOf = (byte: number): Hex => `0x${toBeHex(byte, 1).slice(2).repeat(20)}`;
/** Returns a word of 32 equal bytes. */
export const wordOf = (byte: number): Hex => `0x${toBeHex(byte, 1).slice(2).repeat(32)}`;

export const [ARENA, GAME, TOKEN, ALICE, BOB, TREASURY] = [0x10, 0x20, 0x30, 0x41, 0x42, 0x43].map(addressOf);
export const CHANNELS = channelsOf(ARENA);
export const CHANNEL = wordOf(0x50);
export const POSITION = wordOf(0x60);
/** Number of the first match in the channel. */
export const FIRST = 16_384;
/** Time of the block of an event, unless a test names another one: the time of a block is its number. */
export const NOW = 1000n;
/** End of the channel. */
export const END = 5000n;

export const TERMS: Terms = {
  game: GAME,
  stake1: 10n,
  token: TOKEN,
  stake2: 6n,
  mode: wordOf(0),
  clock: 3600n,
  feeBps: 2000n,
  rated: true,
};

/** Returns the number of the match with a number in the channel. */
export const matchIdOf = (nonce = FIRST) => channelMatchIdOf(CHANNEL, nonce);

/** Packs the code of a match as the channels contract does. By default seat One wins by its last action. */
export function codeOf({
  winner = Seat.One,
  taker = winner,
  forfeit = false,
  swapped = false,
  turn = Seat.None,
  nonce = FIRST,
  ratings: [rating1, rating2] = [0n, 0n],
}: Partial<TranscriptCode> = {}): bigint {
  const facts = winner | (taker << 2n) | (BigInt(forfeit) << 4n) | (BigInt(swapped) << 5n) | (turn << 6n);
  return facts | (BigInt(nonce) << 8n) | (rating1 << 32n) | (rating2 << 64n);
}

/** Creates an event of the contract that emits events with this name. */
export function eventOf<N extends EventName>(name: N, args: Events[N], place: Partial<ChainEvent<N>> = {}): AnyEvent {
  const isOfChannels = ["Opened", "PlayedUnder", "Played", "Challenged", "Balanced", "Collected"].includes(name);
  const address = name === "Log" ? GAME : isOfChannels ? CHANNELS : ARENA;
  return { address, name, args, block: Number(NOW), index: 0, transaction: wordOf(1), ...place } as unknown as AnyEvent;
}

export const opened = (changes: Partial<Events["Opened"]> = {}) =>
  eventOf("Opened", {
    channelId: CHANNEL,
    player1: ALICE,
    player2: BOB,
    key1: addressOf(0x51),
    key2: addressOf(0x52),
    token: TOKEN,
    feeBps: 2000n,
    amount1: 60n,
    amount2: 50n,
    nonce: BigInt(FIRST),
    until: END,
    ...changes,
  });

export const playedUnder = (changes: Partial<Events["PlayedUnder"]> = {}) => {
  const { game, mode, stake1, stake2, clock, rated } = TERMS;
  return eventOf("PlayedUnder", { channelId: CHANNEL, game, mode, stake1, stake2, clock, rated, ...changes });
};

/** A match as a channel submits it. */
interface Brought extends Partial<Omit<Events["Played"], "code" | "actions">> {
  code?: Partial<TranscriptCode> | bigint;
  actions?: readonly Hex[];
}

function brought({ code = {}, actions = ["0x01"], ...changes }: Brought): Events["Played"] {
  const packed = typeof code === "bigint" ? code : codeOf(code);
  const nonce = Number((packed >> 8n) & 0xffffffn);
  const [channelId, matchId] = [CHANNEL, matchIdOf(nonce)];
  return { channelId, matchId, code: packed, position: POSITION, actions: encodeActions(actions), ...changes };
}

export const played = (changes: Brought = {}, place?: Partial<ChainEvent<"Played">>) =>
  eventOf("Played", brought(changes), place);

/** By default, nobody has won yet. */
export const challenged = (changes: Brought = {}, place?: Partial<ChainEvent<"Challenged">>) =>
  eventOf("Challenged", brought({ code: { winner: Seat.None }, ...changes }), place);

export const termsAdded = (changes: Partial<Terms> = {}, termsId = 1n) =>
  eventOf("TermsAdded", { termsId, terms: { ...TERMS, ...changes } });

/** By default, it is seat One's turn after seat Two's answer. */
export const started = (changes: Partial<Events["Started"]> = {}, place?: Partial<ChainEvent<"Started">>) =>
  eventOf(
    "Started",
    { matchId: matchIdOf(), player1: ALICE, player2: BOB, termsId: 1n, turn: Seat.One, position: POSITION, ...changes },
    place,
  );

export const settled = (changes: Partial<Events["Settled"]> = {}, place?: Partial<ChainEvent<"Settled">>) => {
  const nothing = { paid1: 0n, paid2: 0n, house: 0n, rating1: 0n, rating2: 0n };
  return eventOf("Settled", { matchId: matchIdOf(), status: 6n, ...nothing, ...changes }, place);
};

export const balanced = (changes: Partial<Events["Balanced"]> = {}) =>
  eventOf("Balanced", {
    channelId: CHANNEL,
    nonce: BigInt(FIRST),
    amount1: 60n,
    amount2: 50n,
    house: 0n,
    closed: false,
    ...changes,
  });

export const logged = (matchId: bigint, place?: Partial<ChainEvent<"Log">>) =>
  eventOf("Log", { matchId, round: 1n, logEntries: [1n, 2n] }, place);

/** Events of ordinary matches, by default of the first one. By default, the offer is to anyone, soft and funded. */
export const created = (changes: Partial<Events["Created"]> = {}, place?: Partial<ChainEvent<"Created">>) => {
  const offer = { matchId: 1n, player1: ALICE, opponent: ZeroAddress, termsHash: termsHash(TERMS), firmUntil: 0n };
  return eventOf("Created", { ...offer, funded: true, data: "0x", ...changes }, place);
};

export const funded = (changes: Partial<Events["Funded"]> = {}, place?: Partial<ChainEvent<"Funded">>) =>
  eventOf("Funded", { matchId: 1n, seat: Seat.Two, player: BOB, ...changes }, place);

export const joined = (changes: Partial<Events["Joined"]> = {}, place?: Partial<ChainEvent<"Joined">>) =>
  eventOf("Joined", { matchId: 1n, player2: BOB, data: "0x", ...changes }, place);

export const acted = (seat: bigint, changes: Partial<Events["Acted"]> = {}, place?: Partial<ChainEvent<"Acted">>) =>
  eventOf("Acted", { matchId: 1n, seat, data: "0x", ...changes }, place);

export const declined = (changes: Partial<Events["Declined"]> = {}, place?: Partial<ChainEvent<"Declined">>) =>
  eventOf("Declined", { matchId: 1n, opponent: BOB, ...changes }, place);

export const deposited = (player: string, amount: bigint, place?: Partial<ChainEvent<"Deposited">>) =>
  eventOf("Deposited", { token: TOKEN, player, amount }, place);

export const withdrawn = (changes: Partial<Events["Withdrawn"]> = {}) =>
  eventOf("Withdrawn", { token: TOKEN, player: ALICE, to: ALICE, amount: 100n, ...changes });
