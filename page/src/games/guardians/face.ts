import { dots, group, INK, line, mixed, plain, shape, type Drawing } from "../shared/drawing.ts";

/** Traits of a card that the card's picture shows. */
export interface FaceTraits {
  readonly id: string | bigint;
  /** Place of the card's type on the wheel. */
  readonly type: number;
  readonly power: number;
  readonly defense: number;
  readonly hp: number;
  readonly speed: number;
  readonly critical: number;
  readonly luck: number;
}

/** Colours of a card: the base colour, a light shade and a dark one. */
interface Shades {
  readonly base: string;
  readonly light: string;
  readonly dark: string;
}

/** Hue, saturation and lightness of each type. */
const TYPES = [
  [238, 52, 56],
  [288, 46, 50],
  [45, 82, 66],
  [192, 28, 50],
  [142, 46, 38],
  [28, 62, 44],
  [14, 84, 54],
  [336, 60, 34],
] as const;
const RING = "M14 36C-6 30-2 22 32 27s38 17 18 16";
const HALO = "M18 7a14 4.5 0 1 1 28 0a14 4.5 0 1 1-28 0z";

/** Draws round, slanted or sharp eyes. @param speed 0, 1 or 2. */
function eyesOf(speed: number, color: string, y = 31): Drawing {
  return [
    dots(
      [
        [25, y],
        [39, y],
      ],
      3.4,
      color,
    ),
    plain(color, `M20 ${y - 4}l10 4q-2 4-6 3-4-2-4-7zM44 ${y - 4}l-10 4q2 4 6 3 4-2 4-7z`),
    plain(color, `M16 ${y - 7}l14 7q-2 4-6 3-5-2-8-10zM48 ${y - 7}l-14 7q2 4 6 3 5-2 8-10z`),
  ][speed];
}

/** For each type: the crest, which grows with power, and the head, whose eyes show the speed. */
const CREATURES: readonly { crest(shades: Shades): Drawing; head(shades: Shades, speed: number): Drawing }[] = [
  {
    crest: ({ light }: Shades) => [line(RING, 8), line(RING, 4, light)],
    head: ({ base, light }: Shades, eyes: number) => [
      shape(base, "M32 10a20.5 20.5 0 1 1-.01 0z"),
      plain(light, "M20 17q8-6 17-3-5 4-17 3zM16 41q14 5 31 2-4 6-12 7-12 1-19-9z"),
      line("M15 33C4 33 0 36 6 41s38 10 46 7 4-8 0-10", 7.5),
      line("M15 33C4 33 0 36 6 41s38 10 46 7 4-8 0-10", 3.6, "#ffd75e"),
      eyesOf(eyes, "#fff3c4", 28),
      dots(
        [
          [26, 28],
          [38, 28],
        ],
        1.6,
      ),
      line("M28 37q4 3 8 0", 2.2),
    ],
  },
  {
    crest: ({ light }: Shades) => [
      line("M26 16Q20 6 14 4M38 16Q44 6 50 4", 3, INK),
      dots(
        [
          [13, 4],
          [51, 4],
        ],
        4.4,
        INK,
      ),
      dots(
        [
          [13, 4],
          [51, 4],
        ],
        2.8,
        light,
      ),
    ],
    head: ({ base, light, dark }: Shades, eyes: number) => [
      shape(
        base,
        "M32 10c14 0 20 10 18 22-1 6-3 8-2 14 1 5 5 5 5 9-6 2-9-3-10-8-1 6 1 9-3 12-5-2-5-7-4-11-3 3-2 8-4 11-4-3-5-7-4-11-3 3-1 9-5 11-4-3-2-7-2-12-2 5-5 10-11 8 0-4 4-4 5-9 1-6-1-8-2-14C11 20 18 10 32 10z",
      ),
      shape("#fff", "M24 24a7 7.5 0 1 0 .01 0zM40 24a7 7.5 0 1 0 .01 0z"),
      [
        dots(
          [
            [25, 32],
            [39, 32],
          ],
          3.6,
          dark,
        ),
        line("M22 32h6M36 32h6", 4.6, dark),
        line("M17 28l12 4M47 28l-12 4", 3.4, dark),
      ][eyes],
      dots(
        [
          [22, 17],
          [32, 15],
          [42, 17],
        ],
        1.8,
        light,
      ),
    ],
  },
  {
    crest: () => [line(HALO, 6), line(HALO, 3, "#ffd75e")],
    head: ({ base, light, dark }: Shades, eyes: number) => [
      shape(
        "#fffaf0",
        "M16 42C2 42-2 28 3 18c2 6 5 8 9 9-3 0-4-2-4-4 3 4 6 5 9 5zM48 42c14 0 18-14 13-24-2 6-5 8-9 9 3 0 4-2 4-4-3 4-6 5-9 5z",
      ),
      shape(base, "M32 12c9 0 16 5 16 17 0 12-9 23-16 23S16 41 16 29c0-12 7-17 16-17z"),
      plain(light, "M32 12c9 0 16 5 16 17 0 12-9 23-16 23z"),
      line("M32 12v10M32 33v8M28 45h8", 2, dark),
      eyesOf(eyes, dark, 29),
    ],
  },
  {
    crest: ({ dark }: Shades) => [
      line("M32 14V4", 3),
      dots([[32, 3.5]], 4.6, INK),
      dots([[32, 3.5]], 2.6, "#ff5d4a"),
      shape(dark, "M8 24h7v14H8zM49 24h7v14h-7z"),
    ],
    head: ({ base, light }: Shades, eyes: number) => [
      shape(base, "M18 13h28q4 0 4 4v26q0 6-6 8H20q-6-2-6-8V17q0-4 4-4z"),
      shape("#17242b", "M18 22h28v13H18z"),
      [
        dots(
          [
            [25, 28.5],
            [39, 28.5],
          ],
          3.6,
          "#7ef0ff",
        ),
        line("M21 28.5h8M35 28.5h8", 4, "#7ef0ff"),
        line("M20 28.5h24", 4, "#7ef0ff"),
      ][eyes],
      shape(light, "M22 40h20v7H22z"),
      line("M27 40v7M32 40v7M37 40v7", 1.8),
      dots(
        [
          [18.5, 17.5],
          [45.5, 17.5],
        ],
        1.5,
      ),
    ],
  },
  {
    crest: () => shape("#f1e3c0", "M20 18C10 16 5 9 6-1c6 6 12 6 20 12zM44 18c10-2 15-9 14-19-6 6-12 6-20 12z"),
    head: ({ base, light, dark }: Shades, eyes: number) => [
      shape(dark, "M13 22l-8 6 7 3-6 6 9 2zM51 22l8 6-7 3 6 6-9 2z"),
      shape(base, "M32 10c9 0 15 5 16 14 1 6-3 9-3 14 0 9-6 15-13 15s-13-6-13-15c0-5-4-8-3-14 1-9 7-14 16-14z"),
      shape(light, "M24 37q8-5 16 0l2 7q-2 8-10 8t-10-8z"),
      dots(
        [
          [28, 41],
          [36, 41],
        ],
        1.7,
      ),
      line("M25 47q7 3 14 0", 2),
      plain("#fff", "M27 48l2 4 1.5-3.5zM37 48l-2 4-1.5-3.5z"),
      eyesOf(eyes, "#ffd75e", 27),
      [
        dots(
          [
            [25, 27],
            [39, 27],
          ],
          1.4,
        ),
        dots(
          [
            [25, 27.5],
            [39, 27.5],
          ],
          1.3,
        ),
        dots(
          [
            [25, 27.5],
            [39, 27.5],
          ],
          1.3,
        ),
      ][eyes],
      line("M32 13v10", 2.4, dark),
    ],
  },
  {
    crest: ({ dark }: Shades) =>
      shape(dark, "M32-2l6 9 8-6 1 10 9-1-3 10 9 4-7 7 6 8-9 2 1 9-9-2H20l-9 2 1-9-9-2 6-8-7-7 9-4-3-10 9 1 1-10 8 6z"),
    head: ({ base, light }: Shades, eyes: number) => [
      shape(base, "M15 22c-5-3-5-10-1-12 5 0 8 3 9 6zM49 22c5-3 5-10 1-12-5 0-8 3-9 6z"),
      shape(base, "M32 13c10 0 17 7 17 18 0 12-8 21-17 21s-17-9-17-21c0-11 7-18 17-18z"),
      plain(light, "M32 34c7 0 11 4 11 9 0 6-5 9-11 9s-11-3-11-9c0-5 4-9 11-9z"),
      plain(INK, "M27 35h10l-5 6z"),
      line("M32 41v3M25 45q4 3 7-1 3 4 7 1", 2.2),
      plain("#fff", "M26 46.5l1.5 5 2-4.5zM38 46.5l-1.5 5-2-4.5z"),
      eyesOf(eyes, "#fff6d8", 28),
      dots(
        [
          [26, 28],
          [38, 28],
        ],
        1.6,
      ),
    ],
  },
  {
    crest: () =>
      shape("#ffb938", "M32-4c2 8 10 8 9 16 4-1 5-5 4-8 8 6 10 18 6 28H13C9 22 11 12 18 5c0 4 1 6 4 7-1-8 8-8 10-16z"),
    head: ({ base }: Shades, eyes: number) => [
      shape(
        base,
        "M32 8c1 6 7 6 7 12 3-1 4-3 4-5 5 5 7 11 7 17 0 13-8 20-18 20s-18-7-18-20c0-6 2-12 7-17 0 3 1 5 4 6-1-6 6-7 7-13z",
      ),
      plain("#ffd75e", "M32 27c6 5 11 8 11 15 0 6-5 10-11 10s-11-4-11-10c0-7 5-10 11-15z"),
      eyesOf(eyes, INK, 33),
      line("M26 44q6 4 12 0", 2.6),
    ],
  },
  {
    crest: ({ light }: Shades) => shape(light, "M14 22L2 10l16 4-3-14 13 10 6-14 4 14L54 0l-5 15 13-2-13 11z"),
    head: ({ base, light }: Shades, eyes: number) => [
      shape(base, "M32 11c11 0 18 7 18 19 0 7-4 9-5 14l-3 8-5-3-5 5-5-5-5 3-3-8c-1-5-5-7-5-14 0-12 7-19 18-19z"),
      plain("#f0e2ea", "M32 11c-11 0-18 7-18 19 0 7 4 9 5 14l3 8 5-3 5 5z"),
      [
        [
          dots([[24, 31]], 4.4),
          dots(
            [
              [40, 28],
              [42, 36],
            ],
            3,
            "#ff5d8f",
          ),
        ],
        [
          plain(INK, "M18 28l12 3q-2 5-6 4-5-1-6-7z"),
          dots(
            [
              [40, 28],
              [42, 36],
            ],
            3,
            "#ff5d8f",
          ),
        ],
        [
          plain(INK, "M16 24l14 7q-2 5-6 4-6-2-8-11z"),
          plain("#ff5d8f", "M48 24l-13 6q2 4 6 3 5-2 7-9zM46 34l-8 2q2 3 4 2z"),
        ],
      ][eyes],
      line("M24 44l3-2 3 3 3-3 3 3 3-3 2 2", 2.2, light),
    ],
  },
];

/** Places of the stars of a lucky card. */
const STARS = [7, 57];

/** Returns the step of a value: 0 below the first bound, 1 below the second, otherwise 2. */
function stepOf(value: number, low: number, high: number): number {
  return value < low ? 0 : value < high ? 1 : 2;
}

/** Returns the hue of a tile behind a card. */
export function tileHue(type: number): number {
  return TYPES[type][0];
}

/** Draws a card in a square of 64: the creature shows the card's type, and its features show the card's values. */
export function cardFace({ id, type, power, defense, hp, speed, critical, luck }: FaceTraits): Drawing {
  const [typeHue, saturation, lightness] = TYPES[type];
  const hue = (typeHue + (mixed(id) % 5) * 6 - 12 + 360) % 360;
  const shade = (light: number) => `hsl(${hue} ${saturation}% ${light}%)`;
  const shades = {
    base: shade(lightness),
    light: shade(Math.min(86, lightness + 24)),
    dark: shade(Math.max(14, lightness - 24)),
  };
  const plate = stepOf(defense, 220, 290);
  const gem = stepOf(critical, 130, 220);
  const { crest, head } = CREATURES[type];
  const bulk = 0.94 * [0.92, 1, 1.08][stepOf(hp, 1100, 1300)];
  const crestSize = [0.78, 0.92, 1.06][stepOf(power, 450, 570)];
  return [
    group(
      scaledAt(32, 60, bulk),
      group(scaledAt(32, 24, crestSize), crest(shades)),
      shape(shades.dark, "M8 68c0-12 10-19 24-19s24 7 24 19z"),
      plate > 0 &&
        shape("#aab3bf", "M8 64c2-9 8-13 14-14l10 8 10-8c6 1 12 5 14 14-6-4-9-5-12-3l-12 7-12-7c-3-2-6-1-12 3z"),
      plate > 1 && shape("#d5dae1", "M8 58l-4-10 10 4zM56 58l4-10-10 4z"),
      head(shades, stepOf(speed, 90, 120)),
      gem > 0 && shape("#ff5d8f", gem > 1 ? "M32 14l5 6-5 6-5-6z" : "M32 16l3.5 4-3.5 4-3.5-4z"),
    ),
    STARS.slice(0, stepOf(luck, 90, 150)).map((x) =>
      shape("#ffd75e", `M${x} 3l1.5 3.5 3.5 1.5-3.5 1.5L${x} 13l-1.5-3.5-3.5-1.5 3.5-1.5z`, 1.2),
    ),
  ];
}

/** Scales by a factor around a point. */
function scaledAt(x: number, y: number, factor: number): string {
  return `translate(${(x - factor * x).toFixed(2)} ${(y - factor * y).toFixed(2)}) scale(${factor.toFixed(3)})`;
}
