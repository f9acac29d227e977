import { computeAddress } from "ethers";
import { isSameOpening } from "../../../sdk/player/channels/book.js";
import type { Found } from "../../../sdk/player/channels/meeting.js";
import type { ChannelQuestion, ChannelStatus } from "../../../sdk/player/channels/player.js";
import { channelOf, type Search, type Seek } from "../../../sdk/protocol/channels/seek.js";
import type { OpenMessage } from "../../../sdk/protocol/channels/wire.js";
import type { CommandContext } from "../command/context.js";
import type { ChannelFiles, KeptChannel } from "./files.js";
import type { ChannelSeat } from "./seat.js";

/** Stores the channel that an answer or a search names. The newest block is its first one: it is not open yet. */
export async function keepFound(context: CommandContext, files: ChannelFiles, found: Found): Promise<KeptChannel> {
  const channel =
    "proposed" in found
      ? found.proposed.channel
      : channelOf(found.sought, files.player, computeAddress(await files.sessionKey()));
  return files.keep(channel, await context.provider.getBlockNumber());
}

/** Proposes the opening that a search names. */
export async function proposeFor({ player }: ChannelSeat, { amount, otherAmount, until }: Seek): Promise<void> {
  await player.propose(amount, otherAmount, until);
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
