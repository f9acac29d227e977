import { sessionKeyOf, type Channel, type ChannelsAt } from "../../sdk/protocol/channels/messages.js";
import {
  channelMessageText,
  MAX_MESSAGE_LENGTH,
  senderOf,
  type ChannelMessage,
  type Sender,
} from "../../sdk/protocol/channels/wire.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { InputError } from "../../sdk/protocol/input.js";
import { Refusal } from "./refusal.js";

/** Maximum number of messages of one player in the same slot: only a cheater signs several. */
const MAX_IN_SLOT = 16;
/** Maximum number of consents of one wallet to one opening whose signatures only the chain can check. */
const MAX_UNCHECKED = 4;
/** Places of messages per millisecond. A channel that was dropped and is added again thus gets new places. */
const PLACES_PER_MS = 1024;

/** Returns a message as the line that is stored. @throws InputError if it is too long */
export function lineOf(message: ChannelMessage): string {
  const line = channelMessageText(message);
  if (line.length <= MAX_MESSAGE_LENGTH) return line;
  throw new InputError("message", `${line.length} characters are more than ${MAX_MESSAGE_LENGTH}`);
}

/** Returns who has signed a message. @throws InputError if no player of the channel has */
export function signedSender(at: ChannelsAt, id: Hex, channel: Channel, message: ChannelMessage): Sender {
  const sender = senderOf(at, channel, message);
  if (sender) return sender;
  throw new InputError("message.signature", `no player of the channel ${id} has signed`);
}

/** Names the slot of a message in its channel. An honest player signs one message per slot. */
export function slotOf({ player, isChecked }: Sender, message: ChannelMessage): string {
  const { type, nonce } = message;
  if (!isChecked) return `unchecked ${player} ${nonce}`;
  return `${type} ${player} ${nonce} ${type === "move" ? message.count : type === "balance" ? message.close : ""}`;
}

/** Returns the maximum number of messages in a slot. */
export function slotSize({ isChecked }: Sender): number {
  return isChecked ? MAX_IN_SLOT : MAX_UNCHECKED;
}

/** Returns the refusal of a message whose slot is full. */
export function slotRefusal(sender: Sender, { type }: ChannelMessage): Refusal {
  const reason = `player ${sender.player} has signed ${slotSize(sender)} others of type ${type} for this place`;
  return new Refusal("full", reason);
}

/** Returns the session key of a message's sender; undefined if only the chain can check the signature. */
export function signingKeyOf(channel: Channel, { player, isChecked }: Sender): string | undefined {
  return isChecked ? sessionKeyOf(channel, player) : undefined;
}

/** Returns the refusal of a message to an unknown channel without the channel's fields. */
export function unknownChannel(id: Hex): Refusal {
  return new Refusal("unknown", `the channel ${id} is not known: send its fields`);
}

/** Returns the place for the first message of a channel that is added now. @param now Milliseconds since 1970 */
export function firstPlace(now: number): number {
  return Math.floor(now) * PLACES_PER_MS;
}
