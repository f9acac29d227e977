import { catalogue } from "duello/catalogue";
import { GameIcon } from "../parts/game-icon.tsx";
import { MatchList } from "../parts/match-list.tsx";
import { useTitle } from "../parts/use.ts";
import { linkTo } from "../router.ts";
import { player } from "../session/player.ts";
import type { Chain } from "../store/chain.ts";
import { chain } from "../store/current.ts";
import { isOffer, isOver, wasPlayed } from "../store/ledger.ts";
import { waitingFor } from "../store/waiting.ts";
import "../styles/lobby.css";

/** Matches that are over and still shown in the lobby, at most. */
const FINISHED = 50;

/** The lobby: practice at once, then one's own turns, open offers, live matches and finished ones. */
export default function Lobby() {
  useTitle("");
  const current = chain.value;
  return (
    <div class="lobby">
      <section class="hero stack">
        <h1>Duels that nobody can cheat at</h1>
        <p>
          Two players, one move each in secret, and contracts for a referee. Six games; every match can be replayed bit
          by bit by anyone.
        </p>
        <div class="row">
          <a class="button primary" href={linkTo("try")}>
            Play the computer now
          </a>
          {current && (
            <a class="button" href={linkTo("play")}>
              Challenge somebody
            </a>
          )}
        </div>
      </section>
      <ul class="games" aria-label="Games">
        {catalogue.map(({ name, title, summary, modes }) => (
          <li key={name}>
            <a class="card game" href={linkTo("try", [name, Object.keys(modes)[0]])}>
              <GameIcon name={name} size={36} />
              <span>
                <strong>{title}</strong>
                <span class="small muted">{summary}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      {current && <Matches chain={current} />}
    </div>
  );
}

function Matches({ chain: current }: { chain: Chain }) {
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
  if (!current.archive.value) return <p class="muted loading">Reading the chain …</p>;
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
