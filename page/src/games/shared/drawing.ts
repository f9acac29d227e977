import { h, type ComponentChildren } from "preact";

/** Part of a picture, as the inside of an `svg`. */
export type Drawing = ComponentChildren;

/** Colour of outlines in pictures, in both themes. */
export const INK = "#221d1a";

/** Draws a filled shape without an outline. */
export function plain(fill: string, d: string): Drawing {
  return h("path", { fill, d });
}

/** Draws a filled shape with an outline. */
export function shape(fill: string, d: string, width = 2.4): Drawing {
  return h("path", { fill, d, stroke: INK, "stroke-width": width, "stroke-linejoin": "round" });
}

/** Draws an open line. */
export function line(d: string, width = 2.4, stroke = INK): Drawing {
  return h("path", {
    d,
    fill: "none",
    stroke,
    "stroke-width": width,
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
  });
}

/** Draws discs of one size. */
export function dots(places: readonly (readonly [x: number, y: number])[], r: number, fill = INK): Drawing {
  return places.map(([cx, cy]) => h("circle", { cx, cy, r, fill }));
}

/** Draws parts moved, scaled or turned together. */
export function group(transform: string, ...parts: Drawing[]): Drawing {
  return h("g", { transform }, ...parts);
}

/** Spreads the bits of a token's id: ids that follow each other give unlike numbers. */
export function mixed(id: string | bigint): number {
  return Number((BigInt(id) * 2654435761n) % 4294967296n);
}

/** Draws a part of a landscape, in a colour of the theme that `places.css` names. */
export function place(color: string, d: string): Drawing {
  return h("path", { class: `place-${color}`, d });
}

/** Draws a star where something hits. */
export function burst(x: number, y: number): Drawing {
  const points = Array.from({ length: 20 }, (_, i) => {
    const radius = i % 2 === 0 ? 20 - (i % 4) : 9;
    const angle = (i * Math.PI) / 10;
    return `${(x + radius * Math.cos(angle)).toFixed(1)} ${(y + radius * Math.sin(angle)).toFixed(1)}`;
  });
  return [
    h("path", {
      d: `M${points.join("L")}z`,
      fill: "#ffd45c",
      stroke: INK,
      "stroke-width": 2,
      "stroke-linejoin": "round",
    }),
    plain("#fff", `M${x - 5} ${y}l5-5 5 5-5 5z`),
  ];
}
