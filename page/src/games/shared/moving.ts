import { useRef } from "preact/hooks";

/**
 * Returns whether a step is animated; the answer stays the same while the step is shown, since redrawing a scene must
 * not cut an animation short. The first step of a match is always animated.
 */
export function useMoving(step: number, isMoving: boolean): boolean {
  const shown = useRef({ step, moves: isMoving || step === 0 });
  if (shown.current.step !== step) shown.current = { step, moves: isMoving };
  return shown.current.moves;
}
