import { amountText, clocksOf, mismatchText, reasonOf, Status } from "duello";
import { useEffect, useState } from "preact/hooks";
import { GameIcon } from "../parts/game-icon.tsx";
import { MatchActions } from "../parts/match-actions.tsx";
import { ModeLines } from "../parts/mode-lines.tsx";
import { PlayerName } from "../parts/player-name.tsx";
import { Problem } from "../parts/problem.tsx";
import { CopyLink } from "../parts/share.tsx";
import { Stage } from "../parts/stage.tsx";
import { clockText, gameTitle, oneLine } from "../parts/text.ts";
import { useLoaded, useTitle } from "../parts/use.ts";
import { linkTo, open, route } from "../router.ts";
import { player } from "../session/current.ts";
import type { Chain } from "../store/chain.ts";
import { chain } from "../store/current.ts";
import type { MatchSummary } from "../store/ledger.ts";
import { chainTime, gameNow } from "../store/clock.ts";
import { loadMatch, namesOf, type OpenMatch } from "../store/open-match.ts";
import { pictureFrom } from "../store/pictures.ts";
import { gameOf, modeNameOf, statusWord } from "../store/present.ts";

/** Part of the clock below which the time left is short. */
const SHORT = 0.2;

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
  );
  const game = gameOf(current, summary.terms)!;
  const title = gameTitle(game, modeNameOf(game, summary.terms));
  if (error !== undefined && !value) {
    return <Problem title="This match cannot be shown">{oneLine(reasonOf(error), 400)}</Problem>;
  }
  if (!value) return <p class="muted loading">Replaying {title} …</p>;
  return <Shown match={value} title={title} wantedStep={wantedStep} />;
}

function Shown({ match, title, wantedStep }: { match: OpenMatch; title: string; wantedStep?: number }) {
  const { chain: current, summary, module, gameView, frames, seat, view } = match;
  const { matchId, block } = summary;
  const viewer = Number(seat) as 0 | 1 | 2;
  const link = linkTo("match", [`${matchId}@${block}`]);
  const onStep = (step: number | undefined) =>
    open(step === undefined ? link : linkTo("match", [`${matchId}@${block}`, String(step + 1)]), true);
  const actions = <MatchActions match={match} />;
  const isPicking = summary.settlement === undefined && viewer !== 0 && view.turn === seat;
  return (
    <div class="stack">
      <div class="row apart">
        <h1 class="row">
          <GameIcon name={module.name} size={32} /> {title} <span class="muted">#{String(matchId)}</span>
        </h1>
        <Verified match={match} />
      </div>
      <Stage
        view={gameView}
        frames={frames}
        viewer={viewer}
        names={namesOf(summary, viewer)}
        pictureOf={pictureFrom(current, module)}
        wantedStep={wantedStep}
        onStep={onStep}
        picker={isPicking || view.status < Status.AllJoined ? actions : undefined}
      >
        <Players match={match} />
        {!isPicking && view.status >= Status.AllJoined && <section class="card stack tight">{actions}</section>}
        <Facts match={match} />
        <CopyLink label="Copy a link to this match" makeLink={() => link} />
      </Stage>
    </div>
  );
}

/** Both players with their clocks. */
function Players({ match }: { match: OpenMatch }) {
  const { view, summary, chain: current } = match;
  const now = gameNow.value;
  useEffect(() => chainTime(current), [current]);
  const clocks = clocksOf(view, BigInt(now));
  const you = player.value?.address;
  const isLate = summary.settlement === undefined && BigInt(now) > view.deadline;
  return (
    <section class="card stack tight" aria-label="Players">
      {([1, 2] as const).map((seat) => {
        const left = clocks?.[`player${seat}`];
        const isInTurn = clocks !== undefined && Number(view.turn) === seat;
        const isShort = left !== undefined && Number(left) < Number(view.terms.clock) * SHORT;
        return (
          <div key={seat} class={isInTurn ? "player-line in-turn" : "player-line"}>
            <PlayerName player={seat} address={seat === 1 ? view.player1 : view.player2} you={you} />
            {isInTurn && <span class="tag">to move</span>}
            {left !== undefined && (
              <span class={isShort ? "clock short" : "clock"} role="timer" aria-label={`Time of player ${seat}`}>
                {clockText(Number(left))}
              </span>
            )}
          </div>
        );
      })}
      {isLate && <p class="small bad">The deadline has passed.</p>}
    </section>
  );
}

function Facts({ match: { view, summary, mode, module } }: { match: OpenMatch }) {
  const { terms, token } = view;
  const stakes = [terms.stake1, terms.stake2].map((stake) => (stake === 0n ? "none" : amountText(stake, token)));
  const { settlement } = summary;
  const rows: [string, string][] = [
    ["Stakes", stakes[0] === stakes[1] ? stakes[0] : stakes.join(" : ")],
    ["House fee", `${Number(terms.feeBps) / 100} %`],
    ["Rated", terms.rated ? "yes" : "no"],
    ["Status", statusWord(summary)],
    ...(settlement && terms.stake1 + terms.stake2 > 0n
      ? ([
          ["Paid to player 1", amountText(settlement.paid1, token)],
          ["Paid to player 2", amountText(settlement.paid2, token)],
        ] as [string, string][])
      : []),
    ...(settlement && settlement.rating1 + settlement.rating2 > 0n
      ? ([["New ratings", `${settlement.rating1} : ${settlement.rating2}`]] as [string, string][])
      : []),
  ];
  return (
    <details class="card">
      <summary>About this match</summary>
      <dl class="facts">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt class="muted">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {mode && module.modeFormat && (
        <>
          <h3>What the mode says</h3>
          <ModeLines lines={mode.rules} />
        </>
      )}
    </details>
  );
}

/** Says that this page has replayed the match, for whoever asks; or what differs. */
function Verified({ match: { checked, record } }: { match: OpenMatch }) {
  const [isOpen, setOpen] = useState(false);
  if (record.joinData === undefined) return null;
  const { mismatch } = checked;
  const entries = record.logs.reduce((sum, { entries: each }) => sum + each.length, 0);
  return (
    <div>
      <button
        type="button"
        class={mismatch ? "danger" : "quiet"}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {mismatch ? null : <Check />} {mismatch ? "The replay differs" : "Replay verified in this page"}
      </button>
      {isOpen && (
        <p class="small muted">
          {mismatch
            ? `What the chain says and what the rules give differ: ${mismatchText(mismatch)}.`
            : `The engine of this page has put both players' moves through the rules again: ${entries === 1 ? "the log entry" : `all ${entries} log entries`}${
                record.settlement ? " and every payment" : ""
              } ${entries === 1 && !record.settlement ? "is" : "are"} identical to what the contracts wrote.`}
        </p>
      )}
    </div>
  );
}

function Check() {
  return (
    <svg
      viewBox="0 0 24 24"
      width="20"
      height="20"
      fill="none"
      stroke="var(--good)"
      stroke-width="3"
      aria-hidden="true"
    >
      <path d="M4 12.5l5.5 5.5L20 6.5" />
    </svg>
  );
}

/** A match of a game that this page does not know. */
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
