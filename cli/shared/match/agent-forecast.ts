import { agentWarnings as warningsOf } from "../../../sdk/player/agent-forecast.js";
import type { Challenge } from "../../../sdk/player/calls.js";
import type { MatchView } from "../../../sdk/player/match-view.js";
import { InputError } from "../../../sdk/protocol/input.js";
import { deploymentFile } from "../node/deployment.js";
import { viewMatch } from "./match.js";
import { openMatches } from "./matches.js";
import type { Session } from "../command/session.js";

/**
 * Warns if an agent of the deployment would decline an offer by its policy, as the agent would decide now.
 * @returns no warning for an opponent whose policy is not in the deployment.
 */
export async function agentWarnings(
  session: Session,
  { opponent, ...offer }: Omit<Challenge, "data">,
): Promise<string[]> {
  const content = opponent === undefined ? undefined : session.deployment.policies?.[opponent];
  if (opponent === undefined || content === undefined) return [];
  const matches = () => matchesOf(session, opponent);
  return warningsOf(session, content, { ...offer, opponent }, matches).catch((error: unknown) => {
    throw error instanceof InputError
      ? new InputError(`${deploymentFile(session.chainId)}: policies.${opponent}`, error.message)
      : error;
  });
}

/** Lists the open matches of a player. */
async function matchesOf(session: Session, player: string): Promise<MatchView[]> {
  const found: MatchView[] = [];
  for await (const { matchId, player1, player2 } of openMatches(session)) {
    if (player1 === player || player2 === player) found.push(await viewMatch(session, matchId));
  }
  return found;
}
