import { isOpen, Status } from "duello";
import { player } from "../player/current.ts";
import type { Chain } from "../store/chain.ts";
import { isOffer, isOver, listedMatch, wasPlayed, type ListedMatch } from "../store/ledger.ts";
import { noteTimes } from "../store/times.ts";
import { waitingFor } from "../store/waiting.ts";
import { MatchList } from "./match-list.tsx";
import { SourceLine } from "./source-line.tsx";
import { useRows, type SourcedRows } from "./use-source.ts";

/** A list of the lobby. */
interface Section {
  readonly title: string;
  readonly isListed: (match: ListedMatch) => boolean;
  /** Statuses of the matches in the list, for queries to an index. */
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

/**
 * Lists the matches of a chain: open offers, live matches and finished ones. Until all events are read, the index finds
 * the matches, if there is one.
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
    // A player wants to see each block immediately, and has loaded the events anyway.
    { prefersIndex: player.value === undefined },
  );
}
