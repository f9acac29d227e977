import { Dialog } from "./dialog.tsx";

const KEYS = [
  ["Space", "Plays or pauses"],
  ["← →", "A step back or forward"],
  ["Home", "The first step"],
  ["End", "The result"],
  ["Esc", "Closes the result, and shows the board"],
  ["?", "This list"],
] as const;

/** Keys that work while a board or a team has the focus. */
const BOARD_KEYS = [
  ["Arrows", "Go from one to the next"],
  ["Enter", "Chooses"],
  ["Esc", "Takes a choice back"],
  ["Del", "Empties a slot of a team"],
] as const;

/** Lists the keys of a match. */
export function KeysHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <KeyList keys={KEYS} />
      <h3>On a board, or in a team</h3>
      <KeyList keys={BOARD_KEYS} />
    </Dialog>
  );
}

function KeyList({ keys }: { keys: readonly (readonly [key: string, what: string])[] }) {
  return (
    <dl class="keys">
      {keys.map(([key, what]) => (
        <div key={key}>
          <dt>
            <kbd>{key === "← →" ? <Arrows /> : key}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Left and right arrow, which not every font has. */
function Arrows() {
  return (
    <svg viewBox="0 0 36 16" width="36" height="16" role="img" aria-label="Left and right arrow">
      <path fill="none" stroke="currentColor" stroke-width="2" d="M15 8H3M8 3 3 8l5 5M21 8h12M28 3l5 5-5 5" />
    </svg>
  );
}
