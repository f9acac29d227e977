import { computeAddress, concat, id, SigningKey, toBeHex, ZeroAddress } from "ethers";
import {
  channelIdOf,
  moveHashOf,
  NO_END,
  type Channel,
  type ChannelsAt,
} from "../../sdk/protocol/channels/messages.js";
import {
  signedWith,
  type BalanceMessage,
  type ChannelPlayerNumber,
  type MoveMessage,
} from "../../sdk/protocol/channels/wire.js";
import type { Hex } from "../../sdk/protocol/hex.js";

/** Number of the match in which all messages are. */
const NONCE = 2 ** 14;
/** Hash of the offer of that match. */
const OFFER = id("offer");
/** Bytes of an action that hold the time, and that follow it and a hash. Together they are as long as in most games. */
const TIME_BYTES = 8;
const REST = `0x${"00".repeat(25)}`;
/** Times are signed in microseconds. */
const MICROSECONDS = 1000;

/** Two players of a channel that exists on no chain. */
export interface Pair {
  name: string;
  channel: Channel;
  id: Hex;
  keys: readonly [SigningKey, SigningKey];
}

/** Derives the pair with a number from a seed. */
export function pairOf(seed: string, number: number): Pair {
  const name = `${seed} ${number}`;
  const keyOf = (player: ChannelPlayerNumber, of: string) => new SigningKey(id(`${of} ${player} of ${name}`));
  const keys = [keyOf(1, "session"), keyOf(2, "session")] as const;
  const [key1, key2] = keys.map((key) => computeAddress(key));
  const [player1, player2] = ([1, 2] as const).map((player) => computeAddress(keyOf(player, "wallet")));
  const channel = { player1, key1, player2, key2, token: ZeroAddress, feeBps: 0n };
  return { name, channel, id: channelIdOf(channel), keys };
}

/** Returns the player who sends a message: the players take turns, and player 1 starts. */
export function senderOfMove({ count }: Pick<MoveMessage, "count">): ChannelPlayerNumber {
  return count % 2 === 1 ? 1 : 2;
}

/** Returns the number of a message among those of its sender, from 1. */
export function numberOf({ count }: Pick<MoveMessage, "count">): number {
  return Math.ceil(count / 2);
}

/** Signs the message that follows another one. @param time Milliseconds since 1970, which the message contains. */
export function moveAfter(pair: Pair, at: ChannelsAt, last: MoveMessage | undefined, time: number): MoveMessage {
  const count = (last?.count ?? 0) + 1;
  const hash = id(`${count} of ${pair.name}`);
  return signedWith<MoveMessage>(pair.keys[senderOfMove({ count }) - 1], at, {
    ...{ type: "move", channel: pair.id, nonce: NONCE, offer: OFFER, count, place: hash },
    prev: last ? moveHashOf(last) : OFFER,
    action: concat([toBeHex(Math.round(time * MICROSECONDS), TIME_BYTES), hash, REST]),
  });
}

/** Returns the time that a message contains. */
export function timeOf({ action }: MoveMessage): number {
  return Number(action.slice(0, 2 + 2 * TIME_BYTES)) / MICROSECONDS;
}

/** Signs the first message of a player, so that the relay tells the player of the other's messages. */
export function greetingOf({ id: channel, keys }: Pair, at: ChannelsAt, player: ChannelPlayerNumber): BalanceMessage {
  const amounts = { amount1: 0n, amount2: 0n, close: false, until: NO_END };
  return signedWith<BalanceMessage>(keys[player - 1], at, {
    type: "balance",
    channel,
    nonce: NONCE,
    ...amounts,
    player,
  });
}
