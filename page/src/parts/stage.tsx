import type { Frame } from "duello";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { GameView } from "../games/game.ts";
import { linesOf } from "../store/frames.ts";
import { useKeptFocus } from "./kept-focus.ts";
import { play } from "../store/sound.ts";
import { timesOf } from "./playback.ts";
import { endingByRules, ResultCard, ResultLine, type Ending } from "./result.tsx";
import { Scrubber } from "./scrubber.tsx";
import { Sentence } from "./sentence.tsx";
import { prefersReducedMotion, usePlayback } from "./use-playback.ts";
import "../styles/stage.css";

/** Controls that a click may be meant for, other than the stage. */
const CONTROLS = "a, button, input, select, summary, label, [role=grid]";

/** A match as the stage shows it. */
interface StageProps {
  view: GameView;
  frames: readonly Frame[];
  viewer: 0 | 1 | 2;
  names: readonly [string, string];
  /** Addresses of the players. */
  players: readonly (string | undefined)[];
  pictureOf: (id: bigint) => Promise<string | undefined>;
  /** Name under which the browser remembers which steps were seen; undefined to remember none. */
  seenKey?: string;
  /** Step in the page's address; defaults to the first step that was not seen, or otherwise the last step. */
  wantedStep?: number;
  /** Called when the person has chosen a step; undefined for the last step. */
  onStep?: (step: number | undefined) => void;
  /** The player's choice of a move, if it is its turn. */
  picker?: ComponentChildren;
  /** Hint for the last step. */
  tip?: ComponentChildren;
  /** How the match has ended, if more is known than its last step shows. */
  ending?: Ending;
  /** The suggested action after the result. */
  again?: ComponentChildren;
  /** Further actions after the result. */
  acts?: ComponentChildren;
  /**
   * Draws the content beside the board: players and clocks, actions.
   * @param isTold False while nothing may reveal the result.
   */
  children?: (isTold: boolean) => ComponentChildren;
}

/**
 * Shows a match: its board with steps to go through, the choice of a move, and the side panel. Steps that the viewer
 * has not seen play by themselves, and the result follows the last step.
 */
export function Stage(props: StageProps) {
  const {
    view,
    frames,
    viewer,
    names,
    players,
    pictureOf,
    seenKey,
    wantedStep,
    onStep,
    picker,
    tip,
    again,
    acts,
    children,
  } = props;
  const result = frames.at(-1)?.result;
  const ending = props.ending ?? (result ? endingByRules(result, { viewer, names, frames }) : undefined);
  const isOver = ending !== undefined;
  const times = timesOf(frames, view.timeOf);
  const playback = usePlayback({ times, isOver, seenKey, wanted: wantedStep, onStep });
  const { step, isPlaying, choose, toggle, skip } = playback;
  const isTold = isOver && playback.isSeen;
  const [isCardOpen, setCardOpen] = useOpened(isTold);
  const isLast = step >= frames.length - 1;
  const showsScene = !(isLast && picker !== undefined && view.isPickedInScene);
  const isMoving = useMoved(step, showsScene);
  const frame = frames[step] as Frame | undefined;
  // The first step shows no blow: its effect would have no step before it.
  const blow = isMoving && step > 0 && frame ? view.blowOf?.(frame) : undefined;
  const delay = blow && !prefersReducedMotion() ? blow.after / playback.rate : 0;
  useEffect(() => {
    if (blow?.force !== undefined) play("hit", { force: blow.force, after: delay });
  }, [step]);
  const hasLanded = useLanded(step, delay);
  const known = isOver ? playback.known : frames.length;
  const isShown = hasLanded || playback.isSeen || known > step + 1;
  const reached = isShown ? known : step;
  const told = isShown ? frame : frames[step - 1];
  useEffect(() => {
    if (isCardOpen && viewer !== 0) play(ending!.duel);
  }, [isCardOpen]);
  const { Scene, Course } = view;
  const kept = useKeptFocus(picker === undefined && (ending !== undefined || Boolean(frames.at(-1)?.result)));
  // Going to a step closes the card, which covers the board.
  const leaveCard =
    <A extends unknown[]>(act: (...args: A) => void) =>
    (...args: A) => {
      setCardOpen(false);
      act(...args);
    };
  const onStage = ({ target }: MouseEvent) => {
    if (!isLast && !(target as Element).closest(CONTROLS)) toggle();
  };
  return (
    <div class="stage" style={{ "--rate": playback.rate }}>
      <div class="board stack" {...kept}>
        {isTold && !isCardOpen && <ResultLine ending={ending} again={again} onOpen={() => setCardOpen(true)} />}
        {isLast && (!isOver || isTold) && tip}
        <div class="stage-field">
          <div class="stack" inert={isCardOpen} onClick={onStage}>
            {frame && Scene && showsScene && (
              <Scene {...{ frames, step, frame, isMoving, hasLanded, viewer, names, players, pictureOf }} />
            )}
            {linesOf(frame).length > 0 && <pre class="card mono told">{linesOf(frame).join("\n")}</pre>}
            {isLast && picker}
          </div>
          {isTold && isCardOpen && (
            <ResultCard ending={ending} again={again} onClose={() => setCardOpen(false)}>
              {acts}
            </ResultCard>
          )}
        </div>
        {frame && (
          <Scrubber
            steps={frames.length}
            step={step}
            isPlaying={isPlaying}
            rate={playback.rate}
            course={Course && <Course {...{ frames, step, names }} known={reached} />}
            onStep={leaveCard(choose)}
            onToggle={leaveCard(toggle)}
            onRate={playback.nextRate}
            onEnd={() => {
              skip();
              if (isTold) setCardOpen(true);
            }}
            onEscape={isCardOpen ? () => setCardOpen(false) : undefined}
            isTold={!isOver || isTold}
          />
        )}
        {!isLast && picker !== undefined && (
          <button type="button" class="primary" onClick={skip}>
            It is your turn: go to the last step
          </button>
        )}
        <p class="hint small muted" role="status">
          {isOver && !isTold && frames.length > 1 && (
            <>
              The match is over, and this is how it went: the result follows the last step.{" "}
              <span>Space pauses, the arrow keys step, End skips to the result, ? lists the keys.</span>
            </>
          )}
        </p>
        <p class="sentence" aria-live="polite">
          {told?.text && <Sentence text={told.text} />}
        </p>
      </div>
      <aside class="stack">
        {children?.(!isOver || isTold)}
        {frames.length > 1 && <Story frames={frames.slice(0, reached)} step={step} onStep={leaveCard(choose)} />}
      </aside>
    </div>
  );
}

/** Opens a card once a condition becomes true. The card stays closed if the condition was true from the start. */
function useOpened(isReady: boolean) {
  const [isOpen, setOpen] = useState(false);
  const was = useRef(isReady);
  useEffect(() => {
    if (isReady !== was.current) setOpen(isReady);
    was.current = isReady;
  }, [isReady]);
  return [isOpen, setOpen] as const;
}

/** Lists the steps of a match as sentences, each a link to its step. */
function Story({ frames, step, onStep }: { frames: readonly Frame[]; step: number; onStep: (step: number) => void }) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const shown = list.current?.children[step] as HTMLElement | undefined;
    if (!shown || !list.current) return;
    // Only the list is scrolled, never the page.
    const { offsetTop, offsetHeight } = shown;
    const { scrollTop, clientHeight } = list.current;
    if (offsetTop < scrollTop) list.current.scrollTop = offsetTop;
    else if (offsetTop + offsetHeight > scrollTop + clientHeight)
      list.current.scrollTop = offsetTop + offsetHeight - clientHeight;
  }, [step]);
  return (
    <section class="card stack tight" aria-label="Story">
      <h2>Story</h2>
      <ol class="story" ref={list}>
        {frames.map(({ text }, i) => (
          <li key={i}>
            <button
              type="button"
              class="quiet"
              aria-current={i === step ? "step" : undefined}
              onClick={() => onStep(i)}
            >
              <span class="muted small">{i + 1}</span> <Sentence text={text} />
            </button>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Returns whether the shown step directly follows the previously shown step; at first, true for the first step. */
function useMoved(step: number, showsScene: boolean): boolean {
  const shown = useRef({ step, isMoving: step === 0 });
  if (shown.current.step !== step) shown.current = { step, isMoving: step === shown.current.step + 1 };
  if (!showsScene) shown.current.isMoving = false;
  return shown.current.isMoving;
}

/** Returns whether the blow of a step has landed. @param delay Milliseconds until it lands. */
function useLanded(step: number, delay: number): boolean {
  const [landed, setLanded] = useState<number>();
  useEffect(() => {
    if (delay === 0) return undefined;
    const timer = setTimeout(() => setLanded(step), delay);
    return () => {
      clearTimeout(timer);
      setLanded(undefined);
    };
  }, [step, delay > 0]);
  return delay === 0 || landed === step;
}
