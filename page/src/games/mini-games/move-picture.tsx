import { KindId, moveName } from "duello/games/mini-games";

/** Places of a die's pips, in a grid of three by three. */
const PIPS = [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];

const HANDS = [
  <path class="fill" d="M14 42 8 30l6-14 14-7 15 4 9 13-3 13-11 8H22z M14 16l11 7 18-10 M25 23l-3 16" />,
  <path class="fill" d="M16 7h20l10 10v38H16z M36 7v10h10 M22 25h18 M22 33h18 M22 41h11" />,
  <g>
    <path d="M20 8 40 42 M40 8 20 42" />
    <circle class="fill" cx="17" cy="47" r="7" />
    <circle class="fill" cx="43" cy="47" r="7" />
  </g>,
];

const COIN = [
  <path d="M22 44c0-7 4-9 8-9s8 2 8 9z M30 17a8 8 0 1 1 0 16 8 8 0 0 1 0-16" />,
  <path d="M30 16l4.2 9.2 10 1-7.5 6.7 2.2 9.9L30 37.7l-8.9 5.1 2.2-9.9-7.5-6.700 10-1z" />,
];

/** Picture of a move: a hand, a die, a side of a coin, or a number. */
export function MovePicture({ kind, move }: { readonly kind: number; readonly move: number }) {
  return (
    <svg class={kind === KindId.Coin ? "mini-symbol mini-gold" : "mini-symbol"} viewBox="0 0 60 60" aria-hidden="true">
      {drawn(kind, move)}
    </svg>
  );
}

function drawn(kind: number, move: number) {
  if (kind === KindId.RockPaperScissors) return HANDS[move];
  if (kind === KindId.Coin) {
    return (
      <>
        <circle class="mini-rim" cx="30" cy="30" r="26" />
        <circle class="mini-rim" cx="30" cy="30" r="21" />
        {COIN[move]}
      </>
    );
  }
  if (kind === KindId.Dice || kind === KindId.RolledDice) {
    return (
      <>
        <rect class="fill" x="6" y="6" width="48" height="48" rx="10" />
        {(PIPS[move] ?? []).map((pip) => (
          <circle key={pip} class="mini-pip" cx={18 + 12 * (pip % 3)} cy={18 + 12 * Math.floor(pip / 3)} r="4.5" />
        ))}
      </>
    );
  }
  return (
    <text x="30" y="45" text-anchor="middle" class="mini-number">
      {moveName(kind, move)}
    </text>
  );
}
