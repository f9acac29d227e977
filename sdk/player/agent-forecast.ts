import { formatEther, type Provider } from "ethers";
import type { Arena } from "../../typechain-types/index.js";
import { nextTime } from "../chain/time.js";
import { findGame } from "../games/list.js";
import { modeNamed } from "../games/modes.js";
import { Status } from "../protocol/status.js";
import { offerDeadline } from "../protocol/terms.js";
import { durationText, listed, withFullStop } from "../protocol/text.js";
import type { Challenge } from "./calls.js";
import type { MatchView } from "./match-view.js";
import { agentState, decide, isSeated, type ChallengeView } from "./policy-decision.js";
import { readPolicy, type Policy, type PolicyReader, type SponsorLimit } from "./policy.js";
import type { Known } from "./risks.js";
import { amountText } from "./amounts.js";

/** Deployment where an agent is challenged. */
export interface ForecastContext extends PolicyReader, Known {
  arena: Arena;
  provider: Provider;
}

/** A challenge to an agent, without the first move, which is unknown. */
export type AgentChallenge = Omit<Challenge, "data"> & { opponent: string };

/**
 * Returns warnings if an agent would decline an offer under its policy, by the agent's own rules. The chance of winning
 * is unknown beforehand. @param published The agent's policy, as the deployment publishes it. @param matches Returns
 * the agent's matches; only matches that the agent has joined count.
 * @throws InputError that names the wrong field of the policy.
 * @example
 * ```ts
 * import { agentWarnings, games } from "duello";
 *
 * const context = { arena, provider, addresses, games, tokens, chainId };
 * const [warning] = await agentWarnings(context, { games: ["pistols"] }, { terms, opponent: bob }, async () => []);
 * if (warning) console.warn(warning);
 * ```
 */
export async function agentWarnings(
  context: ForecastContext,
  published: unknown,
  { terms, opponent, firmUntil }: AgentChallenge,
  matches: () => Promise<readonly MatchView[]>,
): Promise<string[]> {
  const policy = await readPolicy(published, context);
  const now = BigInt(await nextTime(context.provider));
  const game = findGame(terms.game, context.games, context.addresses);
  const challenge: ChallengeView = {
    status: Status.P1Deposited,
    player2: opponent,
    deadline: offerDeadline(BigInt(firmUntil ?? 0), now),
    terms: { ...terms, feeBps: await context.arena.feeBps() },
    token: await context.tokens.at(terms.token),
    game: game?.name,
    mode: game && modeNamed(game, terms.mode),
  };
  const own = (await matches()).filter((match) => isSeated(context, match, opponent));
  const state = await agentState(context, challenge, own, { me: opponent, now });
  const { take, why } = decide(challenge, policy, state);
  return take ? [] : [`The agent would decline, and say: ${withFullStop(why)}`];
}

/**
 * Describes in a few lines which challenges an agent accepts under its policy.
 * @example
 * ```ts
 * import { games, policyLines, readPolicy } from "duello";
 *
 * const policy = await readPolicy({ games: ["pistols"] }, { chainId, games, tokens });
 * for (const line of policyLines(policy)) console.log(line); // "It plays Pistols." …
 * ```
 */
export function policyLines(policy: Policy): string[] {
  const { known, games, tokens, clock, house, chance, open, matches } = policy;
  const played = known.flatMap(({ name, title, modes }) => {
    const taken = games.get(name);
    if (taken === undefined || taken.length === 0) return [];
    if (taken === "any") return [`${title} in any mode`];
    const isWhole = Object.keys(modes).every((mode) => taken.includes(mode));
    return [isWhole ? title : `${title} (${listed(taken)})`];
  });
  const stakes = [...tokens.values()].map(
    ({ token, stake, total }) => `${amountText(stake, token)} a match, ${amountText(total, token)} in all`,
  );
  return [
    `It plays ${played.length === 0 ? "nothing" : listed(played)}.`,
    stakes.length === 0
      ? "It stakes nothing."
      : `It stakes up to ${listed(stakes)}, where its chance is ${chance} % or more.`,
    `It takes clocks from ${durationText(clock.min)} to ${durationText(clock.max)}, a house fee of ${house} % at most, and ${matches} matches at once.`,
    ...(open ? [] : ["It takes only what is offered to it by name."]),
    ...channelLines(policy),
  ];
}

function channelLines({ channels: { most, each, life, sponsor }, tokens }: Policy): string[] {
  if (most === 0) return ["It opens no channels."];
  const locks = [...tokens.values()]
    .filter(({ channel }) => channel > 0n)
    .map(
      ({ token, channel, channels }) => `${amountText(channel, token)} in one, ${amountText(channels, token)} in all`,
    );
  const limit = ({ matches, gas }: SponsorLimit) => `${matches} matches and ${formatEther(gas)} COIN of gas`;
  return [
    `It opens up to ${most} channels, ${each} with one player, for ${durationText(life)} at most, and locks ${locks.length === 0 ? "nothing" : listed(locks)}.`,
    ...(sponsor
      ? [
          `It pays for rated matches of players without money: ${limit(sponsor.day)} a day, ${limit(sponsor.opponent)} a day for one player, and ${limit(sponsor.address)} for one player ever.`,
        ]
      : []),
  ];
}
