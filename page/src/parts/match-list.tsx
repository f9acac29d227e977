import { modeNamed } from "duello";
import { useState } from "preact/hooks";
import { linkTo } from "../router.ts";
import type { Chain } from "../store/chain.ts";
import { isJoinable, type ListedMatch } from "../store/ledger.ts";
import { gameOf, netOf, netText, stakeText, statusWord } from "../store/present.ts";
import { gameNow, useMinute } from "../store/clock.ts";
import { useTimes } from "../store/times.ts";
import { Select } from "./fields.tsx";
import { GameIcon } from "./game-icon.tsx";
import { OwnGameTag } from "./own-game.tsx";
import { Past } from "./past.tsx";
import { PlayerName } from "./player-name.tsx";
import { gameTitle } from "./text.ts";
import "../styles/match-list.css";

/** Matches that are shown before the user asks for more. */
const PAGE = 10;
/** Minimum number of matches for which a list can be filtered. */
const MANY = 5;

const STAKES = [
  ["all", "All"],
  ["free", "Free"],
  ["stake", "With stake"],
] as const;

/** Filters and order of a list. */
interface View {
  /** Address of the only game to list; empty for all games. */
  readonly game: string;
  readonly stakes: (typeof STAKES)[number][0];
  readonly isByStake: boolean;
}

const ALL: View = { game: "", stakes: "all", isByStake: false };

/** Lists matches, each as a link. */
export function MatchList({
  chain,
  matches,
  you,
  empty,
  more,
}: {
  chain: Chain;
  matches: readonly ListedMatch[];
  /** Address of the viewer. */
  you?: string;
  /** Sentence for an empty list. */
  empty: string;
  /** Reads further matches; undefined if these are all. */
  more?: () => void;
}) {
  const [count, setCount] = useState(PAGE);
  const [view, setView] = useState(ALL);
  const chosen = chosenOf(chain, matches, view);
  const shown = chosen.slice(0, count);
  const timeOf = useTimes(chain, shown);
  // Offers lapse while the list is shown.
  useMinute();
  const now = gameNow.peek();
  if (matches.length === 0) return <p class="muted">{empty}</p>;
  const showMore = () => {
    setCount(count + PAGE);
    if (count + PAGE >= chosen.length) more?.();
  };
  return (
    <>
      {matches.length >= MANY && <Filters {...{ chain, matches, view }} onChange={setView} />}
      {shown.length === 0 && <p class="muted">None of these {matches.length} matches.</p>}
      <ul class="matches">
        {shown.map((match) => (
          <MatchItem key={match.matchId} {...{ chain, match, you, now }} time={timeOf(match)} />
        ))}
      </ul>
      {(chosen.length > count || more) && (
        <button type="button" class="quiet" onClick={showMore}>
          {more ? "Show more" : `Show more of ${chosen.length}`}
        </button>
      )}
    </>
  );
}

/** Filters and sorts matches. */
function chosenOf(
  { deployment }: Chain,
  matches: readonly ListedMatch[],
  { game, stakes, isByStake }: View,
): readonly ListedMatch[] {
  const chosen = matches.filter(
    ({ terms }) =>
      (game === "" || terms.game === game) &&
      (stakes === "all" || (stakes === "free") === (terms.stake1 + terms.stake2 === 0n)),
  );
  if (!isByStake) return chosen;
  // Amounts of different tokens cannot be compared.
  const { FightToken } = deployment.addresses;
  const group = ({ terms: { token } }: ListedMatch) => (token === FightToken ? "" : token);
  const pot = ({ terms: { stake1, stake2 } }: ListedMatch) => stake1 + stake2;
  return chosen.toSorted((a, b) => {
    const [one, other] = [group(a), group(b)];
    if (one !== other) return one < other ? -1 : 1;
    return pot(a) === pot(b) ? 0 : pot(a) > pot(b) ? -1 : 1;
  });
}

function Filters({
  chain,
  matches,
  view,
  onChange,
}: {
  chain: Chain;
  matches: readonly ListedMatch[];
  view: View;
  onChange: (view: View) => void;
}) {
  const games = [...new Set(matches.map(({ terms }) => terms.game))];
  return (
    <div class="row filters" role="group" aria-label="What is listed">
      {STAKES.map(([stakes, text]) => (
        <button
          key={stakes}
          type="button"
          class="chip"
          aria-pressed={view.stakes === stakes}
          onClick={() => onChange({ ...view, stakes })}
        >
          {text}
        </button>
      ))}
      <Select
        label="Game"
        value={view.game}
        options={[["", "all games"], ...games.map((game) => [game, gameTitle(gameOf(chain, { game }))] as const)]}
        onChange={(game) => onChange({ ...view, game })}
      />
      <Select
        label="Order"
        value={view.isByStake ? "stake" : ""}
        options={[
          ["", "newest first"],
          ["stake", "highest stake first"],
        ]}
        onChange={(order) => onChange({ ...view, isByStake: order === "stake" })}
      />
    </div>
  );
}

function MatchItem({
  chain,
  match,
  you,
  now,
  time,
}: {
  chain: Chain;
  match: ListedMatch;
  you?: string;
  /** Time of the chain in seconds since 1970. */
  now: number;
  /** Seconds since 1970; undefined while unknown. */
  time: number | undefined;
}) {
  const { matchId, createdBlock, terms, player1, player2 } = match;
  const game = gameOf(chain, terms);
  const title = gameTitle(game, game && modeNamed(game, terms.mode));
  const link = linkTo("match", [`${matchId}@${createdBlock}`]);
  return (
    <li class="match">
      <a class="match-link" href={link}>
        <GameIcon name={game?.name ?? ""} size={28} />
        <span class="grow">
          <strong>{title}</strong> <span class="muted number">#{String(matchId)}</span>{" "}
          {game && <OwnGameTag name={game.name} />}
        </span>
      </a>
      <span class="players">
        <PlayerName player={1} address={player1} you={you} /> <PlayerName player={2} address={player2} you={you} />
      </span>
      <Stakes {...{ chain, match, you }} />
      {game && isJoinable(match, you, { now, createdAt: time ?? now }) ? (
        <a class="button state" href={link} aria-label={`Join ${title} #${matchId}`}>
          Join
        </a>
      ) : (
        <span class="state">{statusWord(match, you)}</span>
      )}
      <span class="when small muted">
        <Past time={time} />
      </span>
    </li>
  );
}

/** Shows the stakes of a match, or the viewer's gain or loss. */
function Stakes({ chain, match, you }: { chain: Chain; match: ListedMatch; you?: string }) {
  const { token, stake1, stake2 } = match.terms;
  const net = netOf(match, you);
  if (net !== undefined) {
    return <strong class={`stakes ${net > 0n ? "good" : net < 0n ? "bad" : ""}`}>{netText(chain, token, net)}</strong>;
  }
  const stakes = [stake1, stake2].map((stake) => (stake === 0n ? "free" : stakeText(chain, token, stake)));
  return <span class="stakes small">{stakes[0] === stakes[1] ? stakes[0] : stakes.join(" : ")}</span>;
}
