import { useRef } from "preact/hooks";

/**
 * Returns whether a step is animated, for as long as it is shown: a scene is redrawn for many reasons, and none of them
 * may cut an animation short. The first step of a match follows none, so it is always animated.
 */
export function useMoving(step: number, isMoving: boolean): boolean {
  const shown = useRef({ step, moves: isMoving || step === 0 });
  if (shown.current.step !== step) shown.current = { step, moves: isMoving };
  return shown.current.moves;
}
