import { reasonOf } from "duello";
import type { CatalogueGame } from "duello/catalogue";
import { useEffect, useRef, useState } from "preact/hooks";
import { catalogue, isOwnGame, load } from "../catalogue.ts";
import { GameIcon } from "../parts/game-icon.tsx";
import { MovePicker } from "../parts/move-picker.tsx";
import { PlayerMark } from "../parts/player-name.tsx";
import { Problem } from "../parts/problem.tsx";
import { gameCalled, gameTitle } from "../parts/text.ts";
import { useTitle } from "../parts/use.ts";
import type { Entry } from "../playground/entries.ts";
import { EntryCard } from "../playground/entry-card.tsx";
import { GuidesView } from "../playground/guides-view.tsx";
import { OnChainCard } from "../playground/on-chain-card.tsx";
import { NAMES, Session, type Attempt, type Shown } from "../playground/session.ts";
import { linkTo, route } from "../router.ts";
import styles from "../styles/playground.css?inline";

// Its styles come with its code, since few visitors need them: the page's own stylesheet is loaded by all.
const sheet = new CSSStyleSheet();
sheet.replaceSync(styles);
document.adoptedStyleSheets.push(sheet);

/** Games whose contracts the playground has. */
const games = catalogue.filter((game) => !isOwnGame(game));

/** Game that a newcomer sees first. */
const FIRST = "mini-games";

/** Seconds that the button lets pass: more than an offer and a player's clock last. */
const SKIP = 172_800;

const ATTEMPTS: Readonly<Record<Attempt, string>> = {
  withdraw: "Withdraw the offer",
  "another move": "Reveal another move",
  again: "Repeat the last move",
  "out of turn": "Act out of turn",
  timeout: "Claim a time-out",
};

/** A playground, in which the contracts run in the page: for matches, or for the programs of the guides. */
export default function PlaygroundView() {
  const [name = FIRST, snippet] = route.value.args;
  return name === "guides" ? <GuidesView name={snippet} /> : <Matches name={name} />;
}

/** Matches of all games: the visitor plays both players. */
function Matches({ name }: { name: string }) {
  const game = games.find((each) => each === gameCalled(name));
  useTitle("Playground");
  if (!game) return <Problem title="There is no such game">{`The playground has no ${name.slice(0, 40)}.`}</Problem>;
  return (
    <div class="stack">
      <div class="stack tight">
        <h1>Playground</h1>
        <p class="muted narrow">
          The real contracts run here, on a chain inside this page: no wallet, no node, nothing to lose. Play both
          players, and watch what each move does on the chain.
        </p>
      </div>
      <nav class="row" aria-label="Games">
        {games.map(({ name: each, title }) => (
          <a
            key={each}
            class={each === game.name ? "button current" : "button"}
            href={linkTo("playground", [each])}
            aria-current={each === game.name ? "page" : undefined}
          >
            <GameIcon name={each} size={20} /> {title}
          </a>
        ))}
        <a class="button" href={linkTo("playground", ["guides"])}>
          Run the guides
        </a>
      </nav>
      <Match key={game.name} game={game} />
    </div>
  );
}

/** Usual mode of a game, or a short one. */
function modeOf({ demo, modes }: CatalogueGame): string {
  return demo ?? Object.keys(modes)[0];
}

function Match({ game }: { game: CatalogueGame }) {
  const mode = modeOf(game);
  const [shown, setShown] = useState<Shown>();
  const [problem, setProblem] = useState<unknown>();
  const session = useRef<Session | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);

  const start = async () => {
    session.current = undefined;
    setShown(undefined);
    setProblem(undefined);
    try {
      const started = await Session.start(await load(game.name), mode);
      const first = await started.shown();
      session.current = started;
      setShown(first);
    } catch (error) {
      setProblem(error);
    }
  };
  useEffect(() => void start(), []);

  /** Does something on the chain, and shows its effect. @throws what it throws */
  const run = async (work: (current: Session) => Promise<void>) => {
    const current = session.current!;
    await work(current);
    const next = await current.shown();
    if (session.current === current) setShown(next);
  };
  /** Does something that a button starts. */
  const act = (work: (current: Session) => Promise<void>) => {
    setBusy(true);
    run(work)
      .catch(setProblem)
      .finally(() => setBusy(false));
  };

  if (problem !== undefined) {
    return (
      <Problem title="The playground stopped" action={["Start again", () => void start()]}>
        {reasonOf(problem)}
      </Problem>
    );
  }
  if (!shown) return <p class="muted loading">Starting a chain and deploying the contracts …</p>;
  return (
    <div class="playground">
      <section class="stack" aria-label="Match">
        <div class="row apart">
          <h2>{gameTitle(game, mode)}</h2>
          <button type="button" disabled={isBusy} onClick={() => void start()}>
            Reset
          </button>
        </div>
        <NextStep game={game} mode={mode} shown={shown} play={async (move) => run((current) => current.play(move))} />
        <Latest entry={shown.entries[0]} />
        {!shown.turn && (
          <div>
            <button type="button" class="primary" disabled={isBusy} onClick={() => void start()}>
              Play again
            </button>
          </div>
        )}
        {shown.onChain && <OnChainCard onChain={shown.onChain} mover={Number(shown.turn?.seat)} />}
        {shown.attempts.length > 0 && (
          <section class="card stack tight" aria-label="Break the rules">
            <h3>Break the rules</h3>
            <p class="small muted">Try it: the contracts refuse what is not allowed, and say why.</p>
            <div class="row">
              {shown.attempts.map((attempt) => (
                <button
                  key={attempt}
                  type="button"
                  disabled={isBusy}
                  onClick={() => act((current) => current.attempt(attempt))}
                >
                  {ATTEMPTS[attempt]}
                </button>
              ))}
              <button type="button" disabled={isBusy} onClick={() => act((current) => current.skip(SKIP))}>
                Let two days pass
              </button>
            </div>
          </section>
        )}
      </section>
      <section class="stack" aria-label="Chain">
        <h2>What happens on the chain</h2>
        <ol class="stack">
          {shown.entries.map((entry, i) => (
            <EntryCard key={entry.id} entry={entry} isNewest={i === 0} />
          ))}
        </ol>
      </section>
    </div>
  );
}

/** Says what has just happened: to all on a narrow screen, where the chain is below, and otherwise to screen readers. */
function Latest({ entry: { title, note, block, error } }: { entry: Entry }) {
  return (
    <p role="status" class={error === undefined ? "latest small notice good" : "latest small notice bad"}>
      <strong>{block === undefined ? "Refused" : `Block ${block}`}:</strong> {title}. {note}
    </p>
  );
}

/** The position, and the choice of the next move. */
function NextStep({
  game,
  mode,
  shown,
  play,
}: {
  game: CatalogueGame;
  mode: string;
  shown: Shown;
  play: (move: unknown) => Promise<void>;
}) {
  const { module, view, frames, ownFrames, turn, isChoice, secretStore } = shown;
  const seat = Number(turn?.seat) as 1 | 2;
  const frame = frames.at(-1);
  const { Scene } = view;
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The button of the last step is gone: the keyboard goes on at the next step.
    if (shown.entries.length > 1 && document.activeElement === document.body) {
      title.current!.focus({ preventScroll: true });
    }
  }, [shown]);
  const showsScene = !(turn && view.isPickedInScene);
  return (
    <>
      <h3 class={`row step-title of-${turn ? seat : "nobody"}`} tabIndex={-1} ref={title}>
        {turn ? (
          <>
            <PlayerMark player={seat} /> {titleOf(turn, seat, isChoice)}
          </>
        ) : (
          endOf(shown)
        )}
      </h3>
      {frame && Scene && showsScene && (
        <Scene
          {...{ frames, step: frames.length - 1, frame, isMoving: false, hasLanded: true, viewer: 0, names: NAMES }}
          players={[turn?.record?.player1, turn?.record?.player2]}
          pictureOf={noPicture}
        />
      )}
      {turn && secretStore && (
        <MovePicker
          key={`${shown.entries.length}`}
          {...{ module, turn, secretStore, view, play, names: NAMES, pictureOf: noPicture }}
          frames={ownFrames}
          mode={game.modes[mode].content}
          plainAction="Reveal"
        />
      )}
    </>
  );
}

function titleOf(turn: NonNullable<Shown["turn"]>, seat: 1 | 2, isChoice: boolean): string {
  if (!turn.record) return "Player 1: create the match with your first move";
  if (turn.record.joinData === undefined) return "Player 2: join with your answer";
  return isChoice ? `Player ${seat}: choose your move` : `Player ${seat}: reveal what you have committed to`;
}

/** Says how the match has ended. */
function endOf({ frames, onChain }: Shown): string {
  const last = frames.at(-1);
  const told = last?.result ? `${last.text} ` : "";
  return `${told}The match is over: ${onChain!.status}.`;
}

async function noPicture(): Promise<undefined> {
  return undefined;
}
