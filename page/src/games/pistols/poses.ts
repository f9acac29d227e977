import type { PistolsFrame } from "duello/games/pistols";

/** Width of the field, in the units of its drawing. */
export const FIELD = 500;

const MIDDLE = FIELD / 2;
const NEAREST = 30;
const PACE = 18;
/** Distances from the middle with blades in hand: on guard, while striking, and when running away. */
const [GUARD, LUNGE, AWAY] = [62, 40, 200];

const RUNS = ["flee", "steal", "seppuku"];

/** Pose of a duelist. */
export interface Pose {
  /** Place from the left. */
  readonly x: number;
  /** 1 looks right, -1 left. */
  readonly facing: 1 | -1;
  /** Angle of the arm in degrees: 0 points ahead, 90 down. */
  readonly arm: number;
  readonly weapon: "pistol" | "blade";
  readonly isDown: boolean;
}

/** Returns the pose of a duelist in a step. @param isLeft True if it is on the left of the field. */
export function poseOf(frames: readonly PistolsFrame[], step: number, side: 0 | 1, isLeft: boolean): Pose {
  const outwards = isLeft ? -1 : 1;
  const frame = frames.at(step);
  const at = (distance: number, isAway: boolean, arm: number): Omit<Pose, "isDown"> => ({
    x: MIDDLE + outwards * distance,
    facing: isAway ? outwards : isLeft ? 1 : -1,
    arm,
    weapon: frame?.blades ? "blade" : "pistol",
  });
  // Before the first step they stand back to back.
  if (step < 0 || !frame) return { ...at(NEAREST, true, -70), isDown: false };
  const isDown = frame.health[side] === 0 && !strikesLater(frames, step, side);
  const isActing = frame.blow?.player === side + 1;
  if (!frame.blades) {
    const distance = NEAREST + PACE * frame.paces[side];
    return { ...at(distance, frame.blow === null && frame.honour === null, isActing ? 0 : armAtRest(frame)), isDown };
  }
  const [first] = frame.blades[side];
  const isRunning = RUNS.includes(first) && first !== "seppuku";
  if (isRunning) return { ...at(AWAY, true, 60), isDown };
  if (isActing) return { ...at(LUNGE, false, frame.blow.action === "block" ? -70 : 0), isDown };
  return { ...at(GUARD, false, -35), isDown };
}

/** Returns the angle of an arm that does nothing in round 1. */
function armAtRest({ blow }: PistolsFrame): number {
  return blow === null ? -70 : 40;
}

/** True if a duelist acts in this step or a later one, so that it is still standing. */
function strikesLater(frames: readonly PistolsFrame[], step: number, side: 0 | 1): boolean {
  return frames.slice(step).some(({ blow }) => blow?.player === side + 1);
}

/** Returns the points of health that a step has cost a duelist. */
export function lossIn(frames: readonly PistolsFrame[], step: number, side: 0 | 1): number {
  const before = frames.at(Math.max(0, step - 1));
  return step === 0 || !before ? 0 : before.health[side] - frames[step].health[side];
}
