import { modeNamed, reasonOf } from "duello";
import { PlayerName } from "../parts/player-name.tsx";
import { Problem } from "../parts/problem.tsx";
import { ShownMatch } from "../parts/shown-match.tsx";
import { gameTitle, oneLine } from "../parts/text.ts";
import { RETRY_PAUSE, useLoaded, useTitle } from "../parts/use.ts";
import { route } from "../router.ts";
import { player } from "../player/current.ts";
import type { Chain } from "../store/chain.ts";
import { chain } from "../store/current.ts";
import type { MatchSummary } from "../store/ledger.ts";
import { loadMatch } from "../store/open-match.ts";
import { gameOf, statusWord } from "../store/present.ts";

/** A match on the chain: for spectators, for its players, and as a replay once it is over. */
export default function MatchView() {
  const [place = "", step] = route.value.args;
  const current = chain.value;
  const matchId = /^#?(\d{1,20})(@\d{1,12})?$/.exec(place)?.[1];
  useTitle(matchId === undefined ? "Match" : `Match ${matchId}`);
  if (matchId === undefined) return <Problem title="That is no match">A match is a number, e.g. 7.</Problem>;
  if (!current) return <Problem title="There are no matches without a chain" />;
  if (!current.archive.value) return <p class="muted loading">Reading the chain …</p>;
  const summary = current.ledger.value.match(BigInt(matchId));
  if (!summary) {
    return (
      <Problem title={`There is no match ${matchId} here`}>
        It may be on another chain, or a reorganisation has undone it.
      </Problem>
    );
  }
  const game = gameOf(current, summary.terms);
  if (!game) return <ForeignMatch chain={current} summary={summary} />;
  return <KnownMatch key={matchId} chain={current} summary={summary} wantedStep={stepOf(step)} />;
}

function stepOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,6}$/.test(text) ? Math.max(0, Number(text) - 1) : undefined;
}

function KnownMatch({
  chain: current,
  summary,
  wantedStep,
}: {
  chain: Chain;
  summary: MatchSummary;
  wantedStep?: number;
}) {
  const you = player.value;
  const { value, error } = useLoaded(
    () => loadMatch(current, summary, you),
    [current.archive.value, summary.events, you, you?.keyState.value],
    // A node may fail right after the other player's move, and then no event triggers another load.
    RETRY_PAUSE,
  );
  const game = gameOf(current, summary.terms)!;
  const title = gameTitle(game, modeNamed(game, summary.terms.mode));
  if (error !== undefined && !value) {
    return <Problem title="This match cannot be shown">{oneLine(reasonOf(error), 400)}</Problem>;
  }
  if (!value) return <p class="muted loading">Replaying {title} …</p>;
  return <ShownMatch match={value} title={title} wantedStep={wantedStep} />;
}

/** A match of a game that this page does not have. */
function ForeignMatch({ chain: current, summary }: { chain: Chain; summary: MatchSummary }) {
  const { matchId, terms, player1, player2 } = summary;
  return (
    <section class="card stack problem">
      <h1>Match {String(matchId)}</h1>
      <p class="notice">
        Its game at <span class="mono">{terms.game}</span> is none that this page knows: it can decide its matches as it
        likes, and nothing of it can be replayed here.
      </p>
      <p>
        <PlayerName player={1} address={player1} /> <PlayerName player={2} address={player2} />
      </p>
      <p>{statusWord(summary)}</p>
      <p class="small muted">Chain {current.deployment.chainId}</p>
    </section>
  );
}
