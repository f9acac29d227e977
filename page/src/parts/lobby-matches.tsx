import { player } from "../session/current.ts";
import type { Chain } from "../store/chain.ts";
import { isOffer, isOver, wasPlayed } from "../store/ledger.ts";
import { waitingFor } from "../store/waiting.ts";
import { MatchList } from "./match-list.tsx";

/** Matches that are over and still shown in the lobby, at most. */
const FINISHED = 50;

/** Lists the matches of a chain: one's own turns, open offers, live matches and finished ones. */
export function LobbyMatches({ chain: current }: { chain: Chain }) {
  const ledger = current.ledger.value;
  const you = player.value?.address;
  const matches = ledger.newest();
  const mine = you === undefined ? [] : waitingFor(current, you).value;
  const isMine = new Set(mine.map(({ matchId }) => matchId));
  const others = matches.filter(({ matchId }) => !isMine.has(matchId));
  const sections = [
    ["Open offers", others.filter(isOffer), "Nobody offers a match right now. Make the first offer."],
    ["Live", others.filter((match) => !isOver(match) && !isOffer(match)), "No match is being played."],
    ["Finished", others.filter(wasPlayed).slice(0, FINISHED), "No match has been played here yet."],
  ] as const;
  return (
    <div class="stack">
      {mine.length > 0 && (
        <section class="card stack tight yours">
          <h2>Your turn</h2>
          <MatchList chain={current} matches={mine} you={you} empty="" />
        </section>
      )}
      {sections.map(([title, listed, empty]) => (
        <section key={title} class="card stack tight">
          <h2>{title}</h2>
          <MatchList chain={current} matches={listed} you={you} empty={empty} />
        </section>
      ))}
    </div>
  );
}
