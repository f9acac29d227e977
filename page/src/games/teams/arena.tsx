import { h } from "preact";
import { place, type Drawing } from "../shared/drawing.ts";

const SPECTATORS = 42;
/** Banners on the wall: place, and the player whose colour they have. */
const BANNERS = [
  [60, 1],
  [250, 2],
  [590, 2],
  [780, 1],
] as const;

/** The arena with its stands, by day in the light theme and by night in the dark one. */
export function Arena() {
  return (
    <svg class="teams-ground" viewBox="0 0 840 400" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      {place("sky-1", "M0 0h840v400H0z")}
      {place("sky-2", "M0 62h840v340H0z")}
      {place("sky-3", "M0 104h840v300H0z")}
      <circle class="place-sun" cx="420" cy="112" r="46" />
      {place(
        "far",
        "M0 150V92l30-8v-22l24-6v24l40-8V50l26-5v24l60-9V38l28-4v24l62-6V40h26v12h244V40h26v12l62 6V34l28 4v22l60 9V45l26 5v22l40 8V56l24 6v22l30 8v60z",
      )}
      {place("mid", "M0 168v-48q420-44 840 0v48z")}
      {Array.from({ length: SPECTATORS }, (_, i) => spectator(i))}
      {place("near", "M0 182v-36q420-30 840 0v36z")}
      {BANNERS.map(([x, player]) => (
        <path key={x} class={player === 1 ? "teams-banner" : "teams-banner is-two"} d={`M${x} 128v50l16-9 16 9v-50z`} />
      ))}
      {place("ground", "M0 400V172q420-22 840 0v228z")}
      {place("ground-2", "M420 196c250 0 380 44 380 104s-160 100-380 100S40 360 40 300s130-104 380-104z")}
      {place("ground", "M420 210c230 0 350 40 350 90s-140 88-350 88S70 350 70 300s120-90 350-90z")}
    </svg>
  );
}

/** Draws a head in the stands, which curve. */
function spectator(i: number): Drawing {
  const curve = 22 * (1 - ((i - SPECTATORS / 2 + 0.5) / (SPECTATORS / 2)) ** 2);
  return h("circle", { class: "place-near", cx: 10 + i * 20, cy: (132 - curve + (i % 3) * 7).toFixed(0), r: 6 });
}
