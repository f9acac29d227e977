import { amountText, clocksOf, isLate, isShort, mismatchText, percentText, Status } from "duello";
import { useEffect, useMemo, useState } from "preact/hooks";
import { linkTo, open } from "../router.ts";
import { player } from "../player/current.ts";
import { chainTime, gameNow } from "../store/clock.ts";
import { toldFrames } from "../store/frames.ts";
import { wasPlayed } from "../store/ledger.ts";
import { namesOf, type OpenMatch } from "../store/open-match.ts";
import { pictureFrom } from "../store/pictures.ts";
import { statusWord } from "../store/present.ts";
import { GameIcon } from "./game-icon.tsx";
import { Again, MatchActions } from "./match-actions.tsx";
import { ModeLines } from "./mode-lines.tsx";
import { OwnGameNotice } from "./own-game.tsx";
import { PlayerName } from "./player-name.tsx";
import { endingOfMatch } from "./result.tsx";
import { CopyLink } from "./share.tsx";
import { Stage } from "./stage.tsx";
import { clockText } from "./text.ts";

/** A match with its board, its players and the available actions. */
export function ShownMatch({ match, title, wantedStep }: { match: OpenMatch; title: string; wantedStep?: number }) {
  const { chain: current, summary, module, gameView, seat, view } = match;
  const { matchId, createdBlock } = summary;
  const viewer = Number(seat) as 0 | 1 | 2;
  const link = linkTo("match", [`${matchId}@${createdBlock}`]);
  const onStep = (step: number | undefined) =>
    open(step === undefined ? link : linkTo("match", [`${matchId}@${createdBlock}`, String(step + 1)]), true);
  const { chainId, addresses, genesis = "" } = current.deployment;
  const isPlayed = wasPlayed(summary);
  const actions = <MatchActions match={match} />;
  const names = namesOf(summary, viewer);
  const frames = useMemo(() => toldFrames(match.frames, gameView, viewer, names), [match.frames, names.join()]);
  const isPicking = summary.settlement === undefined && viewer !== 0 && view.turn === seat;
  return (
    <div class="stack">
      <div class="row apart">
        <h1 class="row">
          <GameIcon name={module.name} size={32} />
          <span>
            {title} <span class="muted number">#{String(matchId)}</span>
          </span>
        </h1>
        <Verified match={match} />
      </div>
      <OwnGameNotice name={module.name} title={module.title} />
      <Stage
        view={gameView}
        frames={frames}
        viewer={viewer}
        names={names}
        players={[summary.player1, summary.player2]}
        pictureOf={pictureFrom(current, module)}
        seenKey={`${chainId} ${addresses.Arena} ${genesis} ${matchId}`}
        wantedStep={wantedStep}
        onStep={onStep}
        ending={isPlayed ? endingOfMatch({ ...match, frames }) : undefined}
        again={isPlayed && <Again match={match} />}
        acts={
          <a class="button" href={linkTo("lobby")}>
            To the lobby
          </a>
        }
        picker={isPicking || view.status < Status.AllJoined ? actions : undefined}
      >
        {(isTold) => (
          <>
            <Players match={match} turn={view.turn} />
            {!isPicking && !isPlayed && view.status >= Status.AllJoined && (
              <section class="card stack tight">{actions}</section>
            )}
            <Facts match={match} isTold={isTold} />
            <CopyLink label="Copy a link to this match" makeLink={() => link} />
          </>
        )}
      </Stage>
    </div>
  );
}

/** Both players with their clocks. */
function Players({ match, turn }: { match: OpenMatch; turn: bigint }) {
  const { view, summary, chain: current } = match;
  const now = gameNow.value;
  useEffect(() => chainTime(current), [current]);
  const clocks = clocksOf(view, BigInt(now));
  const you = player.value?.address;
  return (
    <section class="card stack tight" aria-label="Players">
      {([1, 2] as const).map((seat) => {
        const left = clocks?.[`player${seat}`];
        const isInTurn = summary.settlement === undefined && view.status === Status.AllJoined && Number(turn) === seat;
        return (
          <div key={seat} class={isInTurn ? "player-line in-turn" : "player-line"}>
            <PlayerName player={seat} address={seat === 1 ? view.player1 : view.player2} you={you} />
            {isInTurn && <span class="tag">to move</span>}
            {left !== undefined && (
              <span
                class={isShort(left, view.terms.clock) ? "clock short" : "clock"}
                role="timer"
                aria-label={`Time of ${namesOf(summary, Number(match.seat) as 0 | 1 | 2)[seat - 1]}`}
              >
                {clockText(Number(left))}
              </span>
            )}
          </div>
        );
      })}
      {isLate(view, BigInt(now)) && <p class="small bad">The deadline has passed.</p>}
    </section>
  );
}

/** Terms of a match, and its result once that may be shown. */
function Facts({ match: { view, summary, mode, module, seat }, isTold }: { match: OpenMatch; isTold: boolean }) {
  const you = player.value?.address;
  const names = namesOf(summary, Number(seat) as 0 | 1 | 2);
  const { terms, token } = view;
  const stakes = [terms.stake1, terms.stake2].map((stake) => (stake === 0n ? "none" : amountText(stake, token)));
  const settlement = isTold ? summary.settlement : undefined;
  const rows: [string, string][] = [
    ["Stakes", stakes[0] === stakes[1] ? stakes[0] : stakes.join(" : ")],
    ["House fee", percentText(terms.feeBps)],
    ["Rated", terms.rated ? "yes" : "no"],
    ["Status", isTold ? statusWord(summary, you) : "over; the result follows the last step"],
    ...(settlement && terms.stake1 + terms.stake2 > 0n
      ? ([
          [`Paid to ${names[0]}`, amountText(settlement.paid1, token)],
          [`Paid to ${names[1]}`, amountText(settlement.paid2, token)],
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

/** Reports, on demand, that this page has replayed the match, or a mismatch. */
function Verified({ match: { checked, record } }: { match: OpenMatch }) {
  if (record.joinData === undefined) return null;
  const { mismatch } = checked;
  const entries = record.logs.reduce((sum, { entries: each }) => sum + each.length, 0);
  if (mismatch) {
    const text = `What the chain says and what the rules give differ: ${mismatchText(mismatch)}.`;
    return <Verdict mark="bad" title="The replay differs" text={text} />;
  }
  const text = `The engine of this page has put both players' moves through the rules again: ${entries === 1 ? "the log entry" : `all ${entries} log entries`}${
    record.settlement ? " and every payment" : ""
  } ${entries === 1 && !record.settlement ? "is" : "are"} identical to what the contracts wrote.`;
  return <Verdict mark="good" title="Replay verified in this page" text={text} />;
}

/** Mark of a match, with an explanation on demand. */
function Verdict({ mark, title, text }: { mark: "good" | "bad"; title: string; text: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <button
        type="button"
        class={mark === "bad" ? "danger" : "quiet"}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {mark === "good" && <Check />} {title}
      </button>
      {isOpen && <p class="small muted">{text}</p>}
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
