import type { Frame } from "duello";
import type { CourseProps } from "../game.ts";
import { partLeft, type FightFrame } from "./fight.ts";

const HEIGHT = 100;

/** Draws how the hp of both sides fell; steps that are not known yet stay blank. */
export function Course({ frames, step, known, names }: CourseProps<FightFrame & Frame>) {
  const width = Math.max(1, frames.length - 1);
  const left = (side: number, at: number) => partLeft(frames[at].hp[side], frames[0].hp[side]);
  const points = (side: number) =>
    Array.from({ length: known }, (_, at) => `${at},${HEIGHT * (1 - left(side, at))}`).join(" ");
  const shown = Math.min(step, known - 1);
  const parts = names.map((name, side) => `${name} ${Math.round(100 * left(side, shown))} %`);
  return (
    <svg
      class="teams-course"
      viewBox={`0 -4 ${width} 108`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Remaining hp: ${parts.join(", ")}`}
    >
      <path d={`M0 100H${width}M0 50H${width}`} class="teams-grid" vector-effect="non-scaling-stroke" />
      <polyline points={points(0)} class="one" vector-effect="non-scaling-stroke" />
      <polyline points={points(1)} class="two" vector-effect="non-scaling-stroke" />
    </svg>
  );
}
