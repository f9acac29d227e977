import { computeAddress, type SigningKey } from "ethers";
import { isSameOpening } from "../../../sdk/player/channels/book.js";
import type { Found } from "../../../sdk/player/channels/meeting.js";
import type { ChannelQuestion, ChannelStatus } from "../../../sdk/player/channels/player.js";
import type { Channel } from "../../../sdk/protocol/channels/messages.js";
import { channelOf, type Search } from "../../../sdk/protocol/channels/seek.js";
import type { OpenMessage } from "../../../sdk/protocol/channels/wire.js";
import type { CommandContext } from "../command/context.js";
import type { ChannelFiles, KeptChannel } from "./files.js";
import { openChannels } from "./seat.js";

/** Channel of the player that is open, or that the player has consented to open. */
export interface OwnChannel {
  kept: KeptChannel;
  isOpen: boolean;
  /** Opening to which the player has consented, and which has not taken place; undefined without one. */
  opening?: OpenMessage;
}

/**
 * Finds the player's channels that are open, or that the player has consented to open, oldest first.
 * @param opponent The only other player of interest; defaults to anybody.
 */
export async function ownChannels(
  context: CommandContext,
  files: ChannelFiles,
  opponent?: string,
): Promise<OwnChannel[]> {
  const known = (await files.all()).filter((kept) => opponent === undefined || kept.opponent === opponent);
  // Read before the open channels, since a consent counts until the channel opens: one that opens meanwhile is found too.
  const openings = await Promise.all(known.map((kept) => files.consentTo(kept, context.provider)));
  const open = new Set((await openChannels(context, opponent)).map(({ id }) => id));
  return known
    .map((kept, i) => ({ kept, isOpen: open.has(kept.id), opening: openings[i] }))
    .filter(({ isOpen: isFound, opening }) => isFound || opening);
}

/** Returns the channel that an answer or a search names. @param key The player's session key. */
export function channelIn(found: Found, player: string, key: SigningKey): Channel {
  return "proposed" in found ? found.proposed.channel : channelOf(found.sought, player, computeAddress(key));
}

/** Stores the channel that an answer or a search names. The newest block is its first one: it is not open yet. */
export async function keepFound(context: CommandContext, files: ChannelFiles, found: Found): Promise<KeptChannel> {
  const channel = channelIn(found, files.player, await files.sessionKey());
  return files.keep(channel, await context.provider.getBlockNumber());
}

/** Returns whether a question is about the opening that the player has agreed to. */
export function isAgreed(question: ChannelQuestion, agreed: OpenMessage | undefined): boolean {
  // A contract wallet can accept one signature for several openings.
  return question.type === "open" && agreed !== undefined && isSameOpening(question.opening, agreed);
}

/** Returns whether a channel is open, and its opening is final. */
export function isOpen({ held, chain: { open } }: ChannelStatus): boolean {
  const hasMoney = open !== undefined && open.amount1 + open.amount2 > 0n;
  return held !== undefined && (!hasMoney || open.isFinal);
}

/** Deposits the amount that the caller's purse lacks to open a channel. */
export async function fillPurse(
  context: CommandContext,
  { token, amount, opponent }: Pick<Search, "token" | "amount" | "opponent">,
): Promise<void> {
  const client = await context.client();
  const lacking = amount - (await context.arena.purseOf(client.address, token));
  if (lacking <= 0n) return;
  const call = await client.calls.depositMethod(token, client.address);
  const action = { call, what: `deposit to sit with ${opponent}`, content: [token, amount, opponent] };
  await context.once(action, () => client.deposit(token, lacking));
  await context.markReported();
}
