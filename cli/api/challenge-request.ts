import { addressOfGame } from "../../sdk/games/list.js";
import { impliedMode } from "../../sdk/games/module.js";
import { gameAndMode, modeBy } from "../../sdk/player/modes.js";
import { boolean, decimal, integer, object, optional, text } from "../../sdk/protocol/input.js";
import { MAX_CLOCK } from "../../sdk/protocol/terms.js";
import { CHANNEL_LIMITS } from "../../sdk/player/channels/player.js";
import { Seat } from "../../sdk/protocol/status.js";
import { termsFor, wantedMatch, type WantedMatch } from "../shared/channels/next-match.js";
import type { CommandContext } from "../shared/command/context.js";
import { didYouMean } from "../shared/command/did-you-mean.js";

/** Bits of an amount. */
const AMOUNT = 96;

/** Longest life of a new channel, in days. */
const MAX_DAYS = 30;

const DAY = 86_400;

/** Reads the body of a challenge. */
export const readChallengeRequest = object({
  game: text,
  mode: optional(text, undefined),
  stake: optional(decimal(AMOUNT), 0n),
  token: optional(text, "FIGHT"),
  clock: optional(integer(Number(CHANNEL_LIMITS.minClock), Number(MAX_CLOCK)), DAY),
  rated: optional(boolean, false),
  lock: optional(decimal(AMOUNT), undefined),
  opponentLock: optional(decimal(AMOUNT), undefined),
  days: optional(integer(1, MAX_DAYS), MAX_DAYS),
});

/** Match that the player wants, and the channel to open for it if there is none. */
export interface WantedChallenge {
  wanted: WantedMatch;
  /** Amounts that the player and the opponent lock in a new channel. */
  lock: bigint;
  opponentLock: bigint;
  /** Seconds that a new channel lasts. */
  life: number;
}

/**
 * Finds the match that a request describes.
 * @param opponent Address of the opponent; undefined for anybody.
 * @param feeBps House fee of the channel.
 * @throws InputError for an unknown game, mode or token
 */
export async function wantedChallenge(
  context: CommandContext,
  request: ReturnType<typeof readChallengeRequest>,
  opponent: string | undefined,
  feeBps: bigint,
): Promise<WantedChallenge> {
  const { stake, clock, rated, lock = stake, days } = request;
  const { game, mode } = gameAndMode(request.game, context.games, didYouMean);
  const { addresses, deployment } = context;
  const implied = impliedMode(game, { opponent, agents: deployment.agents, isFree: stake === 0n }, mode);
  const { address: token } = await context.tokens.read(request.token);
  const terms = {
    game: addressOfGame(game, addresses),
    mode: modeBy(game, request.mode ?? implied, "mode", didYouMean),
    token,
    clock: BigInt(clock),
    feeBps,
    rated,
  };
  const wanted = wantedMatch(game, stake, terms);
  const { stake2 } = termsFor(wanted, Seat.One);
  const opponentLock = request.opponentLock ?? request.lock ?? stake2;
  return { wanted, lock, opponentLock, life: days * DAY };
}
