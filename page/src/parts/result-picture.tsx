import type { MatchOutcome } from "duello";

/** Look of a result: its colour and its picture. */
export type Band = "won" | "won-on-time" | "robbed" | "lost" | "draw" | "watched";

/** Chooses the look of a result. @param viewer 0 for a spectator, for whom nothing was won or lost. */
export function bandOf({ duel, pot, isOnTime }: MatchOutcome, viewer: number): Band {
  if (duel === "draw") return "draw";
  if (viewer === 0) return "watched";
  if (duel === "lost") return "lost";
  if (pot === "other") return "robbed";
  return isOnTime ? "won-on-time" : "won";
}

const INK = "#221d1a";

/** Draws a result: the winner's mark in a laurel, a clock, a sack of money, a broken mark, or both marks. */
export function ResultPicture({ band, winner, viewer }: { band: Band; winner: number; viewer: number }) {
  return (
    <svg class="result-picture" viewBox="0 0 64 64" stroke={INK} stroke-width="2" aria-hidden="true">
      {band === "draw" && [<Mark key={1} player={1} x={19} y={34} />, <Mark key={2} player={2} x={45} y={34} />]}
      {(band === "won" || band === "watched") && (
        <>
          <path
            fill="#f2c14e"
            d="M32 60C12 60 4 44 6 24c4 2 5 5 5 8 0-6 0-12 4-17 3 4 3 8 1 12 3-3 5-4 8-4-1 5-4 7-8 9 4-1 7 0 9 2-3 3-6 4-9 3 3 1 5 4 6 7-4 0-6-2-8-4 2 8 8 13 18 14s16-6 18-14c-2 2-4 4-8 4 1-3 3-6 6-7-3 1-6 0-9-3 2-2 5-3 9-2-4-2-7-4-8-9 3 0 5 1 8 4-2-4-2-8 1-12 4 5 4 11 4 17 0-3 1-6 5-8 2 20-6 36-26 36z"
          />
          <Mark player={winner} x={32} y={24} />
        </>
      )}
      {band === "won-on-time" && (
        <>
          <path fill="#fffdf8" stroke-width="3" d="M32 8a25 25 0 1 0 .01 0z" />
          <path fill="#d8432f" stroke="none" d="M32 33V12a21 21 0 0 1 0 42z" />
          <path fill="none" stroke-width="4" d="M32 33V15M32 33l1 17" />
          <path fill={INK} d="M28 2h8v6h-8z" />
        </>
      )}
      {band === "robbed" && (
        <>
          <path fill="#c9a05c" d="M34 20q22 10 18 34-20 12-40 0Q8 30 30 20z" />
          <path fill="#f2c14e" d="M25 13h14v8H25z" />
          <path fill="none" stroke="#fff3d6" stroke-width="3" stroke-linecap="round" d="M26 34l12 12M38 34 26 46" />
        </>
      )}
      {band === "lost" && (
        <>
          <Mark player={viewer} x={32} y={32} />
          <path fill="none" stroke="#fff" stroke-width="3" d="M35 16l-7 14 8 6-6 14" />
        </>
      )}
    </svg>
  );
}

function Mark({ player, x, y }: { player: number; x: number; y: number }) {
  if (player === 1) return <circle cx={x} cy={y} r="12" fill="#e0702c" />;
  return <path d={`M${x} ${y - 14}l14 14-14 14-14-14z`} fill="#4c8be8" />;
}
