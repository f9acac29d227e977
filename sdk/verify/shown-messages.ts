import { channelsOf } from "../chain/channels.js";
import type { EventHistory } from "../chain/event-history.js";
import type { ShownMatch } from "../chain/record.js";
import type { GameModule } from "../games/module.js";
import { ChannelBook } from "../player/channels/book.js";
import type { Channel } from "../protocol/channels/messages.js";
import type { ChannelMessage } from "../protocol/channels/wire.js";
import { isKind } from "../protocol/error-kind.js";
import { InputError, oneLine } from "../protocol/input.js";
import type { ShownBefore } from "./channel-replay.js";

/**
 * Lists the messages of a channel that players show; empty if nobody shows any. The messages are untrusted, and in the
 * order in which a player stores them.
 */
export type ShownMessages = (channel: Channel) => readonly ChannelMessage[] | Promise<readonly ChannelMessage[]>;

/** Evidence for a base or balance that both players signed: messages that lead to it, or the signatures alone. */
export interface ShownCheck {
  verdict: "agreed and shown" | "agreed, not shown";
  /** Reason why the shown messages do not lead to the base or balance. */
  problem?: string;
}

/** Finds the shown beginning of a match, up to the base from which it was submitted on chain. */
export async function beginningOf(
  { channel, code, position, brought }: ShownMatch,
  game: GameModule,
  history: EventHistory,
  messages: ShownMessages,
): Promise<{ before?: ShownBefore; problem?: string }> {
  const { book, problem } = await bookOf(channel, [code.nonce, code.nonce + 1], () => game, history, messages);
  const match = book.matches.get(code.nonce);
  if (!match) return { problem };
  const actions = match.actions.map(({ data }) => data);
  const count = match.states.findIndex((state, i) => {
    const follows = brought.every((action, k) => actions[i + k] === action);
    return i > 0 && state.turn === code.turn && state.position === position && follows;
  });
  if (count > 0) return { before: { offered: match.offer.position, actions: actions.slice(0, count) } };
  return { problem: problem ?? "the messages do not lead to the position from which it was brought to the chain" };
}

/** Balance of a channel, and the channel's state before it. */
export interface BalanceFacts {
  channel: Channel;
  before: { nonce: number; amounts: readonly [bigint, bigint] };
  after: { nonce: number; amounts: readonly [bigint, bigint] };
}

/** Compares a balance with the matches before it, as far as messages show them. */
export async function checkBalance(
  { channel, before, after }: BalanceFacts,
  moduleAt: (game: string) => GameModule | undefined,
  history: EventHistory,
  messages: ShownMessages,
): Promise<ShownCheck> {
  const { book, problem } = await bookOf(channel, [before.nonce, after.nonce], moduleAt, history, messages);
  const [amount1, amount2] = before.amounts;
  const held = book.heldFrom({ nonce: before.nonce, amount1, amount2 }, after.nonce);
  if (!held) return { verdict: "agreed, not shown", ...(problem !== undefined && { problem }) };
  if (held.amount1 === after.amounts[0] && held.amount2 === after.amounts[1]) return { verdict: "agreed and shown" };
  const others = `the matches before it give ${held.amount1} and ${held.amount2}, not ${after.amounts.join(" and ")}`;
  return { verdict: "agreed, not shown", problem: others };
}

/** Reads the messages of some matches of a channel. @returns a book of them, and why a message was refused. */
async function bookOf(
  channel: Channel,
  [from, end]: readonly [number, number],
  moduleAt: (game: string) => GameModule | undefined,
  history: EventHistory,
  messages: ShownMessages,
): Promise<{ book: ChannelBook; problem?: string }> {
  const at = { chainId: history.chainId, channels: channelsOf(history.addresses.Arena) };
  const book = new ChannelBook({ at, channel, moduleAt, history: Object.create(history) as EventHistory });
  let problem: string | undefined;
  const shown = await Promise.resolve(messages(channel)).catch((error: unknown) => {
    problem = oneLine(error instanceof Error ? error.message : String(error));
    return [];
  });
  const own = shown.filter(({ type, nonce }) => {
    return (type === "offer" || type === "move") && nonce >= from && nonce < end;
  });
  for (const message of own) {
    try {
      const reading = await book.read(message);
      if (typeof reading === "object") reading.keep();
    } catch (error) {
      if (!isKind(error, InputError)) throw error;
      problem ??= oneLine(error.message);
    }
  }
  return { book, ...(problem !== undefined && { problem }) };
}
