import type { MatchOutcome } from "duello";
import { useEffect, useRef, useState } from "preact/hooks";

/** Number of wins that decide a series. */
const WINS = 2;

interface Score {
  readonly won: number;
  readonly lost: number;
}

/**
 * Counts consecutive matches as a best of three; draws do not count.
 * @param match The match that is shown.
 * @param duel How it has ended for the person; undefined while it is in play.
 * @returns the score in a sentence; undefined before the first win of a series
 */
export function useSeries(match: object | undefined, duel: MatchOutcome["duel"] | undefined): string | undefined {
  const [score, setScore] = useState<Score>({ won: 0, lost: 0 });
  const counted = useRef<object>(undefined);
  useEffect(() => {
    if (!match || !duel || counted.current === match) return;
    counted.current = match;
    if (duel !== "draw") setScore((before) => ({ ...goOn(before), [duel]: goOn(before)[duel] + 1 }));
  }, [match, duel]);
  const { won, lost } = score;
  if (won === WINS) return `You win the best of three, ${won} : ${lost}.`;
  if (lost === WINS) return `The computer wins the best of three, ${lost} : ${won}.`;
  return won + lost === 0 ? undefined : `Best of three: you have ${won}, the computer has ${lost}.`;
}

/** Returns the score that the next match adds to. */
function goOn(score: Score): Score {
  return Math.max(score.won, score.lost) === WINS ? { won: 0, lost: 0 } : score;
}
