import { modeAgainstProgram } from "duello/catalogue";
import { catalogue, isOwnGame } from "../catalogue.ts";
import { GameIcon } from "../parts/game-icon.tsx";
import { OwnGameTag } from "../parts/own-game.tsx";
import { useLoaded, useTitle } from "../parts/use.ts";
import { player } from "../player/current.ts";
import { linkTo } from "../router.ts";
import type { Chain } from "../store/chain.ts";
import { chain } from "../store/current.ts";
import { hasMatches } from "../store/settings.ts";
import "../styles/lobby.css";

/** Game that a newcomer tries first. */
const FIRST = catalogue.find(({ name }) => name === "mini-games")!;

/** Stake in FIGHT of a match that the lobby offers. */
const USUAL_STAKE = "5";

/**
 * The lobby: the person's turns, or for newcomers an introduction; then practice, open offers, live matches and
 * finished ones.
 */
export default function Lobby() {
  useTitle("");
  const current = chain.value;
  const { value: lists } = useLoaded(current && (() => import("../parts/lobby-matches.tsx")), [current]);
  const you = player.value?.address;
  const isPlaying = you !== undefined;
  const { value: own } = useLoaded(isPlaying ? () => import("../parts/your-turn.tsx") : undefined, [isPlaying]);
  return (
    <div class="lobby">
      {hasMatches.value && <h1 class="hidden">Lobby</h1>}
      {current && isPlaying && own && <own.YourTurn chain={current} you={you} />}
      {hasMatches.value ? <PlayNow chain={current} /> : <Hero hasChain={current !== undefined} />}
      {current?.deployment.relay !== undefined && <AtOnce chain={current} />}
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
      {current?.deployment.relay !== undefined && <Channels chain={current} />}
      {current && (lists ? <lists.LobbyMatches chain={current} /> : <p class="muted loading">Reading the chain …</p>)}
    </div>
  );
}

function AtOnce({ chain: current }: { chain: Chain }) {
  const { value } = useLoaded(() => import("../channels/at-once.tsx"), []);
  return value ? <value.AtOnce chain={current} /> : null;
}

function Channels({ chain: current }: { chain: Chain }) {
  const { value } = useLoaded(() => import("../channels/section.tsx"), []);
  return value ? <value.ChannelsSection chain={current} /> : null;
}

/** Ways to start playing immediately. */
function PlayNow({ chain: current }: { chain: Chain | undefined }) {
  const [agent] = current?.deployment.agents ?? [];
  const hasRelay = current?.deployment.relay !== undefined;
  const against = (stake: string) => linkTo("play", [], { to: agent, stake });
  const tiles = [
    ["Practice", "No wallet, no stake", linkTo("try")],
    ...(agent === undefined
      ? []
      : [
          // With a relay, the page offers free play with the agent elsewhere.
          ...(hasRelay ? [] : [["Play the program", "Free, it answers within minutes", against("0")]]),
          [`Play the program for ${USUAL_STAKE} FIGHT`, "The winner takes the pot, less the fee", against(USUAL_STAKE)],
        ]),
    ...(current ? [["Challenge somebody", "Game, opponent, stake", linkTo("play")]] : []),
  ];
  return (
    <section class="stack tight" aria-labelledby="play-now">
      <h2 id="play-now">Play now</h2>
      <ul class="ways">
        {tiles.map(([title, text, link]) => (
          <li key={title}>
            <a class="card game" href={link}>
              <span>
                <strong>{title}</strong>
                <span class="small muted">{text}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Hero({ hasChain }: { hasChain: boolean }) {
  return (
    <section class="hero stack">
      <h1>Duels that nobody can cheat at</h1>
      <p>
        Two players, one move each in secret, and contracts for a referee. Six games
        {catalogue.some(isOwnGame) && ", and those that this page adds"}; every match can be replayed bit by bit by
        anyone.
      </p>
      <div class="row">
        <a class="button primary" href={linkTo("try", [FIRST.name, modeAgainstProgram(FIRST)])}>
          Play rock paper scissors now
        </a>
        {hasChain && (
          <a class="button" href={linkTo("play")}>
            Challenge somebody
          </a>
        )}
        <a class="button" href={linkTo("playground")}>
          See the contracts at work
        </a>
      </div>
    </section>
  );
}
