import { useId } from "preact/hooks";
import { likenessOf } from "./recipe.ts";

/** Colours of the shield's fields; the contrast of a cream charge on each is 6.7 : 1 or more. */
const TINCTURES = ["#8c2f39", "#1f4e8c", "#25613f", "#5d3a8c", "#7a4a12", "#0f5e6b", "#3a4150", "#8a2d6b"];
const CREAM = "#fff3d6";
const INK = "#1b1c20";
/** Colours of a shield's edge: cream, gold, silver and copper. */
const EDGES = [CREAM, "#e0b64a", "#b9c0cc", "#d07a4e"];

const SHIELD = "M2 3h28v13c0 8-6 12-14 15C8 28 2 24 2 16z";

/** Part of the shield with the second tincture: none, halves, quarters, a bar and a chevron. */
const DIVISIONS = [
  "",
  "M16 0h16v32H16z",
  "M0 16h32v16H0z",
  "M0 0L32 32H0z",
  "M32 0L0 32h32z",
  "M16 0h16v16H0v16h16z",
  "M0 10h32v12H0z",
  "M0 32L16 12 32 32z",
];

/** Bird, tree, star, moon, sun, fish, anchor, key, tower, sword, crown, flower, bell, bolt, leaf and cup. */
const CHARGES = [
  "M4 17c5 1 8-1 9-4-3-1-5-3-6-6 4 2 7 2 9 1 1-3 4-4 6-2l3 1-3 2c0 6-4 11-11 11-3 0-6-1-7-3z",
  "M16 4c5 0 8 4 7 7 3 2 2 8-3 8h-2.5v7h-3v-7H12c-5 0-6-6-3-8-1-3 2-7 7-7z",
  "M16 4l3.5 8 8.5.8-6.5 5.7 2 8.5-7.5-4.5L8.5 27l2-8.5L4 12.8l8.5-.8z",
  "M20 4a12 12 0 1 0 6.5 17A10 10 0 0 1 20 4z",
  "M16 10a6 6 0 1 0 .01 0zM15 3h2v5h-2zM15 24h2v5h-2zM3 15h5v2H3zM24 15h5v2h-5zM6 7.5L7.5 6l3.5 3.5L9.5 11zM21 22.5l1.5-1.5L26 24.5 24.5 26zM6 24.5L9.5 21l1.5 1.5L7.5 26zM21 9.5L24.5 6 26 7.5 22.5 11z",
  "M4 16c5-8 13-8 18-2l6-5v14l-6-5c-5 6-13 6-18-2zM10 14a1.5 1.5 0 1 0 .01 0z",
  "M16 3a3.5 3.5 0 0 1 1.5 6.6V12H22v3h-4.5v9c3-.7 5-2.5 6-5l-2 .5 3-5 3 5-2 .2C24 25 20.5 28 16 28S8 25 6.5 19.7l-2-.2 3-5 3 5-2-.5c1 2.5 3 4.3 6 5v-9H10v-3h4.5V9.6A3.5 3.5 0 0 1 16 3z",
  "M11 4a7 7 0 0 1 6.7 9L28 23v5h-5v-3h-3v-3h-3l-3-3.3A7 7 0 1 1 11 4zM9.5 8a2 2 0 1 0 .01 0z",
  "M6 5h4v3h3V5h6v3h3V5h4v8l-3 2v9h2v4H7v-4h2v-9l-3-2zM14 28v-5a2 2 0 0 1 4 0v5z",
  "M16 2l2.5 4v13H24v3h-6v3l2 2v2h-8v-2l2-2v-3H8v-3h5.5V6z",
  "M4 9l6 6 6-9 6 9 6-6-2.5 14h-19zM6.5 25h19v3h-19z",
  "M16 12c-3-8 4-8 3-1 6-4 8 2 2 4 7 2 3 8-2 4 2 7-5 7-5 1-3 6-9 3-4-2-7 1-7-6 0-5-4-5 1-8 6-1zM16 14a2.5 2.5 0 1 0 .01 0z",
  "M14 4h4v2c5 1 6 5 6 10 0 4 1 5 3 7v2H5v-2c2-2 3-3 3-7 0-5 1-9 6-10zM13 26h6a3 3 0 0 1-6 0z",
  "M19 2L7 18h7l-3 12 14-17h-8z",
  "M26 4C12 5 6 12 8 22l-3 6 2 1 3-5c9 1 15-6 16-20zM11 21c2-5 5-9 10-12-3 5-6 9-10 12z",
  "M7 4h18c0 9-2 13-7 14v5c3 0 5 1 5 4H9c0-3 2-4 5-4v-5C9 17 7 13 7 4z",
];

/** Draws the crest of an address, hidden from screen readers, which get the name. @param size Width in pixels. */
export function Crest({ address, size = 20 }: { address: string; size?: number }) {
  const id = useId();
  const { charge, division, edge, tinctures } = likenessOf(address);
  const [first, second] = tinctures.map((each) => TINCTURES[each]);
  return (
    <svg class="crest" viewBox="0 0 32 34" width={size} height={(size * 34) / 32} aria-hidden="true">
      <clipPath id={id}>
        <path d={SHIELD} />
      </clipPath>
      <g clip-path={`url(#${id})`}>
        <path fill={first} d="M0 0h32v32H0z" />
        <path fill={second} d={DIVISIONS[division]} />
      </g>
      <path fill={CREAM} fill-rule="evenodd" transform="translate(6.5 5.5) scale(.59)" d={CHARGES[charge]} />
      <path fill="none" stroke={INK} stroke-width="3.2" d={SHIELD} />
      <path fill="none" stroke={EDGES[edge]} stroke-width="1.6" d={SHIELD} />
    </svg>
  );
}
