import { INK, line, plain, shape, type Drawing } from "../shared/drawing.ts";
import type { Looks } from "./looks.ts";
import { FIELD, GROUND, type Pose } from "./poses.ts";

/** Height of a duelist with its hat. */
const TALL = 124;

const COATS = [
  ["#a8430d", "#7a2f07"],
  ["#1d58b0", "#123c7c"],
] as const;
const SKIN = ["#f6d3b3", "#e8b48a", "#c98a5b", "#8a5733"];
const TRIM = ["#e0b64a", "#e9e4d8", "#2a2630", "#7d8794"];
const BLACK = "#2a2630";
const BREECHES = "#e9dfc8";
const GOLD = "#e0b64a";
const BEARD = "#4a2a18";

const HATS: readonly (() => Drawing)[] = [
  () => shape(BLACK, "M-16-117h34l-3-4H-12zM-10-120l-2-26q13-5 26 0l-2 26z"),
  () => [shape(BLACK, "M-20-114q20 8 42 0-2-16-20-18-18 2-22 18z"), shape(GOLD, "M8-128a5 5 0 1 0 .01 0z")],
  () => [
    shape("#4a3524", "M-24-113q26 7 48-2l-10-4-4-14q-10-6-20 0l-3 14z"),
    shape("#d8432f", "M-8-126c-12-2-20-12-18-22 10 4 20 10 20 20z"),
  ],
  () => [
    shape("#8a2d6b", "M-14-112c-2-20 8-26 16-26s16 8 14 22q-6-6-16-6-8 2-14 10z"),
    shape(GOLD, "M-4-136q6-10 14-8-2 6-8 9z"),
  ],
];

const HAIR: readonly (() => Drawing)[] = [
  () => shape("#6b3a1f", "M-12-108q-2-14 12-14 4 4-2 10l-4 14-6-2z"),
  () => shape("#d9a441", "M-12-108q-4-14 12-14 4 4-2 9l-6 6 2 18-8 2-4-10z"),
  () => shape("#3a3a42", "M-11-106q-3-14 11-15 6 3 0 9l-6 4-1 8zM-12-98l-10 10 12-2z"),
  () => shape("#b04a2b", "M-12-108q-2-15 12-14 6 4-2 9l-3 24q-8 6-12-2z"),
];

const BEARDS: readonly (() => Drawing)[] = [
  () => undefined,
  () => plain(BEARD, "M4-101h10l3 2-6 2H5z"),
  () => plain(BEARD, "M-5-102q8 5 14 0l2 7q-3 7-10 5-6-4-6-12z"),
  () => undefined,
];

/** A duelist from the side, its feet at the origin, facing right. */
export function Duelist(props: {
  readonly side: 0 | 1;
  readonly looks: Looks;
  readonly pose: Pose;
  /** Pose from which the duelist moves; without it, the duelist stands still. */
  readonly from?: Pose;
  /** Number of paces that the duelist walks. */
  readonly walks?: number;
  /** True if the place of the duelist is only a guess. */
  readonly isGhost?: boolean;
}) {
  const { side, looks, pose, from, walks, isGhost = false } = props;
  const [coat, dark] = COATS[side];
  const trim = TRIM[looks.trim];
  const skin = SKIN[looks.skin];
  const falls = from !== undefined && pose.isDown && !from.isDown;
  const motion = walks === undefined ? (falls ? "pistols-falling" : "") : "pistols-walking";
  return (
    <g
      class={`pistols-duelist ${from ? "pistols-moved" : ""} ${motion} ${isGhost ? "is-ghost" : ""}`}
      style={{ transform: placeOf(pose), "--from": from && placeOf(from), "--paces": walks }}
    >
      <g transform="scale(0.83)">
        <g class="pistols-leg">
          {shape(BREECHES, "M-8-56L-12-16h9L1-46 4-56z")}
          {shape(BLACK, "M-13-22h10l1 16 7 4v4h-18z")}
        </g>
        <g class="pistols-leg">
          {shape(BREECHES, "M-3-56L1-46 4-16h9L11-56z")}
          {shape(BLACK, "M3-22h10l1 16 7 4v4H3z")}
        </g>
        {shape(dark, "M-12-60l-12 30 14-4 6-20z")}
        {shape(coat, "M-13-92q12-8 26-1l3 44q-14 6-28 0z")}
        {plain(trim, "M10-90l4 1 1 40-5 1z")}
        {shape("#fff", "M4-96l8 1-1 12-4 4z")}
        {plain("#fff", side === 0 ? "M-3-78a6 6 0 1 1-.01 0z" : "M-3-82l6.5 6.5-6.5 6.5-6.5-6.5z")}
        {plain(coat, "M-15-92q6-6 12 0-2 6-6 6-6 0-6-6z")}
        {shape(skin, "M-9-116q10-6 19 0l1 7 5 6-5 2-1 6q-8 5-15-1z")}
        {line("M6-111h5M7-98h4", 2.2)}
        <circle cx="7.5" cy="-107" r="1.7" fill={INK} />
        {BEARDS[looks.beard]()}
        {HAIR[looks.hair]()}
        {HATS[looks.hat]()}
        <g class="pistols-arm" style={{ transform: armOf(pose), "--from": from && armOf(from) }}>
          {pose.weapon === "pistol" ? (
            <>
              {shape("#7a4a1d", "M28 8l2-9h6l-1 5-3 6z")}
              {shape("#aab3bf", "M32-6h24v5H32z")}
            </>
          ) : (
            <>
              {shape("#dfe5ec", "M34-2L86-1l4 1.5-4 1.5-52 1z", 1.6)}
              {shape(GOLD, "M32-9h4V9h-4z")}
            </>
          )}
          {shape(coat, "M-6-6Q10-8 26-5V5Q10 8-4 6z")}
          {shape(trim, "M21-6h6V6h-6z")}
          {shape(skin, "M27-5h5q4 5 0 10h-5z")}
        </g>
      </g>
    </g>
  );
}

function placeOf({ x, facing, isDown }: Pose): string {
  if (!isDown) return `translate(${x}px, ${GROUND}px) scaleX(${facing}) rotate(0deg)`;
  // A duelist falls away from the opponent, but stays inside the field.
  const looksIn = x < FIELD / 2 === (facing === 1);
  const fallsIn = Math.min(x, FIELD - x) < TALL;
  return `translate(${x}px, ${GROUND - 12}px) scaleX(${facing}) rotate(${looksIn === fallsIn ? 90 : -90}deg)`;
}

function armOf({ arm }: Pose): string {
  return `translate(2px, -86px) rotate(${arm}deg)`;
}
