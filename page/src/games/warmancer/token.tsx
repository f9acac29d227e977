import { RANKS } from "duello/games/warmancer";

/** Symbols of the ranks, by number, in a square of 24. */
const SYMBOLS = [
  "M3 20V6l5 5 4-8 4 8 5-5v14z",
  "M12 1l3 4-1.500 9h-3L9 5zM7 14h10v2.500H7zM10.800 16.500h2.400V23h-2.400z",
  "M12 2l8 9h-5v11H9V11H4z",
  "M1 12Q12 1 23 12Q12 23 1 12zM12 8a4 4 0 1 0 .01 0z",
  "M12 2l9 3v7c0 5-4 8-9 10-5-2-9-5-9-10V5z",
  "M6 22c0-6 4-7 4-10l-5 2-2-3 6-7 1-3 3 3c5 1 7 6 7 18z",
  "M4 22V11a8 8 0 0 1 16 0v11l-3-3-2.500 3L12 19l-2.500 3L7 19zM9 8a2 2 0 1 0 .01 0zM15 8a2 2 0 1 0 .01 0z",
  "M10 1h3v22h-3zM13 3c6 0 9 4 9 9-3-2-6-2-9-1zM10 4C5 4 2 7 2 12c3-2 5-2 8-1z",
  "M4 1h2.500v22H4zM6.500 2c5 2 8-1 14 1l-3 4.500 3 4.500c-6-2-9 1-14-1z",
  "M12 1l3.200 7.200 7.800.8-5.900 5.200 1.800 7.800L12 18l-6.900 4 1.800-7.800L1 9l7.800-.8z",
  "M12 1l9 7v4l-9-7-9 7V8zM12 8l9 7v4l-9-7-9 7v-4zM12 15l9 7h-5l-4-3-4 3H3z",
  "M5 2l7 7 7-7 3 3-7 7 7 7-3 3-7-7-7 7-3-3 7-7-7-7z",
];

const SHAPES = [
  "M20 2a18 18 0 1 0 .01 0z",
  "M20 1Q33.500 6.500 39 20Q33.500 33.500 20 39Q6.500 33.500 1 20Q6.500 6.500 20 1z",
];

/** Number of a rank by its name; -1 for none. */
export function rankNamed(name: string | null | undefined): number {
  return RANKS.findIndex((rank) => rank.name === name);
}

interface TokenProps {
  readonly player: number;
  /** Name of the drawn rank; null for a hidden rank. */
  readonly rank: string | null;
  /** True if the rank is known to everybody. */
  readonly isProved?: boolean;
  /** True if the pawn is drawn as the viewer's own, so that a proved rank is marked. */
  readonly isOwn?: boolean;
  /** True if a hidden pawn has moved. */
  readonly hasMoved?: boolean;
}

/** Draws a pawn: a disc for player 1 and a diamond for player 2, with the symbol and the number of its rank. */
export function Token({ player, rank, isProved = false, isOwn = false, hasMoved = false }: TokenProps) {
  const number = rankNamed(rank);
  const isNumbered = number > 0 && number < RANKS.length - 1;
  const kind = number < 0 ? "unknown" : isNumbered ? "numbered" : "sign";
  return (
    <svg class={`warmancer-token ${player === 2 ? "two" : "one"} ${kind}`} viewBox="0 0 40 40" aria-hidden="true">
      <path class="shape" d={SHAPES[player === 2 ? 1 : 0]} />
      {number >= 0 && <path class="symbol" fill-rule="evenodd" d={SYMBOLS[number]} />}
      {!isNumbered && number >= 0 ? null : (
        <text x="20" y="20">
          {number < 0 ? "?" : number}
        </text>
      )}
      {number < 0 && hasMoved && <path class="moved" d="M13 32h14" />}
      {isOwn && isProved && (
        <g class="seen" transform="translate(26 0) scale(.6)">
          <circle cx="12" cy="12" r="12" />
          <path fill-rule="evenodd" transform="translate(2.400 2.400) scale(.8)" d={SYMBOLS[3]} />
        </g>
      )}
    </svg>
  );
}
