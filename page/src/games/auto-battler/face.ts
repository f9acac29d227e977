import { dots, INK, line, mixed, plain, shape, type Drawing } from "../shared/drawing.ts";

/** Traits of a fighter that the fighter's picture shows. */
export interface FaceTraits {
  readonly id: string | bigint;
  /** Number of the character, from 1. */
  readonly character: number;
  /** Tiers 1 to 3 of attack, defense, health, speed, range and combo. */
  readonly tiers: readonly number[];
  readonly golden: boolean;
}

const WOOD = "#7a4a1d";
const STEEL = "#cfd6df";
const ARMOUR = "#aab3bf";
const RED = "#d8432f";
const PAINT = "#c8322b";

const SKIN = ["#f6d3b3", "#e8b48a", "#c98a5b", "#9a6138", "#6b4129"];

const HEADS = {
  round: "M32 12c9 0 14 6 14 14 0 11-6 18-14 18s-14-7-14-18c0-8 5-14 14-14z",
  square: "M22 12h20q4 1 4 6v14q-1 12-14 13-13-1-14-13V18q0-5 4-6z",
  long: "M32 11c8 0 12 5 12 13 0 14-5 22-12 22s-12-8-12-22c0-8 4-13 12-13z",
  heart: "M32 12c8-1 15 3 15 12 0 11-8 21-15 21s-15-10-15-21c0-9 7-13 15-12z",
};

const EYES = {
  dot: () =>
    dots(
      [
        [26, 29],
        [38, 29],
      ],
      2.3,
    ),
  stern: () => [
    line("M22 25l8 2.5M42 25l-8 2.5", 2.6),
    dots(
      [
        [26.5, 30],
        [37.5, 30],
      ],
      2.1,
    ),
  ],
  wide: () => [
    plain("#fff", "M26 25.5a3.6 3.8 0 1 0 .01 0zM38 25.5a3.6 3.8 0 1 0 .01 0z"),
    dots(
      [
        [26.8, 29.5],
        [38.8, 29.5],
      ],
      2.2,
    ),
  ],
  lash: () => [
    line("M21.5 28q4-4 8 0M34.5 28q4-4 8 0", 2.4),
    dots(
      [
        [26, 29.5],
        [38, 29.5],
      ],
      2,
    ),
  ],
  smile: () => line("M22.5 30q3.5-4 7 0M34.5 30q3.5-4 7 0", 2.4),
  patch: () => [plain(INK, "M33 24h11v5q-1 5-5.5 5T33 29z"), line("M18 20l28 7", 2), dots([[26, 29]], 2.3)],
};

const MOUTHS = {
  line: () => line("M28 38.5h8"),
  smile: () => line("M27 37q5 4.5 10 0"),
  grin: () => shape("#fff", "M26 36.5h12q-1 5-6 5t-6-5z"),
  frown: () => line("M27 40q5-3.5 10 0"),
  lips: () => plain("#b23a3f", "M28 38q2-2 4-.5 2-1.5 4 .5-2 3-4 3t-4-3z"),
};

/** Draws a part of a character in the colours of its hair and of its cloth. */
type Worn = (hair: string, cloth: string) => Drawing;

/** Face of a character: colours, parts, and the drawings behind and in front of its head. */
type Person = readonly [
  skin: number,
  hair: string,
  clothHue: number,
  head: keyof typeof HEADS,
  eyes: keyof typeof EYES,
  mouth: keyof typeof MOUTHS,
  behind: Worn,
  before: Worn,
];

const PEOPLE: readonly Person[] = [
  [
    3,
    "#2b1d1a",
    8,
    "heart",
    "lash",
    "smile",
    (h) => shape(h, "M16 24C14 8 50 8 48 24l3 30H39V20H25v34H13z"),
    (h) => [
      shape(h, "M17 24c0-9 6-14 15-14s15 5 15 14c-6-1-12-4-15-8-3 4-9 7-15 8z"),
      shape("#e0b64a", "M16 22q16-8 32 0l-.5 4q-15.5-7-31 0z"),
      shape("#d8432f", "M44 20c-2-8 2-14 8-16 1 7-2 13-6 17z"),
    ],
  ],
  [
    1,
    "#a5492a",
    20,
    "square",
    "stern",
    "line",
    () => [],
    (h) => [
      shape(h, "M18 30l3 3q2 3 11 3t11-3l3-3v10q-2 14-14 15-12-1-14-15z"),
      line("M28 39.5q4 2 8 0", 2.2),
      shape("#8f97a3", "M16 26C15 10 24 6 32 6s17 4 16 20c-4-3-10-4-16-4s-12 1-16 4z"),
      shape("#c4cad3", "M29.5 6h5v20l-2.5 4-2.5-4z"),
    ],
  ],
  [
    2,
    "#4b2d6b",
    275,
    "heart",
    "lash",
    "line",
    (h, c) => shape(c, "M10 56C8 20 18 5 32 4s24 16 22 52z"),
    (h, c) => [
      plain(h, "M18 25c4-9 9-11 14-12 5 1 10 3 14 12-4-4-7-6-9-6l-5 5-5-5c-2 0-5 2-9 6z"),
      shape(c, "M32 4C18 4 12 18 13 36c3-2 4-18 19-22 15 4 16 20 19 22C52 18 46 4 32 4z"),
    ],
  ],
  [
    2,
    "#1d8a7a",
    170,
    "long",
    "stern",
    "frown",
    () => [],
    (h) => [
      shape(h, "M26 15C24 6 28 1 32 0c4 1 8 6 6 15l-1 5-5-3-5 3z"),
      line("M40 20l-3 5M41 33l2 5", 1.8, "#8a3b2b"),
    ],
  ],
  [
    0,
    "#e0b04a",
    350,
    "round",
    "dot",
    "smile",
    (h) => [
      shape(h, "M14 24q-4 18 0 32h7q-3-16 0-28zM50 24q4 18 0 32h-7q3-16 0-28z"),
      line("M13 38h7M14 46h6M51 38h-7M50 46h-6", 2),
    ],
    (h) => [
      plain(h, "M18 25c2-6 8-8 14-8s12 2 14 8l1-6H17z"),
      shape("#7d8794", "M17 22C17 12 23 8 32 8s15 4 15 14q-15-5-30 0z"),
      shape("#f5ecd7", "M18 17C10 16 7 10 8 3c3 5 8 6 14 7zM46 17c8-1 11-7 10-14-3 5-8 6-14 7z"),
    ],
  ],
  [
    0,
    "#b8622b",
    130,
    "long",
    "wide",
    "smile",
    (h) => shape(h, "M18 24q-1 10 2 14l4-2V20zM46 24q1 10-2 14l-4-2V20z"),
    (h, c) => [
      plain(h, "M19 24q6-5 13-5t13 5l-1-8H20z"),
      shape(c, "M10 23c10-3 12-14 24-15 8 0 13 7 13 13q4 1 7 3-22-5-44-1z"),
      shape("#d8432f", "M42 12C44 4 50 1 57 1c-2 7-6 12-12 14z"),
      dots(
        [
          [23, 34],
          [41, 34],
        ],
        1,
        "#c07a50",
      ),
    ],
  ],
  [
    3,
    "#4f8f3a",
    95,
    "round",
    "smile",
    "smile",
    (h) => shape(h, "M12 30C8 10 22 6 32 6s24 4 20 24l3 14-8 4H17l-8-4z"),
    (h) => [
      shape(h, "M18 26c1-8 6-12 14-12s13 4 14 12c-5-1-8-3-10-6-5 4-12 6-18 6z"),
      shape(
        "#8cc15a",
        "M18 17c-4-1-6-5-5-9 5 0 8 3 8 7zM27 12c-3-3-3-7 0-10 4 2 5 6 3 10zM37 12c-2-4-1-8 3-10 3 3 3 7 0 10zM46 17c0-4 3-7 8-7 1 4-1 8-5 9z",
      ),
      dots(
        [
          [24, 14],
          [34, 11.5],
          [42, 14],
        ],
        2,
        "#d8432f",
      ),
    ],
  ],
  [
    1,
    "#8d8780",
    215,
    "square",
    "dot",
    "line",
    () => [],
    (h, c) => [
      shape(h, "M32 35q-3-3-8-1-4 2-7-1 1 7 8 7 5 0 7-3 2 3 7 3 7 0 8-7-3 3-7 1-5-2-8 1z"),
      shape(c, "M4 21q14 4 28 4t28-4q-4-5-12-5L45 5q-6-3-13-3T19 5l-3 11q-8 0-12 5z"),
      line("M16.5 16q15.5 5 31 0", 3, "#e0b64a"),
    ],
  ],
  [
    0,
    "#2c3f8f",
    235,
    "heart",
    "patch",
    "lips",
    (h) => shape(h, "M15 40C10 14 20 8 32 8s22 6 17 32q-4 4-8 3V20H23v23q-4 1-8-3z"),
    (h) => shape(h, "M17 27C17 15 24 10 32 10s15 5 15 17c-7-2-12-4-15-10-2 5-8 9-15 10z"),
  ],
  [
    4,
    "#241a20",
    300,
    "round",
    "lash",
    "lips",
    (h) => shape(h, "M32 0a8 8 0 1 1-.01 0z"),
    (h) => [
      shape(h, "M18 26c0-9 5-14 14-14s14 5 14 14c-4-5-9-7-14-7s-10 2-14 7z"),
      shape("#e0b64a", "M19 17l4-6 4 4 5-7 5 7 4-4 4 6q-13-5-26 0z"),
      dots(
        [
          [18, 36],
          [46, 36],
        ],
        2.2,
        "#e0b64a",
      ),
    ],
  ],
  [
    1,
    "#231f2b",
    0,
    "long",
    "stern",
    "frown",
    (h) => shape(h, "M29 10C26 4 28 0 32 0s6 4 3 10z"),
    (h) => [
      shape(h, "M20 26c0-9 4-16 12-16s12 7 12 16l-3-7q-9-3-18 0z"),
      shape("#f5ecd7", "M18.5 18q13.5-4 27 0v4.5q-13.5-4-27 0z"),
      dots([[32, 19]], 2.2, "#c8322b"),
      plain(h, "M29 42h6l-1 7h-4z"),
    ],
  ],
  [
    2,
    "#b3402f",
    320,
    "round",
    "wide",
    "grin",
    (h) => shape(h, "M32 5q7-3 12 2 8 0 9 8 6 5 3 12 4 7-1 13-1 8-9 8H18q-8 0-9-8-5-6-1-13-3-7 3-12 1-8 9-8 5-5 12-2z"),
    (h) => shape(h, "M17 27q0-6 4-8 0-6 6-6 5-4 10 0 6 0 6 6 4 2 4 8-5 1-7-4-4 3-8 0-4 3-8 0-2 5-7 4z"),
  ],
];

function personOf(character: number): Person {
  return PEOPLE[(character - 1) % PEOPLE.length];
}

/** Returns the hue of a tile behind a fighter. */
export function tileHue(character: number): number {
  return personOf(character)[2];
}

/** Draws a fighter in a square of 64: the face shows the character; clothes and equipment show the tiers. */
export function fighterFace({ id, character, tiers, golden }: FaceTraits): Drawing {
  const [attack, defense, health, speed, range, combo] = tiers;
  const [skin, hair, clothHue, head, eyes, mouth, behind, before] = personOf(character);
  // Tokens of one character differ a little in hue, and each further dozen of characters differs more.
  const turn = (mixed(id) % 5) * 9 - 18 + 40 * Math.floor((character - 1) / PEOPLE.length);
  const hue = (clothHue + turn + 360) % 360;
  const cloth = golden ? "#e3b341" : `hsl(${hue} 48% 42%)`;
  const dark = golden ? "#a8741a" : `hsl(${hue} 50% 28%)`;
  const width = [17, 21, 25][health - 1];
  const [left, right] = [32 - width, 32 + width];
  return [
    range > 1 && line(range > 2 ? "M10 62C-2 46 2 26 18 14M10 62L18 14" : "M13 62C5 52 6 40 13 34", 2.2, WOOD),
    attack > 1 && [shape(STEEL, "M46 50L55 13l4.5-7 .5 8-9 37z"), line("M47 37l10 3", 3.4, WOOD)],
    attack > 2 && [shape(STEEL, "M18 50L9 13 4.5 6 4 14l9 37z"), line("M17 37L7 40", 3.4, WOOD)],
    behind(hair, cloth),
    speed > 2 && shape(RED, "M40 50c8 0 12-4 22-1-4 2-3 5-1 8-9-3-13 1-21-1z"),
    shape(cloth, `M${left} 66C${left} 54 ${left + 6} 49 26 47h12C${right - 6} 49 ${right} 54 ${right} 66z`),
    range > 1 && line(`M${left + 5} 52L42 66`, 3, WOOD),
    defense === 2 && shape(dark, "M24 47l8 10 8-10 4 3-6 14H26l-6-14z"),
    defense > 2 && [
      shape(ARMOUR, `M${left - 2} 63q0-13 13-14l3 4q-2 9-8 11zM${right + 2} 63q0-13-13-14l-3 4q2 9 8 11z`),
      shape(ARMOUR, "M24 49l8 6 8-6v12H24z"),
    ],
    shape(SKIN[skin], "M27 40h10v8q-5 5-10 0z"),
    speed > 1 && shape(RED, "M23 46q9 5 18 0l1 5q-10 5-20 0z"),
    shape(SKIN[skin], HEADS[head]),
    EYES[eyes](),
    line("M32 30.5l-1.5 4H33", 1.8),
    MOUTHS[mouth](),
    combo > 1 && line("M20.5 33l5 2", 2, PAINT),
    combo > 2 && line("M21 37l4.5 1.5", 2, PAINT),
    before(hair, cloth),
  ];
}
