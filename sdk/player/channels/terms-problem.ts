import { ZeroHash } from "ethers";
import { UnregisteredMode, type History } from "../../chain/history.js";
import type { GameModule } from "../../games/module.js";
import type { Channel, ChannelOffer } from "../../protocol/channels/messages.js";
import type { Hex } from "../../protocol/hex.js";
import { MAX_CLOCK, MIN_CLOCK, type Terms } from "../../protocol/terms.js";

/** Match that a player would offer or answer. */
export interface ProposedMatch extends Pick<ChannelOffer, "swapped" | "until"> {
  terms: Terms;
}

/** State of a channel and limits of the player, which decide whether the player accepts a match. */
export interface MatchLimits {
  channel: Channel;
  amount1: bigint;
  amount2: bigint;
  /** Time until which the channel lasts, in seconds since 1970. */
  until: number;
  /** Time of the chain, in seconds since 1970. */
  time: number;
  /** Minimum seconds between the last second of a match and the last second of the channel. */
  margin: number;
  /** Shortest clock, in seconds, that the player can watch. */
  minClock: bigint;
}

/**
 * Returns the reason why a player must not play a match in a channel: the player could not submit the match on chain,
 * or could not trust its end there. Undefined if the player may play.
 * @param module Game of the terms; undefined if it is unknown.
 */
export async function termsProblem(
  { terms, swapped, until }: ProposedMatch,
  { channel, amount1, amount2, ...limits }: MatchLimits,
  module: GameModule | undefined,
  history: History,
): Promise<string | undefined> {
  const { token, feeBps, clock, stake1, stake2, rated } = terms;
  if (!module) return `the game ${terms.game} is not known`;
  if (!module.channels) return `${module.title} is not played in channels`;
  if (token !== channel.token) return `the stakes are in ${token}, and the channel holds ${channel.token}`;
  if (feeBps !== channel.feeBps) return `the fee is ${feeBps} basis points, and the channel's is ${channel.feeBps}`;
  // Otherwise the arena would reject a challenge.
  if (clock < MIN_CLOCK || clock > MAX_CLOCK) return `a clock of ${clock} seconds is not ${MIN_CLOCK} to ${MAX_CLOCK}`;
  if (clock < limits.minClock) return `a clock of ${clock} seconds is below the own limit, ${limits.minClock}`;
  const [own1, own2] = swapped ? [stake2, stake1] : [stake1, stake2];
  if (own1 > amount1) return `player 1 holds ${amount1}, and its stake is ${own1}`;
  if (own2 > amount2) return `player 2 holds ${amount2}, and its stake is ${own2}`;
  const [first, last] = [limits.time + limits.margin, limits.until - limits.margin];
  if (until < first || until > last) return `the match ends at ${until}, which is not between ${first} and ${last}`;
  const content = await modeOf(terms, module, history);
  if (content === undefined) return `${module.title} has no mode ${terms.mode}`;
  return module.channels.problem?.(content, rated);
}

/** Reads the content of a mode from the chain; undefined if the mode is not registered. */
async function modeOf({ game, mode }: Terms, { modeFormat }: GameModule, history: History): Promise<Hex | undefined> {
  try {
    if (mode !== ZeroHash) return await history.mode(game, mode);
    // Some games have no default mode.
    modeFormat?.decode("0x");
    return "0x";
  } catch (error) {
    if (mode !== ZeroHash && !(error instanceof UnregisteredMode)) throw error;
    return undefined;
  }
}
