import { Seat, type Frame, type GameModule, type SecretStore, type Turn } from "duello";
import { hasLevels, Practice } from "duello/practice";
import type { CatalogueGame } from "duello/catalogue";
import { useEffect, useRef, useState } from "preact/hooks";
import { load } from "../catalogue.ts";
import { viewOfGame, type GameView } from "../games/game.ts";
import { GameIcon } from "../parts/game-icon.tsx";
import { LevelChoice } from "../parts/level-choice.tsx";
import { MovePicker, needsChoice } from "../parts/move-picker.tsx";
import { OwnGameNotice } from "../parts/own-game.tsx";
import { PlayerMark } from "../parts/player-name.tsx";
import { Problem } from "../parts/problem.tsx";
import { endingBySettlement, type Ending } from "../parts/result.tsx";
import { ShareReplay } from "../parts/share.tsx";
import { Stage } from "../parts/stage.tsx";
import { gameTitle } from "../parts/text.ts";
import { useTip } from "../parts/tip.tsx";
import { useSeries } from "../parts/use-series.ts";
import { linkTo } from "../router.ts";
import { database } from "../store/database.ts";
import { framesOf, toldFrames } from "../store/frames.ts";
import { level } from "../store/level.ts";
import { chooseOpponentMove } from "../store/opponent.ts";

/** A practice match as it is now. */
interface Shown {
  practice: Practice;
  module: GameModule;
  view: GameView;
  frames: readonly Frame[];
  /** Turn of the player to move; undefined once the match is over. */
  turn?: Turn;
  /** True if the person has to choose a move. */
  isChoice: boolean;
  /** Number of turns that the person has played. */
  turns: number;
  secretStore: SecretStore;
  /** The match before the person's last move; undefined if there is nothing to take back. */
  before?: Practice;
  /** How the match has ended; undefined while it is in play. */
  ending?: Ending;
}

/** A match against the computer player, resumed at its last state. */
export function PracticeMatch({ game, mode }: { game: CatalogueGame; mode: string }) {
  const [shown, setShown] = useState<Shown>();
  const [problem, setProblem] = useState<string>();
  const running = useRef({ controller: new AbortController(), work: Promise.resolve() });
  const { content } = game.modes[mode];
  const key = `${game.name} ${mode}`;

  /** Stops the current activity, e.g. the computer's search, and starts another. */
  const run = (work: (signal: AbortSignal) => Promise<void>) => {
    const { controller: before, work: ended } = running.current;
    before.abort();
    const controller = new AbortController();
    const { signal } = controller;
    running.current = {
      controller,
      work: ended
        .then(() => work(signal))
        .catch((error: unknown) => {
          if (!signal.aborted) setProblem(error instanceof Error ? error.message : String(error));
        }),
    };
  };

  /** Shows the match, and plays turns without a choice, until the person must choose. */
  const proceed = async (signal: AbortSignal, practice: Practice, module: GameModule, view: GameView) => {
    for (;;) {
      const now = await stateOf(practice, module, view);
      if (signal.aborted) return;
      setShown(now);
      await keep(key, now.turn ? practice.save() : undefined);
      const { turn, isChoice } = now;
      if (!turn || isChoice) return;
      const isOwn = turn.seat === practice.seat;
      const request = { game: game.name, saved: practice.saveFor(turn.seat), level: level.value };
      const move = isOwn ? undefined : await chooseOpponentMove(request, signal);
      if (signal.aborted) return;
      await practice.play(move);
    }
  };

  const start = (seat?: bigint) =>
    run(async (signal) => {
      setProblem(undefined);
      const [module, view] = await Promise.all([load(game.name), viewOfGame(game.name)]);
      const kept = seat === undefined ? await keptMatch(module, key) : undefined;
      const practice = kept ?? (await Practice.start(module, { mode: content, seat: seat ?? Seat.One }));
      await proceed(signal, practice, module, view);
    });

  useEffect(() => {
    start();
    return () => running.current.controller.abort();
  }, []);

  // A match that was resigned has no end by the rules.
  const isOver = Boolean(shown?.frames.at(-1)?.result);
  const moment = shown && (shown.isChoice || isOver) ? { turns: shown.turns, isOver } : undefined;
  const tip = useTip(game.name, shown?.view, moment);
  const series = useSeries(shown?.practice, shown?.ending?.duel);

  if (problem !== undefined) {
    return (
      <Problem title="The practice match stopped" action={["Start a new one", () => start(Seat.One)]}>
        {problem}
      </Problem>
    );
  }
  if (!shown) return <p class="muted loading">Setting up …</p>;
  const { practice, module, view, frames, turn, isChoice, secretStore, before, ending } = shown;
  const viewer = Number(practice.seat) as 1 | 2;
  const names = namesFor(practice.seat);
  const play = async (move: unknown) => {
    await practice.play(move);
    run((signal) => proceed(signal, practice, module, view));
  };
  const resign = () =>
    run(async (signal) => {
      await practice.resign();
      await proceed(signal, practice, module, view);
    });
  const takeBack = () => run((signal) => proceed(signal, before!, module, view));
  return (
    <div class="stack">
      <div class="row apart">
        <h1 class="row">
          <GameIcon name={game.name} size={32} /> {gameTitle(game, mode)}
        </h1>
        <div class="row">
          <span class="tag">Practice: no stake, no chain</span>
          <button type="button" disabled={!before} onClick={takeBack}>
            Take back
          </button>
        </div>
      </div>
      <OwnGameNotice name={game.name} title={game.title} />
      {game.modes[mode].weakness !== undefined && <p class="notice">{game.modes[mode].weakness}</p>}
      <Stage
        key={keyOf(practice)}
        view={view}
        frames={frames}
        viewer={viewer}
        names={names}
        players={practice.players}
        pictureOf={noPicture}
        picker={
          turn && isChoice ? (
            <MovePicker
              {...{ module, turn, secretStore, view, frames, names, play }}
              mode={content}
              pictureOf={noPicture}
              plainAction="Reveal"
            />
          ) : undefined
        }
        tip={tip}
        ending={ending}
        again={
          <button type="button" class="primary" onClick={() => start(practice.seat)}>
            Play again
          </button>
        }
        acts={
          <a class="button" href={linkTo("play", [game.name, mode])}>
            Play a person
          </a>
        }
      >
        {(isTold) => (
          <section class="card stack tight" aria-label="Players">
            <p role="status" class="small">
              {isTold && series}
            </p>
            {([1, 2] as const).map((player) => (
              <p key={player} class={Number(turn?.seat) === player ? "player-line in-turn" : "player-line"}>
                <PlayerMark player={player} /> <strong>{names[player - 1]}</strong>
                <span class="muted small">
                  {Number(turn?.seat) === player && (player === viewer ? "to move" : "thinks …")}
                </span>
              </p>
            ))}
            {hasLevels(module, content) && <LevelChoice />}
            <div class="row">
              {turn?.record?.joinData !== undefined && (
                <button type="button" onClick={resign}>
                  Resign
                </button>
              )}
              <button type="button" onClick={() => start(practice.seat === Seat.One ? Seat.Two : Seat.One)}>
                {turn ? "New game, other side" : "Other side"}
              </button>
            </div>
            {!turn && <ShareReplay practice={practice} />}
            <a href={linkTo("play", [game.name, mode])}>Challenge somebody to this</a>
          </section>
        )}
      </Stage>
    </div>
  );
}

/** Names both players. @param seat Seat of the person. */
function namesFor(seat: bigint): [string, string] {
  return seat === Seat.One ? ["You", "Computer"] : ["Computer", "You"];
}

async function stateOf(practice: Practice, module: GameModule, view: GameView): Promise<Shown> {
  const { seat, archive } = practice;
  const secretStore = practice.secretStoreOf(seat);
  const turn = await practice.turn();
  const isCreated = practice.isOver || turn?.record !== undefined;
  const drawn = isCreated ? await framesOf(module, view, await practice.record(), archive, { seat, secretStore }) : [];
  const frames = toldFrames(drawn, view, Number(seat) as 1 | 2, namesFor(seat));
  // A turn that is played at once offers no choice, not even briefly.
  const isChoice = turn?.seat === seat && (await needsChoice({ module, turn, secretStore }));
  const { settlement } = practice.isOver ? await practice.record() : {};
  const seen = { viewer: Number(seat) as 1 | 2, names: namesFor(seat), frames };
  const ending = settlement && endingBySettlement(settlement, practice.terms, seen);
  const before = await practice.takenBack();
  const turns = practice.save().sent.filter((each) => BigInt(each.seat) === seat).length;
  return { practice, module, view, frames, turn, isChoice, turns, secretStore, before, ending };
}

/** Keys of practice matches: the steps seen of one match do not count as seen for the next. */
const keys = new WeakMap<Practice, number>();
let lastKey = 0;

function keyOf(practice: Practice): number {
  const key = keys.get(practice) ?? ++lastKey;
  keys.set(practice, key);
  return key;
}

async function keep(key: string, saved: unknown): Promise<void> {
  try {
    const kept = await database();
    if (saved === undefined) await kept.delete("practice", key);
    else await kept.put("practice", saved, key);
  } catch {
    // A match that cannot be stored is lost when the page is closed.
  }
}

/** Loads the saved match; undefined if there is none, or another version of the page saved it. */
async function keptMatch(module: GameModule, key: string): Promise<Practice | undefined> {
  try {
    const saved = await (await database()).get("practice", key);
    return saved === undefined ? undefined : await Practice.load(module, saved);
  } catch {
    return undefined;
  }
}

async function noPicture(): Promise<undefined> {
  return undefined;
}
