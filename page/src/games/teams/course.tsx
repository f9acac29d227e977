import { partLeft, type FightFrame } from "./fight.ts";

interface CourseProps {
  frames: readonly FightFrame[];
  step: number;
  names: readonly [string, string];
}

const HEIGHT = 100;

/** Draws how the hp of both sides have fallen so far; future steps stay blank. */
export function Course({ frames, step, names }: CourseProps) {
  const width = Math.max(1, frames.length - 1);
  const left = (side: number, at: number) => partLeft(frames[at].hp[side], frames[0].hp[side]);
  const points = (side: number) =>
    Array.from({ length: step + 1 }, (_, at) => `${at},${HEIGHT * (1 - left(side, at))}`).join(" ");
  const parts = names.map((name, side) => `${name} ${Math.round(100 * left(side, step))} %`);
  return (
    <figure class="teams-course">
      <svg
        viewBox={`0 -4 ${width} 108`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Hp that are left: ${parts.join(", ")}`}
      >
        <path d={`M0 100H${width}M0 50H${width}`} class="teams-grid" vector-effect="non-scaling-stroke" />
        <path d={`M${step} -4V104`} class="teams-at" vector-effect="non-scaling-stroke" />
        <polyline points={points(0)} class="one" vector-effect="non-scaling-stroke" />
        <polyline points={points(1)} class="two" vector-effect="non-scaling-stroke" />
      </svg>
    </figure>
  );
}
