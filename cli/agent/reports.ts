import { sideOf } from "../../sdk/protocol/sides.js";
import { Seat, Status } from "../../sdk/protocol/status.js";
import { eventsOf } from "../../sdk/player/match-events.js";
import type { MatchView } from "../../sdk/player/match-view.js";
import { gameText } from "../../sdk/player/match-text.js";
import type { BookMatch } from "../../sdk/player/channels/book.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { paint } from "../shared/command/output.js";
import type { CommandContext } from "../shared/command/context.js";
import { outcomeFor, outcomeText, settledOutcome } from "../../sdk/player/outcome.js";
import { amountText } from "../../sdk/player/amounts.js";
import type { LogEvent } from "./event-log.js";

/** Maximum number of lines of a reported story, counted from its end. */
const MAX_LINES = 24;

/** Describes a challenge in one line. */
export function challengeText(
  view: Pick<MatchView, "player1" | "player2" | "terms" | "token" | "game" | "mode" | "trust">,
  me: string,
): string {
  const { player1, player2, terms, token } = view;
  const stakes = [terms.stake1, terms.stake2].map((stake) => amountText(stake, token)).join(" : ");
  const costs = terms.stake1 + terms.stake2 === 0n ? "for nothing" : `for ${stakes}`;
  return `${player1} challenges ${player2 === me ? "me" : (player2 ?? "anyone")} at ${gameText(view)}, ${costs}.`;
}

/**
 * Reports the end of a match: the moves of both players, the result, and the payments.
 * @param player The agent, or the player for whom it watches the match.
 * @param isOwn True if the agent is that player.
 */
export async function endReport(
  context: CommandContext,
  view: MatchView,
  player: string,
  isOwn: boolean,
): Promise<LogEvent> {
  const { matchId, status, player1, token, terms } = view;
  const { history } = context;
  const record = await history.match(matchId);
  const game = context.findGame(terms.game);
  const story = (await game?.story(record, history, paint)) ?? [];
  const seat = player === player1 ? Seat.One : Seat.Two;
  // In a watched match the agent is not a player.
  const summary = isOwn ? await game?.bot?.resultText?.(record, history, sideOf(Number(seat))) : undefined;
  const omitted = story.length > MAX_LINES ? [`… ${story.length - MAX_LINES} lines before`] : [];
  const settled = eventsOf(record, token).at(-1)!.text;
  const isPlayed = status !== Status.P1Canceled;
  const subject = isOwn ? "I" : { name: player, other: "the other player" };
  const result = isPlayed ? outcomeText(settledOutcome(record.settlement!, terms, seat), subject) : "Nobody plays it.";
  const lines = [...(summary ? [summary] : []), ...omitted, ...story.slice(-MAX_LINES), settled, result];
  return { event: "settled", matchId, text: lines, data: { result, settlement: record.settlement } };
}

/** Reports the end of a match in a channel. @param match The match; it may have ended on chain. */
export async function channelEndReport(
  { history }: Pick<CommandContext, "history">,
  channel: Hex,
  match: BookMatch,
  seat: bigint,
): Promise<LogEvent> {
  const { state, module, nonce, offer } = match;
  const { winner, taker, refusal } = state;
  const isOver = state.turn === Seat.None;
  const side = sideOf(Number(seat));
  const summary = isOver && !refusal ? await module.bot?.resultText?.(match.record(), history, side) : undefined;
  const end = isOver ? outcomeText(outcomeFor(state, seat), "I") : "It ended on chain.";
  const text = [`Match ${nonce} of ${module.title}: ${end}`, ...(summary === undefined ? [] : [summary])];
  const data = { number: nonce, game: module.name, rated: offer.terms.rated, ...(isOver && { winner, taker }) };
  return { event: "played", channel, text, data: { ...data, seat } };
}
