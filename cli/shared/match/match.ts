import type { Provider } from "ethers";
import { nextTime } from "../../../sdk/chain/time.js";
import type { MatchRecord } from "../../../sdk/chain/record.js";
import { isOpen } from "../../../sdk/protocol/status.js";
import type { MatchView } from "../../../sdk/player/match-view.js";
import { firmLines, gameText, NOT_AUDITED, shortClockOf, stateText } from "../../../sdk/player/match-text.js";
import type { NextStep } from "../../../sdk/player/next-step.js";
import { amountText } from "../../../sdk/player/amounts.js";
import { offerHash } from "../../../sdk/protocol/offer.js";
import { channelIdOf } from "../../../sdk/protocol/channels/messages.js";
import { Seat, Status, statusText } from "../../../sdk/protocol/status.js";
import { percentText, timeText } from "../../../sdk/protocol/text.js";
import { log } from "../command/output.js";
import { tableRows } from "../command/table.js";

/** Describes an interrupted match in a sentence, for the player in a seat. @param command Command that continues it. */
export function resumeHint({ matchId, status, turn, deadline }: MatchView, seat: bigint, command: string): string {
  const until = timeText(deadline);
  const states: Record<string, string> = {
    [String(Status.Created)]: `is offered until ${until}, but waits for your stake`,
    [String(Status.P1Deposited)]: `is offered until ${until}, then your stake can come back`,
    [String(Status.AllDeposited)]: `has both stakes, and player 2 must join by ${until}`,
    [String(Status.AllJoined)]:
      turn === seat
        ? `is in play: move until ${until}, or you lose the pot`
        : `is in play, the opponent's turn until ${until}`,
  };
  return `Match ${matchId} ${states[String(status)] ?? statusText[String(status)]}; ${command} ${matchId} continues it.`;
}

/** Logs a warning if the player in turn has little time left. */
export async function warnOfClock(view: MatchView, provider: Provider): Promise<void> {
  const left = shortClockOf(view, BigInt(await nextTime(provider)));
  if (left !== undefined) log(`Your clock runs short: ${left} s are left of ${view.terms.clock}.`);
}

/** Formats a match in one line. @param record Events of the match, which show how an offer has ended. */
export function lineOf(view: MatchView, record?: Pick<MatchRecord, "declinedBy">): string {
  const until = isOpen(view) ? `, until ${timeText(view.deadline)}` : "";
  const players = `${view.player1} : ${view.player2 ?? "anyone"}`;
  return `${view.matchId}  ${gameText(view)}  ${stateText(view, record)}${until}  ${stakesText(view)}  ${players}`;
}

/** A match in a list, and its next step. */
interface Listed {
  view: MatchView;
  /** Undefined if the match has no next step, or its game is unknown. */
  step?: Pick<NextStep, "player">;
}

const HEAD = ["match", "game", "state", "turn", "until", "stakes", "players"];

/**
 * Formats matches as a table.
 * @param you Address that is shown as the reader's.
 * @returns the lines of the table's head, then the lines of each match.
 */
export function matchRows(matches: readonly Listed[], you: string | undefined): string[][] {
  const named = (player: string | undefined) => (player !== undefined && player === you ? "you" : (player ?? "anyone"));
  const rows = matches.map(({ view, step }) => [
    String(view.matchId),
    gameText(view),
    stateText(view),
    isOpen(view) && step ? named(step.player) : "",
    isOpen(view) ? timeText(view.deadline) : "",
    stakesText(view),
    `${named(view.player1)} : ${named(view.player2)}`,
  ]);
  return tableRows([HEAD, ...rows]);
}

function stakesText({ terms, token }: MatchView): string {
  return `${amountText(terms.stake1, token)} : ${amountText(terms.stake2, token)}`;
}

/**
 * Formats a match in several lines.
 * @param record Events of the match.
 * @param rules Rules of its mode, in lines.
 * @param you Address that is marked as the reader's.
 */
export function linesOf(view: MatchView, record: MatchRecord, rules: readonly string[], you?: string): string[] {
  const { terms, token, status, deadline, turn } = view;
  const named = view.trust === "listed" ? `${view.game}, ${NOT_AUDITED}` : view.game;
  const game = named ?? `${terms.game}, which is not stock: it can decide its matches as it likes`;
  const mode = view.mode ?? `${terms.mode}, which is not stock`;
  const seat = (player: string | undefined, stake: bigint) =>
    `${player ?? "anyone"}${player !== undefined && player === you ? " (you)" : ""}, stake ${amountText(stake, token)}`;
  const shown = record.channel?.shown;
  const origin = shown
    ? `  channel   ${channelIdOf(shown.channel)}, match ${shown.code.nonce} of it`
    : `  offer     ${offerHash(view)}`;
  return [
    `Match ${view.matchId}: ${stateText(view, record)}`,
    `  game      ${game}, mode ${mode}`,
    ...rules.map((line, i) => `  ${i === 0 ? "rules" : "     "}     ${line}`),
    `  player 1  ${seat(view.player1, terms.stake1)}`,
    `  player 2  ${seat(view.player2, terms.stake2)}`,
    `  clock     ${terms.clock} s, house fee ${percentText(terms.feeBps)}, ${terms.rated ? "rated" : "not rated"}`,
    origin,
    ...(turn === Seat.None ? [] : [`  turn      player ${turn}`]),
    ...(isOpen(view)
      ? [`  until     ${timeText(deadline)}${view.firm && status < Status.AllDeposited ? ", a firm offer" : ""}`]
      : []),
    ...firmLines(view).map((line) => `  ${line}`),
  ];
}
