/** Wins, draws and losses as a bar of three parts; the figures are beside it. */
export function Tally({ wins, draws, losses }: { wins: number; draws: number; losses: number }) {
  const all = wins + draws + losses;
  const parts = [
    ["tally-won", 0, wins],
    ["tally-drawn", wins, draws],
    ["tally-lost", wins + draws, losses],
  ] as const;
  return (
    <svg class="tally" viewBox={`0 0 ${all || 1} 1`} preserveAspectRatio="none" aria-hidden="true">
      {parts.map(([name, from, count]) => (
        <rect key={name} class={name} x={from} width={count} height="1" />
      ))}
    </svg>
  );
}
