import { h } from "preact";
import { group, place, type Drawing } from "../shared/drawing.ts";
import "../shared/places.css";
import { FIELD, GROUND, placeAfter } from "./poses.ts";

/** Width of the landscape, and the height of its ground, in its own units. */
const [WIDTH, HORIZON] = [840, 268];
/** Trees: place and size. */
const TREES = [
  [70, 206, 1.1],
  [128, 214, 0.8],
  [300, 210, 0.7],
  [560, 208, 0.75],
  [748, 212, 1.05],
  [800, 218, 0.85],
] as const;
const PACES = 10;

/** The meadow, at dawn or (in the dark theme) at night, with a mark for each pace. */
export function Meadow() {
  const scale = FIELD / WIDTH;
  return (
    <>
      {group(`translate(0 ${GROUND - scale * HORIZON}) scale(${scale})`, landscape())}
      {Array.from({ length: 2 * PACES + 1 }, (_, i) => {
        const isMiddle = i === PACES;
        const x = placeAfter(i - PACES);
        return <path key={i} class="place-mark" d={`M${x} ${isMiddle ? 198 : 204}v${isMiddle ? 16 : 7}`} />;
      })}
    </>
  );
}

function landscape(): Drawing {
  return [
    place("sky-1", "M0 0h840v320H0z"),
    place("sky-2", "M0 70h840v250H0z"),
    place("sky-3", "M0 128h840v192H0z"),
    h("circle", { class: "place-sun", cx: 640, cy: 128, r: 48 }),
    h("path", {
      class: "place-cloud",
      d: "M90 62q4-18 24-16 12-16 30-4 22-2 22 20zM470 40q4-12 18-11 8-11 22-3 16-1 16 14z",
    }),
    place("far", "M0 214v-40q90-40 190-14 60-44 150-10 90-30 170 4 90-34 160-2 80-22 170 10v52z"),
    place("mid", "M700 196v-58l9-24 9 24v10h28l10-12 10 12v48zM0 240v-40q120-26 260-6 160 16 300-6 150-16 280 8v44z"),
    TREES.map(([x, y, size]) =>
      group(
        `translate(${x} ${y}) scale(${size})`,
        place("near", "M-3 24V-4c-22 2-26-22-14-28-2-22 32-24 32-4 16 2 16 30-10 32v28z"),
      ),
    ),
    place("near", "M0 258v-18q210-16 420-6t420 0v24z"),
    place("ground", "M0 330v-76q420-14 840 0v76z"),
    place("ground-2", "M0 330v-44q420-12 840 0v44z"),
  ];
}
