import type { Frame } from "duello";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { GameView } from "../games/game.ts";
import { linesOf } from "../store/frames.ts";
import { useKeptFocus } from "./kept-focus.ts";
import { ResultLine } from "./result.tsx";
import { Scrubber } from "./scrubber.tsx";
import { Sentence } from "./sentence.tsx";
import "../styles/stage.css";

/** A match as the stage shows it. */
interface StageProps {
  view: GameView;
  frames: readonly Frame[];
  viewer: 0 | 1 | 2;
  names: readonly [string, string];
  pictureOf: (id: bigint) => Promise<string | undefined>;
  /** Step in the page's address; defaults to the last one. */
  wantedStep?: number;
  /** Called when the person has chosen a step; undefined for the last one. */
  onStep?: (step: number | undefined) => void;
  /** The player's choice of a move, if it is its turn. */
  picker?: ComponentChildren;
  /** How the match has ended, if more is known of it than what its last step says. */
  ending?: ComponentChildren;
  /** Beside the board: players and clocks, actions, the story. */
  children?: ComponentChildren;
}

/** Shows a match: its board with steps to go through, the choice of a move, and the side panel. */
export function Stage({
  view,
  frames,
  viewer,
  names,
  pictureOf,
  wantedStep,
  onStep,
  picker,
  ending,
  children,
}: StageProps) {
  const last = frames.length - 1;
  // A viewer of an earlier step stays there while the match continues.
  const [chosen, setChosen] = useState(wantedStep);
  useEffect(() => setChosen(wantedStep), [wantedStep]);
  const step = Math.max(0, Math.min(last, chosen ?? last));
  const isMoving = useMoved(step);
  const choose = (to: number) => {
    const next = to === last ? undefined : to;
    setChosen(next);
    onStep?.(next);
  };
  const frame = frames[step] as Frame | undefined;
  const isLast = step === last || frame === undefined;
  const { Scene } = view;
  const kept = useKeptFocus(picker === undefined && (ending !== undefined || Boolean(frames.at(-1)?.result)));
  const showsScene = !(isLast && picker !== undefined && view.isPickedInScene);
  return (
    <div class="stage">
      <div class="board stack" {...kept}>
        {frame && Scene && showsScene && <Scene {...{ frames, step, frame, isMoving, viewer, names, pictureOf }} />}
        {linesOf(frame).length > 0 && <pre class="card mono told">{linesOf(frame).join("\n")}</pre>}
        {isLast && picker}
        {frame && <Scrubber steps={frames.length} step={step} onStep={choose} />}
        {!isLast && picker !== undefined && (
          <button type="button" class="primary" onClick={() => choose(last)}>
            It is your turn: back to the last step
          </button>
        )}
        <p class="sentence" aria-live="polite">
          {frame?.text && <Sentence text={frame.text} />}
        </p>
        {isLast && (ending ?? (frame?.result && <ResultLine result={frame.result} viewer={viewer} names={names} />))}
      </div>
      <aside class="stack">
        {children}
        {frames.length > 1 && <Story frames={frames} step={step} onStep={choose} />}
      </aside>
    </div>
  );
}

/** Lists the steps of a match as sentences, each a link to it. */
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

/** Returns whether the step before was shown until now. */
function useMoved(step: number): boolean {
  const before = useRef(step);
  const isMoving = step === before.current + 1;
  useEffect(() => {
    before.current = step;
  }, [step]);
  return isMoving;
}
