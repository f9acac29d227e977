import { unpainted } from "../../sdk/games/frames.js";
import type { GameModule } from "../../sdk/games/module.js";
import { modeContent, modeNamed } from "../../sdk/games/modes.js";
import type { SecretStore } from "../../sdk/games/moves.js";
import type { MatchRecord } from "../../sdk/chain/record.js";
import type { History } from "../../sdk/chain/history.js";
import { viewMode } from "../../sdk/player/modes.js";
import { outcomeText, type MatchOutcome } from "../../sdk/player/outcome.js";
import { channelMatchIdOf } from "../../sdk/protocol/channels/messages.js";
import type { Hex } from "../../sdk/protocol/hex.js";
import { oneLine } from "../../sdk/protocol/input.js";
import { Seat } from "../../sdk/protocol/status.js";
import { otherSeat } from "../../sdk/protocol/sides.js";
import type { Terms } from "../../sdk/protocol/terms.js";
import type { CommandContext } from "../shared/command/context.js";
import type { GameResult, MatchTerms, PlayedMove, SeatNumber } from "./wire.js";

/** Hex digits of an id. */
const ID_DIGITS = 16;

/** Returns the id of a thing that a hash of 32 bytes identifies. */
export function idOf(hash: Hex): string {
  return hash.slice(2, 2 + ID_DIGITS);
}

/** Returns the id of a game, which is the same for both players. */
export function gameIdOf(channel: Hex, nonce: number): string {
  return channelMatchIdOf(channel, nonce).toString(16).padStart(64, "0").slice(0, ID_DIGITS);
}

/** Describes a seat; null for none. */
export function seatNumber(seat: bigint): SeatNumber | null {
  return seat === Seat.One ? 1 : seat === Seat.Two ? 2 : null;
}

/** Describes terms from the side of a seat. */
export async function shownTerms(context: CommandContext, terms: Terms, seat: bigint): Promise<MatchTerms> {
  const { game, mode, token, stake1, stake2, clock, feeBps, rated } = terms;
  const module = context.findGame(game);
  const [own, other] = seat === Seat.One ? [stake1, stake2] : [stake2, stake1];
  return {
    game: module?.name ?? null,
    title: module?.title ?? null,
    mode: (module && modeNamed(module, mode)) ?? null,
    modeHash: mode,
    token,
    symbol: (await context.tokens.at(token)).symbol,
    stake: String(own),
    opponentStake: String(other),
    clock: Number(clock),
    feeBps: Number(feeBps),
    rated,
  };
}

/** Describes the end of a match for a player. */
export function shownResult(outcome: MatchOutcome, seat: bigint): GameResult {
  const { duel: result, pot } = outcome;
  const winner = result === "draw" ? Seat.None : result === "won" ? seat : otherSeat(seat);
  return { winner: seatNumber(winner), result, pot, text: outcomeText(outcome) };
}

/** Lists the moves of a match, which the engine may refuse. */
export async function shownMoves(module: GameModule, record: MatchRecord, history: History): Promise<PlayedMove[]> {
  const { createData, joinData, actions } = record;
  const sent = [
    { seat: Seat.One, data: createData },
    ...(joinData === undefined ? [] : [{ seat: Seat.Two, data: joinData }]),
    ...actions,
  ];
  const texts = (await module.actionTexts?.(record, history).catch(() => [])) ?? [];
  return sent.map(({ seat, data }, i) => {
    return { seat: seatNumber(seat)!, text: texts[i] === undefined ? null : oneLine(texts[i]), data };
  });
}

/** Draws what a player sees of a match. Before the answer, the rules come first. */
export async function shownBoard(
  module: GameModule,
  terms: Terms,
  record: MatchRecord | undefined,
  viewer: { seat: bigint; secretStore: SecretStore },
  history: History,
): Promise<string[]> {
  const isAnswered = record?.joinData !== undefined;
  const rules = isAnswered ? [] : viewMode(module, await modeContent(module, terms, history)).rules;
  const drawn = record ? await drawnLines(module, record, viewer, history) : [];
  return [...rules, ...drawn].map((line) => oneLine(line));
}

async function drawnLines(
  module: GameModule,
  record: MatchRecord,
  viewer: { seat: bigint; secretStore: SecretStore },
  history: History,
): Promise<string[]> {
  try {
    const { logs } = await module.replay(record, history);
    return (await module.view?.({ ...record, logs }, history, unpainted, viewer)) ?? [];
  } catch {
    // The opponent's last move may be one that the engine refuses, and not every game can draw an offer.
    return [];
  }
}
