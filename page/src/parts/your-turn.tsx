import { isShort, modeNamed } from "duello";
import { useEffect, useState } from "preact/hooks";
import { Person } from "../people/person.tsx";
import { linkTo } from "../router.ts";
import type { Chain } from "../store/chain.ts";
import { gameNow } from "../store/clock.ts";
import { isOffer, type ListedMatch } from "../store/ledger.ts";
import { deadlines } from "../store/notices.ts";
import { gameOf, stakeText } from "../store/present.ts";
import { hasMatches } from "../store/settings.ts";
import { waitingFor } from "../store/waiting.ts";
import { GameIcon } from "./game-icon.tsx";
import { clockText, gameTitle } from "./text.ts";

/** Maximum number of cards that are shown at first. */
const MAX_CARDS = 3;

/** Matches that wait for the person, at most three as cards: the one with the soonest deadline first. */
export function YourTurn({ chain: current, you }: { chain: Chain; you: string }) {
  const [isWhole, setWhole] = useState(false);
  const mine = waitingFor(current, you).value;
  useEffect(() => {
    if (current.archive.value) hasMatches.value = current.ledger.value.of(you).length > 0;
  }, [you, current.ledger.value]);
  if (mine.length === 0) return null;
  const endOf = ({ matchId }: ListedMatch) => deadlines.value.get(matchId)?.deadline ?? Infinity;
  const sorted = mine.toSorted((a, b) => (endOf(a) === endOf(b) ? 0 : endOf(a) < endOf(b) ? -1 : 1));
  const shown = isWhole ? sorted : sorted.slice(0, MAX_CARDS);
  return (
    <section class="stack tight" aria-labelledby="your-turn">
      <h2 id="your-turn">Your turn</h2>
      <ul class="turns">
        {shown.map((match) => (
          <TurnCard key={match.matchId} chain={current} match={match} you={you} />
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
