const icons = import.meta.glob<string>("../games/*.svg", { query: "?url", import: "default", eager: true });

/** Draws the sign of a game next to its name; the first letter if the game has no sign. */
export function GameIcon({ name, size = 40 }: { name: string; size?: number }) {
  const icon = icons[`../games/${name}.svg`];
  if (icon === undefined) {
    return (
      <svg class="letter muted" viewBox="0 0 40 40" width={size} height={size} fill="none" aria-hidden="true">
        <rect x="3" y="3" width="34" height="34" rx="9" stroke="currentColor" stroke-width="3" />
        <text x="20" y="27" text-anchor="middle" font-size="20" font-weight="700" fill="currentColor">
          {(name[0] ?? "?").toUpperCase()}
        </text>
      </svg>
    );
  }
  return <img src={icon} width={size} height={size} alt="" />;
}
