import { useRef } from "preact/hooks";

/**
 * Returns whether a step appears as a movement, for as long as it is shown: a scene is drawn again for many reasons, and
 * none of them may cut a movement short. The first step of a match follows from none, so it always moves.
 */
export function useMoving(step: number, isMoving: boolean): boolean {
  const shown = useRef({ step, moves: isMoving || step === 0 });
  if (shown.current.step !== step) shown.current = { step, moves: isMoving };
  return shown.current.moves;
}
