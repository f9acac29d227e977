import type { HintMoment } from "duello";
import { useEffect, useState } from "preact/hooks";
import type { GameView } from "../games/game.ts";
import { takeHint } from "../store/hints.ts";

/** Number of the moment at the end of a match, which follows all choices with hints. */
const END = 3;

/**
 * Finds the hint for the current moment of a match. Each hint is shown once in a browser, until it is closed or the
 * moment is over.
 * @param moment Undefined while the person has nothing to do.
 */
export function useTip(game: string, view?: GameView, moment?: HintMoment) {
  const place = moment?.isOver ? END : moment?.turns;
  const [open, setOpen] = useState<number>();
  const text = moment && view?.hintAt?.(moment);
  useEffect(() => {
    if (place !== undefined && text !== undefined && takeHint(game, place)) setOpen(place);
  }, [place, text]);
  if (text === undefined || open !== place) return undefined;
  return (
    <div class="tip" role="note">
      <b>Tip</b>
      <span>{text}</span>
      <button type="button" class="quiet" aria-label="Close the tip" onClick={() => setOpen(undefined)}>
        ×
      </button>
    </div>
  );
}
