import { modeNamed } from "duello";
import { useState } from "preact/hooks";
import { linkTo } from "../router.ts";
import type { Chain } from "../store/chain.ts";
import { isOffer, type ListedMatch } from "../store/ledger.ts";
import { gameOf, stakeText, statusWord } from "../store/present.ts";
import { GameIcon } from "./game-icon.tsx";
import { OwnGameTag } from "./own-game.tsx";
import { PlayerName } from "./player-name.tsx";
import { gameTitle } from "./text.ts";
import "../styles/match-list.css";

/** Matches that are shown before the user asks for more. */
const PAGE = 10;

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
  if (matches.length === 0) return <p class="muted">{empty}</p>;
  const showMore = () => {
    setCount(count + PAGE);
    if (count + PAGE >= matches.length) more?.();
  };
  return (
    <>
      <ul class="matches">
        {matches.slice(0, count).map((match) => (
          <MatchItem key={match.matchId} {...{ chain, match, you }} />
        ))}
      </ul>
      {(matches.length > count || more) && (
        <button type="button" class="quiet" onClick={showMore}>
          {more ? "Show more" : `Show more of ${matches.length}`}
        </button>
      )}
    </>
  );
}

function MatchItem({ chain, match, you }: { chain: Chain; match: ListedMatch; you?: string }) {
  const { matchId, createdBlock, terms, player1, player2 } = match;
  const game = gameOf(chain, terms);
  const title = gameTitle(game, game && modeNamed(game, terms.mode));
  const stakes = [terms.stake1, terms.stake2].map((stake) => stakeText(chain, terms.token, stake));
  return (
    <li class="match">
      <a class="match-link" href={linkTo("match", [`${matchId}@${createdBlock}`])}>
        <GameIcon name={game?.name ?? ""} size={28} />
        <span class="grow">
          <strong>{title}</strong> <span class="muted">#{String(matchId)}</span>{" "}
          {game && <OwnGameTag name={game.name} />}
        </span>
      </a>
      <span class="row players">
        <PlayerName player={1} address={player1} you={you} /> <span class="muted">vs</span>
        <PlayerName player={2} address={player2} you={you} />
      </span>
      <span class="stakes small">{stakes[0] === stakes[1] ? stakes[0] : stakes.join(" : ")}</span>
      <span class={isOffer(match) ? "tag accent" : "tag"}>{statusWord(match)}</span>
    </li>
  );
}
