import { isOpen, isShort, modeNamed, Status } from "duello";
import { useEffect, useState } from "preact/hooks";
import { Person } from "../people/person.tsx";
import { player } from "../player/current.ts";
import { linkTo } from "../router.ts";
import type { Chain } from "../store/chain.ts";
import { gameNow } from "../store/clock.ts";
import { isOffer, isOver, listedMatch, wasPlayed, type ListedMatch } from "../store/ledger.ts";
import { deadlines } from "../store/notices.ts";
import { gameOf, stakeText } from "../store/present.ts";
import { hasMatches } from "../store/settings.ts";
import { noteTimes } from "../store/times.ts";
import { waitingFor } from "../store/waiting.ts";
import { GameIcon } from "./game-icon.tsx";
import { MatchList } from "./match-list.tsx";
import { SourceLine } from "./source-line.tsx";
import { clockText, gameTitle } from "./text.ts";
import { useRows, type SourcedRows } from "./use-source.ts";

/** Cards of own turns that are shown at first. */
const MAX_CARDS = 3;

/** A list of the lobby. */
interface Section {
  readonly title: string;
  readonly isListed: (match: ListedMatch) => boolean;
  /** Statuses of its matches, by which an index finds them. */
  readonly statuses: readonly bigint[];
  /** Sentence for an empty list. */
  readonly empty: string;
}

const SECTIONS: readonly Section[] = [
  {
    title: "Open offers",
    isListed: isOffer,
    statuses: [Status.Created, Status.P1Deposited, Status.AllDeposited],
    empty: "Nobody offers a match right now. Make the first offer.",
  },
  {
    title: "Live",
    isListed: (match) => !isOver(match) && !isOffer(match),
    statuses: [Status.AllJoined],
    empty: "No match is being played.",
  },
  {
    title: "Finished",
    isListed: wasPlayed,
    statuses: [Status.P1Win, Status.P2Win, Status.P1WinInactive, Status.P2WinInactive, Status.Draw],
    empty: "No match has been played here yet.",
  },
];

/** Matches that wait for the person, at most three as cards: the one with the soonest deadline first. */
export function YourTurn({ chain: current }: { chain: Chain }) {
  const you = player.value?.address;
  const [isWhole, setWhole] = useState(false);
  const mine = you === undefined ? [] : waitingFor(current, you).value;
  useEffect(() => {
    if (you !== undefined && current.archive.value) hasMatches.value = current.ledger.value.of(you).length > 0;
  }, [you, you !== undefined && current.ledger.value]);
  if (mine.length === 0) return null;
  const endOf = ({ matchId }: ListedMatch) => deadlines.value.get(matchId)?.deadline ?? Infinity;
  const sorted = mine.toSorted((a, b) => (endOf(a) === endOf(b) ? 0 : endOf(a) < endOf(b) ? -1 : 1));
  const shown = isWhole ? sorted : sorted.slice(0, MAX_CARDS);
  return (
    <section class="stack tight" aria-labelledby="your-turn">
      <h2 id="your-turn">Your turn</h2>
      <ul class="turns">
        {shown.map((match) => (
          <TurnCard key={match.matchId} chain={current} match={match} you={you!} />
        ))}
      </ul>
      {mine.length > shown.length && (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          and {mine.length - shown.length} more
        </button>
      )}
    </section>
  );
}

function TurnCard({ chain, match, you }: { chain: Chain; match: ListedMatch; you: string }) {
  const { matchId, createdBlock, terms, player1, player2 } = match;
  const game = gameOf(chain, terms);
  const title = gameTitle(game, game && modeNamed(game, terms.mode));
  const own = you === player1 ? terms.stake1 : terms.stake2;
  const other = you === player1 ? player2 : player1;
  const { deadline, clock } = deadlines.value.get(matchId) ?? {};
  const left = deadline === undefined ? undefined : deadline - gameNow.value;
  const isOffered = isOffer(match);
  return (
    <li class="card turn">
      <GameIcon name={game?.name ?? ""} size={56} />
      <div class="stack tight grow">
        <div class="row apart">
          <strong class="grow">
            {title} <span class="muted number">#{String(matchId)}</span>
          </strong>
          {left === undefined ? (
            isOffered && <span class="tag accent">new</span>
          ) : (
            <span class={isShort(BigInt(left), BigInt(clock!)) ? "tag bad" : "tag"} role="timer">
              {clockText(left)}
            </span>
          )}
        </div>
        <span>
          {other === undefined ? "Anyone" : <Person address={other} />}
          {isOffered && other === player1 && " dares you"}
        </span>
        <div class="row apart">
          <span class="small">{own === 0n ? "free" : stakeText(chain, terms.token, own)}</span>
          <a class="button primary" href={linkTo("match", [`${matchId}@${createdBlock}`])}>
            {isOffered ? (other === player1 ? "Answer" : "Go on") : "Move"}
            <span class="hidden"> in match {String(matchId)}</span>
          </a>
        </div>
      </div>
    </li>
  );
}

/**
 * Lists the matches of a chain: open offers, live matches and finished ones. Until all events are read the index finds
 * them, if there is one.
 */
export function LobbyMatches({ chain: current }: { chain: Chain }) {
  const you = player.value?.address;
  const mine = you === undefined ? [] : waitingFor(current, you).value;
  const isMine = new Set(mine.map(({ matchId }) => matchId));
  const sections = SECTIONS.map((section) => ({ ...section, ...useListed(current, section) }));
  if (sections.some(({ rows }) => !rows)) return <p class="muted loading">Reading the chain …</p>;
  return (
    <div class="stack">
      {sections.map(({ title, empty, rows, more }) => (
        <section key={title} class="card stack tight">
          <h2>{title}</h2>
          <MatchList
            chain={current}
            matches={rows!.filter(({ matchId }) => !isMine.has(matchId))}
            you={you}
            empty={empty}
            more={more}
          />
        </section>
      ))}
      <SourceLine chain={current} source={sections[0].source} />
    </div>
  );
}

/** Lists the matches of a section, newest first. */
function useListed(chain: Chain, { title, isListed, statuses }: Section): SourcedRows<ListedMatch> {
  return useRows(
    chain,
    title,
    async (index, paging) => {
      const where = { isOver: !statuses.some((status) => isOpen({ status })), status_in: statuses.map(Number) };
      const page = await index.page("match", { ...paging, where, orderBy: "matchId", descending: true });
      for (const row of page.rows) noteTimes(chain, row);
      return { ...page, rows: page.rows.map(listedMatch).filter(isListed) };
    },
    () => chain.ledger.value.newest().filter(isListed),
    // Whoever plays wants to see each block at once, and has the events anyway.
    { prefersIndex: player.value === undefined },
  );
}
