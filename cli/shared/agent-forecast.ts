import type { Challenge as Offered } from "../../sdk/player/calls.js";
import { nextTime } from "../../sdk/chain/time.js";
import { Status } from "../../sdk/protocol/status.js";
import { OFFER_LIFE } from "../../sdk/protocol/terms.js";
import { InputError } from "../../sdk/protocol/input.js";
import { deploymentFile } from "./deployment.js";
import { modeNamed } from "../../sdk/games/modes.js";
import type { MatchView } from "../../sdk/player/match-view.js";
import { viewMatch } from "./match.js";
import { openMatches } from "./matches.js";
import { withFullStop } from "./output.js";
import { agentState, decide, isSeated, type Challenge } from "./policy-decision.js";
import { readPolicy } from "./policy.js";
import type { Session } from "./session.js";

/**
 * Warns of an offer that an agent of the deployment would decline by its policy, as the agent itself would decide now.
 * The prospects of a move are not known beforehand.
 * @returns no warning for an opponent whose policy the deployment does not have.
 */
export async function agentWarnings(
  session: Session,
  { terms, opponent, firmUntil }: Omit<Offered, "data">,
): Promise<string[]> {
  const content = opponent === undefined ? undefined : session.deployment.policies?.[opponent];
  if (opponent === undefined || content === undefined) return [];
  const policy = await readPolicy(content, session).catch((error: unknown) => {
    throw error instanceof InputError
      ? new InputError(`${deploymentFile(session.chainId)}: policies.${opponent}`, error.message)
      : error;
  });
  const now = BigInt(await nextTime(session.provider));
  const game = session.findGame(terms.game);
  const challenge: Challenge = {
    status: Status.P1Deposited,
    player2: opponent,
    deadline: firmUntil ? BigInt(firmUntil) : now + OFFER_LIFE,
    terms: { ...terms, feeBps: await session.arena.feeBps() },
    token: await session.tokens.at(terms.token),
    game: game?.name,
    mode: game && modeNamed(game, terms.mode),
  };
  const state = await agentState(session, challenge, await seatsOf(session, opponent), { me: opponent, now });
  const { take, why } = decide(challenge, policy, state);
  return take ? [] : [`The agent would decline, and say: ${withFullStop(why)}`];
}

/** Lists the open matches in which a player has taken a seat. */
async function seatsOf(session: Session, player: string): Promise<MatchView[]> {
  const found: MatchView[] = [];
  for await (const { matchId, player1, player2 } of openMatches(session)) {
    if (player1 !== player && player2 !== player) continue;
    const view = await viewMatch(session, matchId);
    if (isSeated(session, view, player)) found.push(view);
  }
  return found;
}
