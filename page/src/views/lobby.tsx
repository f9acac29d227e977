import { modeAgainstProgram } from "duello/catalogue";
import { catalogue, isOwnGame } from "../catalogue.ts";
import { GameIcon } from "../parts/game-icon.tsx";
import { OwnGameTag } from "../parts/own-game.tsx";
import { useLoaded, useTitle } from "../parts/use.ts";
import { linkTo } from "../router.ts";
import type { Chain } from "../store/chain.ts";
import { chain } from "../store/current.ts";
import "../styles/lobby.css";

/** The lobby: practice at once, then one's own turns, open offers, live matches and finished ones. */
export default function Lobby() {
  useTitle("");
  const current = chain.value;
  return (
    <div class="lobby">
      <section class="hero stack">
        <h1>Duels that nobody can cheat at</h1>
        <p>
          Two players, one move each in secret, and contracts for a referee. Six games
          {catalogue.some(isOwnGame) && ", and those that this page adds"}; every match can be replayed bit by bit by
          anyone.
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
            <a class="card game" href={linkTo("try", [name, modeAgainstProgram({ modes })])}>
              <GameIcon name={name} size={36} />
              <span>
                <strong>{title}</strong> <OwnGameTag name={name} />
                <span class="small muted">{summary}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      {current?.deployment.relay !== undefined && <PlayNow chain={current} />}
      {current?.deployment.relay !== undefined && <Channels chain={current} />}
      {current && <Matches chain={current} />}
    </div>
  );
}

function PlayNow({ chain: current }: { chain: Chain }) {
  const { value } = useLoaded(() => import("../channels/play-now.tsx"), []);
  return value ? <value.PlayNow chain={current} /> : null;
}

function Channels({ chain: current }: { chain: Chain }) {
  const { value } = useLoaded(() => import("../channels/section.tsx"), []);
  return value ? <value.ChannelsSection chain={current} /> : null;
}

function Matches({ chain: current }: { chain: Chain }) {
  const { value } = useLoaded(() => import("../parts/lobby-matches.tsx"), []);
  if (!value) return <p class="muted loading">Reading the chain …</p>;
  return <value.LobbyMatches chain={current} />;
}
