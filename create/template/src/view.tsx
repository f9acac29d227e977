import type { Frame, GameView, PickerProps, SceneProps } from "duello";
import type { ComponentChildren } from "preact";
import { WALKS } from "./brink.js";

/** The last step of a match: `oneRound` adds the log's entries to the frame. */
export interface BrinkFrame extends Frame {
  readonly entries: readonly { one: number; two: number; edge: number }[];
}

/** Draws a dot for each step of both players, and a line at the edge. */
function Scene({ frame, names }: SceneProps<BrinkFrame>) {
  return frame.entries.map(({ one, two, edge }) => {
    const label = `${names[0]}: ${one} steps, ${names[1]}: ${two} steps, edge: ${edge}`;
    return (
      <figure>
        <svg viewBox={`0 0 ${10 * WALKS.length} 24`} width="400" fill="currentColor" role="img" aria-label={label}>
          {[one, two].map((steps, side) =>
            WALKS.slice(0, steps).map((step) => <circle cx={10 * step - 5} cy={6 + 12 * side} r="3" />),
          )}
          <line x1={10 * edge} x2={10 * edge} y1="0" y2="24" stroke="red" />
        </svg>
        <figcaption>{label}</figcaption>
      </figure>
    );
  });
}

/** Has a button for each number of steps. */
function Picker({ isBusy, onPlay }: PickerProps<BrinkFrame, number>) {
  return (
    <div role="group" aria-label="Steps">
      {WALKS.map((steps) => (
        <button type="button" disabled={isBusy} onClick={() => onPlay(steps)}>
          {steps}
        </button>
      ))}
    </div>
  );
}

const view: GameView<BrinkFrame, ComponentChildren> = { Scene, Picker };
export default view;
