import { FULL_HEALTH, type PistolsFrame } from "duello/games/pistols";

/** Width of the field, in the units of its drawing. */
export const FIELD = 500;
/** Height at which the duelists stand. */
export const GROUND = 200;

const MIDDLE = FIELD / 2;
const NEAREST = 30;
const PACE = 18;
/** Distances from the middle with blades in hand: on guard, while striking, and when running away. */
const [GUARD, LUNGE, AWAY] = [62, 40, 200];

/** Durations in milliseconds: of a pace, and of a step without paces. */
const [PACE_TIME, STEP_TIME] = [220, 1500];
/** Milliseconds after which a shot and a stroke of a blade land, as in the motion of the scene. */
const [SHOT, STROKE] = [560, 450];
/** Milliseconds for which the duelists stand after they have walked. */
const REST = 500;

const RUNS = ["flee", "steal", "seppuku"];

/** Pose of a duelist. */
export interface Pose {
  /** Distance from the left edge. */
  readonly x: number;
  /** Direction of the duelist: 1 looks right, -1 left. */
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
  // Before the first step the duelists stand back to back.
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

/** Returns the place of the mark of a pace: left of the middle for a negative number. */
export function placeAfter(paces: number): number {
  return MIDDLE + Math.sign(paces) * NEAREST + PACE * paces;
}

/** Returns the pose of a duelist that has walked and turned. @param isLeft True if it is on the left of the field. */
export function aimingAfter(paces: number, isLeft: boolean): Pose {
  return { x: placeAfter(isLeft ? -paces : paces), facing: isLeft ? 1 : -1, arm: 40, weapon: "pistol", isDown: false };
}

/** Returns whether the duelists walk apart in a step. */
export function isWalk({ round, blow, honour }: PistolsFrame): boolean {
  return round === 1 && blow === null && honour === null;
}

/** Returns the milliseconds for which a step is shown. */
export function timeOf(frame: PistolsFrame): number {
  return isWalk(frame) ? PACE_TIME * Math.max(...frame.paces) + REST : STEP_TIME;
}

/** Returns the shot or stroke of a step, even one that hits nothing. */
export function blowOf({ blow }: PistolsFrame) {
  if (!blow || blow.action === "block") return undefined;
  return { force: blow.points / FULL_HEALTH, after: blow.action === "shot" ? SHOT : STROKE };
}

/** Returns the angle of an idle arm in round 1. */
function armAtRest({ blow }: PistolsFrame): number {
  return blow === null ? -70 : 40;
}

/** True if a duelist acts in this step or a later step, and so is still standing. */
function strikesLater(frames: readonly PistolsFrame[], step: number, side: 0 | 1): boolean {
  return frames.slice(step).some(({ blow }) => blow?.player === side + 1);
}

/** Returns the points of health that a step has cost a duelist. */
export function lossIn(frames: readonly PistolsFrame[], step: number, side: 0 | 1): number {
  const before = frames.at(Math.max(0, step - 1));
  return step === 0 || !before ? 0 : before.health[side] - frames[step].health[side];
}
