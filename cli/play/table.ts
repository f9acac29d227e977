import type { BookMatch } from "../../sdk/player/channels/book.js";
import { ownFirst, type Held } from "../../sdk/player/channels/chain.js";
import { endingFor } from "../../sdk/chain/settlement.js";
import { eventsOf } from "../../sdk/player/match-events.js";
import { outcomeText } from "../../sdk/player/outcome.js";
import { amountText } from "../../sdk/player/amounts.js";
import type { KeptChannel } from "../shared/channels/files.js";
import { outcomeOf } from "../shared/channels/next-match.js";
import type { SeatPolicy } from "../shared/channels/seat.js";
import type { CommandContext } from "../shared/command/context.js";
import { readMove } from "../shared/command/did-you-mean.js";
import { acceptWarnings, paint, type Result } from "../shared/command/output.js";
import { moveChecksOf } from "../shared/match/risks.js";
import { Stopped, withMove } from "./move-prompt.js";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs a function. The first signal to the process stops it once nothing is being sent; a second ends the process.
 * @param run Receives an abort signal, and a function that also stops it.
 * @throws Stopped if it was stopped
 */
export async function stoppable<T>(run: (signal: AbortSignal, stop: () => void) => Promise<T>): Promise<T> {
  const control = new AbortController();
  const stop = () => control.abort(new Stopped());
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    return await run(control.signal, stop);
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}

/** Ways to find the caller's moves in a channel. */
interface MoveOptions {
  /** Arguments of the first move; if empty, the move is asked for or suggested, like every later move. */
  moveArgs?: readonly string[];
  yes?: boolean;
  signal: AbortSignal;
  /** Called with the reason if no move is found, e.g. because the given move breaks a rule. */
  onFailure(error: Error): void;
}

/** Creates a function that takes the caller's moves from arguments, suggestions, or the person at the terminal. */
export function movesOf(context: CommandContext, options: MoveOptions): SeatPolicy["choose"] {
  const { moveArgs = [], yes, signal, onFailure } = options;
  return async (turn, module) => {
    const secretStore = context.keys.secretStoreOf(turn.game, turn.player);
    const isFirst = turn.record?.joinData === undefined;
    const read = async (args: readonly string[]) => {
      const move = await readMove(module, args, turn, secretStore);
      if (isFirst) await acceptWarnings(await moveChecksOf(context, module, turn.game, move), yes);
      return { move };
    };
    try {
      if (isFirst && moveArgs.length > 0) return await read(moveArgs);
      return await withMove({ game: module, turn, secretStore }, read, yes, signal);
    } catch (error) {
      onFailure(error as Error);
      return undefined;
    }
  };
}

/** Describes both players' balances. */
export async function heldText(context: CommandContext, kept: KeptChannel, held: Held): Promise<string> {
  const token = await context.tokens.at(kept.channel.token);
  const { own, other } = ownFirst(kept.player, held);
  return `You hold ${amountText(own, token)}, and ${kept.opponent} holds ${amountText(other, token)}.`;
}

/** Describes a match of a channel that is over. @param held Both balances after the match. */
export async function resultOf(
  context: CommandContext,
  kept: KeptChannel,
  match: BookMatch,
  held: Held,
): Promise<Result> {
  const outcome = await outcomeOf(context, kept, match);
  const data = { channel: kept.id, match: match.nonce, outcome: outcome.duel, held: ownFirst(kept.player, held) };
  const last = `${outcomeText(outcome)} ${await heldText(context, kept, held)}`;
  return { data, text: [...(await storyOf(context, kept, match)), last] };
}

/** Describes a match, and its payments. */
async function storyOf(context: CommandContext, { channel }: KeptChannel, match: BookMatch): Promise<string[]> {
  const { module, nonce, offer, isFinal } = match;
  const { refusal } = match.state;
  if (!isFinal) return [`Match ${nonce} went on on the chain.`];
  if (refusal !== undefined) return [`Match ${nonce} is over, as the last move is refused: ${refusal}.`];
  const history = context.history;
  const record = match.record();
  const { logs } = await module.replay(record, history);
  const settlement = { ...endingFor(match.state, offer.terms), rating1: 0n, rating2: 0n };
  const settled = { ...record, logs, settlement };
  const end = eventsOf(settled, await context.tokens.at(channel.token)).at(-1)!.text;
  return [...(await module.story(settled, history, paint)), end];
}
