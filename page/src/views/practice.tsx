import { modeAgainstProgram, type CatalogueGame } from "duello/catalogue";
import { useEffect } from "preact/hooks";
import { catalogue } from "../catalogue.ts";
import { GameIcon } from "../parts/game-icon.tsx";
import { LevelChoice } from "../parts/level-choice.tsx";
import { OwnGameTag } from "../parts/own-game.tsx";
import { Problem } from "../parts/problem.tsx";
import { gameCalled, gameTitle, modeTitle } from "../parts/text.ts";
import { useLoaded, useTitle } from "../parts/use.ts";
import { linkTo, route } from "../router.ts";
import { keepForOffline } from "../store/offline.ts";
import "../styles/practice.css";

/** Practice against the computer player, entirely in this page: a choice of games, or a match of one of them. */
export default function PracticeView() {
  const [name, mode] = route.value.args;
  if (name === undefined) return <Chooser />;
  const game = gameCalled(name);
  if (!game) return <Problem title="There is no such game">{`No game here is called ${name.slice(0, 40)}.`}</Problem>;
  const modes = practiceModes(game);
  const chosen = mode ?? modes[0];
  if (!modes.includes(chosen)) {
    return <Problem title="There is no such mode">{`${game.title} has no mode ${chosen.slice(0, 40)}.`}</Problem>;
  }
  return <Match key={`${name} ${chosen}`} game={game} mode={chosen} />;
}

function Match({ game, mode }: { game: CatalogueGame; mode: string }) {
  useTitle(`Practice: ${gameTitle(game, mode)}`);
  const { value, error } = useLoaded(() => import("./practice-match.tsx"), []);
  useEffect(keepForOffline, []);
  if (error !== undefined) return <Problem title="The game could not be loaded" />;
  return value ? <value.PracticeMatch game={game} mode={mode} /> : <p class="muted loading">Loading {game.title} …</p>;
}

function Chooser() {
  useTitle("Practice");
  return (
    <div class="stack">
      <div>
        <h1>Practice against the computer</h1>
        <p class="muted">No wallet, no stake: everything runs in this page, by the rules of the contracts.</p>
      </div>
      <div>
        <LevelChoice />
        <p class="muted small">Games of luck alone have no levels.</p>
      </div>
      <ul class="tiles">
        {catalogue.map((game) => (
          <li key={game.name} class="card tile stack tight">
            <div class="row">
              <GameIcon name={game.name} />
              <h2>{game.title}</h2>
              <OwnGameTag name={game.name} />
            </div>
            <p class="grow">{game.summary}</p>
            <Modes game={game} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Lists the modes that can be played entirely in this page, the default one first. */
function practiceModes(game: CatalogueGame): string[] {
  const names = Object.keys(game.modes);
  return [...new Set([modeAgainstProgram(game, names[0]), ...names])];
}

/** Links to the modes of a game: the usual mode as a button, the other modes after a click. */
function Modes({ game }: { game: CatalogueGame }) {
  const [usual, ...others] = practiceModes(game);
  return (
    <>
      <a class="button primary" href={linkTo("try", [game.name, usual])}>
        Play {usual === "default" ? game.title : modeTitle(usual)}
      </a>
      {others.length > 0 && (
        <details>
          <summary>
            {others.length} more {others.length === 1 ? "mode" : "modes"}
          </summary>
          <ul class="row">
            {others.map((mode) => (
              <li key={mode}>
                <a class="button" href={linkTo("try", [game.name, mode])}>
                  {modeTitle(mode)}
                </a>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
