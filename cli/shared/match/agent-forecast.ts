import { agentWarnings as warningsOf } from "../../../sdk/player/agent-forecast.js";
import type { Challenge } from "../../../sdk/player/calls.js";
import type { MatchView } from "../../../sdk/player/match-view.js";
import { InputError } from "../../../sdk/protocol/input.js";
import { deploymentFile } from "../node/deployment.js";
import { openMatches } from "./matches.js";
import type { CommandContext } from "../command/context.js";

/**
 * Warns if an agent of the deployment would decline an offer by its current policy.
 * @returns no warning for an opponent whose policy is not in the deployment.
 */
export async function agentWarnings(
  context: CommandContext,
  { opponent, ...offer }: Omit<Challenge, "data">,
): Promise<string[]> {
  const content = opponent === undefined ? undefined : context.deployment.policies?.[opponent];
  if (opponent === undefined || content === undefined) return [];
  const matches = () => matchesOf(context, opponent);
  return warningsOf(context, content, { ...offer, opponent }, matches).catch((error: unknown) => {
    throw error instanceof InputError
      ? new InputError(`${deploymentFile(context.chainId)}: policies.${opponent}`, error.message)
      : error;
  });
}

/** Lists the open matches of a player. */
async function matchesOf(context: CommandContext, player: string): Promise<MatchView[]> {
  const found: MatchView[] = [];
  for await (const { matchId, player1, player2, match } of openMatches(context)) {
    if (player1 === player || player2 === player) found.push(await context.view(matchId, match));
  }
  return found;
}
