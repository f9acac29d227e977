import { agentWarnings, explain, policyLines, readPolicy, Tokens, viewOf, type AgentChallenge } from "duello";
import type { Player } from "../player/player.ts";
import type { Chain } from "../store/chain.ts";
import { oneLine } from "./text.ts";
import { useLoaded } from "./use.ts";

/**
 * Shows the policy of a challenged agent, and a warning if the agent would decline; the wallet is not asked.
 * @param offer Undefined while incomplete.
 */
export function AgentForecast({
  chain,
  agent,
  offer,
  you,
}: {
  chain: Chain;
  agent: string;
  offer?: Omit<AgentChallenge, "opponent">;
  you?: Player;
}) {
  const published = chain.deployment.policies?.[agent];
  const { terms } = offer ?? {};
  const { value, error } = useLoaded(published === undefined ? undefined : () => forecast(chain, agent, offer, you), [
    agent,
    you,
    terms?.game,
    terms?.mode,
    terms?.token,
    terms?.stake1,
    terms?.stake2,
    terms?.clock,
    offer?.firmUntil,
  ]);
  if (error !== undefined) return <p class="notice">{oneLine(explain(error), 400)}</p>;
  if (!value) return null;
  return (
    <div class="stack tight small">
      <ul>
        {value.lines.map((line) => (
          <li key={line}>{oneLine(line, 400)}</li>
        ))}
      </ul>
      {value.warnings.map((warning) => (
        <p key={warning} class="notice" role="status">
          {oneLine(warning, 400)}
        </p>
      ))}
    </div>
  );
}

async function forecast(
  chain: Chain,
  opponent: string,
  offer: Omit<AgentChallenge, "opponent"> | undefined,
  you: Player | undefined,
): Promise<{ lines: string[]; warnings: string[] }> {
  const { provider, deployment } = chain;
  const { chainId, addresses, policies } = deployment;
  const published = policies?.[opponent];
  const games = await chain.allModules();
  const tokens = new Tokens(provider, addresses, games);
  const reader = { chainId, games, tokens, addresses, provider };
  const lines = policyLines(await readPolicy(published, reader));
  const archive = chain.archive.value;
  if (!offer || !you || !archive) return { lines, warnings: [] };
  const { arena } = await you.client();
  const matches = async () => {
    const open = chain.ledger.value.of(opponent).filter(({ settlement }) => settlement === undefined);
    return Promise.all(open.map(({ matchId }) => viewOf(archive, reader, matchId)));
  };
  return { lines, warnings: await agentWarnings({ ...reader, arena }, published, { ...offer, opponent }, matches) };
}
